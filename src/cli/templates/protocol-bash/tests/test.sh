#!/usr/bin/env bash
# Runs the script as a process, as its caller does.
set -euo pipefail

script="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/scripts/main.sh"

# expect NAME EXIT_CODE PART REQUEST: the answer must contain the part.
expect() {
  local name=$1 wanted=$2 part=$3 answer code=0
  answer=$(printf '%s' "$4" | bash "$script") || code=$?
  if [[ $code -ne $wanted || $answer != *"$part"* ]]; then
    echo "FAILED: $name: exit $code, $answer" >&2
    exit 1
  fi
}

expect analyze 0 '"metrics":{"lines":2,"words":2,"characters":11}' \
  '{"action": "analyze", "params": {"text": "\u4e00 two\nthree", "min_length": 2}}'
expect 'empty text' 0 '"code":"DATA_NOT_FOUND"' '{"action":"analyze","params":{"text":" "}}'
expect describe 0 '"protocol":"1.0"' '{"action":"describe"}'
expect test 0 '"passed":["analyze"]' '{"action":"test"}'
expect 'unknown action' 0 '"supported_actions":["analyze","describe","test"]' '{"action":"dance"}'
expect 'missing parameter' 0 '"details":{"missing":["text"]}' '{"action":"analyze"}'
expect 'invalid parameter' 0 '"code":"INVALID_PARAM"' '{"action":"analyze","params":{"text":"a","min_length":0}}'
expect 'invalid JSON' 1 '"code":"INVALID_JSON"' '{'
expect 'quotes and emoji' 0 'longest word: \"a\\b😀' '{"action":"analyze","params":{"text":"\"a\\b\ud83d\ude00"}}'

if ! printf '{"action":"test"}' | SKILL_DEBUG=1 bash "$script" 2>&1 >/dev/null | grep -q 'Input data'; then
  echo 'FAILED: debug logs go to stderr' >&2
  exit 1
fi
echo 'all tests passed'
