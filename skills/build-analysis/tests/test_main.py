"""Runs the script as a process, as its caller does."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "main.py"

SUITE = """<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="shop" timestamp="{day}T10:00:00">
  <testcase classname="shop.Cart" name="adds" time="{time}"/>
  <testcase classname="shop.Cart" name="pays" time="0.5">{pays}</testcase>
  <testcase classname="shop.Cart" name="ships"><skipped/></testcase>
</testsuite></testsuites>"""
FAILURE = '<failure message="expected {n} but was &lt;{m}&gt; &amp; more">stack</failure>'


def suite(day, time=1.0, failure=""):
    return SUITE.format(day=day, time=time, pays=failure)


class Case(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def write(self, name, text):
        path = Path(self.folder.name, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        os.utime(path, (1767225600, 1767225600))

    def call(self, action, **params):
        done = subprocess.run(
            [sys.executable, "-E", "-s", "-B", str(SCRIPT)],
            input=json.dumps({"action": action, "params": params}).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder.name,
            env={"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8"},
        )
        return json.loads(done.stdout.decode())

    def code(self, action, **params):
        return self.call(action, **params)["error"]["code"]


class JunitTest(Case):
    def test_counts_flaky_slow_and_failures(self):
        for number in range(3):
            self.write(f"test-results/{number}.xml", suite(f"2026-01-0{number + 1}"))
        self.write("test-results/3.xml", suite("2026-01-04", 9, FAILURE.format(n=1, m=2)))
        self.write("test-results/4.xml", suite("2026-01-05", 9, FAILURE.format(n=31, m=12)))
        data = self.call("analyze", target="ci_builds", days=7)["data"]
        metrics = data["metrics"]
        names = ("runs", "failed_runs", "tests", "passed", "failed", "skipped", "pass_rate")
        self.assertEqual([metrics[name] for name in names], [5, 2, 3, 8, 2, 5, 0.8])
        self.assertEqual(metrics["flaky"], [{"test": "shop.Cart › pays", "passed": 3, "failed": 2}])
        self.assertEqual(metrics["slowest"][0], {"test": "shop.Cart › adds", "seconds": 4.2, "longest": 9.0})
        cluster = metrics["failure_clusters"][0]
        self.assertEqual((cluster["count"], cluster["message"]), (2, "expected 1 but was <2> & more"))
        self.assertEqual(metrics["recent_failures"][0]["time"], "2026-01-05T10:00:00Z")
        self.assertEqual(metrics["duration"]["direction"], "slower")
        self.assertIn("Flaky tests: 1, first of all shop.Cart › pays (2 failed, 3 passed).", data["insights"])

    def test_days_count_back_from_the_newest_result(self):
        self.write("a.xml", suite("2026-01-01"))
        self.write("b.xml", suite("2026-01-09"))
        self.assertEqual(self.call("analyze", days=7)["data"]["metrics"]["runs"], 1)
        self.assertEqual(self.call("analyze", days=9)["data"]["metrics"]["runs"], 2)

    def test_files_of_one_maven_build_are_one_run(self):
        self.write("target/surefire-reports/TEST-a.xml", suite("2026-01-01"))
        self.write("target/surefire-reports/TEST-b.xml", suite("2026-01-01"))
        self.assertEqual(self.call("analyze")["data"]["metrics"]["runs"], 1)

    def test_broken_and_hostile_files(self):
        self.write("good.xml", suite("2026-01-01"))
        self.write("cut.xml", suite("2026-01-01")[:-60])
        bomb = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><testsuite><testcase name="&b;"/></testsuite>'
        self.write("bomb.xml", bomb)
        self.write("outside.xml", '<!DOCTYPE a SYSTEM "file:///etc/passwd"><testsuite/>')
        self.write("deep.xml", "<testsuite>" * 5000)
        data = self.call("analyze")["data"]
        self.assertEqual(data["metrics"]["runs"], 2)
        problems = "\n".join(data["notes"])
        self.assertIn("cut.xml is broken", problems)
        self.assertIn("bomb.xml is broken: document types", problems)
        self.assertIn("outside.xml is broken: document types", problems)
        self.assertIn("deep.xml is broken: nested too deeply", problems)

    def test_long_inputs_are_read_in_proportion_to_their_length(self):
        long = 1000000
        tags = ["<a " + "x" * long + ">", "<a " + "x " * (long // 2), '<a b="' * (long // 6)]
        for number, text in enumerate(["<" * long, "&" * long, "<!--" * (long // 4), *tags]):
            self.write(f"{number}.xml", "<testsuite><testcase name='x'/>" + text)
        self.assertEqual(self.call("analyze")["data"]["metrics"]["results"], 6)

    def test_odd_values_do_no_harm(self):
        cases = '<testcase name="a" time="nan"/><testcase time="-1"/><testcase time="1e999"/>'
        self.write("a.xml", f'<testsuite timestamp="0001-01-01T00:00:00+14:00">{cases}</testsuite>')
        self.assertEqual(self.call("analyze")["data"]["metrics"]["total_seconds"], 0)


class LogTest(Case):
    def test_tests_and_builds_in_logs(self):
        tests = "--- PASS: TestA (0.10s)\n--- FAIL: TestB (2.00s)\n    error: TestB got 3\n"
        self.write("ci/go.log", "2026-01-02T09:00:00Z start\n" + tests)
        self.write("ci/py.log", "FAILED tests/test_x.py::test_y - assert 1 == 2\nPASSED tests/test_x.py::test_z\n")
        self.write("ci/mvn.log", "[ERROR] cannot resolve dependency\n[INFO] BUILD FAILURE\n")
        self.write("ci/ok.log", "[INFO] BUILD SUCCESS\n")
        metrics = self.call("analyze", target="logs", days=30)["data"]["metrics"]
        self.assertEqual((metrics["runs"], metrics["failed_runs"], metrics["passed"], metrics["failed"]), (4, 3, 2, 2))
        failed = {failure["test"]: failure["message"] for failure in metrics["recent_failures"]}
        self.assertEqual(failed["TestB"], "error: TestB got 3")
        self.assertEqual(failed["build"], "[ERROR] cannot resolve dependency")

    def test_notes_and_other_texts_are_no_logs(self):
        self.write("notes.txt", "error: not a log\n")
        self.write("page.xml", "<html/>")
        self.assertEqual(self.code("analyze"), "DATA_NOT_FOUND")


class ActionTest(Case):
    def test_briefing_needs_nothing(self):
        empty = self.call("daily_briefing")
        self.assertTrue(empty["success"])
        self.assertEqual((empty["data"]["date"], empty["data"]["metrics"]["runs"]), (None, 0))
        self.write("reports/a.xml", suite("2026-01-01"))
        self.write("reports/b.xml", suite("2026-01-09"))
        data = self.call("daily_briefing", lang="zh")["data"]
        self.assertEqual((data["date"], data["metrics"]["runs"]), ("2026-01-09", 1))
        self.assertIn("已运行的测试全部通过。", data["briefing"])

    def test_report_is_written_and_harmless(self):
        self.write("a.xml", suite("2026-01-01", 1, '<failure message="&lt;script&gt;|`x`"/>'))
        data = self.call("report", type="daily", format="markdown")["data"]
        self.assertEqual(data["report_path"], "mybox/output/build-daily.md")
        self.assertEqual(Path(self.folder.name, data["report_path"]).read_text(encoding="utf-8"), data["content"])
        self.assertNotIn("<script", data["content"])
        self.assertIn("&lt;script>\\|\\`x\\`", data["content"])

    def test_failures_carry_their_codes(self):
        self.write("a.xml", suite("2026-01-01"))
        for days in (-1, 0, 1.5, "7"):
            self.assertEqual(self.code("analyze", days=days), "INVALID_PARAM")
        self.assertEqual(self.code("analyze", target="absent"), "DATA_NOT_FOUND")
        self.assertEqual([self.code("analyze", target=target) for target in ("/", "//")], ["INVALID_PARAM"] * 2)
        self.assertEqual(self.code("report", type="hourly"), "INVALID_PARAM")
        self.assertEqual(self.code("report", output="a.xml"), "INVALID_PARAM")
        self.assertEqual(self.code("report", output="/sys"), "PERMISSION_DENIED")
        self.assertEqual(self.code("dance"), "UNKNOWN_ACTION")

    def test_describe_and_test(self):
        names = [action["name"] for action in self.call("describe")["data"]["actions"]]
        self.assertEqual(names, ["analyze", "daily_briefing", "report"])
        self.assertEqual(self.call("test")["data"], {"status": "ok", "tried": ["daily_briefing"]})


if __name__ == "__main__":
    unittest.main()
