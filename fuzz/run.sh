#!/usr/bin/env bash
# Builds the fuzz targets and runs each of them for some seconds, as many at a time as there are cores.
#
#     bash fuzz/run.sh [SECONDS [TARGET]…]     60 seconds, all targets
#     JOBS=1 bash fuzz/run.sh 600              one after another
#     SEED=1 bash fuzz/run.sh                  the same inputs every time, as far as the clock allows
#     RECORD=1 bash fuzz/run.sh 3600           writes the table of docs/robustness.md anew
#
# The crate has no unsafe code, so the coverage that any compiler can count is all that is asked for: no
# nightly, no sanitizer, no further tool. Exit status 1 if a target has found something.
set -euo pipefail
cd "$(dirname "$0")"

seconds="${1:-60}"
targets=("${@:2}")
if [ "${#targets[@]}" = 0 ]; then
    for file in fuzz_targets/*.rs; do targets+=("$(basename "$file" .rs)"); done
fi
jobs="${JOBS:-$(getconf _NPROCESSORS_ONLN)}"
seed="${SEED:-0}" # of which libFuzzer makes one of its own
# Named, so that the flags are for the targets alone and not for what runs while they are built.
host="$(rustc -vV | sed -n 's/^host: //p')"
logs="target/logs"
dictionary="target/dictionary.txt"

mkdir -p "$logs"
{
    cat dictionary.txt
    grep -ohE '"[A-Za-z0-9_./-]+"' ../schemas/*/*/*.schema.json | sort -u
} > "$dictionary"

coverage=(
    -Cpasses=sancov-module
    -Cllvm-args=-sanitizer-coverage-level=4
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters
    -Cllvm-args=-sanitizer-coverage-pc-table
    -Cllvm-args=-sanitizer-coverage-trace-compares
)
RUSTFLAGS="--cfg fuzzing ${coverage[*]}" \
    cargo build --quiet --release --target-dir target --target "$host" "${targets[@]/#/--bin=}"

# The folder of fixtures that a target begins with: that of its protocol, if it is about one.
fixtures() {
    local folder="${1#check_}"
    folder="../fixtures/${folder//_/-}"
    if [ -d "$folder" ]; then echo "$folder"; else echo ../fixtures; fi
}

fuzz() {
    local target="$1" status=0
    mkdir -p "corpus/$target" "artifacts/$target"
    "target/$host/release/$target" "corpus/$target" "$(fixtures "$target")" \
        -seed="$seed" -max_total_time="$seconds" -max_len=16384 -timeout=10 -rss_limit_mb=2048 \
        -dict="$dictionary" -artifact_prefix="artifacts/$target/" -print_final_stats=1 \
        > "$logs/$target.log" 2>&1 || status=$?
    echo "$status" > "$logs/$target.status"
}

for target in "${targets[@]}"; do
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do sleep 0.2; done
    fuzz "$target" &
done
wait

# The last number behind a word of a log.
last() { grep -oE "$1 *[0-9]+" "$2" | tail -n 1 | grep -oE '[0-9]+$' || echo 0; }

found=0
table="$logs/table.md"
: > "$table"
for target in "${targets[@]}"; do
    log="$logs/$target.log"
    outcome=nothing
    if [ "$(cat "$logs/$target.status")" != 0 ]; then
        found=1
        outcome="$(grep -oE 'Test unit written to .*' "$log" | sed 's/.* to //' | tail -n 1 || true)"
        outcome="${outcome:-it did not run}"
    fi
    echo "| \`$target\` | $(last 'number_of_executed_units:' "$log") | $(last 'cov:' "$log") | $outcome |" >> "$table"
    if [ "$outcome" != nothing ]; then grep -m 3 -E 'panicked at|ERROR:|error' -A 2 "$log" >&2 || tail -n 5 "$log" >&2; fi
done

printf '| target | executions | coverage | found |\n| --- | --- | --- | --- |\n'
cat "$table"

if [ -n "${RECORD:-}" ]; then
    page=../docs/robustness.md
    note="Each target ran for $seconds seconds, at $(git rev-parse --short HEAD)."
    awk -v note="$note" -v table="$table" '
        /^<!-- results -->$/ { print; print note; print ""; print "| target | executions | coverage | found |"
                               print "| --- | --- | --- | --- |"; while ((getline row < table) > 0) print row; skip = 1 }
        /^<!-- end -->$/ { skip = 0 }
        !skip && !/^<!-- results -->$/ { print }
    ' "$page" > "$page.new" && mv "$page.new" "$page"
fi
exit "$found"
