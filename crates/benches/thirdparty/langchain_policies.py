"""LangChain: `SummarizationMiddleware` and `ClearToolUsesEdit`."""

import json

from langchain.agents.middleware import ClearToolUsesEdit, SummarizationMiddleware
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from policy import Policy, texts


class Model(BaseChatModel):
    """Answers a request for a summary."""

    summarize: object = None

    @property
    def _llm_type(self):
        return "scripted"

    def _generate(self, messages, stop=None, run_manager=None, **more):
        text = self.summarize("\n".join(message.text for message in messages))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])


class LangChain(Policy):
    package = "langchain"

    def native(self, role, blocks):
        text, rest = texts(blocks)
        if role == "assistant":
            return [AIMessage(text, tool_calls=[{"id": id, "name": name, "args": json.loads(args)} for _, id, name, args in rest])]
        said = [HumanMessage(text)] if text else []
        return [ToolMessage(result, tool_call_id=id) for _, id, result in rest] + said

    def neutral(self, message):
        text = [("text", message.text)] if message.text else []
        if isinstance(message, AIMessage):
            return "assistant", text + [("call", call["id"], call["name"], json.dumps(call["args"])) for call in message.tool_calls]
        return "user", [("result", message.tool_call_id, message.text)] if isinstance(message, ToolMessage) else text

    def count(self, messages):
        return sum(self.room.tokens("".join(part[-1] for part in self.neutral(message)[1])) for message in messages)


class Summarization(LangChain):
    name = "SummarizationMiddleware"
    settings = "trigger 0.8 of the room as in its examples, the defaults else"
    more = {}

    def __init__(self, *given):
        super().__init__(*given)
        trigger = ("tokens", self.room.share(0.8))
        self.middleware = SummarizationMiddleware(Model(summarize=self.summarize), trigger=trigger, token_counter=self.count, **self.more)

    def compact(self, view):
        update = self.middleware.before_model({"messages": view}, None)
        # The first message of an update removes all others.
        return update["messages"][1:] if update else view


class WholeSummarization(Summarization):
    name = "SummarizationMiddleware, untrimmed"
    settings = "the same with `trim_tokens_to_summarize=None`: the summary is of all that is removed"
    more = {"trim_tokens_to_summarize": None}


class ClearToolUses(LangChain):
    name = "ClearToolUsesEdit"
    settings = "trigger at half of the room, at most 100,000 tokens, the defaults else"

    def sent(self, view):
        edited = list(view)
        ClearToolUsesEdit(trigger=min(100_000, self.room.share(0.5))).apply(edited, count_tokens=self.count)
        return edited

    def compact(self, view):
        return view


POLICIES = [Summarization, WholeSummarization, ClearToolUses]
