#!/usr/bin/env python3
"""Lists, finds, shows and records skills.

Written by `skillwright init`. As it is, `skillwright task` answers it without starting Python; changed, it is a script
like any other. The program is found on PATH, or named by the environment variable SKILLWRIGHT.
"""
import os
import shutil
import subprocess
import sys

OPERATIONS = {
    "list": (["list"], [], False),
    "search": (["search"], ["keyword"], True),
    "record": (["record"], ["skill_name"], False),
    "inspect": (["inspect"], ["skill_name"], False),
    "install": (["install"], ["source"], False),
    "uninstall": (["uninstall"], ["skill_name"], False),
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
