"""JUnit XML files to results, as Maven, Gradle, pytest, jest, go-junit-report and others write them."""

import math

from result import Result, parse_time
from xml_reader import XmlError, decode_xml, read_xml

MAX_MESSAGE = 2000
_STATUS = {"failure": "failed", "error": "error", "skipped": "skipped"}
# A test that failed at first and passed when it was run again.
_RETRIED = {"flakyFailure", "flakyError"}
_KEPT_TEXT = set(_STATUS) | _RETRIED


def is_junit(head):
    return b"<testsuite" in head or b"<testcase" in head


def read_junit(data, run, fallback_time):
    """Results, and a sentence where the file was broken; what stands before the break counts."""
    reader = _Reader(run, fallback_time)
    try:
        for kind, value, attributes in read_xml(decode_xml(data)):
            reader.take(kind, value, attributes)
    except XmlError as error:
        return reader.results, str(error)
    return reader.results, None


class _Reader:
    def __init__(self, run, fallback_time):
        self.run = run
        self.results = []
        self.suites = [("", fallback_time)]
        self.case = None
        self.inside = None

    def take(self, kind, value, attributes):
        if kind == "text":
            if self.case and self.inside and len(self.case.message) < MAX_MESSAGE:
                self.case.message = (self.case.message + value)[:MAX_MESSAGE]
        elif kind == "start":
            self.start(value.rpartition(":")[2], attributes)
        else:
            self.end(value.rpartition(":")[2])

    def start(self, name, attributes):
        if name == "testsuite":
            suite, time = self.suites[-1]
            self.suites.append((attributes.get("name", suite), parse_time(attributes.get("timestamp")) or time))
        elif name == "testcase":
            self.start_case(attributes)
        elif self.case and name in _KEPT_TEXT:
            self.judge(name, attributes)

    def start_case(self, attributes):
        suite, time = self.suites[-1]
        self.case = Result(
            run=self.run,
            suite=attributes.get("classname") or suite,
            name=attributes.get("name", ""),
            seconds=_seconds(attributes.get("time")),
            time=time,
        )
        self.results.append(self.case)

    def judge(self, name, attributes):
        self.inside = name
        self.case.message = attributes.get("message") or self.case.message
        if name in _RETRIED:
            self.case.is_flaky = True
        else:
            self.case.status = _STATUS[name]
        if attributes.get("message"):
            self.inside = None

    def end(self, name):
        if name == "testsuite" and len(self.suites) > 1:
            self.suites.pop()
        elif name == "testcase":
            self.case = None
        if name == self.inside:
            self.inside = None


def _seconds(text):
    try:
        value = float((text or "0").replace(",", ""))
    except ValueError:
        return 0.0
    return value if math.isfinite(value) and value >= 0 else 0.0
