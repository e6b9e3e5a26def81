# Reads Python sources from standard input and prints what stands in them as JSON; parses, and never runs any of it.
import ast
import json
import re
import sys

try:
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))
except Exception:
    pass

MOST_STRINGS = 4000
MOST = 5000
LONGEST = 2000
WORTH = re.compile(r"://|^[A-Za-z_][A-Za-z0-9_]{1,80}$|^~|/dev/|^[\w*.-]+\.[a-z]{2,}(:\d+)?$|\b(curl|wget|git|npx|npm|pip|uv|gh)\b")
CATCHES_IMPORTS = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException", ""}
STRIPPING = {"strip", "rstrip", "lstrip", "format", "lower", "removesuffix", "encode"}


def dotted(node):
    parts = []
    while True:
        if isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        elif isinstance(node, ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Name):
            parts.append(node.id)
            break
        else:
            break
    return ".".join(reversed(parts))


def names_in(node):
    found = []
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            found.append(one.id)
        elif isinstance(one, ast.Attribute):
            found += [one.attr, ":" + one.attr]
        elif isinstance(one, ast.Subscript) and isinstance(one.slice, ast.Constant):
            found.append(":" + str(one.slice.value)[:80])
        elif isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr == "get" and one.args:
            found.append(":" + (text_of(one.args[0]) or "")[:80])
    return list(dict.fromkeys(found))[:60]


def hole(node):
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return "\x01" + name + "\x02"


def text_of(node, depth=0):
    """The text of an expression, with holes; None where it is no text at all."""
    if depth > 40:
        return None
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(
            text_of(part.value, depth + 1) or hole(part.value) if isinstance(part, ast.FormattedValue) else str(part.value)
            for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div)):
        left, right = text_of(node.left, depth + 1), text_of(node.right, depth + 1)
        if left is None and right is None:
            return None
        if isinstance(node.op, ast.Div) and not (left or "").startswith("~"):
            return None
        between = "/" if isinstance(node.op, ast.Div) else ""
        return (hole(node.left) if left is None else left) + between + (hole(node.right) if right is None else right)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
        left = text_of(node.left, depth + 1)
        return None if left is None else re.sub(r"%[sd]", "\x01\x02", left)
    if isinstance(node, ast.Call):
        return text_of_call(node, depth)
    if isinstance(node, ast.Subscript) and dotted(node).endswith("environ") and text_of(node.slice) == "HOME":
        return "~"
    return None


def text_of_call(node, depth):
    callee = dotted(node.func)
    if callee.endswith("Path.home"):
        return "~"
    if callee.endswith("expanduser") and isinstance(node.func, ast.Attribute) and not node.args:
        return text_of(node.func.value, depth + 1)
    if callee.endswith("path.join") and node.args:
        parts = [text_of(arg, depth + 1) for arg in node.args]
        return "/".join(hole(arg) if part is None else part for arg, part in zip(node.args, parts)) if parts[0] else None
    if callee in ("os.path.expanduser", "expanduser", "Path", "pathlib.Path", "str") and len(node.args) == 1:
        return text_of(node.args[0], depth + 1)
    if isinstance(node.func, ast.Attribute) and node.func.attr in STRIPPING:
        base = text_of(node.func.value, depth + 1)
        if base is not None and node.func.attr == "format":
            return re.sub(r"\{(\w*)[^{}]*\}", lambda found: "\x01" + found[1] + "\x02", base)
        return base
    return None


def types_of(handler):
    """What an except clause catches; a bare one catches everything."""
    if handler.type is None:
        return [ast.Name(id="")]
    return handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]


def gives_up(handler):
    """Whether the code ends there: what it could not import, it cannot do without."""
    for one in handler.body:
        for part in ast.walk(one):
            if isinstance(part, ast.Raise) or isinstance(part, ast.Call) and dotted(part.func) in ("exit", "quit", "sys.exit", "os._exit"):
                return True
    return False


class Reader:
    def __init__(self):
        self.facts = {"imports": [], "modules": [], "strings": [], "calls": [], "words": [], "assigns": [], "functions": []}
        self.aliases = {"environ"}
        # Inside of a text that was reported as a whole.
        self.inside = 0
        # Where an import may fail, and where it is for a checker of types alone.
        self.tried = 0
        self.unread = 0

    def string(self, text, node, call, at, names):
        strings = self.facts["strings"]
        if self.inside and call != "@env":
            return
        if len(strings) < MOST_STRINGS and len(text) <= LONGEST and (call == "@env" or WORTH.search(text)):
            strings.append({"text": text, "line": node.lineno, "call": call, "at": at, "names": names[-4:]})

    def is_environment(self, node):
        name = dotted(node)
        return name.endswith("os.environ") or name in self.aliases

    def read(self, node, call="", at=-1, names=()):
        names = list(names)
        text = text_of(node)
        if text is not None:
            self.string(text, node, call, at, names)
            if isinstance(node, ast.Constant):
                return
        method = getattr(self, "read_" + type(node).__name__, self.read_parts)
        is_whole = text is not None and isinstance(node, ast.BinOp)
        self.inside += is_whole
        method(node, call, at, names)
        self.inside -= is_whole

    def read_parts(self, node, call, at, names):
        for child in ast.iter_child_nodes(node):
            if not (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant)):
                self.read(child, call if isinstance(node, ast.expr) else "", at, names)

    def read_Expr(self, node, call, at, names):
        if not isinstance(node.value, ast.Constant):
            self.read(node.value)

    def module(self, name, names, line, optional=False):
        if not self.unread:
            optional = optional or self.tried > 0
            self.facts["modules"].append({"name": name, "names": names[:60], "line": line, "optional": optional})

    def read_Try(self, node, *_):
        caught = [dotted(one) for handler in node.handlers if not gives_up(handler) for one in types_of(handler)]
        may_fail = any(name.split(".")[-1] in CATCHES_IMPORTS for name in caught)
        self.tried += may_fail
        for one in node.body:
            self.read(one)
        self.tried -= may_fail
        # The other way stands behind it.
        self.tried += may_fail
        for handler in node.handlers:
            for one in handler.body:
                self.read(one)
        self.tried -= may_fail
        for one in node.orelse + node.finalbody:
            self.read(one)

    read_TryStar = read_Try

    def read_If(self, node, *_):
        checking = dotted(node.test).split(".")[-1] == "TYPE_CHECKING"
        self.read(node.test)
        self.unread += checking
        for one in node.body:
            self.read(one)
        self.unread -= checking
        for one in node.orelse:
            self.read(one)

    def read_Import(self, node, *_):
        for one in node.names:
            self.module(one.name, [], node.lineno)
        self.facts["imports"] += [{"name": one.name, "line": node.lineno} for one in node.names]

    def read_ImportFrom(self, node, *_):
        if node.level == 0 and node.module:
            self.module(node.module, [one.name for one in node.names], node.lineno)
            self.facts["imports"] += [{"name": node.module, "line": node.lineno}]
            self.facts["imports"] += [{"name": node.module + "." + one.name, "line": node.lineno} for one in node.names]

    def assign(self, targets, value):
        if value is None:
            return
        names = []
        for target in targets:
            for one in target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]:
                if isinstance(one, ast.Starred):
                    one = one.value
                if isinstance(one, ast.Subscript):
                    key = text_of(one.slice)
                    if self.is_environment(one.value):
                        self.string(key or "", one, "@setenv", 0, [])
                        continue
                    if key:
                        names.append(":" + key)
                        continue
                name = dotted(one)
                if name:
                    names.append(name.split(".")[-1])
        if any(self.is_environment(part) for part in ([value] + ([value.func.value] if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "copy" else []))):
            self.aliases.update(names)
        for name in names:
            self.facts["assigns"].append({"name": name, "from": names_in(value)})
        self.read(value, "", -1, names)

    def read_Assign(self, node, *_):
        self.assign(node.targets, node.value)

    def read_AnnAssign(self, node, *_):
        self.assign([node.target], node.value)

    def read_AugAssign(self, node, *_):
        self.assign([node.target], node.value)

    def read_NamedExpr(self, node, call, at, names):
        self.assign([node.target], node.value)

    def read_For(self, node, *_):
        self.assign([node.target], node.iter)
        for one in node.body + node.orelse:
            self.read(one)

    read_AsyncFor = read_For

    def read_comprehension(self, node, *_):
        self.assign([node.target], node.iter)
        for one in node.ifs:
            self.read(one)

    def read_FunctionDef(self, node, *_):
        every = node.args.posonlyargs + node.args.args
        params = [one.arg for one in every if one.arg not in ("self", "cls")]
        self.facts["functions"].append({"name": node.name, "params": params + [one.arg for one in node.args.kwonlyargs]})
        defaults = list(zip(every[len(every) - len(node.args.defaults):], node.args.defaults))
        for arg, default in defaults + list(zip(node.args.kwonlyargs, node.args.kw_defaults)):
            if default is not None:
                self.read(default, "", -1, [arg.arg])
        for one in node.decorator_list:
            self.read(one)
        for one in node.body:
            self.read(one, "", -1, [node.name] if isinstance(one, ast.Return) else [])
            self.returns(one, node.name)

    read_AsyncFunctionDef = read_FunctionDef

    def returns(self, node, name):
        for one in ast.walk(node):
            if isinstance(one, ast.Return) and one.value is not None:
                self.facts["assigns"].append({"name": name, "from": names_in(one.value)})
                text = text_of(one.value)
                if text is not None and one is not node:
                    self.string(text, one, "", -1, [name])

    def read_Dict(self, node, call, at, names):
        for key, value in zip(node.keys, node.values):
            text = text_of(key) if key is not None else None
            if text is not None:
                self.string(text, key, "@key", -1, names)
            self.read(value, call, at, names + ([":" + text] if text else []))

    def read_List(self, node, call, at, names):
        words = [text_of(one) for one in node.elts[:40]]
        if words and words[0]:
            self.facts["words"].append({"words": words, "line": node.lineno, "call": call, "names": names})
        for one in node.elts:
            self.read(one, call, at, names)

    read_Tuple = read_List

    def read_Compare(self, node, call, at, names):
        reads = any(self.is_environment(one) for one in node.comparators)
        for one in [node.left] + node.comparators:
            self.read(one, "@env" if reads and one is node.left else "@compare", 0, [])

    def read_Subscript(self, node, call, at, names):
        if self.is_environment(node.value):
            self.environment(node.slice, node)
        else:
            self.read(node.value, call, at, names)
            self.read(node.slice, "@key", 0, [])

    def environment(self, key, node):
        text = text_of(key)
        if text is not None:
            self.string(text, node, "@env", 0, [])
        self.facts["calls"].append({"callee": "@env", "line": node.lineno, "args": [names_in(key)], "keys": []})

    def read_Raise(self, node, *_):
        if node.exc is not None:
            self.read(node.exc, "@raise", 0, [])

    def read_Call(self, node, call, at, names):
        callee = dotted(node.func) or "?"
        if isinstance(node.func, ast.Attribute):
            self.read(node.func.value, call, at, names)
        reads = callee.endswith("getenv") or (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in ("get", "pop")
            and self.is_environment(node.func.value)
        )
        args, keys = list(node.args), [one for one in node.keywords if one.arg]
        if reads and args:
            self.environment(args[0], node)
            for one in args[1:] + [key.value for key in keys]:
                self.read(one, "", -1, names)
            return
        if callee.split(".")[-1] in ("import_module", "__import__", "find_spec") and args:
            name = text_of(args[0])
            if name and re.match(r"^[A-Za-z_][\w.]*$", name):
                self.module(name, [], node.lineno, callee.endswith("find_spec"))
        if call == "@raise":
            callee = "@raise"
        self.facts["calls"].append(
            {
                "callee": callee,
                "line": node.lineno,
                "args": [names_in(one) for one in args] + [names_in(one.value) for one in node.keywords],
                "keys": [one.arg for one in keys],
            }
        )
        words = [text_of(one) for one in args[:40]]
        if words and words[0]:
            self.facts["words"].append({"words": words, "line": node.lineno, "call": callee, "names": []})
        for index, one in enumerate(args):
            self.read(one, callee, index, names)
        for one in node.keywords:
            self.read(one.value, callee, -1, names + ([one.arg] if one.arg else []))


def bounded(facts):
    return {name: found[:MOST] for name, found in facts.items()}


def read_source(source):
    try:
        tree = ast.parse(source)
        reader = Reader()
        for one in tree.body:
            reader.read(one)
        return bounded(reader.facts)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError) as error:
        return {"error": type(error).__name__}


if __name__ == "__main__":
    sys.setrecursionlimit(4000)
    for line in sys.stdin:
        print(json.dumps(read_source(json.loads(line))))
    print(json.dumps(sorted(getattr(sys, "stdlib_module_names", []))))
