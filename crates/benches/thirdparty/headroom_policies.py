"""Headroom: `compress` in its mode for agents, of each message as it comes, so that what was sent stays in the prompt cache."""

from headroom import compress

from policy import Policy, texts


class Headroom(Policy):
    name = "headroom.compress"
    package = "headroom-ai"
    settings = "`mode=\"agent\"`, which needs no weights and loses nothing, the defaults else"
    done = 0

    def native(self, role, blocks):
        text, rest = texts(blocks)
        if role == "assistant":
            calls = [{"id": id, "type": "function", "function": {"name": name, "arguments": args}} for _, id, name, args in rest]
            return [{"role": role, "content": text, **({"tool_calls": calls} if calls else {})}]
        said = [{"role": role, "content": text}] if text else []
        return [{"role": "tool", "tool_call_id": id, "content": result} for _, id, result in rest] + said

    def neutral(self, message):
        text = [("text", message["content"])] if message["content"] else []
        if message["role"] == "assistant":
            calls = message.get("tool_calls", [])
            return "assistant", text + [("call", call["id"], call["function"]["name"], call["function"]["arguments"]) for call in calls]
        return "user", [("result", message["tool_call_id"], message["content"])] if message["role"] == "tool" else text

    def compact(self, view):
        view = view[: self.done] + compress(view[self.done :], mode="agent").messages
        self.done = len(view)
        return view


POLICIES = [Headroom]
