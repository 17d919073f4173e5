"""Calls the operations that it reads from lines, for the comparison of all ways to the engine: `door.py FOLDER`."""

import json
import sys

from throughline import Engine, ThroughlineError


def main(folder: str) -> None:
    engine, contexts = Engine(folder), {}
    for line in sys.stdin:
        call = json.loads(line)
        operation, id, input = call["operation"], call["context"], call["input"]
        try:
            if operation == "open":
                contexts[id] = engine.open(id, **input)
                answer = {"output": contexts[id].opened}
            elif operation == "next_request":
                request = contexts[id].next_request(**input)
                head = {"send": request.send, "id": request.id, "model": request.model, "body": request.body}
                rest = {"predicted": request.predicted, "notices": request.notices}
                answer = {"output": {**head, **rest}, "sent": request.json.decode()}
            else:
                answer = {"output": getattr(contexts[id], operation)(**input)}
        except ThroughlineError as error:
            answer = {"error": {"code": error.code, "message": error.message, "data": error.data}}
        print(json.dumps(answer, separators=(",", ":"), ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
