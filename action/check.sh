#!/usr/bin/env bash
# Runs `agent-contracts check` with what the environment says, and hands on its status.
set -euo pipefail

# Lines that are not empty. Written for the bash of macOS, which is an old one.
paths=() more=()
while IFS= read -r line; do
    line="${line%$'\r'}"
    [ -z "$line" ] || paths+=("$line")
done <<< "${PATHS:-.}"
while IFS= read -r line; do
    line="${line%$'\r'}"
    [ -z "$line" ] || more+=("$line")
done <<< "${ARGUMENTS:-}"
while IFS= read -r line; do
    line="${line%$'\r'}"
    [ -z "$line" ] || more+=(--report "$line")
done <<< "${REPORTS:-}"
[ "${#paths[@]}" -gt 0 ] || paths=(.)

output="${OUTPUT_FILE:-}"
if [ "${FORMAT:-github}" = sarif ] && [ -z "$output" ]; then output=agent-contracts.sarif; fi

arguments=(--protocol "${PROTOCOL:-auto}" --profile "${PROFILE:-strict}" --fail-on "${FAIL_ON:-error}")
arguments+=(--format "${FORMAT:-github}")
if [ -n "$output" ]; then arguments+=(--output-file "$output"); fi

status=0
agent-contracts check "${arguments[@]}" ${more[@]+"${more[@]}"} -- "${paths[@]}" || status=$?

# One line each: a name with a line break would write outputs of its own.
printf 'status=%s\noutput-file=%s\n' "$status" "${output//[$'\r\n']/}" >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$status"
