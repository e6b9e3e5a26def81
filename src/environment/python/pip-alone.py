# pip, unable to start any program: no source is built, no repository fetched, nobody asked for a login.
import runpy, sys

STARTS = {"subprocess.Popen", "os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system", "pty.spawn"}
# How pip finds out the version of a C library that has no other way to tell.
LOADER = "/lib/ld-musl-"


def named(args):
    words = args[1] if len(args) > 1 and isinstance(args[1], (list, tuple)) and args[1] else args
    return str(words[0]) if words else "?"


def refuse(event, args):
    if event not in STARTS:
        return
    program = named(args)
    if program.startswith(LOADER):
        return
    print("skillwright: not started: " + program, file=sys.stderr, flush=True)
    raise PermissionError("not started: " + program)


if not hasattr(sys, "addaudithook"):
    sys.exit("error: packages are installed by Python 3.8 or newer")
sys.addaudithook(refuse)
runpy.run_module("pip", run_name="__main__", alter_sys=True)
