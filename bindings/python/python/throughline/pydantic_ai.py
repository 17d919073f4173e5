"""pydantic-ai: one capability that decides what each request of a run shows. The run's own history stays whole.

    agent = Agent(model, capabilities=[Throughline(engine, window=200_000)])
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ModelContextWindowExceededError, RetryModelRequest
from pydantic_ai.messages import ModelResponse, SystemPromptPart
from pydantic_ai.toolsets import FunctionToolset

from ._contexts import Engine
from ._lists import ListSync
from ._pydantic_ai_messages import item, marked, message, split
from ._sessions import ListSessions, Sessions, tool, usage


class Throughline(Sessions, AbstractCapability[Any]):
    """Compaction, stored results, receipts and resume for the conversations of an agent. Each has its `conversation_id`.

    `cache` sets the breakpoints of the prompt cache that the engine plans among the messages: for models of Anthropic and Bedrock.
    `settings` are those of `Engine.open`; the model's name, the system prompt and the tools are the run's.
    """

    def __init__(self, engine: Engine, *, cache: bool = False, **settings: Any):
        self.id, self._cache = "throughline", cache
        self.sessions = ListSessions(engine, item, message, wire="anthropic", **settings)

    def get_toolset(self) -> FunctionToolset[Any]:
        async def read_result(ctx: RunContext[Any], **input: Any) -> str:
            return (await self.sessions.aread(_id(ctx), input)).text

        name, description, schema = self.sessions.read_result
        return FunctionToolset([Tool.from_schema(read_result, name, description, schema, takes_ctx=True)], id=self.id)

    async def prepare_model_request(self, ctx: RunContext[Any], request_context: Any) -> Any:
        messages = split(request_context.messages)
        system = [part for part in messages[0].parts if isinstance(part, SystemPromptPart)]
        synced = await self._list(ctx, request_context, system)
        sent = await synced.acall(messages)
        if system and sent[0] is not messages[0]:  # what replaces the first message leaves the system prompt in place
            sent[0] = replace(sent[0], parts=[*system, *(part for part in sent[0].parts if part not in system)])
        sent[-1] = replace(sent[-1], instructions=messages[-1].instructions)
        return replace(request_context, messages=marked(sent, synced.marks) if self._cache else sent)

    async def _list(self, ctx: RunContext[Any], request: Any, system: list[SystemPromptPart]) -> ListSync:
        if found := self.sessions.find(_id(ctx)):
            return found
        prompt = "\n\n".join([*(part.content for part in system), request.messages[-1].instructions or ""]).strip()
        offered = request.model_request_parameters.function_tools
        tools = [tool(one.name, one.description, one.parameters_json_schema) for one in offered]
        return await self.sessions.aget(_id(ctx), model=request.model.model_name, system=prompt or None, tools=tools)

    async def after_model_request(self, ctx: RunContext[Any], *, request_context: Any, response: ModelResponse) -> ModelResponse:
        used = response.usage
        if found := self.sessions.find(_id(ctx)):
            found.usage = usage(used.input_tokens, used.cache_read_tokens, used.cache_write_tokens, used.output_tokens)
        return response

    async def on_model_request_error(self, ctx: RunContext[Any], *, request_context: Any, error: Exception) -> ModelResponse:
        found = self.sessions.find(_id(ctx))
        if found and isinstance(error, ModelContextWindowExceededError) and await found.arefused(error, overflow=True):
            raise RetryModelRequest()
        raise error

    async def after_run(self, ctx: RunContext[Any], *, result: Any) -> Any:
        if found := self.sessions.find(_id(ctx)):
            await found.anote(split(result.all_messages()))
        return result


def _id(ctx: RunContext[Any]) -> str:
    return ctx.conversation_id or ctx.run_id or "run"
