#!/usr/bin/env python3
"""Changes a text file of the project, without preview and whole.

Written by `skillwright init`. As it is, `skillwright task` answers it without starting Python; changed, it is a script
like any other. The program is found on PATH, or named by the environment variable SKILLWRIGHT.
"""
import os
import shutil
import subprocess
import sys

OPERATIONS = {
    "replace": (["edit", "replace"], ["file", "old", "new"], False),
    "append": (["edit", "append"], ["file", "content"], False),
    "prepend": (["edit", "prepend"], ["file", "content"], False),
    "insert-after": (["edit", "insert-after"], ["file", "marker", "content"], False),
    "insert-before": (["edit", "insert-before"], ["file", "marker", "content"], False),
    "delete-between": (["edit", "delete-between"], ["file", "start", "end"], False),
    "regex": (["edit", "regex"], ["file", "pattern", "replacement"], False),
    "update-json": (["edit", "update-json"], ["file", "field_path", "value"], False),
}


def main(words):
    if len(words) < 1 or words[0] not in OPERATIONS:
        return usage()
    operation, values = words[0], words[1:]
    command, names, is_open = OPERATIONS[operation]
    if len(values) < len(names) or (len(values) > len(names) and not is_open):
        return usage()
    program = find_program()
    if program is None:
        print("skillwright is not on PATH; set SKILLWRIGHT to where it is", file=sys.stderr)
        return 127
    return subprocess.call([*program, *command, "--json", "--", *values])


def find_program():
    program = os.environ.get("SKILLWRIGHT") or shutil.which("skillwright")
    if not program:
        return None
    return ["node", program] if program.endswith((".js", ".ts")) else [program]


def usage():
    print("usage: " + os.path.basename(__file__) + " <operation> [args...]", file=sys.stderr)
    for name, (_, names, is_open) in OPERATIONS.items():
        words = ["<" + word + ">" for word in names]
        print("  " + " ".join([name, *words]) + ("..." if is_open else ""), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
