"""Microsoft Agent Framework: the strategy for a window, and a composed one that ends with a summary."""

import logging

from agent_framework import ChatResponse, Content, ContextWindowCompactionStrategy, Message, SummarizationStrategy, TokenBudgetComposedStrategy, ToolResultCompactionStrategy, apply_compaction

from policy import LOOP, Policy

logging.getLogger("agent_framework").setLevel(logging.ERROR)


class Tokens:
    def __init__(self, room):
        self.count_tokens = room.tokens


class Client:
    """Answers a request for a summary."""

    def __init__(self, summarize):
        self.summarize = summarize

    async def get_response(self, messages, **more):
        text = self.summarize("\n".join(message.text for message in messages))
        return ChatResponse(messages=[Message("assistant", [text])])


class AgentFramework(Policy):
    package = "agent-framework-core"

    def __init__(self, *given):
        super().__init__(*given)
        self.tokens = Tokens(self.room)
        self.strategy = self.made()

    def native(self, role, blocks):
        contents = []
        for kind, *parts in blocks:
            if kind == "text":
                contents.append(Content.from_text(parts[0]))
            elif kind == "call":
                contents.append(Content.from_function_call(parts[0], parts[1], arguments=parts[2]))
            else:
                contents.append(Content.from_function_result(parts[0], result=parts[1]))
        return [Message("tool" if contents and contents[0].type == "function_result" else role, contents)]

    def neutral(self, message):
        blocks = []
        for part in message.contents:
            if part.type == "text":
                blocks.append(("text", part.text))
            elif part.type == "function_call":
                blocks.append(("call", part.call_id, part.name, part.arguments))
            elif part.type == "function_result":
                blocks.append(("result", part.call_id, str(part.result)))
        return "assistant" if message.role == "assistant" else "user", blocks

    def compact(self, view):
        return LOOP.run_until_complete(apply_compaction(view, strategy=self.strategy, tokenizer=self.tokens))


class Window(AgentFramework):
    name = "ContextWindowCompactionStrategy"
    settings = "the room as its window, the defaults else"

    def made(self):
        return ContextWindowCompactionStrategy(max_context_window_tokens=self.room.share(1), max_output_tokens=0, tokenizer=self.tokens)


class Composed(AgentFramework):
    name = "TokenBudgetComposedStrategy"
    settings = "budget 0.8 of the room; tool results, then a summary, with the defaults of both"

    def made(self):
        strategies = [ToolResultCompactionStrategy(), SummarizationStrategy(client=Client(self.summarize), tokenizer=self.tokens)]
        return TokenBudgetComposedStrategy(token_budget=self.room.share(0.8), tokenizer=self.tokens, strategies=strategies)


POLICIES = [Window, Composed]
