"""OpenAI Agents: its filter of the model's input. It is applied to the whole history each time."""

from types import SimpleNamespace

from agents.extensions import ToolOutputTrimmer

from policy import Policy, texts


class Trimmer(Policy):
    name = "ToolOutputTrimmer"
    package = "openai-agents"
    settings = "the defaults"

    def native(self, role, blocks):
        text, rest = texts(blocks)
        items = [{"type": "message", "role": role, "content": text}] if text else []
        for block in rest:
            if block[0] == "call":
                items.append({"type": "function_call", "call_id": block[1], "name": block[2], "arguments": block[3]})
            else:
                items.append({"type": "function_call_output", "call_id": block[1], "output": block[2]})
        return items

    def neutral(self, item):
        if item["type"] == "function_call":
            return "assistant", [("call", item["call_id"], item["name"], item["arguments"])]
        if item["type"] == "function_call_output":
            return "user", [("result", item["call_id"], item["output"])]
        return item["role"], [("text", item["content"])]

    def compact(self, view):
        return view

    def sent(self, view):
        data = SimpleNamespace(model_data=SimpleNamespace(input=view, instructions=None))
        return ToolOutputTrimmer()(data).input


POLICIES = [Trimmer]
