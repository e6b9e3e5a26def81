"""Results to metrics (numbers for machines): counts, flaky and slow tests, failures put together, durations."""

import re
from collections import defaultdict

from result import iso_day, iso_time

DAY = 86400
MAX_LISTED = 10
MAX_CLUSTER_TESTS = 5
MAX_SHOWN = 300
STATES = ("passed", "failed", "error", "skipped")

_VARIABLE = [
    (re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\b|\b[0-9a-f]{12,64}\b"), "#"),
    (re.compile(r"(?:[A-Za-z]:)?(?:[\\/][\w.@+-]{1,100}){2,30}"), "PATH"),
    (re.compile(r"\d+(?:\.\d+)?"), "N"),
]


def last_days(results, days):
    """Those of the last days before the newest one, so that the same files give the same answer."""
    if not results:
        return []
    newest = max(result.time for result in results)
    return [result for result in results if result.time > newest - days * DAY]


def measure(results):
    tests = [result for result in results if result.name != "build" or result.suite]
    counts = {status: sum(result.status == status for result in tests) for status in STATES}
    ran = counts["passed"] + counts["failed"] + counts["error"]
    runs = measure_runs(results)
    return {
        "runs": len(runs),
        "failed_runs": sum(run["failed"] > 0 for run in runs),
        "tests": len({result.test for result in tests}),
        "results": len(tests),
        "passed": counts["passed"],
        "failed": counts["failed"],
        "errors": counts["error"],
        "skipped": counts["skipped"],
        "pass_rate": round(counts["passed"] / ran, 4) if ran else None,
        "total_seconds": round(sum(result.seconds for result in tests), 3),
        "flaky": find_flaky(tests),
        "slowest": find_slowest(tests),
        "failure_clusters": cluster_failures(results),
        "recent_failures": recent_failures(results),
        "duration": judge_durations(runs),
        "run_list": runs[-MAX_LISTED:],
    }


def measure_runs(results):
    """One entry a run, the oldest first."""
    groups = defaultdict(list)
    for result in results:
        groups[result.run].append(result)
    runs = [
        {
            "run": name,
            "time": iso_time(max(result.time for result in group)),
            "results": len(group),
            "failed": sum(result.is_bad for result in group),
            "seconds": round(sum(result.seconds for result in group), 3),
        }
        for name, group in groups.items()
    ]
    return sorted(runs, key=lambda run: (run["time"], run["run"]))


def find_flaky(results):
    """Tests that passed and failed, the least decided first."""
    groups = _by_test(results)
    flaky = []
    for test, group in groups.items():
        passed = sum(result.status == "passed" for result in group)
        failed = sum(result.is_bad for result in group)
        if (passed and failed) or any(result.is_flaky for result in group):
            flaky.append({"test": test, "passed": passed, "failed": failed})
    flaky.sort(key=lambda one: (-min(one["passed"], one["failed"]), -one["failed"], one["test"]))
    return flaky[:MAX_LISTED]


def find_slowest(results):
    slowest = []
    for test, group in _by_test(results).items():
        seconds = [result.seconds for result in group if result.status != "skipped"]
        if seconds and max(seconds) > 0:
            mean = sum(seconds) / len(seconds)
            slowest.append({"test": test, "seconds": round(mean, 3), "longest": round(max(seconds), 3)})
    slowest.sort(key=lambda one: (-one["seconds"], one["test"]))
    return slowest[:MAX_LISTED]


def cluster_failures(results):
    """Failures whose messages differ only in numbers, addresses and paths belong together."""
    groups = defaultdict(list)
    for result in results:
        if result.is_bad:
            groups[pattern_of(result.message)].append(result)
    clusters = [
        {
            "message": first_line(group[0].message) or "(no message)",
            "count": len(group),
            "tests": sorted({result.test for result in group})[:MAX_CLUSTER_TESTS],
            "last": iso_time(max(result.time for result in group)),
        }
        for group in groups.values()
    ]
    clusters.sort(key=lambda cluster: (-cluster["count"], cluster["message"]))
    return clusters[:MAX_LISTED]


def recent_failures(results):
    failed = sorted((result for result in results if result.is_bad), key=lambda result: (-result.time, result.test))
    return [
        {"test": result.test, "run": result.run, "time": iso_time(result.time), "message": first_line(result.message)}
        for result in failed[:MAX_LISTED]
    ]


def judge_durations(runs):
    """The later half of the runs against the earlier one, by their middle duration."""
    seconds = [run["seconds"] for run in runs if run["seconds"] > 0]
    if len(seconds) < 4:
        return {"direction": "unknown", "change": None, "by_day": _by_day(runs)}
    half = len(seconds) // 2
    before, after = _middle(seconds[:half]), _middle(seconds[-half:])
    change = round(after / before - 1, 4)
    direction = "slower" if change > 0.1 else "faster" if change < -0.1 else "steady"
    return {"direction": direction, "change": change, "by_day": _by_day(runs)}


def pattern_of(message):
    pattern = first_line(message)
    for variable, name in _VARIABLE:
        pattern = variable.sub(name, pattern)
    return pattern


def first_line(message):
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return lines[0][:MAX_SHOWN] if lines else ""


def _by_test(results):
    groups = defaultdict(list)
    for result in results:
        groups[result.test].append(result)
    return groups


def _by_day(runs):
    days = defaultdict(list)
    for run in runs:
        days[run["time"][:10]].append(run)
    return [
        {
            "day": day,
            "runs": len(group),
            "failed_runs": sum(run["failed"] > 0 for run in group),
            "mean_seconds": round(sum(run["seconds"] for run in group) / len(group), 3),
        }
        for day, group in sorted(days.items())
    ]


def _middle(values):
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def newest_day(results):
    return iso_day(max(result.time for result in results)) if results else None
