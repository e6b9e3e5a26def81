#!/usr/bin/env python3
"""Writes a Markdown report with the lines, words and characters of a text file.

Usage: main.py INPUT --output OUTPUT
"""

import argparse
import sys
from pathlib import Path


def measure(text):
    return {"lines": len(text.splitlines()), "words": len(text.split()), "characters": len(text)}


def render(name, figures):
    rows = "".join(f"| {label} | {value} |\n" for label, value in figures.items())
    return f"# {name}\n\n| measure | value |\n|---|---|\n{rows}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description="Write a report with the lines, words and characters of a text file.")
    parser.add_argument("input", type=Path, help="the text file")
    parser.add_argument("--output", type=Path, required=True, help="the Markdown report to write")
    options = parser.parse_args(arguments)
    try:
        text = options.input.read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        print(f"cannot read {options.input}: {error.strerror}", file=sys.stderr)
        return 1
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(render(options.input.name, measure(text)), encoding="utf-8")
    print(f"report written: {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
