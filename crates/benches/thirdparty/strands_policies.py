"""Strands: its two conversation managers."""

import json
from types import SimpleNamespace

from strands.agent.conversation_manager import SlidingWindowConversationManager, SummarizingConversationManager
from strands.types.exceptions import ContextWindowOverflowException

from policy import Policy, texts


class Model:
    """Answers a request for a summary."""

    def __init__(self, summarize):
        self.summarize = summarize

    async def stream(self, messages, tool_specs=None, system_prompt=None, **more):
        text = self.summarize("\n".join([system_prompt or "", json.dumps(messages)]))
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockDelta": {"delta": {"text": text}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


class Strands(Policy):
    package = "strands-agents"
    changes_in_place = True

    def native(self, role, blocks):
        content = []
        for kind, *parts in blocks:
            if kind == "text":
                content.append({"text": parts[0]})
            elif kind == "call":
                content.append({"toolUse": {"toolUseId": parts[0], "name": parts[1], "input": json.loads(parts[2])}})
            else:
                content.append({"toolResult": {"toolUseId": parts[0], "status": "success", "content": [{"text": parts[1]}]}})
        return [{"role": role, "content": content}]

    def neutral(self, message):
        blocks = []
        for part in message["content"]:
            if "text" in part:
                blocks.append(("text", part["text"]))
            elif use := part.get("toolUse"):
                blocks.append(("call", use["toolUseId"], use["name"], json.dumps(use["input"])))
            elif result := part.get("toolResult"):
                blocks.append(("result", result["toolUseId"], "\n".join(text["text"] for text in result["content"])))
        return message["role"], blocks

    def reduce(self, view, error):
        agent = SimpleNamespace(messages=view, model=Model(self.summarize), aux_model=Model(self.summarize))
        try:
            self.manager.reduce_context(agent, error)
        except ContextWindowOverflowException:
            pass  # It can do no more: the turn ends there.
        return agent.messages

    def refused(self, view):
        return self.reduce(view, ContextWindowOverflowException())


class Sliding(Strands):
    name = "SlidingWindowConversationManager"
    settings = "before each request (`per_turn`), the defaults else"

    def __init__(self, *given):
        super().__init__(*given)
        self.manager = SlidingWindowConversationManager(per_turn=True)

    def compact(self, view):
        agent = SimpleNamespace(messages=view)
        self.manager.apply_management(agent)
        return agent.messages


class Summarizing(Strands):
    name = "SummarizingConversationManager"
    settings = "proactive, at its 0.7 of the room, the defaults else"

    def __init__(self, *given):
        super().__init__(*given)
        self.manager = SummarizingConversationManager(proactive_compression=True)

    def compact(self, view):
        tokens = sum(self.room.tokens("".join(block[-1] for block in self.neutral(message)[1])) for message in view)
        return self.reduce(view, None) if tokens >= self.room.share(0.7) else view


POLICIES = [Sliding, Summarizing]
