"""Strands Agents with a scripted model and its session of files."""

import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("strands.middleware", reason="Strands Agents is not installed: pip install strands-agents")

from strands import Agent, tool
from strands.models.model import Model
from strands.session.file_session_manager import FileSessionManager
from strands.types.exceptions import ContextWindowOverflowException

from throughline import Engine, ListSync
from throughline._strands_messages import item, message
from throughline.strands import Throughline
from work import NEEDLE, STEPS, WINDOW, Script, check_marks, in_new_process, rows


class Scripted(Model):
    def __init__(self, script: Script):
        self.script, self.requests = script, []

    def update_config(self, **_):
        pass

    def get_config(self):
        return {"model_id": "scripted"}

    async def structured_output(self, *_, **__):
        raise NotImplementedError
        yield

    async def stream(self, messages, tool_specs=None, system_prompt=None, **_):
        self.requests.append(messages)
        assert "read_result" in [spec["name"] for spec in tool_specs] and system_prompt == "Be careful."
        does, input = self.script.next(len(messages), "\n".join(texts(messages)))
        if does == "overflow":
            raise ContextWindowOverflowException("prompt is too long")
        yield {"messageStart": {"role": "assistant"}}
        if does == "text":
            yield {"contentBlockStart": {"start": {}}}
            yield {"contentBlockDelta": {"delta": {"text": input["text"]}}}
        else:
            yield {"contentBlockDelta": {"delta": {"reasoningContent": {"text": "Hm."}}}}
            yield {"contentBlockDelta": {"delta": {"reasoningContent": {"signature": f"signed {self.script.step}"}}}}
            yield {"contentBlockStop": {}}
            yield {"contentBlockStart": {"start": {"toolUse": {"name": does, "toolUseId": f"c{self.script.step}"}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": json.dumps(input)}}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if does == "text" else "tool_use"}}


@tool
def big(n: int) -> str:
    """Dumps rows."""
    return rows(n)


def texts(messages) -> list[str]:
    blocks = [block for message in messages for block in message["content"]]
    results = [block["toolResult"]["content"][0]["text"] for block in blocks if "toolResult" in block]
    return results + [block["text"] for block in blocks if "text" in block]


def reads(messages) -> list[str]:
    blocks = [block for message in messages for block in message["content"]]
    ids = [block["toolUse"]["toolUseId"] for block in blocks if block.get("toolUse", {}).get("name") == "read_result"]
    results = [block["toolResult"] for block in blocks if "toolResult" in block]
    return [result["content"][0]["text"] for result in results if result["toolUseId"] in ids]


def build(script: Script, folder: str, **more) -> tuple[Agent, Throughline, Scripted]:
    throughline = Throughline(Engine(Path(folder) / "data"), "mine", window=WINDOW, **more)
    model, sessions = Scripted(script), FileSessionManager("mine", storage_dir=folder)
    agent = Agent(
        model, tools=[big], system_prompt="Be careful.", plugins=[throughline], session_manager=sessions, callback_handler=None
    )
    return agent, throughline, model


def test_a_long_run_is_compacted_read_back_and_resumed(tmp_path: Path):
    script = Script(overflow=40)
    agent, throughline, model = build(script, str(tmp_path))
    result = agent("Dump everything.")
    assert str(result).strip() == f"done at {STEPS + 1}" and script.compactions() >= 3 and max(script.sizes) < 60
    assert len(agent.messages) == 2 * (STEPS + 2) and "Summary of earlier" not in str(agent.messages), "the messages stay whole"
    read = reads(agent.messages)
    assert len(read) == 1 and NEEDLE in read[0], read
    assert "signed" in str(model.requests[-1][-2]), "reasoning is the framework's own"
    context = throughline.context
    assert context.handoff().last_answer == f"done at {STEPS + 1}"
    assert len(context.receipts(most=200).receipts) == STEPS + 2, "one for each answer"
    context.close()

    resumed = in_new_process(__file__, str(tmp_path), script.reference)
    assert resumed["resumed"] and resumed["sizes"][0] < 40
    assert NEEDLE in resumed["read"] and resumed["output"] == f"done at {STEPS + 1}"


def test_the_planned_breakpoints_of_the_prompt_cache_are_set(tmp_path: Path):
    agent, _, model = build(Script(begun=STEPS - 3), str(tmp_path), cache=True)
    agent("Go. " * 3000)
    check_marks([["cachePoint" in str(one) for one in request] for request in model.requests])
    assert "cachePoint" not in str(agent.messages)


def test_ids_that_are_used_again_stay_and_what_is_no_text_is_named():
    picture = {"image": {"format": "png", "source": {"bytes": b"png"}}}
    use = lambda n: {"role": "assistant", "content": [{"toolUse": {"toolUseId": "call_0", "name": "big", "input": {"n": n}}}]}
    result = lambda *content: {"role": "user", "content": [{"toolResult": {"toolUseId": "call_0", "status": "success", "content": [*content]}}]}
    messages = [{"role": "user", "content": [{"text": "Go."}]}, use(1), result({"text": "rows"}, picture), use(3), result({"text": rows(3)})]
    assert item(messages[2])["content"][0]["content"] == "rows\n[image]"
    synced = ListSync(Engine(memory=True).open("mine", model="scripted", window=WINDOW), item, message)
    sent = synced(messages)
    assert [one is other for one, other in zip(sent, messages)] == [True, True, True, True, False]
    stored = sent[-1]["content"][0]["toolResult"]
    assert stored["toolUseId"] == "call_0" and "ref_id" in stored["content"][0]["text"]


def main(folder: str, reference: str) -> None:
    script = Script(begun=STEPS, reference=reference)
    agent, throughline, _ = build(script, folder)
    result = agent("Read it again.")
    resumed = throughline.context.opened if hasattr(throughline.context, "opened") else {}
    print(json.dumps({"sizes": script.sizes, "read": reads(agent.messages)[-1], "output": str(result).strip(), "resumed": resumed["resumed"]}))


if __name__ == "__main__":
    main(*sys.argv[1:])
