"""Google ADK with a scripted model and its session service of SQLite."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("google.adk.plugins", reason="Google ADK is not installed: pip install google-adk")

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions.sqlite_session_service import SqliteSessionService
from google.genai import types

from throughline import Engine, ListSync
from throughline._google_adk_messages import item, message
from throughline.google_adk import Throughline
from work import NEEDLE, STEPS, WINDOW, Script, in_new_process, rows


class Scripted(BaseLlm):
    script: Script
    ids: bool = True
    requests: list = []

    model_config = {"arbitrary_types_allowed": True}

    async def generate_content_async(self, llm_request, stream=False):
        contents = llm_request.contents
        self.requests.append(contents)
        assert {result.name for result in results(contents)} <= {"big", "read_result"}
        assert "read_result" in [one.name for tool in llm_request.config.tools for one in tool.function_declarations]
        does, input = self.script.next(len(contents), "\n".join(texts(contents)))
        if does == "overflow":
            raise RuntimeError("The input token count (30000) exceeds the maximum number of tokens allowed (20000).")
        if does == "text":
            parts = [types.Part(text=input["text"])]
        else:
            id = f"c{self.script.step}" if self.ids else None
            thinking = types.Part(text="Hm.", thought=True, thought_signature=b"signed")
            parts = [thinking, types.Part(function_call=types.FunctionCall(id=id, name=does, args=input))]
        yield LlmResponse(content=types.Content(role="model", parts=parts))


def big(n: int) -> str:
    """Dumps rows."""
    return rows(n)


def texts(contents) -> list[str]:
    parts = [part for content in contents for part in content.parts]
    return ["\n".join(map(str, part.function_response.response.values())) if part.function_response else part.text or "" for part in parts]


def results(contents) -> list:
    return [part.function_response for content in contents for part in content.parts if part.function_response]


def reads(contents) -> list[str]:
    return [result.response["result"] for result in results(contents) if result.name == "read_result"]


def build(script: Script, folder: Path, **more) -> tuple[Runner, Throughline, Scripted]:
    throughline = Throughline(Engine(folder / "data"), window=WINDOW)
    model = Scripted(model="scripted", script=script, requests=[], **more)
    agent = LlmAgent(name="careful", model=model, instruction="Be careful.", tools=[big])
    app = App(name="app", root_agent=agent, plugins=[throughline])
    return Runner(app=app, session_service=SqliteSessionService(str(folder / "sessions.db"))), throughline, model


async def ask(runner: Runner, prompt: str, is_new: bool):
    if is_new:
        await runner.session_service.create_session(app_name="app", user_id="me", session_id="mine")
    message = types.Content(role="user", parts=[types.Part(text=prompt)])
    async for _ in runner.run_async(user_id="me", session_id="mine", new_message=message):
        pass
    session = await runner.session_service.get_session(app_name="app", user_id="me", session_id="mine")
    return [event.content for event in session.events if event.content]


@pytest.mark.parametrize("ids", [True, False])
def test_a_long_run_is_compacted_read_back_and_resumed(tmp_path: Path, ids: bool):
    script = Script(overflow=40)
    runner, throughline, model = build(script, tmp_path, ids=ids)
    events = asyncio.run(ask(runner, "Dump everything.", True))
    assert texts(events)[-1] == f"done at {STEPS + 1}" and script.compactions() >= 3 and max(script.sizes) < 60
    assert len(events) == 2 * (STEPS + 2) and "Summary of earlier" not in str(events), "the session stays whole"
    read = reads(events)
    assert len(read) == 1 and NEEDLE in read[0], read
    assert "signed" in str(model.requests[-1]), "thinking is the framework's own"
    context = throughline.context("mine")
    assert context.handoff().last_answer == f"done at {STEPS + 1}"
    assert len(context.receipts(most=200).receipts) == STEPS + 2, "one for each answer"
    context.close()

    resumed = in_new_process(__file__, str(tmp_path), script.reference)
    assert resumed["resumed"] and resumed["sizes"][0] < 40
    assert NEEDLE in resumed["read"] and resumed["output"] == f"done at {STEPS + 1}"


@pytest.mark.parametrize("id", ["call_0", None])
def test_calls_with_one_id_or_none_stay_and_a_stored_result_has_its_name(id):
    def step(n):
        call, result = types.FunctionCall(id=id, name="big", args={"n": n}), {"result": rows(n)}
        response = types.FunctionResponse(id=id, name="big", response=result)
        return [types.Content(role="model", parts=[types.Part(function_call=call)]), types.Content(role="user", parts=[types.Part(function_response=response)])]

    contents = [types.Content(role="user", parts=[types.Part(text="Go.")]), *step(1), *step(3)]
    synced = ListSync(Engine(memory=True).open("mine", model="scripted", window=WINDOW, wire="gemini"), item, message)
    sent = synced(contents)
    assert [one is other for one, other in zip(sent, contents)] == [True, True, True, True, False]
    stored = sent[-1].parts[0].function_response
    assert (stored.id, stored.name) == (id, "big") and "ref_id" in str(stored.response)


def main(folder: str, reference: str) -> None:
    script = Script(begun=STEPS, reference=reference)
    runner, throughline, _ = build(script, Path(folder))
    events = asyncio.run(ask(runner, "Read it again.", False))
    resumed = throughline.context("mine").opened.resumed
    print(json.dumps({"sizes": script.sizes, "read": reads(events)[-1], "output": texts(events)[-1], "resumed": resumed}))


if __name__ == "__main__":
    main(*sys.argv[1:])
