"""CI logs to results: the tests their lines name, and the build itself."""

import re

from result import Result, parse_time

MAX_LINE = 2000
MAX_ERRORS = 20

_COLOR = re.compile(r"\x1b\[[0-9;]{0,20}m")
# Time stamps that CI services put before each line.
_STAMP = re.compile(r"^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.,\d]{0,10}Z?\]?\s{1,4}")
_TESTS = [
    (re.compile(r"^\s{0,20}--- (PASS|FAIL|SKIP): (\S{1,300})(?: \((\d{1,9}(?:\.\d{1,9})?)s\))?"), 1, 2, 3),
    (re.compile(r"^(PASSED|FAILED|ERROR|SKIPPED) (\S{1,300}::\S{1,300})"), 1, 2, None),
    (re.compile(r"^(\S{1,300}::\S{1,300}) (PASSED|FAILED|ERROR|SKIPPED)"), 2, 1, None),
    (re.compile(r"^test (\S{1,300}) \.\.\. (ok|FAILED|ignored)$"), 2, 1, None),
    (re.compile(r"^(not ok|ok) \d{1,9} -? ?(.{1,300})"), 1, 2, None),
    (re.compile(r"^\s{0,20}([✓✔✕✖✗×]) (.{1,300}?)(?: \((\d{1,9}(?:\.\d{1,9})?) ?m?s\))?$"), 1, 2, None),
]
_STATUS = {
    "pass": "passed", "passed": "passed", "ok": "passed", "✓": "passed", "✔": "passed",
    "fail": "failed", "failed": "failed", "error": "error", "not ok": "failed",
    "✕": "failed", "✖": "failed", "✗": "failed", "×": "failed",
    "skip": "skipped", "skipped": "skipped", "ignored": "skipped",
}
_ERROR = re.compile(
    r"(?:^|\s)(?:##\[error\]|\[ERROR\]|ERROR[: ]|FATAL[: ]|fatal: |error(?:\[\w{1,10}\])?: |npm ERR! |E   \w)"
    r"|^\w{0,40}(?:Error|Exception): |Process completed with exit code [1-9]|exited with code [1-9]"
)
_BUILD_FAILED = re.compile(r"BUILD FAIL(?:ED|URE)|build failed|Job failed|exit(?:ed with)? code [1-9]|##\[error\]")
_BUILD_PASSED = re.compile(r"BUILD SUCCESS|build succeeded|Job succeeded|exit(?:ed with)? code 0\b")


def read_log(data, run, fallback_time):
    """The results of the tests in a log, and one named `build` for the log itself where its end is known."""
    lines = [clean(line) for line in data.decode("utf-8", "replace").splitlines()]
    time = parse_time(data[:200].decode("utf-8", "replace")) or fallback_time
    results = [result for result in (_read_test(line, run, time) for line in lines) if result]
    errors = [_STAMP.sub("", line) for line in lines if _ERROR.search(line)][:MAX_ERRORS]
    _explain(results, errors)
    build = _judge_build(lines, results, errors)
    # A test that failed explains the build better than the build does.
    if build == "failed" and not any(result.is_bad for result in results):
        results.append(Result(run, "", "build", time=time, status="failed", message=(errors or [""])[0]))
    elif build == "passed":
        results.append(Result(run, "", "build", time=time))
    return results


def clean(line):
    return _COLOR.sub("", line[:MAX_LINE]).rstrip()


def _read_test(line, run, time):
    text = _STAMP.sub("", line)
    for pattern, status, name, seconds in _TESTS:
        match = pattern.match(text)
        if match:
            took = float(match.group(seconds) or 0) if seconds else 0.0
            return Result(run, "", match.group(name).strip(), took, time, _STATUS[match.group(status).lower()])
    return None


def _explain(results, errors):
    """The line that names a failed test says why; else the first error of the log has to do."""
    for result in results:
        if result.is_bad:
            named = [line for line in errors if result.name in line]
            result.message = (named or errors or [""])[0]


def _judge_build(lines, results, errors):
    ends = [line for line in lines[-200:] if _BUILD_FAILED.search(line) or _BUILD_PASSED.search(line)]
    if ends:
        return "failed" if any(_BUILD_FAILED.search(line) for line in ends) else "passed"
    if errors and not results:
        return "failed"
    return None
