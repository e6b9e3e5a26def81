#!/usr/bin/env bash
# Measures a text and says what stands out in it. Needs bash 5 and nothing else.
#
# Input, one JSON object on stdin:
#   {"action": "analyze", "params": {"text": "...", "min_length": 1}, "context": {"request_id": "..."}}
#
# Output, one JSON object on stdout:
#   {"success": true, "action": "analyze", "data": {"insights": [...], "metrics": {...}},
#    "message": "...", "metadata": {"execution_time_ms": 1, "items_count": 2}}
#   {"success": false, "action": "analyze", "error": {"code": "MISSING_PARAM", "message": "...", "details": {...}}}
#
# Actions:
#   analyze   text (required), min_length (default 1)
#   describe  what this skill can do
#   test      checks itself
#
# Logs go to stderr; SKILL_DEBUG=1 shows more of them.
set -Eeuo pipefail -f
export LC_ALL=C.UTF-8

NAME=skill-name
VERSION=0.1.0
PROTOCOL=1.0
TIMEOUT=300
STARTED=${EPOCHREALTIME/[.,]/}

# The request, flat: VALUES[request.params.text] and TYPES[request.params.text].
declare -A VALUES=() TYPES=()
ACTION='' DATA='{}' MESSAGE='' ITEMS=0

main() {
  trap 'fail_hard INTERNAL_ERROR "line $LINENO failed"' ERR
  local input
  IFS= read -r -d '' input || true
  log "Input data: $input"
  read_json "$input"
  if [[ ${TYPES[request]} != object ]]; then bad_json 'the request must be an object'; fi
  need request.action
  ACTION=${VALUES[request.action]-}
  case $ACTION in
    analyze) analyze ;;
    describe) describe ;;
    test) self_test ;;
    *) fail UNKNOWN_ACTION "Unknown action: $ACTION" '"supported_actions":["analyze","describe","test"]' ;;
  esac
  succeed
}

analyze() {
  need request.params.text
  local text=${VALUES[request.params.text]-} min_length=${VALUES[request.params.min_length]-1} word longest=''
  if [[ ${TYPES[request.params.text]} != string ]]; then invalid text 'a string'; fi
  if [[ ${TYPES[request.params.min_length]-number} != number || ! $min_length =~ ^[1-9][0-9]*$ ]]; then
    invalid min_length 'an integer from 1'
  fi
  if [[ ! $text =~ [^[:space:]] ]]; then fail DATA_NOT_FOUND 'the text is empty'; fi
  local -a lines=() words=()
  mapfile -t lines < <(printf '%s' "$text")
  for word in $text; do
    check_time
    if ((${#word} >= min_length)); then words+=("$word"); fi
    if ((${#word} > ${#longest})); then longest=$word; fi
  done
  ITEMS=${#words[@]}
  MESSAGE="words measured: $ITEMS"
  local insights
  insights=$(quote "words: $ITEMS, lines: ${#lines[@]}")
  if ((ITEMS > 0)); then insights+=,$(quote "longest word: $longest"); fi
  DATA="{\"insights\":[$insights],\"metrics\":{\"lines\":${#lines[@]},\"words\":$ITEMS,\"characters\":${#text}}}"
}

describe() {
  local params='{"text":{"type":"string","required":true},"min_length":{"type":"integer","default":1}}'
  DATA="{\"name\":\"$NAME\",\"version\":\"$VERSION\",\"protocol\":\"$PROTOCOL\",\"actions\":["
  DATA+="{\"name\":\"analyze\",\"description\":\"Measures a text.\",\"params\":$params},"
  DATA+='{"name":"describe","description":"Says what this skill can do.","params":{}},'
  DATA+='{"name":"test","description":"Checks itself.","params":{}}]}'
  MESSAGE='3 actions' ITEMS=3
}

self_test() {
  VALUES[request.params.text]=$'one two\nthree' TYPES[request.params.text]=string
  unset 'VALUES[request.params.min_length]' 'TYPES[request.params.min_length]'
  analyze
  if [[ $DATA != *'"lines":2,"words":3,"characters":13'* ]]; then fail_hard INTERNAL_ERROR 'analyze counted wrong'; fi
  DATA='{"passed":["analyze"]}' MESSAGE='all checks passed' ITEMS=1
}

# Names every missing value at once.
need() {
  local path missing='' name
  for path in "$@"; do
    name=${path##*.}
    if [[ ${TYPES[$path]-null} == null ]]; then missing+="${missing:+,}\"$name\""; fi
  done
  if [[ -n $missing ]]; then
    fail MISSING_PARAM "Missing required parameters: [$missing]" "\"details\":{\"missing\":[$missing]}"
  fi
}

invalid() { fail INVALID_PARAM "$1 must be $2" "\"details\":{\"param\":\"$1\"}"; }

check_time() {
  if ((SECONDS >= TIMEOUT)); then fail TIMEOUT "took longer than $TIMEOUT seconds"; fi
}

succeed() {
  local spent=$(((${EPOCHREALTIME/[.,]/} - STARTED) / 1000))
  printf '{"success":true,"action":%s,"data":%s,"message":%s,"metadata":{"execution_time_ms":%d,"items_count":%d}}\n' \
    "$(quote "$ACTION")" "$DATA" "$(quote "$MESSAGE")" "$spent" "$ITEMS"
}

# fail CODE MESSAGE [MORE]: an expected failure is an answer, so the exit code is 0.
fail() {
  printf '{"success":false,"action":%s,"error":{"code":"%s","message":%s%s}}\n' \
    "$(quote "$ACTION")" "$1" "$(quote "$2")" "${3:+,$3}"
  exit 0
}

fail_hard() {
  printf '{"success":false,"error":{"code":"%s","message":%s}}\n' "$1" "$(quote "$2")"
  exit 1
}

bad_json() { fail_hard INVALID_JSON "Failed to parse input JSON: $1"; }

log() {
  if [[ ${SKILL_DEBUG-} == 1 ]]; then echo "[$NAME] $1" >&2; fi
}

quote() {
  local text=$1 code character
  text=${text//\\/\\\\}
  text=${text//\"/\\\"}
  if [[ $text == *[[:cntrl:]]* ]]; then
    for code in {1..31} 127; do
      printf -v character "\\x$(printf %02x "$code")"
      text=${text//"$character"/$(printf '\\u%04x' "$code")}
    done
  fi
  printf '"%s"' "$text"
}

# A small JSON reader. REST is what is left to read; STRING is the last string that was read.
REST='' STRING=''

read_json() {
  REST=$1
  read_value request
  skip_space
  if [[ -n $REST ]]; then bad_json 'something follows the document'; fi
}

read_value() {
  skip_space
  case $REST in
    '{'*) TYPES[$1]=object && read_members "$1" '}' ;;
    '['*) TYPES[$1]=array && read_members "$1" ']' ;;
    '"'*) read_string && TYPES[$1]=string VALUES[$1]=$STRING ;;
    *) read_word "$1" ;;
  esac
}

read_members() {
  local path=$1 close=$2 key index=0
  take_one
  skip_space
  if [[ $REST == "$close"* ]]; then take_one && return; fi
  while true; do
    key=$((index++)) || true
    if [[ $close == '}' ]]; then read_key && key=$STRING; fi
    read_value "$path.$key"
    skip_space
    case $REST in
      ,*) take_one ;;
      "$close"*) take_one && return ;;
      *) bad_json "expected , or $close" ;;
    esac
  done
}

read_key() {
  skip_space
  if [[ $REST != '"'* ]]; then bad_json 'expected a name'; fi
  read_string
  skip_space
  if [[ $REST != :* ]]; then bad_json 'expected :'; fi
  take_one
}

read_word() {
  if [[ $REST =~ ^(true|false|null) ]]; then
    TYPES[$1]=boolean
    if [[ ${BASH_REMATCH[0]} == null ]]; then TYPES[$1]=null; fi
  elif [[ $REST =~ ^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)? ]]; then
    TYPES[$1]=number
  else
    bad_json 'expected a value'
  fi
  VALUES[$1]=${BASH_REMATCH[0]}
  REST=${REST:${#BASH_REMATCH[0]}}
}

read_string() {
  local chunk
  STRING=''
  take_one
  while true; do
    chunk=${REST%%[\"\\]*}
    if [[ $chunk == *[[:cntrl:]]* ]]; then bad_json 'control character in a string'; fi
    STRING+=$chunk
    REST=${REST:${#chunk}}
    case $REST in
      \"*) take_one && return ;;
      \\u*) read_unicode ;;
      \\?*) read_escape "${REST:1:1}" && REST=${REST:2} ;;
      *) bad_json 'unfinished string' ;;
    esac
  done
}

read_escape() {
  case $1 in
    n) STRING+=$'\n' ;;
    t) STRING+=$'\t' ;;
    r) STRING+=$'\r' ;;
    b) STRING+=$'\b' ;;
    f) STRING+=$'\f' ;;
    \" | \\ | /) STRING+=$1 ;;
    *) bad_json "unknown escape \\$1" ;;
  esac
}

# Two \u escapes can be the halves of one character.
read_unicode() {
  local hex='[0-9a-fA-F]' code character
  local pair="^\\\\u([dD][89abAB]$hex$hex)\\\\u([dD][c-fC-F]$hex$hex)" single="^\\\\u($hex$hex$hex$hex)"
  if [[ $REST =~ $pair ]]; then
    code=$((0x10000 + ((16#${BASH_REMATCH[1]} & 0x3ff) << 10) + (16#${BASH_REMATCH[2]} & 0x3ff)))
  elif [[ $REST =~ $single ]]; then
    code=$((16#${BASH_REMATCH[1]}))
    if (((code & 0xf800) == 0xd800 || code == 0)); then code=$((0xfffd)); fi
  else
    bad_json 'bad \u escape'
  fi
  REST=${REST:${#BASH_REMATCH[0]}}
  printf -v character "\\U$(printf %08x "$code")"
  STRING+=$character
}

skip_space() {
  local space=${REST%%[! $'\t\n\r']*}
  REST=${REST:${#space}}
}

take_one() { REST=${REST:1}; }

main
