"""Lists of messages that a framework owns: what of them goes into the next request."""

from __future__ import annotations

import hashlib
import inspect
import re
import warnings
from typing import Any, Callable, Generator, Sequence

from ._contexts import AsyncContext, Context, Engine
from ._json import Record, ThroughlineError, dumps


class ListSync:
    """Says before each call of a model which messages of a list it gets.

    `convert(message)` gives one message in the form of the context's API, and `make(item, original)` a message of the framework
    from that form; `original` is the message that it replaces, or None. Without them, messages are dicts of that API.

    What was handed over before is recognized by identity, then by equality, and is neither converted nor sent again. A framework that
    changes messages in place gives a `fingerprint(message)`, which is compared instead. `summarize(body)` sends the question of a
    summary and returns its text; without it, summaries are extracted.
    """

    def __init__(
        self,
        context: Context | AsyncContext,
        convert: Callable[[Any], Any] = lambda message: message,
        make: Callable[[Any, Any], Any] = lambda item, original: item,
        *,
        fingerprint: Callable[[Any], Any] | None = None,
        summarize: Callable[[dict[str, Any]], Any] | None = None,
    ):
        self.context, self._blocking, self._aio = context, context.blocking, context.aio
        self._convert, self._make = convert, make
        self._fingerprint, self._summarize = fingerprint, summarize
        self._known: list[Any] = []
        self._call = 0
        self.usage: dict[str, int] | None = None
        """What the provider reported for the newest answer: input, cache_read, cache_write, output. The next list takes it along."""
        self.synced: Record | None = None
        """The output of the newest `sync`, without its references."""

    def __call__(self, messages: Sequence[Any]) -> list[Any]:
        """The messages of the next request: the caller's own objects, and those that `make` made."""
        return _finish(self._steps(messages), self._blocking)

    async def acall(self, messages: Sequence[Any]) -> list[Any]:
        """The same for an event loop."""
        return await _afinish(self._steps(messages), self._aio)

    def note(self, messages: Sequence[Any]) -> None:
        """Takes over a list whose last message is the model's: a turn has ended."""
        _finish(self._ended(messages), self._blocking)

    async def anote(self, messages: Sequence[Any]) -> None:
        """The same for an event loop."""
        await _afinish(self._ended(messages), self._aio)

    def refused(self, error: object, *, overflow: bool = False) -> bool:
        """The request got this error. True: the context was changed so that the same list may pass, as after an overflow.

        The engine knows overflows of providers by their words; `overflow` says that this is one.
        """
        return _finish(self._refused(error, overflow), self._blocking)

    async def arefused(self, error: object, *, overflow: bool = False) -> bool:
        """The same for an event loop."""
        return await _afinish(self._refused(error, overflow), self._aio)

    def _steps(self, messages: Sequence[Any]) -> Generator[Any, Any, list[Any]]:
        messages = list(messages)
        keys = messages if self._fingerprint is None else [self._fingerprint(one) for one in messages]
        # A call that overlaps with this one, or one that fails, leaves nothing that is known.
        known, self._known = _same(self._known, keys), []
        self._call += 1
        call, usage, self.usage = self._call, self.usage, None
        while True:
            tail = [self._convert(message) for message in messages[known:]]
            try:
                synced = yield "sync", {"known": known, "messages": tail, "usage": usage}
            except ThroughlineError as error:
                if known and error.code == "whole_list_needed":
                    known = 0
                    continue
                if error.code == "invalid_message":
                    warnings.warn(f"throughline sends the whole list: {error.message}", stacklevel=4)
                    self.synced = None
                    return messages
                if call == self._call and error.code == "nothing_to_answer":
                    self._known = keys
                raise
            known, usage = len(messages), None
            if synced.send == "request":
                break
            text = self._summarize and (yield self._summarize, synced.summary)
            yield ("summary", {"id": synced.id, "text": text}) if text else ("no_summary", {"id": synced.id})
        if call == self._call:
            self._known = keys
        references = synced.pop("references")
        self.synced = synced
        return self._resolved(messages, references, synced.notes)

    def _resolved(self, messages: list[Any], references: list[Record], notes: list[str]) -> list[Any]:
        out: list[Any] = []
        for reference in references:
            given = messages[reference["from"] : reference["to"]] if "from" in reference else []
            if reference["kind"] == "given":
                out += given
            elif len(given) == len(reference["messages"]):
                out += map(self._make, reference["messages"], given)
            else:
                out += [self._make(item, None) for item in reference["messages"]]
        gemini = self.context.wire == "gemini"
        for note in notes:
            content = {"parts": [{"text": note}]} if gemini else {"content": note}
            out.append(self._make({"role": "user", **content}, None))
        return out

    def _ended(self, messages: Sequence[Any]) -> Generator[Any, Any, None]:
        try:
            yield from self._steps(messages)
        except ThroughlineError as error:
            if error.code != "nothing_to_answer":
                raise

    def _refused(self, error: object, overflow: bool) -> Generator[Any, Any, bool]:
        if self.synced is None:
            return False
        code = "context_length_exceeded" if overflow else getattr(error, "code", None)
        said = {"type": "invalid_request_error", "code": code, "message": str(error)}
        status = getattr(error, "status_code", None) or 400
        body = dumps({"error": said}).decode()
        taken = yield "refused", {"request": self.synced.id, "status": status, "body": body}
        return taken.then == "request"


def _same(known: list[Any], keys: list[Any]) -> int:
    """How many keys at the start are known."""
    most = min(len(known), len(keys))
    if (known if most == len(known) else known[:most]) == keys[:most]:
        return most
    return next(at for at in range(most) if known[at] is not keys[at] and known[at] != keys[at])


def _finish(steps: Generator[Any, Any, Any], context: Context) -> Any:
    """Runs the steps: each is an operation with its input, or a function with its argument."""
    given, error = None, None
    while True:
        try:
            step, input = steps.throw(error) if error else steps.send(given)
        except StopIteration as done:
            return done.value
        given, error = None, None
        try:
            given = step(input) if callable(step) else context._run(step, input)
        except ThroughlineError as failed:
            error = failed


async def _afinish(steps: Generator[Any, Any, Any], context: AsyncContext) -> Any:
    given, error = None, None
    while True:
        try:
            step, input = steps.throw(error) if error else steps.send(given)
        except StopIteration as done:
            return done.value
        given, error = None, None
        try:
            given = step(input) if callable(step) else context._run(step, input)
            if inspect.isawaitable(given):
                given = await given
        except ThroughlineError as failed:
            error = failed


class ListSessions:
    """A `ListSync` for each session of a framework, opened on first use. More than `most` close the one used longest ago."""

    def __init__(
        self,
        engine: Engine,
        convert: Callable[[Any], Any],
        make: Callable[[Any, Any], Any],
        *,
        most: int = 256,
        **settings: Any,
    ):
        self.engine, self._convert, self._make, self._most, self._settings = engine, convert, make, most, settings
        self._lists: dict[str, ListSync] = {}

    def get(self, id: str, **facts: Any) -> ListSync:
        """The list of a session. `facts` are fields of `open` that the framework knows; those of the constructor come first."""
        if found := self.find(id):
            return found
        opened, oldest = self._noted(id, self.engine.open(_session(id), key="list", **{**facts, **self._settings}))
        if oldest:
            oldest.context.close()
        return opened

    async def aget(self, id: str, **facts: Any) -> ListSync:
        """The same for an event loop."""
        if found := self.find(id):
            return found
        context = await self.engine.aio.open(_session(id), key="list", **{**facts, **self._settings})
        opened, oldest = self._noted(id, context)
        if oldest:
            await oldest.context.close()
        return opened

    def context(self, id: str) -> Context:
        """The context of a session that was used: its receipts, its handoff, its pins."""
        if found := self.find(id):
            return found.context.blocking
        raise KeyError(f"no list of the session {id!r} was handed over yet")

    def find(self, id: str) -> ListSync | None:
        """The list of a session, if one was handed over."""
        found = self._lists.pop(id, None)
        if found:
            self._lists[id] = found
        return found

    def _noted(self, id: str, context: Any) -> tuple[ListSync, ListSync | None]:
        opened = self._lists[id] = ListSync(context, self._convert, self._make)
        oldest = self._lists.pop(next(iter(self._lists))) if len(self._lists) > self._most else None
        return opened, oldest


def _session(id: str) -> str:
    """An id that sessions may have. A framework's may be any text."""
    return id if re.fullmatch("[A-Za-z0-9_-]{1,64}", id) else hashlib.sha256(id.encode()).hexdigest()


def text_of(content: Any) -> str:
    """The text of a content: a text, or a list of blocks."""
    return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content or ())


def read_result_tool() -> Record:
    """The tool that reads stored results: name, description, input_schema."""
    with Engine(memory=True).open("tools", model="any", window=100_000) as context:
        return next(tool for tool in context.tools if tool.name == "read_result")
