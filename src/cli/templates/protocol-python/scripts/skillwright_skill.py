"""The authoring kit for Python: one file without dependencies, so that a skill can carry it along.

    from skillwright_skill import SkillError, define_skill

    def greet(params, context):
        return {"text": "Hello, " + params["name"]}

    define_skill("greeter", {
        "greet": {"run": greet, "params": {"name": {"type": "string", "required": True}}, "example": {"name": "you"}},
    })

Input (stdin JSON):  {"action": "...", "params": {...}, "context": {...}}
Output (stdout JSON): {"success": true, "action": "...", "data": {...}, "metadata": {...}}
"""

import json
import os
import signal
import sys
import time
import traceback

PROTOCOL = "1.0"
DEFAULT_TIMEOUT = 300
DEBUG = os.getenv("SKILL_DEBUG") == "1"

# The parameters of the usual actions, for `"params"` of an action of that name.
USUAL_PARAMS = {
    "analyze": {"target": {"type": "string", "required": True}, "days": {"type": "integer", "default": 7, "minimum": 1}},
    "report": {
        "type": {"type": "string", "default": "daily"},
        "format": {"type": "string", "enum": ["markdown"], "default": "markdown"},
    },
    "fetch": {"source": {"type": "string", "required": True}, "query": {"type": "string", "default": ""}},
    "push": {"destination": {"type": "string", "required": True}, "data": {"type": "object", "required": True}},
}

_TYPES = {
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "array": list,
    "object": dict,
}


class SkillError(Exception):
    """A failure with a code of the protocol, or one of the skill's own."""

    def __init__(self, code, message, details=None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.details = details


class Context:
    """Who asked, and the ways to say something while working."""

    def __init__(self, ids):
        self.agent_id = ids.get("agent_id")
        self.user_id = ids.get("user_id")
        self.request_id = ids.get("request_id")
        self.debug = DEBUG
        self.message = None
        self._cleanups = []

    def progress(self, fraction, text="complete"):
        print(f"{round(fraction * 100)}% {text}", file=sys.stderr, flush=True)

    def log(self, text):
        print(text, file=sys.stderr, flush=True)

    def say(self, message):
        """One sentence for people, beside the data."""
        self.message = message

    def on_cleanup(self, release):
        """Runs when the action has ended, however it ended."""
        self._cleanups.append(release)

    def cleanup(self):
        while self._cleanups:
            try:
                self._cleanups.pop()()
            except Exception as error:
                self.log(f"cleanup failed: {error}")


def define_skill(name, actions, description=None, timeout=DEFAULT_TIMEOUT, version=None):
    """Reads one request from stdin, runs its action, prints one response."""
    started = time.monotonic()
    answers, sys.stdout = sys.stdout, sys.stderr
    request = _read_request(answers)
    context = Context(request["context"])
    skill = {"name": name, "description": description, "version": version, "actions": actions}
    _arm(timeout)
    try:
        data = _run_action(skill, request, context)
        metadata = {"execution_time_ms": round((time.monotonic() - started) * 1000)}
        items = data.get("items") if isinstance(data, dict) else data
        if isinstance(items, list):
            metadata["items_count"] = len(items)
        response = {"success": True, "action": request["action"], "data": data, "metadata": metadata}
        if context.message:
            response["message"] = context.message
        _answer(answers, response)
    except SkillError as error:
        _answer_failure(answers, error, request["action"], actions)
    except Exception as error:
        traceback.print_exc()
        if _is_from_outside(error):
            failure = SkillError("EXTERNAL_SERVICE_ERROR", str(error) or type(error).__name__, {"type": type(error).__name__})
            _answer_failure(answers, failure, request["action"], actions)
            return
        _fail(answers, "INTERNAL_ERROR", str(error) or type(error).__name__)
    finally:
        _disarm()
        context.cleanup()


def check_params(rules, given):
    """Missing ones first and all at once, then each value against its rule; defaults fill the rest."""
    missing = [name for name, rule in rules.items() if rule.get("required") and given.get(name) is None]
    if missing:
        raise SkillError("MISSING_PARAM", f"Missing required parameters: {missing}", {"missing": missing})
    params = dict(given)
    for name, rule in rules.items():
        if params.get(name) is None and "default" in rule:
            params[name] = rule["default"]
        if params.get(name) is None:
            continue
        wrong = _what_is_wrong(params[name], rule)
        if wrong:
            raise SkillError("INVALID_PARAM", f"{name} {wrong}", {"param": name, "value": params[name]})
    return params


def _read_request(answers):
    try:
        request = json.loads(sys.stdin.buffer.read().decode("utf-8"))
        if not isinstance(request, dict):
            raise ValueError("not an object")
    except (ValueError, RecursionError) as error:
        _fail(answers, "INVALID_JSON", f"Failed to parse input JSON: {error}")
    if DEBUG:
        print("Input data: " + json.dumps(request, ensure_ascii=False), file=sys.stderr)
    action, params, context = (request.get(name) for name in ("action", "params", "context"))
    return {
        "action": action if isinstance(action, str) else "",
        "params": {} if params is None else params,
        "context": context if isinstance(context, dict) else {},
    }


def _run_action(skill, request, context):
    action = request["action"]
    if not action:
        raise SkillError("MISSING_PARAM", "Missing required parameters: ['action']", {"missing": ["action"]})
    if action in skill["actions"]:
        if not isinstance(request["params"], dict):
            raise SkillError("INVALID_PARAM", "params must be an object", {"param": "params"})
        rule = skill["actions"][action]
        result = rule["run"](check_params(rule.get("params", {}), request["params"]), context)
        return {} if result is None else result
    if action == "describe":
        return _describe(skill)
    if action == "test":
        return _try_examples(skill, context)
    raise SkillError("UNKNOWN_ACTION", f"Unknown action: {action}")


def _describe(skill):
    actions = [
        {"name": name, "description": rule.get("description"), "params": rule.get("params", {})}
        for name, rule in skill["actions"].items()
    ]
    about = {name: skill[name] for name in ("name", "description", "version") if skill[name] is not None}
    return {"protocol": PROTOCOL, **about, "actions": actions}


def _try_examples(skill, context):
    tried = []
    for name, rule in skill["actions"].items():
        if "example" in rule:
            _run_action(skill, {"action": name, "params": rule["example"]}, context)
            tried.append(name)
    context.say(f"tried {len(tried)} of {len(skill['actions'])} actions")
    return {"status": "ok", "tried": tried}


_NETWORK_MODULES = ("urllib", "http", "ssl", "socket", "requests", "httpx", "urllib3", "aiohttp", "websockets")


def _is_from_outside(error):
    """Whether somebody else failed: a refused or broken connection, a name nobody knows, a server that answers with an error."""
    if isinstance(error, (ConnectionError, TimeoutError)):
        return True
    return any(kind.__module__.split(".")[0] in _NETWORK_MODULES for kind in type(error).__mro__)


def _what_is_wrong(value, rule):
    kind = rule.get("type", "string")
    fits = isinstance(value, _TYPES[kind]) and (kind == "boolean" or not isinstance(value, bool))
    if not fits:
        return f"must be of type {kind}"
    if "enum" in rule and value not in rule["enum"]:
        return "must be one of " + ", ".join(map(str, rule["enum"]))
    if "minimum" in rule and value < rule["minimum"]:
        return f"must be at least {rule['minimum']}"
    if "maximum" in rule and value > rule["maximum"]:
        return f"must be at most {rule['maximum']}"
    return None


def _arm(timeout):
    def late(_signal, _frame):
        raise SkillError("TIMEOUT", f"Ran longer than {timeout} s")

    def ended(_signal, _frame):
        raise SystemExit(143)

    signal.signal(signal.SIGTERM, ended)
    if hasattr(signal, "SIGALRM"):
        signal.signal(signal.SIGALRM, late)
        signal.alarm(timeout)


def _disarm():
    if hasattr(signal, "SIGALRM"):
        signal.alarm(0)


def _answer_failure(answers, error, action, actions):
    body = {"code": error.code, "message": error.message}
    if error.details:
        body["details"] = error.details
    if error.code == "UNKNOWN_ACTION":
        body["supported_actions"] = list(dict.fromkeys([*actions, "describe", "test"]))
    _answer(answers, {"success": False, "action": action, "error": body})


def _fail(answers, code, message):
    _answer(answers, {"success": False, "error": {"code": code, "message": message}})
    sys.exit(1)


def _answer(answers, response):
    text = json.dumps(response, ensure_ascii=False, allow_nan=False) + "\n"
    # Half a character pair cannot be written as UTF-8; the rest of the answer still can.
    answers.buffer.write(text.encode("utf-8", "replace"))
    answers.flush()
