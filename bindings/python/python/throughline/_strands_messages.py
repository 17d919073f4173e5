"""Messages of Strands in the form of Anthropic's API, and back."""

from __future__ import annotations

import json
from typing import Any

from ._sessions import blocks_of, text_of


def item(message: Any) -> dict[str, Any]:
    return {"role": message["role"], "content": [one for block in message["content"] for one in _block(block)]}


def _block(block: Any) -> list[dict[str, Any]]:
    if "text" in block:
        return [{"type": "text", "text": block["text"]}]
    if use := block.get("toolUse"):
        return [{"type": "tool_use", "id": use["toolUseId"], "name": use["name"], "input": use["input"]}]
    if result := block.get("toolResult"):
        texts = [_text(one) for one in result["content"]]
        failed = result.get("status") == "error"
        return [{"type": "tool_result", "tool_use_id": result["toolUseId"], "content": "\n".join(texts), "is_error": failed}]
    if "reasoningContent" in block or "cachePoint" in block:
        return []
    return [{"type": "text", "text": f"[{', '.join(block)}]"}]


def _text(content: Any) -> str:
    """The text of a part of a result. What is no text is named."""
    if "text" in content:
        return content["text"]
    return json.dumps(content["json"], default=repr) if "json" in content else f"[{', '.join(content)}]"


def message(item: dict[str, Any], original: Any) -> Any:
    """A message of the engine. Reasoning, which the engine does not change, comes from the original."""
    made = [block for block in original["content"] if "reasoningContent" in block] if original else []
    for block in blocks_of(item):
        if block["type"] == "text":
            made.append({"text": block["text"]})
        elif block["type"] == "tool_use":
            made.append({"toolUse": {"toolUseId": block["id"], "name": block["name"], "input": block["input"]}})
        elif block["type"] == "tool_result":
            status = "error" if block.get("is_error") else "success"
            content = [{"text": text_of(block["content"])}]
            made.append({"toolResult": {"toolUseId": block["tool_use_id"], "status": status, "content": content}})
    return {**(original or {}), "role": item["role"], "content": made}
