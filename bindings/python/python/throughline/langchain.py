"""LangChain and LangGraph: a middleware that decides what each call of the model shows. The state stays whole.

    agent = create_agent(model, tools, middleware=[Throughline(engine, window=200_000)])
"""

from __future__ import annotations

import json
from typing import Any

from langchain.agents.middleware import AgentMiddleware
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import StructuredTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from ._contexts import Context, Engine
from ._lists import ListSessions, ListSync, read_result_tool, text_of

ROLES = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}


class Throughline(AgentMiddleware):
    """Compaction, stored results, receipts and resume for the threads of an agent. Each has its `thread_id`.

    `cache` marks the system prompt and the end of each request for the prompt cache: for models of Anthropic. `settings` are those
    of `Engine.open`; the model's name, the system prompt and the tools are the agent's.
    """

    def __init__(self, engine: Engine, *, cache: bool = False, **settings: Any):
        super().__init__()
        self._cache, read = cache, read_result_tool()
        self.sessions = ListSessions(engine, _item, _message, wire="openai_chat", **settings)
        # `wrap_tool_call` answers it: only there the thread is known.
        self.tools = [StructuredTool(name=read.name, description=read.description, args_schema=read.input_schema, func=str)]

    def context(self, thread_id: str) -> Context:
        """The context of a thread: receipts, handoff, pins."""
        return self.sessions.context(thread_id)

    def wrap_model_call(self, request: Any, handler: Any) -> Any:
        synced = self.sessions.get(_thread(request.runtime, request.state), **self._facts(request))
        while True:
            try:
                return _used(synced, handler(self._sent(request, synced(request.messages))))
            except ContextOverflowError as error:
                if not synced.refused(error, overflow=True):
                    raise

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        synced = await self.sessions.aget(_thread(request.runtime, request.state), **self._facts(request))
        while True:
            try:
                return _used(synced, await handler(self._sent(request, await synced.acall(request.messages))))
            except ContextOverflowError as error:
                if not await synced.arefused(error, overflow=True):
                    raise

    def wrap_tool_call(self, request: Any, handler: Any) -> Any:
        call = request.tool_call
        if call["name"] != self.tools[0].name:
            return handler(request)
        read = self.context(_thread(request.runtime, request.state)).call("read_result", call["args"])
        return ToolMessage(read.text, tool_call_id=call["id"], name=call["name"])

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        call = request.tool_call
        if call["name"] != self.tools[0].name:
            return await handler(request)
        read = await self.context(_thread(request.runtime, request.state)).aio.call("read_result", call["args"])
        return ToolMessage(read.text, tool_call_id=call["id"], name=call["name"])

    def after_agent(self, state: Any, runtime: Any) -> None:
        if found := self.sessions.find(_thread(runtime, state)):
            found.note(state["messages"])

    async def aafter_agent(self, state: Any, runtime: Any) -> None:
        if found := self.sessions.find(_thread(runtime, state)):
            await found.anote(state["messages"])

    def _facts(self, request: Any) -> dict[str, Any]:
        model, system = request.model, request.system_message
        tools = [convert_to_openai_tool(tool) for tool in request.tools if tool is not self.tools[0]]
        name = getattr(model, "model_name", None) or getattr(model, "model", None) or model._llm_type
        return {"model": name, "system": system and str(system.text) or None, "tools": tools}

    def _sent(self, request: Any, messages: list[Any]) -> Any:
        if not self._cache:
            return request.override(messages=messages)
        system = request.system_message and _marked(SystemMessage, request.system_message)
        messages[-1] = _marked(type(messages[-1]), messages[-1])
        return request.override(messages=messages, system_message=system)


def _thread(runtime: Any, state: Any) -> str:
    """The thread; without a checkpointer, the run, which begins with its own first message."""
    info = getattr(runtime, "execution_info", None)
    return info and info.thread_id or str(state["messages"][0].id)


def _marked(kind: Any, message: Any) -> Any:
    blocks = [{"type": "text", "text": message.content}] if isinstance(message.content, str) else list(message.content)
    blocks[-1] = {**blocks[-1], "cache_control": {"type": "ephemeral"}}
    return message.model_copy(update={"content": blocks})


def _used(synced: ListSync, response: Any) -> Any:
    for message in getattr(response, "result", [response]):
        if used := getattr(message, "usage_metadata", None):
            details = used.get("input_token_details") or {}
            read, write = details.get("cache_read") or 0, details.get("cache_creation") or 0
            uncached = used["input_tokens"] - read - write
            synced.usage = {"input": uncached, "cache_read": read, "cache_write": write, "output": used["output_tokens"]}
    return response


def _item(message: Any) -> dict[str, Any]:
    item: dict[str, Any] = {"role": ROLES[message.type], "content": str(message.text)}
    if message.type == "tool":
        item["tool_call_id"] = message.tool_call_id
    if message.type == "human" and not isinstance(message.content, str):
        item["content"] = [{"type": "text", "text": one} if isinstance(one, str) else one for one in message.content]
    if calls := getattr(message, "tool_calls", None):
        item["tool_calls"] = [
            {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": json.dumps(call["args"])}}
            for call in calls
        ]
    return item


def _message(item: dict[str, Any], original: Any) -> Any:
    content = text_of(item["content"])
    if item["role"] == "user":
        return HumanMessage(item["content"])
    if item["role"] == "tool":
        return original.model_copy(update={"content": content})
    calls = [
        {"id": call["id"], "name": call["function"]["name"], "args": json.loads(call["function"]["arguments"]), "type": "tool_call"}
        for call in item.get("tool_calls") or ()
    ]
    return original.model_copy(update={"content": content, "tool_calls": calls}) if original else AIMessage(content, tool_calls=calls)
