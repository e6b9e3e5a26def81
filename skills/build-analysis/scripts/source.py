"""Finds and reads JUnit files and CI logs below a folder: the only place that touches files."""

import errno
import os

from ci_log import read_log
from junit import is_junit, read_junit
from skillwright_skill import SkillError

MAX_FILES = 1000
MAX_ENTRIES = 50000
MAX_DEPTH = 8
MAX_BYTES = 20 * 1024 * 1024
MAX_TOTAL = 200 * 1024 * 1024

_SKIPPED = {"node_modules", "__pycache__", "mybox", "venv", "vendor"}
_LOG_PLACES = ("ci", "log", "logs", "build", "builds", "report", "reports", "test-results", "artifacts", "target")
# Words for what lies below the working folder; anything else is a path.
_EVERYTHING = {"ci_builds": ("junit", "log"), "all": ("junit", "log"), "tests": ("junit",), "logs": ("log",)}


def read_results(target):
    """All results, and a note for each file that could not be read whole."""
    results, notes = [], []
    for path, kind in _find(target):
        data = _read(path)
        run, time = _run_of(path), os.stat(path).st_mtime
        if kind == "junit":
            found, problem = read_junit(data, run, time)
            notes.extend([f"{_show(path)} is broken: {problem}"] if problem else [])
        else:
            found = read_log(data, run, time)
        results.extend(found)
    return results, notes


def choose_output(asked, name):
    """Where a report goes: the file that was asked for, or one of the usual name in a folder."""
    if not asked or os.path.isdir(asked):
        return asked or _output_folder(), name
    if asked.lower().endswith((".md", ".markdown")):
        return os.path.split(asked)
    if os.path.exists(asked):
        text = f"output is no markdown file: {asked}; name a folder, or a file that ends in .md"
        raise SkillError("INVALID_PARAM", text, {"param": "output"})
    return asked, name


def _output_folder():
    """The folder the host chose, as seen from the working folder; the usual one without a host."""
    chosen = os.path.abspath(os.environ.get("SKILL_OUTPUT_DIR") or os.path.join("mybox", "output"))
    inside = os.path.relpath(chosen)
    return chosen if inside.startswith("..") else inside


def write_output(folder, name, text):
    path = os.path.join(folder, name)
    try:
        os.makedirs(folder or ".", exist_ok=True)
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except PermissionError as error:
        raise _denied(folder) from error
    except OSError as error:
        if error.errno == errno.EROFS:
            raise _denied(folder) from error
        raise SkillError("INVALID_PARAM", f"output cannot be written to: {path}", {"param": "output"}) from error
    return path


def _find(target):
    kinds = _EVERYTHING.get(target, ("junit", "log"))
    root = "." if target in _EVERYTHING else target
    if not _can_exist(root) or not os.path.exists(root):
        shown = target.encode("utf-8", "replace").decode("utf-8")
        raise SkillError("DATA_NOT_FOUND", f"there is no file or folder {shown}", {"target": shown})
    is_explicit = target not in _EVERYTHING
    if is_explicit and _is_whole_machine(root):
        raise SkillError("INVALID_PARAM", "target is the whole machine; name the folder of the builds", {"param": "target"})
    paths = [root] if os.path.isfile(root) else _walk(root)
    found = [(path, _kind_if_there(path, is_explicit)) for path in paths]
    wanted = [(path, kind) for path, kind in found if kind in kinds]
    wanted.sort(key=lambda one: (-os.stat(one[0]).st_mtime, one[0]))
    return _within_budget(wanted[:MAX_FILES])


def _can_exist(path):
    return "\0" not in path and not any("\ud800" <= character <= "\udfff" for character in path)


def _is_whole_machine(path):
    real = os.path.realpath(path)
    return os.path.dirname(real) == real


def _within_budget(files):
    total = 0
    kept = []
    for path, kind in files:
        total += os.path.getsize(path)
        if total > MAX_TOTAL:
            break
        kept.append((path, kind))
    return sorted(kept)


def _walk(root):
    entries = 0
    for folder, folders, files in os.walk(root, onerror=_refuse):
        depth = os.path.relpath(folder, root).count(os.sep)
        folders[:] = [] if depth >= MAX_DEPTH else sorted(filter(_is_searched, folders))
        for name in sorted(files):
            entries += 1
            if entries > MAX_ENTRIES:
                return
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                yield path


def _is_searched(name):
    return name not in _SKIPPED and not name.startswith(".")


def _refuse(error):
    if isinstance(error, PermissionError):
        raise _denied(error.filename) from error


def _kind_if_there(path, is_explicit):
    """A file may vanish between being listed and being read."""
    try:
        return _kind(path, is_explicit)
    except FileNotFoundError:
        return None


def _kind(path, is_explicit):
    name = os.path.basename(path).lower()
    if os.path.getsize(path) > MAX_BYTES:
        return None
    if name.endswith(".xml"):
        return "junit" if is_junit(_read(path, 4096)) else None
    if name.endswith((".log", ".txt")):
        parts = os.path.normpath(path).lower().split(os.sep)[:-1]
        return "log" if is_explicit or any(part in _LOG_PLACES for part in parts) or name.endswith(".log") else None
    return None


def _read(path, size=-1):
    try:
        with open(path, "rb") as file:
            return file.read(size)
    except PermissionError as error:
        raise _denied(path) from error


def _run_of(path):
    """Maven and Gradle write one file a class: those of one folder are one run."""
    name = os.path.basename(path)
    return _show(os.path.dirname(path) if name.startswith("TEST-") else path)


def _show(path):
    # A name that is no UTF-8 must not break the answer.
    return os.path.normpath(path).replace(os.sep, "/").encode("utf-8", "replace").decode("utf-8")


def _denied(path):
    return SkillError("PERMISSION_DENIED", f"no permission for {path}", {"path": str(path)})
