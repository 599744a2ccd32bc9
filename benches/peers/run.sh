#!/usr/bin/env bash
# Holds reading, decoding and checking against what others do on the same streams, and prints the tables.
#
#     bash benches/peers/run.sh                            all streams, 15 rounds
#     STREAM=tools ROUNDS=5 bash benches/peers/run.sh      streams with that in their names
#     RECORD=1 bash benches/peers/run.sh                   writes the tables of docs/performance.md anew
#
# Peers whose language or packages are missing are named and left out. Instructions are counted where perf or
# valgrind can.
set -euo pipefail
cd "$(dirname "$0")"

# Each for itself: where one is missing, the others run all the same.
bash ../../frontends/install.sh node || echo "the packages for Node were not installed" >&2
if bash ../../frontends/install.sh python requirements.txt target/python; then
    export PYTHON="$PWD/target/python/bin/python"
else
    echo "the packages for Python were not installed" >&2
fi
cargo run --quiet --release
