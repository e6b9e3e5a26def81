"""Runs the script as a process, as its caller does."""

import json
import os
import subprocess
import sys
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "main.py"


def run(request, **env):
    text = request if isinstance(request, str) else json.dumps(request)
    command = [sys.executable, "-B", str(SCRIPT)]  # -B: leaves no __pycache__ in the skill
    done = subprocess.run(command, input=text.encode(), capture_output=True, env={**os.environ, **env})
    return done.returncode, json.loads(done.stdout), done.stderr.decode()


class MainTest(unittest.TestCase):
    def test_analyze(self):
        code, response, _ = run({"action": "analyze", "params": {"text": "一 two\nthree", "min_length": 2}})
        self.assertEqual(code, 0)
        self.assertTrue(response["success"])
        self.assertEqual(response["data"]["metrics"], {"lines": 2, "words": 2, "characters": 11})

    def test_empty_text_is_an_answer(self):
        code, response, _ = run({"action": "analyze", "params": {"text": " "}})
        self.assertEqual((code, response["error"]["code"]), (0, "DATA_NOT_FOUND"))

    def test_describe_and_test(self):
        for action in ("describe", "test"):
            code, response, _ = run({"action": action})
            self.assertEqual((code, response["success"], response["action"]), (0, True, action))

    def test_unknown_action(self):
        code, response, _ = run({"action": "dance"})
        self.assertEqual(code, 0)
        self.assertEqual(response["error"]["code"], "UNKNOWN_ACTION")
        self.assertEqual(response["error"]["supported_actions"], ["analyze", "describe", "test"])

    def test_missing_and_invalid_params(self):
        _, missing, _ = run({"action": "analyze"})
        self.assertEqual(missing["error"]["code"], "MISSING_PARAM")
        self.assertEqual(missing["error"]["details"]["missing"], ["text"])
        _, invalid, _ = run({"action": "analyze", "params": {"text": "a", "min_length": 0}})
        self.assertEqual(invalid["error"]["code"], "INVALID_PARAM")

    def test_invalid_json(self):
        code, response, _ = run("{")
        self.assertEqual(code, 1)
        self.assertEqual(response["error"]["code"], "INVALID_JSON")

    def test_debug_logs_to_stderr(self):
        _, _, stderr = run({"action": "test"}, SKILL_DEBUG="1")
        self.assertIn("Input data", stderr)


if __name__ == "__main__":
    unittest.main()
