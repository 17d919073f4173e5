"""OpenAI Agents SDK: a model that decides what each request shows. The session of the SDK stays whole.

    throughline = Throughline(engine, "session-1", window=400_000)
    result = await Runner.run(throughline.wrap(agent), "…", session=SQLiteSession("session-1", "agent.db"))
"""

from __future__ import annotations

import dataclasses
import json
import warnings
from typing import Any, AsyncIterator

from agents import Agent, FunctionTool
from agents.models.interface import Model
from agents.models.multi_provider import MultiProvider
from agents.run_config import ModelInputData

from ._contexts import Context, Engine
from ._lists import ListSessions, ListSync, read_result_tool


class Throughline:
    """Compaction, stored results, receipts and resume for one session. `settings` are those of `Engine.open`; the model's name, the
    instructions and the tools are the agent's."""

    def __init__(self, engine: Engine, session: str, **settings: Any):
        self._id, self._read = session, read_result_tool()
        self.sessions = ListSessions(engine, _item, _message, wire="openai_responses", **settings)

    @property
    def context(self) -> Context:
        """The context of the session: receipts, handoff, pins."""
        return self.sessions.context(self._id)

    def wrap(self, agent: Agent[Any]) -> Agent[Any]:
        """The agent with `read_result`, and with a model that is asked for less. Each agent of a handoff is wrapped by itself."""
        model = agent.model if isinstance(agent.model, Model) else MultiProvider().get_model(agent.model)
        return dataclasses.replace(agent, model=_Model(model, self), tools=[*agent.tools, self.tool()])

    def tool(self) -> FunctionTool:
        """`read_result`."""

        async def invoke(_: Any, arguments: str) -> str:
            return (await self.context.aio.call("read_result", json.loads(arguments))).text

        read = self._read
        return FunctionTool(read.name, read.description, read.input_schema, invoke, strict_json_schema=False)

    async def filter(self, data: Any) -> ModelInputData:
        """A `call_model_input_filter`, where the model cannot be wrapped. After an overflow the run ends."""
        given = data.model_data
        synced = await self.list(str(data.agent.model), given.instructions, data.agent.tools)
        return ModelInputData(input=await synced.acall(given.input), instructions=given.instructions)

    async def list(self, model: str, instructions: str | None, tools: list[Any]) -> ListSync:
        """The list of the session."""
        own = [tool for tool in tools if isinstance(tool, FunctionTool) and tool.name != self._read.name]
        described = [{"name": one.name, "description": one.description, "input_schema": one.params_json_schema} for one in own]
        return await self.sessions.aget(self._id, model=model, system=instructions or None, tools=described)


class _Model(Model):
    def __init__(self, inner: Model, throughline: Throughline):
        self._inner, self._throughline = inner, throughline
        self.close, self.get_retry_advice = inner.close, inner.get_retry_advice  # type: ignore[method-assign]

    async def get_response(self, system_instructions: Any, input: Any, model_settings: Any, tools: Any, *rest: Any, **more: Any) -> Any:
        items = _items(input)
        synced = await self._list(system_instructions, tools, more)
        while True:
            sent = await synced.acall(items) if synced else input
            try:
                response = await self._inner.get_response(system_instructions, sent, model_settings, tools, *rest, **more)
            except Exception as error:
                if not synced or not await synced.arefused(error):
                    raise
                continue
            await _answered(synced, items, response.usage, response.to_input_items())
            return response

    async def stream_response(
        self, system_instructions: Any, input: Any, model_settings: Any, tools: Any, *rest: Any, **more: Any
    ) -> AsyncIterator[Any]:
        items = _items(input)
        synced = await self._list(system_instructions, tools, more)
        while True:
            sent, begun = await synced.acall(items) if synced else input, False
            try:
                async for event in self._inner.stream_response(system_instructions, sent, model_settings, tools, *rest, **more):
                    begun = True
                    if event.type == "response.completed":
                        said = [one.model_dump(exclude_unset=True) for one in event.response.output]
                        await _answered(synced, items, event.response.usage, said)
                    yield event
                return
            except Exception as error:
                if begun or not synced or not await synced.arefused(error):
                    raise

    async def _list(self, instructions: str | None, tools: list[Any], more: dict[str, Any]) -> ListSync | None:
        if more.get("previous_response_id") or more.get("conversation_id"):
            warnings.warn("throughline changes nothing: the provider has the conversation, and each request only what is new")
            return None
        return await self._throughline.list(str(getattr(self._inner, "model", "model")), instructions, tools)


def _items(input: Any) -> list[Any]:
    return [{"role": "user", "content": input}] if isinstance(input, str) else list(input)


async def _answered(synced: ListSync | None, items: list[Any], used: Any, said: list[Any]) -> None:
    if synced is None:
        return
    if used and used.input_tokens:
        read = used.input_tokens_details.cached_tokens or 0
        synced.usage = {"input": used.input_tokens - read, "cache_read": read, "cache_write": 0, "output": used.output_tokens}
    if not any(one.get("type") == "function_call" for one in said):
        await synced.anote([*items, *said])


def _item(item: Any) -> Any:
    return item


def _message(item: dict[str, Any], original: Any) -> Any:
    return {**original, **item} if original else item
