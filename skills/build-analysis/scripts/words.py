"""Metrics to sentences and reports, in English or Chinese."""

import os
import re

_TEXTS = {
    "en": {
        "none": "No test results or CI logs were found below the working folder.",
        "counts": "Runs: {runs}, tests: {tests}, results: {results}; failed: {bad}, skipped: {skipped}.",
        "rate": "{rate} % of the results passed.",
        "all_passed": "Everything that ran passed.",
        "runs_failed": "{failed_runs} of {runs} runs had failures.",
        "cluster": "The commonest failure ({count} times): {message}",
        "flaky": "Flaky tests: {count}, first of all {test} ({failed} failed, {passed} passed).",
        "slow": "The slowest test is {test} with {seconds} s.",
        "slower": "Runs became slower by {change} %.",
        "faster": "Runs became faster by {change} %.",
        "recent": "The most recent failure: {test} at {time}.",
        "title": "Build report", "insights": "Insights", "figures": "Figures", "clusters": "Failures by message",
        "flaky_tests": "Flaky tests", "slowest": "Slowest tests", "recent_failures": "Most recent failures",
        "days": "By day", "measure": "Measure", "value": "Value", "notes": "Notes",
    },
    "zh": {
        "none": "工作目录下没有找到测试结果或 CI 日志。",
        "counts": "运行 {runs} 次，测试 {tests} 个，结果 {results} 条：失败 {bad}，跳过 {skipped}。",
        "rate": "通过率 {rate} %。",
        "all_passed": "已运行的测试全部通过。",
        "runs_failed": "{runs} 次运行中有 {failed_runs} 次失败。",
        "cluster": "最常见的失败（{count} 次）：{message}",
        "flaky": "{count} 个测试不稳定，首先是 {test}（失败 {failed}，通过 {passed}）。",
        "slow": "最慢的测试是 {test}，耗时 {seconds} 秒。",
        "slower": "运行变慢了 {change} %。",
        "faster": "运行变快了 {change} %。",
        "recent": "最近一次失败：{test}，{time}。",
        "title": "构建报告", "insights": "要点", "figures": "指标", "clusters": "按消息归类的失败",
        "flaky_tests": "不稳定的测试", "slowest": "最慢的测试", "recent_failures": "最近的失败",
        "days": "按天", "measure": "指标", "value": "值", "notes": "备注",
    },
}
_COUNTS = ("runs", "failed_runs", "tests", "results", "passed", "failed", "errors", "skipped")
_FIGURES = (*_COUNTS, "pass_rate", "total_seconds")


def locale_language():
    locale = os.environ.get("LC_ALL") or os.environ.get("LC_MESSAGES") or os.environ.get("LANG") or ""
    return "zh" if locale.lower().startswith("zh") else "en"


def write_insights(metrics, language):
    """What matters most comes first."""
    texts = _TEXTS[language]
    if not metrics["run_list"]:
        return [texts["none"]]
    bad = metrics["failed"] + metrics["errors"]
    insights = [texts["counts"].format(bad=bad, **_plain(metrics))]
    if metrics["pass_rate"] is not None:
        rate = texts["rate"].format(rate=round(metrics["pass_rate"] * 100, 1))
        insights.append(texts["all_passed"] if bad == 0 else rate)
    if metrics["failed_runs"]:
        insights.append(texts["runs_failed"].format(**_plain(metrics)))
    if metrics["failure_clusters"]:
        insights.append(texts["cluster"].format(**_plain(metrics["failure_clusters"][0])))
    if metrics["flaky"]:
        insights.append(texts["flaky"].format(count=len(metrics["flaky"]), **metrics["flaky"][0]))
    if metrics["duration"]["direction"] in ("slower", "faster"):
        change = round(abs(metrics["duration"]["change"]) * 100, 1)
        insights.append(texts[metrics["duration"]["direction"]].format(change=change))
    if metrics["slowest"]:
        insights.append(texts["slow"].format(**_plain(metrics["slowest"][0])))
    if metrics["recent_failures"]:
        insights.append(texts["recent"].format(**_plain(metrics["recent_failures"][0])))
    return insights


def render_report(kind, day, data, language):
    """Markdown; sections without content are left out."""
    texts, metrics = _TEXTS[language], data["metrics"]
    heading = f"# {texts['title']}: {kind}" + (f" ({day})" if day else "")
    sections = [heading, f"## {texts['insights']}", "\n".join("- " + escape(sentence) for sentence in data["insights"])]
    figures = [(name, metrics[name]) for name in _FIGURES if metrics[name] is not None]
    sections += _table(texts["figures"], (texts["measure"], texts["value"]), figures)
    sections += _rows(texts["clusters"], metrics["failure_clusters"], ("count", "message", "last"))
    sections += _rows(texts["flaky_tests"], metrics["flaky"], ("test", "failed", "passed"))
    sections += _rows(texts["slowest"], metrics["slowest"], ("test", "seconds", "longest"))
    sections += _rows(texts["recent_failures"], metrics["recent_failures"], ("time", "test", "message", "run"))
    sections += _rows(texts["days"], metrics["duration"]["by_day"], ("day", "runs", "failed_runs", "mean_seconds"))
    if data["notes"]:
        sections += [f"## {texts['notes']}", "\n".join("- " + escape(note) for note in data["notes"])]
    return "\n\n".join(sections) + "\n"


def escape(value):
    """One line of text whose markup does nothing."""
    text = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\s]+", " ", str(value))
    return re.sub(r"([\\`*_\[\]|#])", r"\\\1", text).replace("<", "&lt;")


def _rows(heading, entries, names):
    return _table(heading, names, [[entry[name] for name in names] for entry in entries])


def _table(heading, head, rows):
    if not rows:
        return []
    lines = ["| " + " | ".join(escape(cell) for cell in row) + " |" for row in [head, *rows]]
    lines.insert(1, "|" + " --- |" * len(head))
    return [f"## {heading}", "\n".join(lines)]


def _plain(values):
    return {name: value for name, value in values.items() if not isinstance(value, (list, dict))}
