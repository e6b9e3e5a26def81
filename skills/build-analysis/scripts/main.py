#!/usr/bin/env python3
"""Says how builds and tests are doing, from JUnit XML files and CI logs.

Input, one JSON object on stdin:   {"action": "analyze", "params": {"target": "ci_builds", "days": 7}}
Output, one JSON object on stdout: {"success": true, "action": "analyze", "data": {"insights": [...], "metrics": {...}}}
"""

from analysis import last_days, measure, newest_day
from skillwright_skill import SkillError, define_skill
from source import choose_output, read_results, write_output
from words import locale_language, render_report, write_insights

DAYS = {"daily": 1, "weekly": 7, "monthly": 31}

TARGET = {
    "type": "string",
    "default": "ci_builds",
    "description": "a file or folder; ci_builds, tests or logs mean what lies below the working folder",
}
COUNT = {"type": "integer", "default": 7, "minimum": 1, "maximum": 3660, "description": "back from the newest result"}
OUTPUT = {"type": "string", "description": "the file to write, or a folder for it; mybox/output unless given"}
LANG = {"type": "string", "enum": ["en", "zh"], "default": locale_language()}


def analyze(params, context):
    results, notes = read_results(params["target"])
    context.progress(0.5, "read")
    chosen = last_days(results, params["days"])
    if not chosen:
        target = params["target"]
        raise SkillError("DATA_NOT_FOUND", f"no test results or CI logs in {target}", {"target": target})
    return judge(chosen, notes, params["lang"])


def daily_briefing(params, _context):
    """Nothing to report is a briefing too."""
    results, notes = read_results(params["target"])
    today = last_days(results, 1)
    data = judge(today, notes, params["lang"])
    day = newest_day(today)
    return {**data, "date": day, "briefing": render_report("daily", day, data, params["lang"])}


def report(params, context):
    data = analyze({**params, "days": DAYS[params["type"]]}, context)
    day = data["metrics"]["run_list"][-1]["time"][:10]
    content = render_report(params["type"], day, data, params["lang"])
    path = write_output(*choose_output(params.get("output"), f"build-{params['type']}.md"), content)
    return {"report_path": path, "content": content}


def judge(results, notes, language):
    metrics = measure(results)
    return {"insights": write_insights(metrics, language), "metrics": metrics, "notes": notes}


if __name__ == "__main__":
    define_skill(
        "build-analysis",
        {
            "analyze": {
                "description": "Insights in sentences and metrics as numbers.",
                "params": {"target": TARGET, "days": COUNT, "lang": LANG},
                "run": analyze,
            },
            "daily_briefing": {
                "description": "The newest day in one text.",
                "params": {"target": TARGET, "lang": LANG},
                "example": {},
                "run": daily_briefing,
            },
            "report": {
                "description": "A report in Markdown.",
                "params": {
                    "type": {"type": "string", "enum": list(DAYS), "default": "daily"},
                    "format": {"type": "string", "enum": ["markdown"], "default": "markdown"},
                    "target": TARGET,
                    "output": OUTPUT,
                    "lang": LANG,
                },
                "run": report,
            },
        },
        description="Reads JUnit XML files and CI logs: failures, flaky and slow tests, durations.",
    )
