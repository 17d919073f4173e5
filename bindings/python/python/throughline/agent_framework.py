"""Microsoft Agent Framework: a context provider that decides what each call of the model shows. The session stays whole.

    agent = Agent(client, tools=[…], context_providers=[Throughline(engine, window=200_000)])
"""

from __future__ import annotations

import json
from typing import Any, AsyncIterator

from agent_framework import ChatMiddleware, ChatResponse, Content, ContextProvider, FunctionTool, Message, ResponseStream

from ._contexts import Context, Engine
from ._lists import ListSessions, ListSync, read_result_tool, text_of


class Throughline(ContextProvider):
    """Compaction, stored results, receipts and resume for the sessions of an agent. `settings` are those of `Engine.open`; the system
    prompt and the tools are the agent's. `model` is the name of the model: the framework does not always know it."""

    def __init__(self, engine: Engine, *, model: str, **settings: Any):
        super().__init__("throughline")
        self.sessions, self._read = ListSessions(engine, _item, _message, wire="anthropic", model=model, **settings), read_result_tool()

    def context(self, session_id: str) -> Context:
        """The context of a session: receipts, handoff, pins."""
        return self.sessions.context(session_id)

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: Any) -> None:
        async def read_result(**input: Any) -> str:
            return (await self.context(session.session_id).aio.call("read_result", input)).text

        name, description, schema = self._read.name, self._read.description, dict(self._read.input_schema)
        tool = FunctionTool(name=name, description=description, input_model=schema, func=read_result, approval_mode="never_require")
        context.extend_tools(self.source_id, [tool])
        context.extend_middleware(self.source_id, [_Fold(self.sessions, session.session_id, name)])


class _Fold(ChatMiddleware):
    def __init__(self, sessions: ListSessions, session: str, own: str):
        self._sessions, self._session, self._own = sessions, session, own

    async def process(self, context: Any, call_next: Any) -> None:
        options, whole = context.options or {}, list(context.messages)
        tools = [
            {"name": tool.name, "description": tool.description or "", "input_schema": tool.parameters()}
            for tool in options.get("tools") or ()
            if getattr(tool, "name", self._own) != self._own
        ]
        synced = await self._sessions.aget(self._session, system=options.get("instructions") or None, tools=tools)
        while True:
            context.messages = await synced.acall(whole)
            try:
                await call_next()
                break
            except Exception as error:
                if not await synced.arefused(error):
                    raise
        if not context.stream:
            await _answered(synced, whole, context.result)
            return
        inner = context.result

        async def updates() -> AsyncIterator[Any]:
            begun, stream = False, inner
            while True:
                try:
                    async for update in stream:
                        begun = True
                        yield update
                    break
                except Exception as error:
                    if begun or not await synced.arefused(error):
                        raise
                context.messages = await synced.acall(whole)
                await call_next()
                stream = context.result
            await _answered(synced, whole, await stream.get_final_response())

        context.result = ResponseStream(updates(), finalizer=ChatResponse.from_updates)


async def _answered(synced: ListSync, whole: list[Any], response: Any) -> None:
    used = response.usage_details or {}
    if used.get("input_token_count"):
        read, output = used.get("cache_read_input_token_count") or 0, used.get("output_token_count") or 0
        synced.usage = {"input": used["input_token_count"] - read, "cache_read": read, "cache_write": 0, "output": output}
    if not any(content.type == "function_call" for message in response.messages for content in message.contents):
        await synced.anote([*whole, *response.messages])


def _item(message: Any) -> dict[str, Any]:
    role = str(message.role)
    return {"role": "user" if role == "tool" else role, "content": [one for content in message.contents for one in _block(content)]}


def _block(content: Any) -> list[dict[str, Any]]:
    if content.type == "text":
        return [{"type": "text", "text": content.text}] if content.text else []
    if content.type == "function_call":
        input = json.loads(content.arguments or "{}") if isinstance(content.arguments, (str, type(None))) else dict(content.arguments)
        return [{"type": "tool_use", "id": content.call_id, "name": content.name, "input": input}]
    if content.type == "function_result":
        failed = content.exception is not None
        return [{"type": "tool_result", "tool_use_id": content.call_id, "content": str(content.result or ""), "is_error": failed}]
    if content.type in ("text_reasoning", "usage"):
        return []
    return [{"type": "text", "text": f"[{content.type}]"}]


def _message(item: dict[str, Any], original: Any) -> Any:
    """A message of the engine. Reasoning, which the engine does not change, comes from the original."""
    made = [content for content in original.contents if content.type == "text_reasoning"] if original else []
    for block in item["content"] if isinstance(item["content"], list) else [{"type": "text", "text": item["content"]}]:
        if block["type"] == "text":
            made.append(Content.from_text(block["text"]))
        elif block["type"] == "tool_use":
            made.append(Content.from_function_call(block["id"], block["name"], arguments=json.dumps(block["input"])))
        elif block["type"] == "tool_result":
            made.append(Content.from_function_result(block["tool_use_id"], result=text_of(block["content"])))
    return Message(original.role if original else item["role"], made)
