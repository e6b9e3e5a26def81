#!/usr/bin/env python3
"""Measures a text and says what stands out in it.

Input, one JSON object on stdin:
    {"action": "analyze", "params": {"text": "...", "min_length": 1}, "context": {"request_id": "..."}}

Output, one JSON object on stdout:
    {"success": true, "action": "analyze", "data": {"insights": [...], "metrics": {...}},
     "message": "...", "metadata": {"execution_time_ms": 1}}
    {"success": false, "action": "analyze", "error": {"code": "MISSING_PARAM", "message": "...", "details": {...}}}

skillwright_skill.py reads the request, checks the parameters, answers `describe` and `test`, and turns
exceptions into answers. Logs go to stderr; SKILL_DEBUG=1 shows more of them.
"""

from skillwright_skill import SkillError, define_skill

NAME = "skill-name"
VERSION = "0.1.0"
TIMEOUT = 300


def analyze(params, context):
    text = params["text"]
    if text.strip() == "":
        raise SkillError("DATA_NOT_FOUND", "the text is empty")
    words = [word for word in text.split() if len(word) >= params["min_length"]]
    metrics = {"lines": len(text.splitlines()), "words": len(words), "characters": len(text)}
    insights = [f"words: {metrics['words']}, lines: {metrics['lines']}"]
    if words:
        insights.append(f"longest word: {max(words, key=len)}")
    context.say(f"words measured: {metrics['words']}")
    return {"insights": insights, "metrics": metrics}


# One entry for each action; say the same in `actions` of SKILL.md, so that callers know before they call.
ACTIONS = {
    "analyze": {
        "run": analyze,
        "description": "Measures a text.",
        "params": {
            "text": {"type": "string", "required": True},
            "min_length": {"type": "integer", "default": 1, "minimum": 1},
        },
        "example": {"text": "one two\nthree"},
    },
}

if __name__ == "__main__":
    define_skill(NAME, ACTIONS, version=VERSION, timeout=TIMEOUT)
