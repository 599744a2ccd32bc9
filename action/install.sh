#!/usr/bin/env bash
# Installs agent-contracts: a release, by its checksum, or what lies around this script.
#
# VERSION            the release; empty for that of ACTION_REF
# ACTION_REF         the tag, branch or commit by which the action is used
# ACTION_REPOSITORY  owner and name of its repository
set -euo pipefail

say() { printf 'agent-contracts: %s\n' "$*" >&2; }
fail() { say "$*"; exit 2; }

release='^v[0-9]+\.[0-9]+\.[0-9]+([-+.][0-9A-Za-z.+-]+)?$'
bin="${RUNNER_TEMP:?}/agent-contracts/bin"
mkdir -p "$bin"
printf '%s\n' "$bin" >> "${GITHUB_PATH:?}"

version="${VERSION:-}"
if [ -n "$version" ]; then
    [[ "$version" =~ $release ]] || fail "the version has to be a tag such as v0.1.0"
elif [[ "${ACTION_REF:-}" =~ $release ]]; then
    version="$ACTION_REF"
fi

if [ -z "$version" ]; then
    say "no release is named, so this one is built"
    exec cargo install --locked --features net --root "${bin%/bin}" --path "$(dirname "$0")/.."
fi

case "${RUNNER_OS:?}-${RUNNER_ARCH:?}" in
    Linux-X64) target=x86_64-unknown-linux-musl archive=tar.gz ;;
    Linux-ARM64) target=aarch64-unknown-linux-musl archive=tar.gz ;;
    macOS-X64) target=x86_64-apple-darwin archive=tar.gz ;;
    macOS-ARM64) target=aarch64-apple-darwin archive=tar.gz ;;
    Windows-X64) target=x86_64-pc-windows-msvc archive=zip ;;
    *) fail "there is no release for $RUNNER_OS on $RUNNER_ARCH; install agent-contracts and set install: false" ;;
esac
[[ "${ACTION_REPOSITORY:-}" =~ ^[0-9A-Za-z._-]+/[0-9A-Za-z._-]+$ ]] || fail "the repository of the action is not known"

from="${GITHUB_SERVER_URL:?}/$ACTION_REPOSITORY/releases/download/$version"
file="agent-contracts-$target.$archive"
cd "$(mktemp -d)"
for name in "$file" SHA256SUMS; do
    curl --fail --silent --show-error --location --proto '=https' --retry 3 --output "$name" "$from/$name" \
        || fail "$version has no $name"
done

# Exactly the line of this file; one that is missing is no match.
grep -E "^[0-9a-f]{64}  $file\$" SHA256SUMS > wanted || fail "SHA256SUMS does not name $file"
if command -v sha256sum > /dev/null; then
    sha256sum --check --quiet wanted
else
    shasum --algorithm 256 --check --quiet wanted
fi || fail "$file is not what the release says it is"

case "$archive" in
    zip) unzip -q "$file" ;;
    *) tar -xzf "$file" ;;
esac
mv "agent-contracts-$target"/agent-contracts* "$bin/"
say "installed $version"
