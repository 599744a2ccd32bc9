#!/usr/bin/env bash
# Builds the command as it is released, for this machine or the target that is named, and fails if it has grown beyond
# 6 MB.
#
#     bash packaging/build.sh [TARGET]
set -euo pipefail
cd "$(dirname "$0")/.."

target="${1:-$(rustc -vV | sed -n 's/^host: //p')}"
link=(-C debuginfo=0)
if [[ "$target" = *-linux-* ]]; then
    link+=(-C link-arg=-Wl,-T,packaging/no-unwinding.ld -C link-arg=-Wl,--no-eh-frame-hdr)
fi
if [[ "$target" = x86_64-unknown-linux-gnu ]]; then
    # Rust links with LLD there, which keeps one of several functions that are the same.
    link+=(-C link-arg=-Wl,--icf=all)
fi
if [[ "$target" = *-linux-musl ]]; then
    # A static binary relocates itself. A dynamic loader would have to know this form, and those of 2021 do not.
    link+=(-C link-arg=-Wl,-z,pack-relative-relocs)
fi
cargo rustc --locked --profile dist --features net --bin agent-contracts --target "$target" -- "${link[@]}"

binary="target/$target/dist/agent-contracts"
[ -f "$binary" ] || binary="$binary.exe"
bytes="$(wc -c < "$binary")"
echo "$binary: $bytes bytes"
[ "$bytes" -lt 6000000 ] || { echo "the binary has grown beyond 6 MB" >&2; exit 1; }
