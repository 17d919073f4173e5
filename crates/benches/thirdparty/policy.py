"""What a policy of a framework is made of: its room, its messages, and the session that it runs in."""

import asyncio
import json
from dataclasses import dataclass

LOOP = asyncio.new_event_loop()
"""Where asynchronous policies run."""


class Channel:
    """Lines of JSON in both directions."""

    def __init__(self, reader, writer):
        self._reader, self._writer = reader, writer

    def write(self, answer):
        self._writer.write(json.dumps(answer) + "\n")
        self._writer.flush()

    def summarize(self, prompt):
        """The answer of a model that is asked for a summary."""
        self.write({"summarize": prompt})
        return json.loads(self._reader.readline())["summary"]


@dataclass(frozen=True)
class Room:
    """Limits of a session in tokens. Texts are counted by the session's mean number of characters for a token."""

    window: int
    limit: int
    fixed: int
    chars_per_token: float

    def tokens(self, text):
        return round(len(text) / self.chars_per_token)

    def share(self, share):
        """What is left for messages of this share of the limit."""
        return max(1, int(self.limit * share) - self.fixed)


class Policy:
    """A compactor. A subclass has these three texts, and is listed in the `POLICIES` of its file.

    The view is a list of the framework's own messages. What a method returns is the next view.
    """

    name = package = settings = ""
    changes_in_place = False
    """Whether the framework changes a message that it already has, so that it must be read each time."""

    def __init__(self, room, summarize):
        self.room, self.summarize = room, summarize

    def native(self, role, blocks):
        """The framework's messages for one message. `blocks` are tuples as in `neutral`."""
        raise NotImplementedError

    def neutral(self, message):
        """Role and blocks of a message: `("text", text)`, `("call", id, name, input)` or `("result", call id, text)`."""
        raise NotImplementedError

    def compact(self, view):
        """Before a request."""
        raise NotImplementedError

    def refused(self, view):
        """After a provider has refused the request as too long."""
        return view

    def sent(self, view):
        """What of the view is sent."""
        return view


class Session:
    """A policy in a recorded session. It numbers what it is given, and finds that again in a view by its content."""

    def __init__(self, kind, room, channel):
        self._policy = kind(Room(**room), channel.summarize)
        self._view, self._given, self._numbers, self._read = [], 0, {}, {}

    def view(self, new):
        for message in new:
            native = self._policy.native(message["role"], list(blocks_of(message)))
            for key in self._keys(native):
                self._numbers.setdefault(key, self._given)
            self._view.extend(native)
            self._given += 1
        self._view = self._policy.compact(self._view)
        return self._shown()

    def refused(self):
        self._view = self._policy.refused(self._view)
        return self._shown()

    def _shown(self):
        keys = self._keys(self._policy.sent(self._view))
        return [{"given": self._numbers[key]} if key in self._numbers else {"own": message_of(*key)} for key in keys]

    def _keys(self, native):
        """Messages with their parts together: calls of one answer, and the results that follow them."""
        joined = []
        for message in native:
            role, blocks = self._neutral(message)
            kind = role if role == "assistant" else role + " " + (blocks[0][0] if blocks else "text")
            if joined and joined[-1][0] == kind and kind != "user text":
                joined[-1][2].extend(blocks)
            else:
                joined.append((kind, role, list(blocks)))
        return [(role, tuple(blocks)) for _, role, blocks in joined if blocks]


    def _neutral(self, message):
        if self._policy.changes_in_place:
            return self._policy.neutral(message)
        # The message is held too: another one may get the id of one that is gone.
        known = self._read.get(id(message))
        if known is None:
            known = self._read[id(message)] = (message, self._policy.neutral(message))
        return known[1]


def blocks_of(message):
    """The blocks that every framework has. Pictures and thinking are in none of them."""
    for block in message["content"]:
        if block["type"] == "text":
            yield "text", block["text"]
        elif block["type"] == "tool_call":
            yield "call", block["id"], block["name"], json.dumps(block["input"])
        elif block["type"] == "tool_result":
            yield "result", block["call_id"], block["content"]


def message_of(role, blocks):
    content = []
    for kind, *parts in blocks:
        if kind == "text":
            content.append({"type": "text", "text": parts[0]})
        elif kind == "call":
            content.append({"type": "tool_call", "id": parts[0], "name": parts[1], "input": json.loads(parts[2])})
        else:
            content.append({"type": "tool_result", "call_id": parts[0], "content": parts[1]})
    return {"role": role, "content": content}


def texts(blocks):
    """The text of a message, and its blocks of another kind."""
    return "\n".join(block[1] for block in blocks if block[0] == "text"), [block for block in blocks if block[0] != "text"]
