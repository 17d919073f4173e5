"""pydantic-ai: one capability that decides what each request of a run shows. The run's own history stays whole.

    agent = Agent(model, capabilities=[Throughline(engine, model="claude-sonnet-4-5", window=200_000)])
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic_ai import RunContext, Tool
from pydantic_ai.capabilities import AbstractCapability
from pydantic_ai.exceptions import ModelContextWindowExceededError, RetryModelRequest
from pydantic_ai.messages import (BinaryContent, CachePoint, ModelRequest, ModelResponse, RetryPromptPart, SystemPromptPart, TextPart,
                                  ThinkingPart, ToolCallPart, ToolReturnPart, UserPromptPart)
from pydantic_ai.toolsets import FunctionToolset

from ._contexts import Engine
from ._lists import ListSessions, read_result_tool


class Throughline(AbstractCapability[Any]):
    """Compaction, stored results, receipts and resume for every conversation of an agent, by `conversation_id`."""

    def __init__(self, engine: Engine, *, cache: bool = False, **settings: Any):
        self.id, self._cache = "throughline", cache
        self.sessions = ListSessions(engine, _item, _message, wire="anthropic", **settings)
        self._read = read_result_tool()

    def get_toolset(self) -> FunctionToolset[Any]:
        async def read_result(ctx: RunContext[Any], **input: Any) -> str:
            context = self.sessions.context(ctx.conversation_id or ctx.run_id).aio
            return (await context.call("read_result", input)).text

        tool = Tool.from_schema(read_result, self._read.name, self._read.description, self._read.input_schema, takes_ctx=True)
        return FunctionToolset([tool], id=self.id)

    async def prepare_model_request(self, ctx: RunContext[Any], request_context: Any) -> Any:
        messages, parameters = _split(request_context.messages), request_context.model_request_parameters
        system = [part for part in messages[0].parts if isinstance(part, SystemPromptPart)]
        prompt = "\n\n".join([*(part.content for part in system), messages[-1].instructions or ""])
        tools = [{"name": tool.name, "description": tool.description or "", "input_schema": tool.parameters_json_schema}
                 for tool in parameters.function_tools if tool.name != self._read.name]
        list_of = await self.sessions.aget(ctx.conversation_id or ctx.run_id, model=request_context.model.model_name,
                                           system=prompt.strip() or None, tools=tools)
        sent = await list_of.acall(messages)
        if system and sent[0] is not messages[0]:  # the first message was summarized, its system prompt stays
            sent[0] = replace(sent[0], parts=[*system, *(p for p in sent[0].parts if p not in system)])
        mark = [UserPromptPart([CachePoint()])] if self._cache else []
        sent[-1] = replace(sent[-1], parts=[*sent[-1].parts, *mark], instructions=messages[-1].instructions)
        return replace(request_context, messages=sent)

    async def after_model_request(self, ctx: RunContext[Any], *, request_context: Any, response: ModelResponse) -> ModelResponse:
        used, list_of = response.usage, self.sessions._found(ctx.conversation_id or ctx.run_id)
        if list_of and used.input_tokens:
            cached = {"cache_read": used.cache_read_tokens, "cache_write": used.cache_write_tokens}
            list_of.usage = {"input": used.input_tokens - sum(cached.values()), "output": used.output_tokens, **cached}
        return response

    async def on_model_request_error(self, ctx: RunContext[Any], *, request_context: Any, error: Exception) -> ModelResponse:
        list_of = self.sessions._found(ctx.conversation_id or ctx.run_id)
        if list_of and isinstance(error, ModelContextWindowExceededError) and request_context.attempt < 5:
            if await list_of.aoverflow(error):
                raise RetryModelRequest()
        raise error

    async def after_run(self, ctx: RunContext[Any], *, result: Any) -> Any:
        if list_of := self.sessions._found(ctx.conversation_id or ctx.run_id):
            await list_of.anote(_split(result.all_messages()))
        return result


def _split(messages: list[Any]) -> list[Any]:
    """Results, and what else a message has, as two messages: the engine may change either."""
    out: list[Any] = []
    for message in messages:
        results = [p for p in message.parts if _is_result(p)] if isinstance(message, ModelRequest) else []
        if results and len(results) < len(message.parts):
            out += [replace(message, parts=results), replace(message, parts=[p for p in message.parts if not _is_result(p)])]
        else:
            out.append(message)
    return out


def _is_result(part: Any) -> bool:
    return isinstance(part, ToolReturnPart) or isinstance(part, RetryPromptPart) and part.tool_name is not None


def _item(message: Any) -> dict[str, Any]:
    blocks = [block for part in message.parts for block in _blocks(part)]
    return {"role": "assistant" if isinstance(message, ModelResponse) else "user", "content": blocks}


def _blocks(part: Any) -> list[dict[str, Any]]:
    if isinstance(part, (TextPart, ThinkingPart)):
        return [{"type": "text", "text": part.content}] if isinstance(part, TextPart) and part.content else []
    if isinstance(part, ToolCallPart):
        return [{"type": "tool_use", "id": part.tool_call_id, "name": part.tool_name, "input": part.args_as_dict()}]
    if _is_result(part):
        failed = isinstance(part, RetryPromptPart)
        text = part.model_response() if failed else part.model_response_str()
        return [{"type": "tool_result", "tool_use_id": part.tool_call_id, "content": text, "is_error": failed}]
    if isinstance(part, (SystemPromptPart, CachePoint)):
        return []
    if isinstance(part, BinaryContent) and part.is_image:
        return [{"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": part.base64}}]
    if isinstance(part, str):
        return [{"type": "text", "text": part}]
    if isinstance(part, UserPromptPart):
        content = [part.content] if isinstance(part.content, str) else part.content
        return [block for one in content for block in _blocks(one)]
    return [{"type": "text", "text": part.model_response() if isinstance(part, RetryPromptPart) else repr(part)}]


def _message(item: dict[str, Any], original: Any) -> Any:
    """A message of the engine. What its form cannot say, thinking and the names of tools, comes from the original."""
    parts = list(original.parts) if original else []
    by_id = {part.tool_call_id: part for part in parts if hasattr(part, "tool_call_id")}
    content = item["content"] if isinstance(item["content"], list) else [{"type": "text", "text": item["content"]}]
    made: list[Any] = [part for part in parts if isinstance(part, (ThinkingPart, SystemPromptPart))]
    for block in content:
        if block["type"] == "tool_use":
            made.append(replace(by_id[block["id"]], args=block["input"]) if block["id"] in by_id
                        else ToolCallPart(block["name"], block["input"], tool_call_id=block["id"]))
        elif block["type"] == "tool_result":
            text = _text(block["content"])
            made.append(replace(by_id[block["tool_use_id"]], content=text))
        elif block["type"] == "text":
            made.append(TextPart(block["text"]) if item["role"] == "assistant" else UserPromptPart(block["text"]))
    if original:
        return replace(original, parts=made)
    return ModelResponse(parts=made) if item["role"] == "assistant" else ModelRequest(parts=made)


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content)
