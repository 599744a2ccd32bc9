#!/usr/bin/env bash
# Installs what a lock file pins, unless it is there already.
#
#     bash install.sh node                            node_modules beside this file
#     bash install.sh python REQUIREMENTS FOLDER      a virtual environment in the folder
set -euo pipefail

case "$1" in
    node)
        cd "$(dirname "$0")"
        if ! cmp --silent package-lock.json node_modules/.locked; then
            npm ci --no-audit --no-fund --loglevel=error > /dev/null
            cp package-lock.json node_modules/.locked
        fi
        ;;
    python)
        requirements="$2" folder="$3"
        if ! cmp --silent "$requirements" "$folder/locked"; then
            python3 -m venv --clear "$folder"
            "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --requirement "$requirements"
            cp "$requirements" "$folder/locked"
        fi
        ;;
esac
