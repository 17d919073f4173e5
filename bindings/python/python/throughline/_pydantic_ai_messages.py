"""Messages of pydantic-ai in the form of Anthropic's API, and back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pydantic_ai.messages import (
    BinaryContent,
    CachePoint,
    ModelRequest,
    ModelResponse,
    RetryPromptPart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

from ._sessions import blocks_of, text_of


def split(messages: list[Any]) -> list[Any]:
    """Results, and what else a message has, as two messages: the engine may change either."""
    out: list[Any] = []
    for one in messages:
        results = [part for part in one.parts if _is_result(part)] if isinstance(one, ModelRequest) else []
        if results and len(results) < len(one.parts):
            rest = [part for part in one.parts if not _is_result(part)]
            out += [replace(one, parts=results), replace(one, parts=rest)]
        else:
            out.append(one)
    return out


def item(message: Any) -> dict[str, Any]:
    """A message in the form of the API."""
    role = "assistant" if isinstance(message, ModelResponse) else "user"
    return {"role": role, "content": [block for part in message.parts for block in _blocks(part)]}


def message(item: dict[str, Any], original: Any) -> Any:
    """A message of the engine. What the API's form cannot say, thinking and the names of tools, comes from the original."""
    parts = list(original.parts) if original else []
    by_id: dict[str, list[Any]] = {}  # an id may be used again
    for part in parts:
        by_id.setdefault(getattr(part, "tool_call_id", ""), []).append(part)
    made: list[Any] = [part for part in parts if isinstance(part, (ThinkingPart, SystemPromptPart))]
    for block in blocks_of(item):
        if block["type"] == "tool_use":
            call = ToolCallPart(block["name"], block["input"], tool_call_id=block["id"])
            made.append(replace(by_id[block["id"]].pop(0) if by_id.get(block["id"]) else call, args=block["input"]))
        elif block["type"] == "tool_result":
            result = by_id[block["tool_use_id"]].pop(0)
            made.append(replace(result, content=text_of(block["content"])))
        elif block["type"] == "text":
            made.append((TextPart if item["role"] == "assistant" else UserPromptPart)(block["text"]))
        elif block["type"] == "image":
            made.append(UserPromptPart([BinaryContent.from_data_uri(_data_url(block["source"]))]))
    if original:
        return replace(original, parts=made)
    return ModelResponse(parts=made) if item["role"] == "assistant" else ModelRequest(parts=made)


def marked(messages: list[Any], marks: dict[int, Any]) -> list[Any]:
    """The messages with breakpoints of the prompt cache. A message of the model takes none."""
    return [
        replace(one, parts=[*one.parts, UserPromptPart([CachePoint(ttl=marks[at])])])
        if at in marks and isinstance(one, ModelRequest)
        else one
        for at, one in enumerate(messages)
    ]


def _is_result(part: Any) -> bool:
    return isinstance(part, ToolReturnPart) or isinstance(part, RetryPromptPart) and part.tool_name is not None


def _blocks(part: Any) -> list[dict[str, Any]]:
    if isinstance(part, (ThinkingPart, SystemPromptPart, CachePoint)):
        return []
    if isinstance(part, TextPart):
        return [{"type": "text", "text": part.content}] if part.content else []
    if isinstance(part, ToolCallPart):
        return [{"type": "tool_use", "id": part.tool_call_id, "name": part.tool_name, "input": part.args_as_dict()}]
    if _is_result(part):
        failed = isinstance(part, RetryPromptPart)
        text = part.model_response() if failed else part.model_response_str()
        return [{"type": "tool_result", "tool_use_id": part.tool_call_id, "content": text, "is_error": failed}]
    if isinstance(part, BinaryContent) and part.is_image:
        return [{"type": "image", "source": {"type": "base64", "media_type": part.media_type, "data": part.base64}}]
    if isinstance(part, UserPromptPart):
        content = [part.content] if isinstance(part.content, str) else part.content
        return [block for one in content for block in _blocks(one)]
    text = part.model_response() if isinstance(part, RetryPromptPart) else str(part)
    return [{"type": "text", "text": text}]


def _data_url(source: dict[str, str]) -> str:
    return f"data:{source['media_type']};base64,{source['data']}"
