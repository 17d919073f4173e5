"""pydantic-ai with its FunctionModel."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed: pip install pydantic-ai-slim")

from pydantic_ai import Agent
from pydantic_ai.exceptions import ModelContextWindowExceededError, ModelHTTPError
from pydantic_ai.messages import (
    ModelMessagesTypeAdapter,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import RequestUsage, UsageLimits

from throughline import Engine
from throughline.pydantic_ai import Throughline
from work import NEEDLE, STEPS, WINDOW, Script, in_new_process, rows


def build(script: Script, engine: Engine) -> tuple[Agent, Throughline, list]:
    requests = []

    def model(messages, info):
        requests.append(messages)
        assert "read_result" in [tool.name for tool in info.function_tools]
        assert messages[-1].instructions == "Be careful."
        assert isinstance(messages[0].parts[0], SystemPromptPart)
        text = "\n".join(str(getattr(part, "content", "")) for message in messages for part in message.parts)
        used = RequestUsage(input_tokens=len(text) // 2, output_tokens=20)
        does, input = script.next(len(messages), text)
        if does == "overflow":
            raise ModelHTTPError.for_category(
                ModelContextWindowExceededError, status_code=400, model_name="scripted", body="prompt is too long"
            )
        if does == "text":
            return ModelResponse([TextPart(input["text"])], usage=used)
        thinking = ThinkingPart("Hm.", signature=f"signed {script.step}")
        return ModelResponse([thinking, ToolCallPart(does, input, tool_call_id=f"c{script.step}")], usage=used)

    throughline = Throughline(engine, model="scripted", window=WINDOW)
    agent = Agent(FunctionModel(model), system_prompt="Mine.", instructions="Be careful.", capabilities=[throughline])
    agent.tool_plain(lambda n: rows(n), name="big")
    return agent, throughline, requests


def run(agent: Agent, prompt: str, **more):
    return asyncio.run(agent.run(prompt, conversation_id="mine", usage_limits=UsageLimits(request_limit=None), **more))


def test_a_long_run_is_compacted_read_back_and_resumed(tmp_path: Path):
    script = Script(overflow=40)
    agent, throughline, requests = build(script, Engine(memory=True))
    result = run(agent, "Dump everything.")
    history = result.all_messages()
    assert result.output == f"done at {STEPS + 1}" and script.compactions() >= 3 and max(script.sizes) < 60
    assert len(history) == 2 * (STEPS + 2) and "Summary of earlier" not in str(history), "the history stays whole"
    returned = [part for message in history for part in message.parts if isinstance(part, ToolReturnPart)]
    assert returned[3].content == rows(3), "what is stored is whole in the history"
    read = [part.content for part in returned if part.tool_name == "read_result"]
    assert len(read) == 1 and NEEDLE in read[0], read
    signed = [p.signature for m in requests[-1] for p in m.parts if isinstance(p, ThinkingPart)]
    assert signed and all(signature.startswith("signed") for signature in signed), "thinking is the framework's own"

    context = throughline.context("mine")
    assert context.handoff().last_answer == result.output
    assert len(context.receipts(most=200).receipts) == STEPS + 2, "one for each answer"

    saved = tmp_path / "history.json"
    saved.write_bytes(result.all_messages_json())
    resumed = in_new_process(__file__, str(saved), script.reference)
    assert resumed["sizes"][0] < 40 and NEEDLE in resumed["read"] and resumed["output"] == f"done at {STEPS + 1}"


def test_results_and_a_prompt_in_one_message_are_told_apart():
    agent, _, requests = build(Script(begun=STEPS + 1), Engine(memory=True))
    call = ModelResponse([ToolCallPart("big", {"n": 3}, tool_call_id="a")])
    history = run(agent, "Go.").all_messages()[:1] + [call]
    mixed = ModelRequest([ToolReturnPart("big", rows(3), tool_call_id="a"), UserPromptPart("And now?")], instructions="Be careful.")
    run(agent, "Now.", message_history=[*history, mixed])
    parts = [part for message in requests[-1] for part in message.parts]
    stored = [p.content for p in parts if isinstance(p, ToolReturnPart)]
    assert len(stored) == 1 and stored[0].startswith("[Tool result stored"), stored
    assert [p.content for p in parts if isinstance(p, UserPromptPart)] == ["Go.", "And now?", "Now."]


def scripted(*answers):
    """An agent whose model gives these answers, and the requests that it gets."""
    requests = []

    def model(messages, info):
        requests.append(messages)
        return answers[len(requests) - 1]

    agent = Agent(FunctionModel(model), capabilities=[Throughline(Engine(memory=True), model="scripted", window=WINDOW)])
    agent.tool_plain(lambda n: rows(n), name="big")
    return agent, requests


def test_ids_of_calls_that_are_used_again_stay_those_of_the_run():
    steps = (1, 3, 2)
    calls = [ModelResponse([ThinkingPart("Hm."), ToolCallPart("big", {"n": n}, tool_call_id="call_0")]) for n in steps]
    agent, requests = scripted(*calls, ModelResponse([TextPart("done")]))
    assert run(agent, "Go.").output == "done"
    parts = [part for message in requests[-1] for part in message.parts]
    assert {part.tool_call_id for part in parts if hasattr(part, "tool_call_id")} == {"call_0"}
    assert [part.args["n"] for part in parts if isinstance(part, ToolCallPart)] == [*steps]
    stored = [part.content.startswith("[Tool result stored") for part in parts if isinstance(part, ToolReturnPart)]
    assert stored == [False, True, False]
    assert sum(isinstance(part, ThinkingPart) for part in parts) == len(steps)


@pytest.mark.parametrize("parts", [[], [TextPart("")], [ThinkingPart("Hm.")]])
def test_a_response_without_a_text_stays_in_the_request(parts):
    agent, requests = scripted(ModelResponse(parts), ModelResponse([TextPart("done")]))
    assert run(agent, "Go.").output == "done"
    assert [type(message) for message in requests[1]][:2] == [ModelRequest, ModelResponse]
    assert [type(part) for part in requests[1][1].parts] == [type(part) for part in parts]


def main(saved: str, reference: str) -> None:
    script = Script(begun=STEPS, reference=reference)
    agent, _, _ = build(script, Engine(memory=True))
    history = ModelMessagesTypeAdapter.validate_json(Path(saved).read_bytes())
    result = run(agent, "Read it again.", message_history=history)
    read = [p.content for m in result.new_messages() for p in m.parts if isinstance(p, ToolReturnPart)]
    print(json.dumps({"sizes": script.sizes, "read": read[0], "output": result.output}))


if __name__ == "__main__":
    main(*sys.argv[1:])
