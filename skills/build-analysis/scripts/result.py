"""What one test did in one run."""

import re
from datetime import datetime, timezone

_TIME = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d))?)?(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?")


class Result:
    """`status` is passed, failed, error or skipped; `time` is seconds since 1970, UTC."""

    def __init__(self, run, suite, name, seconds=0.0, time=0.0, status="passed", message=""):
        self.run = run
        self.suite = suite
        self.name = name
        self.seconds = seconds
        self.time = time
        self.status = status
        self.message = message
        self.is_flaky = False

    @property
    def test(self):
        return f"{self.suite} › {self.name}" if self.suite else self.name

    @property
    def is_bad(self):
        return self.status in ("failed", "error")


def parse_time(text):
    """Seconds since 1970 of the first moment in the text, or None. Without a zone it is UTC."""
    match = _TIME.search((text or "")[:200])
    if not match:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    if not 1990 <= year <= 2100:
        return None
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc).timestamp()
    except ValueError:
        return None
    return moment - _offset(match.group(7))


def iso_time(time):
    return datetime.fromtimestamp(time, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def iso_day(time):
    return iso_time(time)[:10]


def _offset(zone):
    if not zone or zone == "Z":
        return 0
    minutes = int(zone[1:3]) * 60 + int(zone[-2:])
    return minutes * 60 * (1 if zone[0] == "+" else -1)
