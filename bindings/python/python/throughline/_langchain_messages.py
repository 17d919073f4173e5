"""Requests and messages of LangChain in the form of OpenAI's Chat Completions, and back."""

from __future__ import annotations

import json
from typing import Any

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.utils.function_calling import convert_to_openai_tool

from ._sessions import text_of, usage

ROLES = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}


def marked(message: Any, lifetime: str) -> Any:
    """The message with a breakpoint of the prompt cache at its end."""
    blocks = [{"type": "text", "text": message.content}] if isinstance(message.content, str) else list(message.content)
    control = {"type": "ephemeral"} if lifetime == "5m" else {"type": "ephemeral", "ttl": lifetime}
    return message.model_copy(update={"content": [*blocks[:-1], {**blocks[-1], "cache_control": control}]})


def item(message: Any) -> dict[str, Any]:
    role = ROLES.get(message.type) or (message.role if message.type == "chat" and message.role in ROLES.values() else "user")
    item: dict[str, Any] = {"role": role, "content": str(message.text)}
    if message.type == "tool":
        item["tool_call_id"] = message.tool_call_id
    if role == "user" and not isinstance(message.content, str):
        item["content"] = [_block(one) for one in message.content]
    if calls := getattr(message, "tool_calls", None):
        item["tool_calls"] = [
            {"id": call["id"], "type": "function", "function": {"name": call["name"], "arguments": json.dumps(call["args"])}}
            for call in calls
        ]
    return item


def _block(block: Any) -> dict[str, Any]:
    """A text or an inline picture, in any of the forms of LangChain and of the providers. Anything else is named."""
    if isinstance(block, str):
        return _text(block)
    kind = block.get("type")
    if kind == "text":
        return _text(block["text"])
    if kind not in ("image", "image_url", "input_image"):
        return _text(f"[a block of the type {kind}]")
    source = block.get("source") if isinstance(block.get("source"), dict) else block
    url = block.get("image_url") or source.get("url") or ""
    url = url.get("url", "") if isinstance(url, dict) else url
    data, media = source.get("base64") or source.get("data"), source.get("mime_type") or source.get("media_type")
    if data and media:
        url = f"data:{media};base64,{data}"
    return {"type": "image_url", "image_url": {"url": url}} if url.startswith("data:") else _text(f"[a picture at {url or 'another place'}]")


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def message(item: dict[str, Any], original: Any) -> Any:
    content = text_of(item["content"])
    if item["role"] == "user":
        return HumanMessage(item["content"])
    if item["role"] == "tool":
        return original.model_copy(update={"content": content})
    calls = [
        {"id": call["id"], "name": call["function"]["name"], "args": json.loads(call["function"]["arguments"]), "type": "tool_call"}
        for call in item.get("tool_calls") or ()
    ]
    if not original:
        return AIMessage(content, tool_calls=calls)
    return original.model_copy(update={"content": content, **({"tool_calls": calls} if calls else {})})


def used(response: Any) -> dict[str, int] | None:
    """What the provider reported for an answer."""
    reported = [one.usage_metadata for one in getattr(response, "result", [response]) if getattr(one, "usage_metadata", None)]
    if not reported:
        return None
    details = reported[-1].get("input_token_details") or {}
    read, write = details.get("cache_read"), details.get("cache_creation")
    return usage(reported[-1]["input_tokens"], read, write, reported[-1]["output_tokens"])


def answered(call: Any, read: Any) -> ToolMessage:
    """The message of a stored result that was read."""
    return ToolMessage(read.text, tool_call_id=call["id"], name=call["name"])


def facts(request: Any) -> dict[str, Any]:
    """Model, system prompt and tools of a request."""
    model, system = request.model, request.system_message
    name = getattr(model, "model_name", None) or getattr(model, "model", None) or model._llm_type
    tools = [convert_to_openai_tool(tool) for tool in request.tools]
    return {"model": name, "system": system and str(system.text) or None, "tools": tools}
