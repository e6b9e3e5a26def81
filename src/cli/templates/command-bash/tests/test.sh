#!/usr/bin/env bash
# Runs the script as a process, as its caller does.
set -euo pipefail

script="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/scripts/main.sh"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "FAILED: $1" >&2
  exit 1
}

printf 'one two\nthree\n' >"$folder/note.txt"
bash "$script" "$folder/note.txt" --output "$folder/out/note.md" >/dev/null || fail "writes the report"
grep -q '| words | 3 |' "$folder/out/note.md" || fail "counts the words"

if bash "$script" "$folder/absent.txt" --output "$folder/report.md" 2>"$folder/stderr"; then
  fail "a missing file is an error"
fi
grep -q 'absent.txt' "$folder/stderr" || fail "a missing file is named"
echo "all tests passed"
