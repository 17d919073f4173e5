"""LangChain's agent with a scripted chat model and the checkpointer of SQLite."""

import asyncio
import json
import sys
from pathlib import Path

import pytest

pytest.importorskip("langchain.agents.middleware", reason="langchain is not installed: pip install langchain")
sqlite = pytest.importorskip(
    "langgraph.checkpoint.sqlite", reason="its checkpointer is not installed: pip install langgraph-checkpoint-sqlite"
)

from langchain.agents import create_agent
from langchain_core.exceptions import ContextOverflowError
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, ChatMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from throughline import Engine
from throughline.langchain import Throughline
from work import NEEDLE, STEPS, WINDOW, Script, check_marks, in_new_process, rows


class Scripted(BaseChatModel):
    script: Script
    tools: list = []
    requests: list = []

    model_config = {"arbitrary_types_allowed": True}

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools, **_):
        return self.model_copy(update={"tools": [getattr(one, "name", one) for one in tools]})

    def _generate(self, messages, stop=None, run_manager=None, **_):
        self.requests.append(messages)
        assert "read_result" in self.tools and messages[0].text == "Be careful."
        does, input = self.script.next(len(messages), "\n".join(str(message.text) for message in messages))
        if does == "overflow":
            raise ContextOverflowError("prompt is too long")
        if does == "text":
            said = AIMessage(input["text"])
        else:
            thinking = [{"type": "thinking", "thinking": "Hm.", "signature": f"signed {self.script.step}"}]
            call = {"id": f"c{self.script.step}", "name": does, "args": input, "type": "tool_call"}
            said = AIMessage(thinking, tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=said)])


@tool
def big(n: int) -> str:
    "Dumps rows."
    return rows(n)


CONFIG = {"configurable": {"thread_id": "mine"}, "recursion_limit": 500}


def build(script: Script, checkpointer=None, **more):
    throughline = Throughline(Engine(memory=True), window=WINDOW, **more)
    model = Scripted(script=script, requests=[])
    return create_agent(model, [big], system_prompt="Be careful.", middleware=[throughline], checkpointer=checkpointer), throughline, model


def check(script: Script, state, throughline: Throughline, model: Scripted, thread: str) -> None:
    messages = state["messages"]
    assert messages[-1].text == f"done at {STEPS + 1}" and script.compactions() >= 3 and max(script.sizes) < 60
    assert len(messages) == 2 * (STEPS + 2) and "Summary of earlier" not in str(messages), "the state stays whole"
    read = [str(m.text) for m in messages if m.type == "tool" and m.name == "read_result"]
    assert len(read) == 1 and NEEDLE in read[0], read
    signed = [m.content[0]["signature"] for m in model.requests[-1] if m.type == "ai" and isinstance(m.content, list)]
    assert signed, "thinking is the framework's own"
    context = throughline.context(thread)
    assert context.handoff().last_answer == messages[-1].text
    assert len(context.receipts(most=200).receipts) == STEPS + 2, "one for each answer"


def test_a_long_run_is_compacted_read_back_and_resumed(tmp_path: Path):
    database = str(tmp_path / "checkpoints.db")
    script = Script(overflow=40)
    with sqlite.SqliteSaver.from_conn_string(database) as checkpointer:
        agent, throughline, model = build(script, checkpointer)
        check(script, agent.invoke({"messages": "Dump everything."}, CONFIG), throughline, model, "mine")
    resumed = in_new_process(__file__, database, script.reference)
    assert resumed["sizes"][0] < 40 and NEEDLE in resumed["read"] and resumed["output"] == f"done at {STEPS + 1}"


def test_the_same_without_a_thread_in_an_event_loop():
    script = Script(overflow=40)
    agent, throughline, model = build(script)
    state = asyncio.run(agent.ainvoke({"messages": "Dump everything."}, {"recursion_limit": 500}))
    check(script, state, throughline, model, str(state["messages"][0].id))


def test_the_planned_breakpoints_of_the_prompt_cache_are_set():
    agent, _, model = build(Script(begun=STEPS - 3), cache=True)
    state = agent.invoke({"messages": "Go. " * 3000})
    check_marks([["cache_control" in str(one.content) for one in request] for request in model.requests])
    assert "cache_control" not in str(state)


class Answers(BaseChatModel):
    """A model that gives these answers."""

    answers: list
    requests: list = []

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **_):
        self.requests.append(messages)
        return ChatResult(generations=[ChatGeneration(message=self.answers[len(self.requests) - 1])])


def answered(first, *answers):
    """The last request of an agent that begins with this message."""
    model = Answers(answers=[*answers, AIMessage("done")], requests=[])
    agent = create_agent(model, [big], middleware=[Throughline(Engine(memory=True), window=WINDOW)])
    assert agent.invoke({"messages": [first]}, {"recursion_limit": 200})["messages"][-1].text == "done"
    return model.requests[-1]


def calling(n, id="call_0"):
    return AIMessage("", tool_calls=[{"id": id, "name": "big", "args": {"n": n}}])


@pytest.mark.parametrize("id", ["call_0", ""])
def test_ids_of_calls_that_are_used_again_or_empty_stay_those_of_the_state(id):
    sent = answered("Go.", *(calling(n, id) for n in (1, 3, 2)))
    assert [(m.tool_calls[0]["id"], m.tool_calls[0]["args"]["n"]) for m in sent if m.type == "ai"] == [(id, 1), (id, 3), (id, 2)]
    results = [m for m in sent if m.type == "tool"]
    assert [m.tool_call_id for m in results] == [id] * 3
    assert ["ref_id" in m.text for m in results] == [False, True, False]


PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


@pytest.mark.parametrize(
    "block",
    [
        {"type": "image", "base64": PICTURE, "mime_type": "image/png"},
        {"type": "image", "source_type": "base64", "data": PICTURE, "mime_type": "image/png"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PICTURE}},
        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PICTURE}"}},
        {"type": "image", "url": "https://example.com/a.png"},
        {"type": "image_url", "image_url": "https://example.com/a.png"},
        {"type": "file", "base64": "AAAA", "mime_type": "application/pdf"},
    ],
)
@pytest.mark.filterwarnings("error:throughline")
def test_a_thread_with_a_picture_or_a_file_is_compacted(block):
    first = HumanMessage([{"type": "text", "text": "See."}, block])
    sent = answered(first, *(calling(n, f"c{n}") for n in range(4, 40)))
    assert len(sent) < 60 and sent[-1].type == "tool"


@pytest.mark.filterwarnings("error:throughline")
def test_a_message_with_a_role_of_its_own_is_taken():
    assert [message.text for message in answered(ChatMessage(role="user", content="Go."))] == ["Go."]


def test_an_agent_that_a_tool_runs_has_a_session_of_its_own():
    throughline = Throughline(Engine(memory=True), window=WINDOW)
    inner = create_agent(Answers(answers=[AIMessage("mine")] * 2, requests=[]), [], middleware=[throughline])

    @tool
    def ask(question: str) -> str:
        "Asks another agent."
        for n in range(2):
            answer = inner.invoke({"messages": [HumanMessage(f"{question} {n}")]})["messages"][-1].text
        return answer

    call = AIMessage("", tool_calls=[{"id": "c1", "name": "ask", "args": {"question": "Why?"}}])
    outer = create_agent(
        Answers(answers=[call, AIMessage("done")], requests=[]), [ask], middleware=[throughline], checkpointer=InMemorySaver()
    )
    outer.invoke({"messages": "Go."}, {"configurable": {"thread_id": 7}})
    assert throughline.context("7").handoff().requests == ["Go."]
    assert len(throughline.context("7").engine.list()) == 3, "one for each run"


def main(database: str, reference: str) -> None:
    script = Script(begun=STEPS, reference=reference)
    with sqlite.SqliteSaver.from_conn_string(database) as checkpointer:
        agent, _, _ = build(script, checkpointer)
        state = agent.invoke({"messages": "Read it again."}, CONFIG)
    read = [str(m.text) for m in state["messages"] if m.type == "tool" and m.name == "read_result"]
    print(json.dumps({"sizes": script.sizes, "read": read[-1], "output": state["messages"][-1].text}))


if __name__ == "__main__":
    main(*sys.argv[1:])
