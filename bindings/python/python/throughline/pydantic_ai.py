"""pydantic-ai: one capability that decides what each request of a run shows. The run's own history stays whole.

    agent = Agent(model, capabilities=[Throughline(engine, window=200_000)])
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ModelContextWindowExceededError, RetryModelRequest
from pydantic_ai.messages import CachePoint, ModelResponse, SystemPromptPart, UserPromptPart
from pydantic_ai.toolsets import FunctionToolset

from ._contexts import Context, Engine
from ._lists import ListSessions, ListSync, read_result_tool
from ._pydantic_ai_messages import item, message, split


class Throughline(AbstractCapability[Any]):
    """Compaction, stored results, receipts and resume for the conversations of an agent. Each has its `conversation_id`.

    `cache` marks the end of each request for the prompt cache: for models of Anthropic and Bedrock. `settings` are those of
    `Engine.open`; the model's name, the system prompt and the tools are the run's.
    """

    def __init__(self, engine: Engine, *, cache: bool = False, **settings: Any):
        self.id, self._cache, self._read = "throughline", cache, read_result_tool()
        self.sessions = ListSessions(engine, item, message, wire="anthropic", **settings)

    def context(self, conversation_id: str) -> Context:
        """The context of a conversation: receipts, handoff, pins."""
        return self.sessions.context(conversation_id)

    def get_toolset(self) -> FunctionToolset[Any]:
        async def read_result(ctx: RunContext[Any], **input: Any) -> str:
            return (await self.context(_id(ctx)).aio.call("read_result", input)).text

        name, description, schema = self._read.name, self._read.description, self._read.input_schema
        return FunctionToolset([Tool.from_schema(read_result, name, description, schema, takes_ctx=True)], id=self.id)

    async def prepare_model_request(self, ctx: RunContext[Any], request_context: Any) -> Any:
        messages = split(request_context.messages)
        system = [part for part in messages[0].parts if isinstance(part, SystemPromptPart)]
        sent = await (await self._list(ctx, request_context, system)).acall(messages)
        if system and sent[0] is not messages[0]:  # what replaces the first message leaves the system prompt in place
            sent[0] = replace(sent[0], parts=[*system, *(part for part in sent[0].parts if part not in system)])
        mark = [UserPromptPart([CachePoint()])] if self._cache else []
        sent[-1] = replace(sent[-1], parts=[*sent[-1].parts, *mark], instructions=messages[-1].instructions)
        return replace(request_context, messages=sent)

    async def _list(self, ctx: RunContext[Any], request: Any, system: list[SystemPromptPart]) -> ListSync:
        if found := self.sessions.find(_id(ctx)):
            return found
        prompt = "\n\n".join([*(part.content for part in system), request.messages[-1].instructions or ""]).strip()
        tools = [
            {"name": tool.name, "description": tool.description or "", "input_schema": tool.parameters_json_schema}
            for tool in request.model_request_parameters.function_tools
            if tool.name != self._read.name
        ]
        return await self.sessions.aget(_id(ctx), model=request.model.model_name, system=prompt or None, tools=tools)

    async def after_model_request(self, ctx: RunContext[Any], *, request_context: Any, response: ModelResponse) -> ModelResponse:
        used, found = response.usage, self.sessions.find(_id(ctx))
        if found and used.input_tokens:
            read, write = used.cache_read_tokens, used.cache_write_tokens
            uncached = used.input_tokens - read - write
            found.usage = {"input": uncached, "cache_read": read, "cache_write": write, "output": used.output_tokens}
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
