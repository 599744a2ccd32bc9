#!/usr/bin/env bash
# Proves that the schemas work in the tools that frontends use: a matrix of tools and schemas, status 1 if a row fails.
#
#   --strict-rows   what is missing fails too
#   --bless         write docs/frontends.md and the validators
#
# AGENT_CONTRACTS names the checker, FRONTENDS_OUT a folder for what is made. Needs node, npm and python3.
set -euo pipefail
cd "$(dirname "$0")"

export FRONTENDS_OUT="${FRONTENDS_OUT:-$PWD/../target/frontends}"
mkdir -p "$FRONTENDS_OUT"
if [ -z "${AGENT_CONTRACTS:-}" ]; then
    cargo build --quiet --release --features cli --manifest-path ../Cargo.toml
    export AGENT_CONTRACTS="$PWD/../target/release/agent-contracts"
fi

if grep -E '"resolved"|registry' package-lock.json; then
    echo "package-lock.json names a registry"
    exit 1
fi
bash install.sh node
bash install.sh python requirements.txt "$FRONTENDS_OUT/python"
python="$FRONTENDS_OUT/python/bin/python"
if [ ! -e "${CHROMIUM:-/usr/bin/chromium}" ] && [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then
    { apt-get update && apt-get install --yes --no-install-recommends chromium; } \
        > "$FRONTENDS_OUT/apt.log" 2>&1 || true
fi

case " $* " in *" --bless "*) node build-validators.mjs ;; esac
node fixtures.mjs
crashed=0
"$python" check_python.py & others=$!
for check in ajv types zod quicktype package openapi pages; do
    node "check-$check.mjs" || { echo "check-$check.mjs stopped"; crashed=1; }
done
wait "$others" || { echo "check_python.py stopped"; crashed=1; }
node matrix.mjs "$@" && [ "$crashed" = 0 ]
