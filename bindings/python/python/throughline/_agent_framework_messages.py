"""Messages of Microsoft Agent Framework in the form of Anthropic's API, and back."""

from __future__ import annotations

import json
from typing import Any

from agent_framework import Content, Message

from ._sessions import blocks_of, text_of


def item(message: Any) -> dict[str, Any]:
    role = str(message.role)
    return {"role": "user" if role == "tool" else role, "content": [one for content in message.contents for one in _block(content)]}


def _block(content: Any) -> list[dict[str, Any]]:
    if content.type == "text":
        return [{"type": "text", "text": content.text}] if content.text else []
    if content.type == "function_call":
        return [{"type": "tool_use", "id": content.call_id, "name": content.name, "input": content.parse_arguments() or {}}]
    if content.type == "function_result":
        failed = content.exception is not None
        return [{"type": "tool_result", "tool_use_id": content.call_id, "content": str(content.result or ""), "is_error": failed}]
    if content.type in ("text_reasoning", "usage"):
        return []
    return [{"type": "text", "text": f"[{content.type}]"}]


def message(item: dict[str, Any], original: Any) -> Any:
    """A message of the engine. Reasoning, which the engine does not change, comes from the original."""
    contents = original.contents if original else []
    made = [content for content in contents if content.type == "text_reasoning"]
    calls = [content for content in contents if content.type == "function_call"]
    for block in blocks_of(item):
        if block["type"] == "text":
            made.append(Content.from_text(block["text"]))
        elif block["type"] == "tool_use":
            was = calls.pop(0) if calls else None
            same = was and (was.parse_arguments() or {}) == block["input"]
            made.append(was if same else Content.from_function_call(block["id"], block["name"], arguments=json.dumps(block["input"])))
        elif block["type"] == "tool_result":
            made.append(Content.from_function_result(block["tool_use_id"], result=text_of(block["content"])))
    return Message(original.role if original else item["role"], made)
