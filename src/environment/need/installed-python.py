# Says which packages this Python has, by the records of what is installed and by files; imports none of them.
import importlib.machinery
import importlib.metadata
import json
import os
import sys

SUFFIXES = importlib.machinery.all_suffixes()


def folders_of(module):
    """Where the parts of a module lie, without importing what it is part of; none where it is not there."""
    top, *below = module.split(".")
    spec = importlib.machinery.PathFinder.find_spec(top)
    if spec is None:
        return []
    places = list(spec.submodule_search_locations or [])
    for part in below:
        places = [os.path.join(place, part) for place in places]
        files = [place for place in places if any(os.path.isfile(place + suffix) for suffix in SUFFIXES)]
        places = [place for place in places if os.path.isdir(place)]
        if files and not places:
            return files
        if not places:
            return []
    return places or [str(spec.origin)]


def version_of(name):
    try:
        return importlib.metadata.version(name)
    except Exception:
        return None


def answer(asked):
    version = next((found for found in map(version_of, asked["names"]) if found), None)
    there = bool(asked["imports"]) and all(folders_of(module) for module in asked["imports"])
    return {"present": version is not None or there, "version": version}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))))
