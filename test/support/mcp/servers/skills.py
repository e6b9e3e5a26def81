"""A server of one skill on standard streams, as honest or hostile as its first argument says."""
import hashlib
import json
import os
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else "honest"
FILES = {
    "skill://pdf/SKILL.md": "---\nname: pdf\ndescription: Does pdf.\n---\n# pdf\n",
    "skill://pdf/a.md": "one\n",
}


def entry():
    resources = [
        {"uri": uri, "digest": "sha256:" + hashlib.sha256(text.encode()).hexdigest(), "size": len(text)}
        for uri, text in FILES.items()
    ]
    return {"uri": "skill://pdf/SKILL.md", "frontmatter": {"name": "pdf", "description": "Does pdf."}, "resources": resources}


def read(uri):
    if uri.endswith("a.md"):
        if MODE == "die":
            os._exit(3)
        if MODE == "hang":
            time.sleep(600)
        if MODE == "line":
            sys.stdout.write("x" * 40_000_000)
            sys.stdout.flush()
        if MODE == "errors":
            sys.stderr.write("x" * 20_000_000)
    return {"contents": [{"uri": uri, "text": FILES[uri]}]}


def answer(request):
    method, params = request["method"], request.get("params") or {}
    if method == "initialize":
        extensions = {} if MODE == "none" else {"io.modelcontextprotocol/skills": {}}
        capabilities = {"resources": {}, "extensions": extensions}
        return {"protocolVersion": params["protocolVersion"], "capabilities": capabilities, "serverInfo": {"name": "skills", "version": "1"}}
    if method == "skills/list":
        return {"skills": [entry()]}
    if method == "skills/get":
        return {"skill": entry()}
    if method == "resources/read":
        return read(params["uri"])
    return {} if method == "ping" else None


for line in iter(sys.stdin.readline, ""):
    request = json.loads(line)
    if "id" not in request or "method" not in request:
        continue
    result = answer(request)
    said = {"error": {"code": -32601, "message": "no such method"}} if result is None else {"result": result}
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], **said}) + "\n")
    sys.stdout.flush()
