"""Runs the script as a process, as its caller does."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "scripts" / "main.py"


def run(*arguments):
    return subprocess.run([sys.executable, str(SCRIPT), *map(str, arguments)], capture_output=True, text=True)


class MainTest(unittest.TestCase):
    def test_writes_the_report(self):
        with tempfile.TemporaryDirectory() as folder:
            source, report = Path(folder, "note.txt"), Path(folder, "out", "note.md")
            source.write_text("one two\nthree\n", encoding="utf-8")
            done = run(source, "--output", report)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("| words | 3 |", report.read_text(encoding="utf-8"))

    def test_a_missing_file_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            done = run(Path(folder, "absent.txt"), "--output", Path(folder, "report.md"))
            self.assertEqual(done.returncode, 1)
            self.assertIn("absent.txt", done.stderr)


if __name__ == "__main__":
    unittest.main()
