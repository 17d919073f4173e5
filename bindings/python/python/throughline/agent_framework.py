"""Microsoft Agent Framework: a context provider that decides what each call of the model shows. The session stays whole.

    agent = Agent(client, tools=[…], context_providers=[Throughline(engine, model="gpt-5", window=400_000)])
"""

from __future__ import annotations

from typing import Any, AsyncIterator

from agent_framework import ChatMiddleware, ChatResponse, ContextProvider, FunctionTool, ResponseStream

from ._agent_framework_messages import item, message
from ._contexts import Engine
from ._lists import ListSync
from ._sessions import ListSessions, Sessions, tool, usage


class Throughline(Sessions, ContextProvider):
    """Compaction, stored results, receipts and resume for the sessions of an agent. `settings` are those of `Engine.open`; the system
    prompt and the tools are the agent's. `model` is the name of the model: the framework does not always know it."""

    def __init__(self, engine: Engine, *, model: str, **settings: Any):
        super().__init__("throughline")
        self.sessions = ListSessions(engine, item, message, wire="anthropic", model=model, **settings)

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: Any) -> None:
        async def read_result(**input: Any) -> str:
            return (await self.sessions.aread(session.session_id, input)).text

        name, description, schema = self.sessions.read_result
        own = FunctionTool(
            name=name, description=description, input_model=schema, func=read_result, approval_mode="never_require"
        )
        context.extend_tools(self.source_id, [own])
        context.extend_middleware(self.source_id, [_Fold(self.sessions, session.session_id)])


class _Fold(ChatMiddleware):
    def __init__(self, sessions: ListSessions, session: str):
        self._sessions, self._session = sessions, session

    async def process(self, context: Any, call_next: Any) -> None:
        options, whole = context.options or {}, list(context.messages)
        tools = [tool(one.name, one.description, one.parameters()) for one in options.get("tools") or () if hasattr(one, "name")]
        synced = await self._sessions.aget(self._session, system=options.get("instructions") or None, tools=tools)

        async def call(messages: list[Any]) -> Any:
            context.messages = messages
            await call_next()
            return context.result

        if not context.stream:
            await _answered(synced, whole, await synced.asend(whole, call))
            return

        async def stream(messages: list[Any]) -> AsyncIterator[Any]:
            result = await call(messages)
            async for update in result:
                yield update
            await _answered(synced, whole, await result.get_final_response())

        context.result = ResponseStream(synced.astream(whole, stream), finalizer=ChatResponse.from_updates)


async def _answered(synced: ListSync, whole: list[Any], response: Any) -> None:
    used = response.usage_details or {}
    read = used.get("cache_read_input_token_count")
    synced.usage = usage(used.get("input_token_count"), read, None, used.get("output_token_count"))
    if not any(content.type == "function_call" for message in response.messages for content in message.contents):
        await synced.anote([*whole, *response.messages])
