#!/usr/bin/env bash
# Writes a Markdown report with the lines, words and characters of a text file.
# Usage: main.sh INPUT --output OUTPUT
set -euo pipefail

main() {
  if [[ $# -ne 3 || $2 != --output ]]; then
    echo "usage: main.sh INPUT --output OUTPUT" >&2
    return 2
  fi
  local input=$1 output=$3
  if [[ ! -f $input || ! -r $input ]]; then
    echo "cannot read $input" >&2
    return 1
  fi
  mkdir -p -- "$(dirname -- "$output")"
  report "$input" >"$output"
  echo "report written: $output"
}

report() {
  printf '# %s\n\n| measure | value |\n|---|---|\n' "$(basename -- "$1")"
  printf '| lines | %d |\n' "$(grep -c '' -- "$1")"
  printf '| words | %d |\n' "$(wc -w <"$1")"
  printf '| characters | %d |\n' "$(wc -m <"$1")"
}

main "$@"
