"""LangChain and LangGraph: a middleware that decides what each call of the model shows. The state stays whole.

    agent = create_agent(model, tools, middleware=[Throughline(engine, window=200_000)])
"""

from __future__ import annotations

from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.exceptions import ContextOverflowError
from langchain_core.tools import StructuredTool

from ._contexts import Engine
from ._langchain_messages import answered, facts, item, marked, message, used
from ._lists import ListSync
from ._sessions import ListSessions, Sessions


class Throughline(Sessions, AgentMiddleware):
    """Compaction, stored results, receipts and resume for the threads of an agent. Each has its `thread_id`.

    `cache` sets the breakpoints of the prompt cache that the engine plans: for models of Anthropic. `settings` are those of
    `Engine.open`; the model's name, the system prompt and the tools are the agent's.
    """

    def __init__(self, engine: Engine, *, cache: bool = False, **settings: Any):
        super().__init__()
        self._cache, provider = cache, {"provider": "anthropic"} if cache else {}
        self.sessions = ListSessions(engine, item, message, wire="openai_chat", **{**provider, **settings})
        # `wrap_tool_call` answers it: only there the thread is known.
        name, description, schema = self.sessions.read_result
        self.tools = [StructuredTool(name=name, description=description, args_schema=schema, func=str)]

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        synced = self.sessions.get(_thread(request.runtime, request.state), **facts(request))
        send = lambda sent: handler(self._sent(request, synced, sent))
        response = synced.send(request.messages, send, ContextOverflowError)
        synced.usage = used(response)
        return response

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        synced = await self.sessions.aget(_thread(request.runtime, request.state), **facts(request))
        send = lambda sent: handler(self._sent(request, synced, sent))
        response = await synced.asend(request.messages, send, ContextOverflowError)
        synced.usage = used(response)
        return response

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        call = request.tool_call
        if call["name"] != self.tools[0].name:
            return handler(request)
        return answered(call, self.sessions.read(_thread(request.runtime, request.state), call["args"]))

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        call = request.tool_call
        if call["name"] != self.tools[0].name:
            return await handler(request)
        return answered(call, await self.sessions.aread(_thread(request.runtime, request.state), call["args"]))

    def after_agent(self, state: Any, runtime: Any) -> None:
        if found := self.sessions.find(_thread(runtime, state)):
            found.note(state["messages"])

    async def aafter_agent(self, state: Any, runtime: Any) -> None:
        if found := self.sessions.find(_thread(runtime, state)):
            await found.anote(state["messages"])

    def _sent(self, request: Any, synced: ListSync, sent: list[Any]) -> Any:
        system = request.system_message
        if self._cache:
            sent = [marked(one, synced.marks[at]) if at in synced.marks else one for at, one in enumerate(sent)]
            system = system and synced.system_mark and marked(system, synced.system_mark) or system
        return request.override(messages=sent, system_message=system)


def _thread(runtime: Any, state: Any) -> str:
    """The thread; without a checkpointer, the run, which begins with its own first message. An agent that a tool runs has the thread of
    the agent whose tool that is, and messages of its own."""
    info = getattr(runtime, "execution_info", None)
    thread = "" if info is None or info.thread_id is None else str(info.thread_id)
    tools = [name for name in (info.checkpoint_ns if info else "").split("|")[:-1] if name.startswith("tools:")]
    if thread and not tools:
        return thread
    first = str(state["messages"][0].id)
    return f"{thread}/{first}" if thread else first
