"""Strategies of pydantic-ai-harness, as capabilities before a request of the model."""

import json

from pydantic_ai import RunContext
from pydantic_ai.messages import ModelRequest, ModelResponse, TextPart, ToolCallPart, ToolReturnPart, UserPromptPart
from pydantic_ai.models import ModelRequestContext, ModelRequestParameters
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import RunUsage
from pydantic_ai_harness.compaction import ClearToolResults, DeduplicateFileReads, SlidingWindowCompaction, SummarizingCompaction, TieredCompaction

from policy import LOOP, Policy, texts


def read_file(call):
    """The file that a call reads, by the usual names of such tools and of their arguments."""
    args = call.args_as_dict()
    names = ("file_path", "filePath", "path")
    return next((str(args[name]) for name in names if name in args), None) if "read" in call.tool_name.lower() else None


class Harness(Policy):
    package = "pydantic-ai-harness"

    def __init__(self, *given):
        super().__init__(*given)
        self.model = FunctionModel(self.answer)
        self.strategy = self.made()

    def answer(self, messages, info):
        prompt = [str(part.content) for message in messages for part in message.parts]
        return ModelResponse(parts=[TextPart(self.summarize("\n".join([info.instructions or "", *prompt])))])

    def native(self, role, blocks):
        text, rest = texts(blocks)
        if role == "assistant":
            said = [TextPart(text)] if text else []
            return [ModelResponse(parts=said + [ToolCallPart(name, args, tool_call_id=id) for _, id, name, args in rest])]
        said = [UserPromptPart(text)] if text else []
        return [ModelRequest(parts=[ToolReturnPart("tool", result, tool_call_id=id) for _, id, result in rest] + said)]

    def neutral(self, message):
        blocks = []
        for part in message.parts:
            if isinstance(part, ToolCallPart):
                blocks.append(("call", part.tool_call_id, part.tool_name, part.args_as_json_str()))
            elif isinstance(part, ToolReturnPart):
                blocks.append(("result", part.tool_call_id, str(part.content)))
            elif part.content:
                said = part.content if isinstance(part.content, str) else "\n".join(map(str, part.content))
                blocks.append(("text", said))
        return "assistant" if isinstance(message, ModelResponse) else "user", blocks

    def compact(self, view):
        context = RunContext(deps=None, model=self.model, usage=RunUsage(), messages=list(view))
        request = ModelRequestContext(model=self.model, messages=view, model_settings=None, model_request_parameters=ModelRequestParameters())
        LOOP.run_until_complete(self.strategy.before_model_request(context, request))
        return context.messages


class Clear(Harness):
    name = "ClearToolResults"
    settings = "trigger 0.8 of the room, the defaults else"

    def made(self):
        return ClearToolResults(max_tokens=self.room.share(0.8), tokenizer=self.room.tokens)


class Sliding(Harness):
    name = "SlidingWindowCompaction"
    settings = "trigger 0.8 of the room, the defaults else"

    def made(self):
        return SlidingWindowCompaction(max_tokens=self.room.share(0.8), tokenizer=self.room.tokens)


class Summarizing(Harness):
    name = "SummarizingCompaction"
    settings = "trigger 0.9 of the room as in its examples, the defaults else"

    def made(self):
        return SummarizingCompaction(max_tokens=self.room.share(0.9), tokenizer=self.room.tokens)


class Tiered(Harness):
    name = "TieredCompaction"
    settings = "target 0.8 of the room as in its examples; repeated reads, then results, then a summary"

    def made(self):
        tokens = {"tokenizer": self.room.tokens}
        tiers = [DeduplicateFileReads(file_key=read_file, **tokens), ClearToolResults(max_messages=1, **tokens), SummarizingCompaction(max_messages=1, **tokens)]
        return TieredCompaction(tiers=tiers, target_tokens=self.room.share(0.8), **tokens)


POLICIES = [Clear, Sliding, Summarizing, Tiered]
