#!/usr/bin/env bash
# Runs `agent-contracts check` with what the environment says, and hands on its status.
set -euo pipefail

# Lines that are not empty. Written for the bash of macOS, which is an old one.
paths=() more=()
while IFS= read -r line; do
    line="${line%$'\r'}"
    [ -z "$line" ] || paths+=("$line")
done <<< "${PATHS:-}"
while IFS= read -r line; do
    line="${line%$'\r'}"
    [ -z "$line" ] || more+=("$line")
done <<< "${ARGUMENTS:-}"
while IFS= read -r line; do
    line="${line%$'\r'}"
    [ -z "$line" ] || more+=(--report "$line")
done <<< "${REPORTS:-}"

output="${OUTPUT_FILE:-}"
if [ "${FORMAT:-github}" = sarif ] && [ -z "$output" ]; then output=agent-contracts.sarif; fi

# What is not set is left to contracts.toml, which counts less than an argument.
arguments=(--format "${FORMAT:-github}")
if [ -n "${PROTOCOL:-}" ]; then arguments+=(--protocol "$PROTOCOL"); fi
if [ -n "${PROFILE:-}" ]; then arguments+=(--profile "$PROFILE"); fi
if [ -n "${FAIL_ON:-}" ]; then arguments+=(--fail-on "$FAIL_ON"); fi
if [ -n "$output" ]; then arguments+=(--output-file "$output"); fi

status=0
agent-contracts check "${arguments[@]}" ${more[@]+"${more[@]}"} -- ${paths[@]+"${paths[@]}"} || status=$?

# One line each: a name with a line break would write outputs of its own.
printf 'status=%s\noutput-file=%s\n' "$status" "${output//[$'\r\n']/}" >> "${GITHUB_OUTPUT:-/dev/null}"
exit "$status"
