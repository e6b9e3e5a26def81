#!/usr/bin/env python3
"""Measures a text and says what stands out in it.

Input, one JSON object on stdin:
    {"action": "analyze", "params": {"text": "...", "min_length": 1}, "context": {"request_id": "..."}}

Output, one JSON object on stdout:
    {"success": true, "action": "analyze", "data": {"insights": [...], "metrics": {...}},
     "message": "...", "metadata": {"execution_time_ms": 1, "items_count": 2}}
    {"success": false, "action": "analyze", "error": {"code": "MISSING_PARAM", "message": "...", "details": {...}}}

Actions:
    analyze   text (required), min_length (default 1)
    describe  what this skill can do
    test      checks itself

Logs go to stderr; SKILL_DEBUG=1 shows more of them.
"""

import json
import os
import signal
import sys
import time

NAME = "skill-name"
VERSION = "0.1.0"
PROTOCOL = "1.0"
TIMEOUT = 300


class SkillError(Exception):
    """A failure the caller can understand; it is answered as JSON with exit code 0."""

    def __init__(self, code, message, **more):
        super().__init__(message)
        self.error = {"code": code, "message": message, **more}


def analyze(params):
    require(params, "text")
    text, min_length = params["text"], params.get("min_length", 1)
    if not isinstance(text, str):
        raise SkillError("INVALID_PARAM", "text must be a string", details={"param": "text"})
    if isinstance(min_length, bool) or not isinstance(min_length, int) or min_length < 1:
        raise SkillError("INVALID_PARAM", "min_length must be an integer from 1", details={"param": "min_length"})
    words = [word for word in text.split() if len(word) >= min_length]
    metrics = {"lines": len(text.splitlines()), "words": len(words), "characters": len(text)}
    insights = [f"{metrics['words']} words on {metrics['lines']} lines"]
    if words:
        insights.append(f"longest word: {max(words, key=len)}")
    return {"insights": insights, "metrics": metrics}, f"measured {metrics['words']} words", len(words)


def describe(_params):
    actions = [{"name": name, "description": text, "params": params} for name, (_, text, params) in ACTIONS.items()]
    return {"name": NAME, "version": VERSION, "protocol": PROTOCOL, "actions": actions}, f"{len(actions)} actions", len(actions)


def test(_params):
    data, _, _ = analyze({"text": "one two\nthree"})
    if data["metrics"] != {"lines": 2, "words": 3, "characters": 13}:
        raise RuntimeError("analyze counted wrong")
    return {"passed": ["analyze"]}, "all checks passed", 1


ACTIONS = {
    "analyze": (analyze, "Measures a text.", {
        "text": {"type": "string", "required": True},
        "min_length": {"type": "integer", "default": 1},
    }),
    "describe": (describe, "Says what this skill can do.", {}),
    "test": (test, "Checks itself.", {}),
}


def require(values, *names):
    missing = [name for name in names if values.get(name) is None]
    if missing:
        raise SkillError("MISSING_PARAM", f"Missing required parameters: {missing}", details={"missing": missing})


def answer(request):
    """Runs one action. Expected failures are answers too."""
    started = time.monotonic()
    action, params = request.get("action"), request.get("params") or {}
    try:
        require(request, "action")
        if action not in ACTIONS:
            raise SkillError("UNKNOWN_ACTION", f"Unknown action: {action}", supported_actions=list(ACTIONS))
        if not isinstance(params, dict):
            raise SkillError("INVALID_PARAM", "params must be an object", details={"param": "params"})
        data, message, items = ACTIONS[action][0](params)
    except SkillError as failure:
        return {"success": False, "action": action, "error": failure.error}
    spent = round((time.monotonic() - started) * 1000)
    metadata = {"execution_time_ms": spent, "items_count": items}
    return {"success": True, "action": action, "data": data, "message": message, "metadata": metadata}


def read_request():
    request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
    if not isinstance(request, dict):
        raise ValueError("the request must be an object")
    return request


def say(response):
    sys.stdout.buffer.write(json.dumps(response, ensure_ascii=False).encode("utf-8") + b"\n")


def log(message):
    if os.environ.get("SKILL_DEBUG") == "1":
        print(f"[{NAME}] {message}", file=sys.stderr)


def give_up(_signal, _frame):
    raise SkillError("TIMEOUT", f"took longer than {TIMEOUT} seconds")


def main():
    try:
        request = read_request()
    except ValueError as error:
        say({"success": False, "error": {"code": "INVALID_JSON", "message": f"Failed to parse input JSON: {error}"}})
        return 1
    log(f"Input data: {json.dumps(request, ensure_ascii=False)}")
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, give_up)
        signal.alarm(TIMEOUT)
    try:
        say(answer(request))
        return 0
    except Exception as error:
        say({"success": False, "error": {"code": "INTERNAL_ERROR", "message": str(error)}})
        return 1
    finally:
        if hasattr(signal, "SIGALRM"):
            signal.alarm(0)


if __name__ == "__main__":
    sys.exit(main())
