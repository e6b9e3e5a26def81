#!/usr/bin/env python3
"""Says how the builds and tests of the project are doing, from its JUnit XML files and CI logs.

Input, one JSON object on stdin:
    {"action": "daily_briefing", "params": {}, "context": {"request_id": "..."}}

Output, one JSON object on stdout:
    {"success": true, "action": "daily_briefing", "data": {"date": "...", "briefing": "...", "report_path": "..."}}
    {"success": false, "action": "daily_briefing", "error": {"code": "...", "message": "..."}}
"""

import os
import sys
from pathlib import Path

SKILL_DIR = Path(__file__).resolve().parent
# Started by Skillwright, this file may be a copy: the working folder is that of the role.
AGENT_DIR = Path.cwd() if Path("agent.yaml").is_file() else SKILL_DIR.parent.parent
PROJECT_DIR = AGENT_DIR.parent.parent
TIMEOUT = 300

sys.path.insert(0, str(SKILL_DIR / "build_analysis_parts"))

import main as builds  # noqa: E402
from skillwright_skill import define_skill  # noqa: E402
from source import choose_output, write_output  # noqa: E402


def daily_briefing(params, context):
    data = builds.daily_briefing({"target": str(PROJECT_DIR), "lang": params["lang"]}, context)
    name = f"briefing-{data['date'] or 'empty'}.md"
    context.say(f"{name}: {data['metrics']['failed']} of {data['metrics']['results']} test results failed")
    return {**data, "report_path": write_output(*choose_output(None, name), data["briefing"])}


def analyze(params, context):
    """Targets are meant from the project, where the builds are; the skill itself works in the folder of its role."""
    os.chdir(PROJECT_DIR)
    return builds.analyze(params, context)


ACTIONS = {
    "daily_briefing": {
        "description": "The newest day as a text, also written to the output folder.",
        "params": {"lang": builds.LANG},
        "run": daily_briefing,
        "example": {},
    },
    "analyze": {
        "description": "Insights in sentences and metrics as numbers.",
        "params": {"target": builds.TARGET, "days": builds.COUNT, "lang": builds.LANG},
        "run": analyze,
    },
}

if __name__ == "__main__":
    define_skill("build_analysis", ACTIONS, timeout=TIMEOUT)
