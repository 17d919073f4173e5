"""The OpenAI Agents SDK with its ScriptedModel and its session of SQLite."""

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest

pytest.importorskip("agents.testing", reason="the OpenAI Agents SDK is not installed: pip install openai-agents")
os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

from agents import Agent, LocalShellTool, RunConfig, Runner, SQLiteSession, Usage, function_tool
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call
from openai.types.responses import ResponseReasoningItem
from openai.types.responses.response_output_item import LocalShellCall

from throughline import Engine
from throughline.openai_agents import Throughline
from work import NEEDLE, STEPS, WINDOW, Script, in_new_process, rows


@function_tool
def big(n: int) -> str:
    "Dumps rows."
    return rows(n)


def scripted(script: Script, requests: list) -> ScriptedModel:
    def answer(call):
        items = call.input if isinstance(call.input, list) else [{"role": "user", "content": call.input}]
        requests.append(items)
        assert "read_result" in [tool.name for tool in call.tools] and call.system_instructions == "Be careful."
        does, input = script.next(len(items), "\n".join(str(item.get("output", item.get("content"))) for item in items))
        if does == "overflow":
            raise RuntimeError("This model's maximum context length is 20000 tokens")
        if does == "text":
            output = [assistant_message(input["text"])]
        else:
            name = f"{script.step}_{os.getpid()}"
            thinking = ResponseReasoningItem(id=f"rs_{name}", type="reasoning", summary=[], encrypted_content=f"sealed {name}")
            output = [thinking, function_call(does, input, call_id=f"call_{name}", item_id=f"fc_{name}")]
        return ModelStep(output=output, usage=Usage(requests=1, output_tokens=5, total_tokens=5))

    return ScriptedModel([ModelStep.respond(answer)] * (STEPS + 10))


def build(script: Script) -> tuple[Agent, Throughline, list]:
    requests: list = []
    throughline = Throughline(Engine(memory=True), "mine", model="scripted", window=WINDOW)
    agent = Agent(name="careful", instructions="Be careful.", tools=[big], model=scripted(script, requests))
    return throughline.wrap(agent), throughline, requests


def reads(items: list) -> list[str]:
    """Outputs of `read_result`."""
    ids = [item["call_id"] for item in items if item.get("type") == "function_call" and item["name"] == "read_result"]
    return [item["output"] for item in items if item.get("type") == "function_call_output" and item["call_id"] in ids]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_long_run_is_compacted_read_back_and_resumed(tmp_path: Path, streamed: bool):
    script = Script(overflow=40)
    agent, throughline, requests = build(script)
    session = SQLiteSession("mine", tmp_path / "sessions.db")

    async def run():
        if not streamed:
            return await Runner.run(agent, "Dump everything.", session=session, max_turns=100), await session.get_items()
        result = Runner.run_streamed(agent, "Dump everything.", session=session, max_turns=100)
        async for _ in result.stream_events():
            pass
        return result, await session.get_items()

    result, items = asyncio.run(run())
    assert result.final_output == f"done at {STEPS + 1}" and script.compactions() >= 3 and max(script.sizes) < 90
    assert len(items) == 2 + 3 * (STEPS + 1) and "Summary of earlier" not in str(items), "the session stays whole"
    read = reads(items)
    assert len(read) == 1 and NEEDLE in read[0], read
    sealed = [item["encrypted_content"] for item in requests[-1] if item.get("type") == "reasoning"]
    assert sealed and all(one.startswith("sealed") for one in sealed), "reasoning is the framework's own"
    assert throughline.context.handoff().last_answer == result.final_output
    assert len(throughline.context.receipts(most=200).receipts) == STEPS + 2, "one for each answer"

    if not streamed:
        resumed = in_new_process(__file__, str(tmp_path / "sessions.db"), script.reference)
        assert resumed["sizes"][0] < 60 and NEEDLE in resumed["read"] and resumed["output"] == f"done at {STEPS + 1}"


def test_the_filter_alone_compacts_too():
    script, requests = Script(), []
    throughline = Throughline(Engine(memory=True), "mine", model="scripted", window=WINDOW)
    model = scripted(script, requests)
    agent = Agent(name="careful", instructions="Be careful.", tools=[big, throughline.tool()], model=model)
    config = RunConfig(call_model_input_filter=throughline.filter)
    result = asyncio.run(Runner.run(agent, "Dump everything.", max_turns=100, run_config=config))
    assert result.final_output == f"done at {STEPS + 1}" and script.compactions() >= 3
    assert NEEDLE in reads(result.to_input_list())[0]


def test_a_conversation_at_the_provider_is_unchanged():
    script = Script(begun=STEPS + 1)
    agent, throughline, requests = build(script)
    with pytest.warns(UserWarning, match="changes nothing"):
        asyncio.run(Runner.run(agent, "Go.", previous_response_id="resp_1"))
    assert len(requests) == 1 and throughline.sessions.find("mine") is None


def test_the_output_of_a_shell_is_answered():
    call = LocalShellCall(
        id="l1", call_id="c1", type="local_shell_call", status="completed", action={"type": "exec", "command": ["ls"], "env": {}}
    )
    requests = []

    def answer(call):
        requests.append(call.input)
        return ModelStep(output=[assistant_message("done")], usage=Usage())

    model = ScriptedModel([ModelStep(output=[call], usage=Usage()), ModelStep.respond(answer)])
    shell = LocalShellTool(executor=lambda _: rows(3))
    agent = Throughline(Engine(memory=True), "mine", model="scripted", window=WINDOW).wrap(Agent(name="a", model=model, tools=[shell]))
    result = asyncio.run(Runner.run(agent, "Go."))
    output = requests[0][-1]
    assert result.final_output == "done" and output["type"] == "local_shell_call_output"
    assert output["output"].startswith("[Tool result stored"), "it is shortened as any result"


def main(database: str, reference: str) -> None:
    script = Script(begun=STEPS, reference=reference)
    agent, _, _ = build(script)
    result = asyncio.run(Runner.run(agent, "Read it again.", session=SQLiteSession("mine", database)))
    print(json.dumps({"sizes": script.sizes, "read": reads(result.to_input_list())[-1], "output": result.final_output}))


if __name__ == "__main__":
    main(*sys.argv[1:])
