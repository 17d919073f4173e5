"""A turn as a durable workflow of DBOS: a worker that is killed anywhere continues where it was.

    python examples/durable_agent.py FOLDER

The state of the workflow and the session are two databases. DBOS repeats a step that was done and not noted; the step's key tells the
engine that it is the same one, so that no message is there twice.
"""

import json
import sys
from pathlib import Path

from dbos import DBOS, SetWorkflowID

from throughline import Context, Engine

STEPS = 12
folder = Path(sys.argv[1])
DBOS(config={"name": "agent", "system_database_url": f"sqlite:///{folder}/workflow.sqlite", "log_level": "ERROR"})
engine = Engine(folder / "sessions")
tools = [{"name": "lookup", "description": "Looks something up.", "input_schema": {"type": "object"}}]
contexts: dict[str, Context] = {}


def context(session: str) -> Context:
    """The session in this process. A worker that was killed holds no lock."""
    if session not in contexts:
        contexts[session] = engine.open(session, model="any", window=200_000, policy="off", tools=tools)
    return contexts[session]


def asked(body: dict) -> dict:
    """Your client. This one calls the tool twelve times, and says how much it has seen."""
    results = str(body["messages"]).count("'tool_result'")
    call = {"type": "tool_use", "id": f"c{results}", "name": "lookup", "input": {"of": results}}
    said = {"type": "text", "text": f"{results} results"}
    return {"content": [said if results == STEPS else call], "stop_reason": "end_turn" if results == STEPS else "tool_use"}


@DBOS.step()
def begin(session: str, text: str, key: str) -> None:
    context(session).user(text, key=key)


@DBOS.step()
def request(session: str, key: str) -> dict:
    """After a restart it is built again, with the same number."""
    next = context(session).next_request(key=key)
    return {"id": next.id, "body": dict(next.body)}


@DBOS.step()
def ask(body: dict) -> dict:
    return asked(body)


@DBOS.step()
def answer(session: str, number: int, body: dict, key: str) -> dict:
    return json.loads(json.dumps(context(session).answer(number, body, key=key)))


@DBOS.step()
def run(session: str, calls: list[dict], key: str) -> None:
    results = [{"call": call["id"], "text": f"row {call['input']['of']}\n" * 40} for call in calls]
    context(session).results(results, key=key)


@DBOS.workflow()
def turn(session: str, text: str) -> str:
    begin(session, text, key=f"{DBOS.workflow_id}-user")
    for step in range(100):
        sent = request(session, key=f"{DBOS.workflow_id}-request-{step}")
        followed = answer(session, sent["id"], ask(sent["body"]), key=f"{DBOS.workflow_id}-answer-{step}")
        if followed["then"] == "finished":
            return followed["text"]
        if followed["then"] == "calls":
            run(session, followed["calls"], key=f"{DBOS.workflow_id}-results-{step}")
    raise RuntimeError("the model does not end its turn")


if __name__ == "__main__":
    DBOS.launch()  # continues what an earlier worker began
    with SetWorkflowID("turn-1"):
        print(DBOS.start_workflow(turn, "chat-1", "Look everything up.").get_result())
    DBOS.destroy()
