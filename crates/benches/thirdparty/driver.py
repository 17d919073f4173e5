"""Runs compactors of Python frameworks over recorded sessions, for `cargo xtask bench thirdparty`.

One JSON line comes in, one goes out. `{"op": "policies"}` lists what there is. `{"op": "open", "policy", "room"}` begins a session.
`{"op": "view", "new": [message]}` answers with the messages of the next request, `{"op": "refused"}` with those after a provider has
refused it: `{"view": [{"given": number} or {"own": message}]}`. In between a policy may ask a model: `{"summarize": prompt}` is
answered by `{"summary": text}`. An error is `{"error": text}`.
"""

import importlib
import json
import os
import sys
from importlib.metadata import version
from pathlib import Path

from policy import Channel, Session


def policies():
    """Every class with a name in the `*_policies.py` beside this file, in the order of the files."""
    found = {}
    for file in sorted(Path(__file__).parent.glob("*_policies.py")):
        module = importlib.import_module(file.stem)
        for kind in module.POLICIES:
            found[kind.name] = kind
    return found


def main():
    # What a framework prints goes to the errors.
    channel = Channel(sys.stdin, os.fdopen(os.dup(1), "w", encoding="utf-8"))
    os.dup2(2, 1)
    known = policies()
    session = None
    for line in sys.stdin:
        asked = json.loads(line)
        try:
            if asked["op"] == "policies":
                answer = {"policies": [{"name": kind.name, "package": kind.package, "version": version(kind.package), "settings": kind.settings} for kind in known.values()]}
            elif asked["op"] == "open":
                session = Session(known[asked["policy"]], asked["room"], channel)
                answer = {"opened": True}
            else:
                answer = {"view": session.view(asked["new"]) if asked["op"] == "view" else session.refused()}
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        channel.write(answer)


if __name__ == "__main__":
    main()
