"""Microsoft Agent Framework with a scripted chat client."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("agent_framework", reason="Microsoft Agent Framework is not installed: pip install agent-framework-core")

from agent_framework import (
    Agent,
    AgentSession,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    ChatResponseUpdate,
    Content,
    FunctionInvocationLayer,
    InMemoryHistoryProvider,
    Message,
    tool,
)

from throughline import Engine
from throughline.agent_framework import Throughline
from work import NEEDLE, STEPS, WINDOW, Script, in_new_process, rows


class Scripted(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    script: Script

    def _inner_get_response(self, *, messages, stream, options, **_):
        self.requests.append(messages)

        def contents():
            assert "read_result" in [one.name for one in options["tools"]] and options["instructions"] == "Be careful."
            does, input = self.script.next(len(messages), "\n".join(texts(messages)))
            if does == "overflow":
                raise RuntimeError("prompt is too long: 30000 tokens > 20000 maximum")
            if does == "text":
                return [Content.from_text(input["text"])]
            thinking = Content.from_text_reasoning(text="Hm.", protected_data=f"signed {self.script.step}")
            return [thinking, Content.from_function_call(f"c{self.script.step}", does, arguments=json.dumps(input))]

        async def whole():
            return ChatResponse(messages=[Message("assistant", contents())])

        async def parts():
            for content in contents():
                yield ChatResponseUpdate(role="assistant", contents=[content])

        return self._build_response_stream(parts()) if stream else whole()


@tool(approval_mode="never_require")
def big(n: int) -> str:
    """Dumps rows."""
    return rows(n)


def texts(messages) -> list[str]:
    contents = [content for message in messages for content in message.contents]
    return [str(content.result) if content.type == "function_result" else content.text or "" for content in contents]


def reads(messages) -> list[str]:
    contents = [content for message in messages for content in message.contents]
    ids = [content.call_id for content in contents if content.type == "function_call" and content.name == "read_result"]
    return [str(content.result) for content in contents if content.type == "function_result" and content.call_id in ids]


def build(script: Script, folder: Path) -> tuple[Agent, Throughline, Scripted]:
    throughline = Throughline(Engine(folder / "data"), model="scripted", window=WINDOW)
    client = Scripted(function_invocation_configuration={"max_iterations": 100})
    client.script, client.requests = script, []
    history = InMemoryHistoryProvider("history")
    agent = Agent(client, instructions="Be careful.", tools=[big], context_providers=[history, throughline])
    return agent, throughline, client


def stored(session: AgentSession) -> list[Message]:
    return session.state["history"]["messages"]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_long_run_is_compacted_read_back_and_resumed(tmp_path: Path, streamed: bool):
    script = Script(overflow=40)
    agent, throughline, client = build(script, tmp_path)
    session = agent.create_session(session_id="mine")

    async def run():
        if not streamed:
            return await agent.run("Dump everything.", session=session)
        stream = agent.run("Dump everything.", session=session, stream=True)
        async for _ in stream:
            pass
        return await stream.get_final_response()

    result = asyncio.run(run())
    assert result.text.endswith(f"done at {STEPS + 1}") and script.compactions() >= 3 and max(script.sizes) < 60
    messages = stored(session)
    assert "Summary of earlier" not in str(texts(messages)), "the session stays whole"
    assert sum(content.type == "function_call" for message in messages for content in message.contents) == STEPS + 1
    read = reads(messages)
    assert len(read) == 1 and NEEDLE in read[0], read
    reasoning = [content.protected_data for message in client.requests[-1] for content in message.contents if content.type == "text_reasoning"]
    assert reasoning, "reasoning is the framework's own"
    context = throughline.context("mine")
    assert context.handoff().last_answer == f"done at {STEPS + 1}"
    assert len(context.receipts(most=200).receipts) == STEPS + 2, "one for each answer"
    context.close()
    if not streamed:
        saved = tmp_path / "session.json"
        saved.write_text(json.dumps(session.to_dict()))
        resumed = in_new_process(__file__, str(tmp_path), script.reference)
        assert resumed["resumed"] and resumed["sizes"][0] < 40
        assert NEEDLE in resumed["read"] and resumed["output"].endswith(f"done at {STEPS + 1}")


class Calls(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    """Calls `big` with these arguments, one after the other."""

    def _inner_get_response(self, *, messages, stream, options, **_):
        self.requests.append(messages)

        async def whole():
            left = self.arguments[len(self.requests) - 1 :]
            content = Content.from_function_call("call_0", "big", arguments=left[0]) if left else Content.from_text("done")
            return ChatResponse(messages=[Message("assistant", [content])])

        return whole()


def test_malformed_arguments_and_ids_that_are_used_again_end_no_run():
    client = Calls()
    client.arguments, client.requests = ['{"n": ', '{"n": 1}', '{"n": 3}'], []
    throughline = Throughline(Engine(memory=True), model="scripted", window=WINDOW)
    agent = Agent(client, instructions="Be careful.", tools=[big], context_providers=[InMemoryHistoryProvider("history"), throughline])
    assert asyncio.run(agent.run("Go.", session=agent.create_session())).text == "done"
    contents = [content for message in client.requests[-1] for content in message.contents]
    assert [one.arguments for one in contents if one.type == "function_call"] == client.arguments
    results = [one for one in contents if one.type == "function_result"]
    assert {one.call_id for one in results} == {"call_0"} and "ref_id" in str(results[-1].result)


def main(folder: str, reference: str) -> None:
    script = Script(begun=STEPS, reference=reference)
    agent, throughline, _ = build(script, Path(folder))
    session = AgentSession.from_dict(json.loads((Path(folder) / "session.json").read_text()))
    result = asyncio.run(agent.run("Read it again.", session=session))
    resumed = throughline.context("mine").opened.resumed
    print(json.dumps({"sizes": script.sizes, "read": reads(stored(session))[-1], "output": result.text, "resumed": resumed}))


if __name__ == "__main__":
    main(*sys.argv[1:])
