"""Reads a conversation of pydantic-ai and the same one as Throughline wrote it, compares them and saves the second."""

import asyncio
import sys

from pydantic_ai.conversation import ConversationTypeAdapter
from pydantic_ai.conversation_store import InMemoryConversationStore


def said(message):
    """What the model sees of a message."""
    parts = []
    for part in message.parts:
        content = getattr(part, "content", None)
        if part.part_kind == "tool-return":
            parts.append((part.tool_call_id, part.tool_name, part.model_response_str(), part.outcome != "success"))
        elif part.part_kind == "tool-call":
            parts.append((part.tool_call_id, part.tool_name, part.args_as_dict()))
        elif part.part_kind == "thinking":
            parts.append(("thinking", content, part.signature))
        else:
            parts.append([getattr(item, "data", item) for item in ([content] if isinstance(content, str) else content)])
    return parts


async def main():
    theirs, ours = [ConversationTypeAdapter.validate_json(open(path, "rb").read()) for path in sys.argv[1:]]
    for one, other in zip(theirs.messages, ours.messages, strict=True):
        assert one.kind == other.kind
        assert said(one) == said(other), (said(one), said(other))
    store = InMemoryConversationStore()
    await store.save(ours)
    loaded = await store.load(ours.conversation_id)
    assert loaded.messages == ours.messages and loaded.usage.requests > 0
    print(len(ours.messages), "messages are the same")


asyncio.run(main())
