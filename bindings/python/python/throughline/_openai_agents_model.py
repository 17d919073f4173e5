"""The model of the OpenAI Agents SDK behind the engine."""

from __future__ import annotations

import warnings
from typing import Any, AsyncIterator, Awaitable, Callable

from agents.models.interface import Model

from ._lists import ListSync
from ._sessions import usage


class EngineModel(Model):
    """A model that is asked for what the engine shows of a list. `synced` gives the list, by model, instructions and tools."""

    def __init__(self, inner: Model, synced: Callable[[str, str | None, list[Any]], Awaitable[ListSync]]):
        self._inner, self._synced = inner, synced
        self.close, self.get_retry_advice = inner.close, inner.get_retry_advice  # type: ignore[method-assign]

    async def get_response(self, system_instructions: Any, input: Any, model_settings: Any, tools: Any, *rest: Any, **more: Any) -> Any:
        def send(sent: Any) -> Any:
            return self._inner.get_response(system_instructions, sent, model_settings, tools, *rest, **more)

        if _is_elsewhere(more):
            return await send(input)
        items, synced = _items(input), await self._list(system_instructions, tools)
        response = await synced.asend(items, send)
        await _answered(synced, items, response.usage, response.to_input_items())
        return response

    async def stream_response(
        self, system_instructions: Any, input: Any, model_settings: Any, tools: Any, *rest: Any, **more: Any
    ) -> AsyncIterator[Any]:
        def send(sent: Any) -> AsyncIterator[Any]:
            return self._inner.stream_response(system_instructions, sent, model_settings, tools, *rest, **more)

        items, synced = _items(input), None if _is_elsewhere(more) else await self._list(system_instructions, tools)
        async for event in synced.astream(items, send) if synced else send(input):
            if synced and event.type == "response.completed":
                said = [one.model_dump(exclude_unset=True) for one in event.response.output]
                await _answered(synced, items, event.response.usage, said)
            yield event

    async def _list(self, instructions: str | None, tools: list[Any]) -> ListSync:
        return await self._synced(str(getattr(self._inner, "model", "model")), instructions, tools)


def _is_elsewhere(more: dict[str, Any]) -> bool:
    found = bool(more.get("previous_response_id") or more.get("conversation_id"))
    if found:
        warnings.warn("throughline changes nothing: the provider has the conversation, and each request only what is new")
    return found


def _items(input: Any) -> list[Any]:
    return [{"role": "user", "content": input}] if isinstance(input, str) else list(input)


async def _answered(synced: ListSync, items: list[Any], used: Any, said: list[Any]) -> None:
    if used:
        synced.usage = usage(used.input_tokens, used.input_tokens_details.cached_tokens, None, used.output_tokens)
    # A call, whatever its kind, waits for its output.
    if said and said[-1].get("type") == "message" and not any(one.get("type") == "function_call" for one in said):
        await synced.anote([*items, *said])
