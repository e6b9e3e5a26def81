#!/usr/bin/env python3
"""Says which skills are new, changed or gone.

Written by `skillwright init`. As it is, `skillwright task` answers it without starting Python; changed, it is a script
like any other. The program is what the environment variable SKILLWRIGHT says (words as a shell reads them), else
`skillwright` on PATH, else the one that `init` was run with.
"""
import os
import shlex
import shutil
import subprocess
import sys

OPERATIONS = {
    "scan": (["scan"], [], False),
}


def main(words):
    if words in (["--help"], ["-h"]):
        return usage(sys.stdout, 0)
    if len(words) < 1 or words[0] not in OPERATIONS:
        return usage()
    operation, values = words[0], words[1:]
    command, names, is_open = OPERATIONS[operation]
    if len(values) < len(names) or (len(values) > len(names) and not is_open):
        return usage()
    program = find_program()
    if program is None:
        print("skillwright is not on PATH, and no alias reaches a script;", file=sys.stderr)
        print("set SKILLWRIGHT, for example to 'node /path/to/cli.cjs'", file=sys.stderr)
        return 127
    try:
        return subprocess.call([*program, *command, "--json", "--", *values])
    except OSError as error:
        print("cannot start " + " ".join(program) + ": " + str(error.strerror), file=sys.stderr)
        return 127


def find_program():
    named = os.environ.get("SKILLWRIGHT", "")
    if named:
        words = [named] if os.path.exists(named) else shlex.split(named)
    else:
        found = shutil.which("skillwright")
        words = [found] if found else remembered()
    if words and words[0].endswith((".js", ".cjs", ".mjs", ".ts")):
        words = ["node", *words]
    return words or None


def remembered():
    try:
        with open(os.path.expanduser("~/.agent/program"), encoding="utf-8") as file:
            return file.read().split("\n")[:2]
    except OSError:
        return []


def usage(stream=sys.stderr, code=2):
    print("usage: " + os.path.basename(__file__) + " <operation> [args...]", file=stream)
    for name, (_, names, is_open) in OPERATIONS.items():
        words = ["<" + word + ">" for word in names]
        print("  " + " ".join([name, *words]) + ("..." if is_open else ""), file=stream)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
