# Answers what scripts ask of pip, uv, uvx, npx and npm: from the packages that are there, or with the command that brings them.
import json, os, re, sys

NAME = sys.argv[1]
HERE = sys.argv[2]
WORDS = sys.argv[3:]
PREPARE = os.environ.get("SKILL_PREPARE", "skillwright prepare <skill>")
HAS_NETWORK = os.environ.get("SKILL_NETWORK") == "1"
MODULES = os.environ.get("NODE_PATH", "")


def real(name):
    for folder in os.environ.get("PATH", "").split(":"):
        file = os.path.join(folder, name)
        if folder and os.path.realpath(folder) != os.path.realpath(HERE) and os.access(file, os.X_OK):
            return file
    return None


def run(program, words):
    sys.stdout.flush()
    try:
        os.execvp(program, [program, *words])
    except OSError as error:
        fail(f"{program}: {error.strerror}", 127)


def fail(text, code=1):
    print(text, file=sys.stderr)
    sys.exit(code)


def otherwise(name, words, missing):
    """The program itself, where it could reach anything; else what brings the packages."""
    program = real(name)
    if program and HAS_NETWORK:
        run(program, words)
    fail(f"{name}: {missing} is not in the environment of this skill. Nothing is installed while it runs: `{PREPARE}` provides what it declares.")


def split(words, with_value):
    """Options before the first other word, and the rest."""
    taken = []
    rest = list(words)
    while rest and rest[0].startswith("-") and rest[0] != "-":
        option = rest.pop(0)
        if option == "--":
            break
        value = rest.pop(0) if option in with_value and rest else None
        taken.append((option, value))
    return taken, rest


def python_missing(requirements):
    from importlib import metadata

    for written in requirements:
        name = re.split(r"[\s\[<>=!~;@]", written.strip(), maxsplit=1)[0]
        if not name:
            continue
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            return written
        exact = re.search(r"==\s*([\w.!+]+)\s*(?:;|$)", written)
        if exact and exact.group(1) != version:
            return written
    return None


def requirements_in(file):
    try:
        with open(file, encoding="utf-8") as lines:
            return [line.split(" #")[0].strip() for line in lines if line.strip() and line.strip()[0] not in "#-"]
    except OSError as error:
        fail(f"pip: {file}: {error.strerror}")


PIP_VALUES = {"-r", "--requirement", "-c", "--constraint", "-i", "--index-url", "--extra-index-url", "-t", "--target", "--prefix", "-f", "--find-links", "--progress-bar", "--python", "-p"}


def pip(words):
    options, rest = split(words, PIP_VALUES)
    if not rest or rest[0] != "install":
        program = real("pip3") or real("pip")
        if program:
            run(program, words)
        fail("pip: not installed")
    wanted, waiting = [], rest[1:]
    while waiting:
        more, waiting = split(waiting, PIP_VALUES)
        for option, value in more:
            if option in ("-r", "--requirement") and value:
                wanted += requirements_in(value)
            if option in ("-t", "--target", "--prefix", "-e", "--editable"):
                otherwise("pip", words, value or "that folder")
        if waiting:
            wanted.append(waiting.pop(0))
    missing = python_missing(wanted)
    if missing:
        otherwise("pip", words, missing)
    for one in wanted:
        print(f"Requirement already satisfied: {one}")


UV_VALUES = {"--with", "--with-requirements", "--with-editable", "-p", "--python", "--index-url", "--index", "--extra-index-url", "--extra", "--group", "--project", "--directory", "--env-file", "--from", "--refresh-package", "--exclude-newer"}


def uv(words):
    if words[:1] == ["pip"]:
        return pip([word for word in words[1:] if word != "--system"])
    if words[:2] == ["tool", "run"]:
        return uvx(words[2:])
    globals_, rest = split(words, UV_VALUES)
    if rest[:1] != ["run"]:
        otherwise("uv", words, "uv")
    options, command = split(rest[1:], UV_VALUES)
    extra = [one for option, value in options if option == "--with" and value for one in value.split(",")]
    missing = python_missing(extra)
    if missing:
        otherwise("uv", words, missing)
    if any(option in ("-m", "--module") for option, _ in options):
        return run("python3", ["-m", *command])
    if not command:
        fail("uv: nothing to run")
    if command[0] == "-" or command[0].endswith(".py"):
        return run("python3", command)
    if command[0] in ("python", "python3"):
        return run("python3", command[1:])
    if not any(os.access(os.path.join(folder, command[0]), os.X_OK) for folder in os.environ["PATH"].split(":")) and "/" not in command[0]:
        otherwise("uv", words, command[0])
    run(command[0], command[1:])


def uvx(words):
    options, command = split(words, UV_VALUES)
    if not command:
        fail("uvx: nothing to run")
    tool = re.split(r"[@<>=!~]", command[0])[0]
    virtual = os.path.join(os.environ.get("VIRTUAL_ENV", "/nonexistent"), "bin", tool)
    program = virtual if os.access(virtual, os.X_OK) else None
    if not program:
        otherwise("uvx", words, tool)
    run(program, command[1:])


NPX_VALUES = {"-p", "--package", "-c", "--call", "--registry"}


def npx(words):
    options, command = split(words, NPX_VALUES)
    if not command:
        otherwise("npx", words, "a command")
    scope, _, rest = command[0].rpartition("/")
    tool = rest.split("@")[0]
    package = f"{scope}/{tool}" if scope else tool
    for folder in (MODULES, os.path.join(os.getcwd(), "node_modules")):
        file = os.path.join(folder, ".bin", bin_of(folder, package) or tool)
        if folder and os.path.exists(file):
            run(file, command[1:])
    otherwise("npx", words, package)


def bin_of(folder, package):
    """The one program of a package, where it is called otherwise."""
    try:
        with open(os.path.join(folder, package, "package.json"), encoding="utf-8") as file:
            told = json.load(file).get("bin")
    except (OSError, ValueError):
        return None
    if isinstance(told, dict) and len(told) == 1:
        return next(iter(told))
    return None


def npm(words):
    options, rest = split(words, {"--prefix", "--registry", "-w", "--workspace"})
    if rest[:1] and rest[0] in ("install", "i", "add") and not any(option in ("-g", "--global", "--prefix") for option, _ in options):
        names = [word for word in rest[1:] if not word.startswith("-")]
        missing = [name for name in names if not os.path.isdir(os.path.join(MODULES or "/nonexistent", re.sub(r"(?<=.)@.*$", "", name)))]
        if names and not missing:
            print("up to date: the environment has them")
            return
        otherwise("npm", words, (missing or ["what package.json names"])[0])
    program = real("npm")
    if program:
        run(program, words)
    fail("npm: not installed", 127)


{"pip": pip, "pip3": pip, "uv": uv, "uvx": uvx, "npx": npx, "npm": npm}[NAME](WORDS)
