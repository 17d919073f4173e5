"""Lists of messages that a framework owns: what of them goes into the next request."""

from __future__ import annotations

import math
import time
import warnings
from typing import Any, AsyncIterator, Awaitable, Callable, Generator, Sequence

from ._contexts import AsyncContext, Context
from ._json import Record, ThroughlineError, dumps
from ._steps import afinish, finish


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
        self._call, self._asked = 0, time.monotonic()
        self.usage: dict[str, int] | None = None
        """What the provider reported for the newest answer: input, cache_read, cache_write, output. The next list takes it along."""
        self.synced: Record | None = None
        """The output of the newest `sync`, without its references."""
        self.marks: dict[int, str] = {}
        """Which of the messages that were returned last end a prefix for the prompt cache, each with its lifetime: `5m` or `1h`."""
        self.system_mark: str | None = None
        """The same for the system prompt, or for the tools in front of it."""

    def __call__(self, messages: Sequence[Any]) -> list[Any]:
        """The messages of the next request: the caller's own objects, and those that `make` made."""
        return finish(self._request(messages), self._blocking)

    async def acall(self, messages: Sequence[Any]) -> list[Any]:
        """The same for an event loop."""
        return await afinish(self._request(messages), self._aio)

    def note(self, messages: Sequence[Any]) -> None:
        """Takes over a list whose last message is the model's: a turn has ended."""
        finish(self._ended(messages), self._blocking)

    async def anote(self, messages: Sequence[Any]) -> None:
        """The same for an event loop."""
        await afinish(self._ended(messages), self._aio)

    def refused(self, error: object, *, overflow: bool = False) -> bool:
        """The request got this error. True: the context was changed so that the same list may pass, as after an overflow.

        The engine knows overflows of providers by their words; `overflow` says that this is one.
        """
        return finish(self._refused(error, overflow), self._blocking)

    async def arefused(self, error: object, *, overflow: bool = False) -> bool:
        """The same for an event loop."""
        return await afinish(self._refused(error, overflow), self._aio)

    def send(self, messages: Sequence[Any], send: Callable[[list[Any]], Any], overflow: type = type(None)) -> Any:
        """What `send` returns for the messages of the next request. After an overflow it gets those of a smaller one at once.

        `overflow` is the framework's own exception for it, if it has one.
        """
        while True:
            sent = self(messages)
            try:
                return send(sent)
            except Exception as error:
                if not self.refused(error, overflow=isinstance(error, overflow)):
                    raise

    async def asend(
        self, messages: Sequence[Any], send: Callable[[list[Any]], Awaitable[Any]], overflow: type = type(None)
    ) -> Any:
        """The same for an event loop."""
        while True:
            sent = await self.acall(messages)
            try:
                return await send(sent)
            except Exception as error:
                if not await self.arefused(error, overflow=isinstance(error, overflow)):
                    raise

    async def astream(self, messages: Sequence[Any], send: Callable[[list[Any]], AsyncIterator[Any]]) -> AsyncIterator[Any]:
        """The events of a stream. After an overflow before the first one, a smaller request is sent."""
        begun = False
        while True:
            sent = await self.acall(messages)
            try:
                async for event in send(sent):
                    begun = True
                    yield event
                return
            except Exception as error:
                if begun or not await self.arefused(error):
                    raise

    @property
    def is_in_use(self) -> bool:
        """It was made, or has given a request, in the last hour, and its turn has not ended."""
        return time.monotonic() - self._asked < 3600

    def _request(self, messages: Sequence[Any]) -> Generator[Any, Any, list[Any]]:
        messages = list(messages)
        self.synced = None
        try:
            synced = yield from self._taken(messages)
        except ThroughlineError as error:
            if error.code not in _UNUSABLE:
                raise
            warnings.warn(f"throughline sends the whole list: {error.message}", stacklevel=4)
            return messages
        self._asked = time.monotonic()
        references = synced.pop("references")
        self.synced = synced
        for point in synced.breakpoints:
            if point.place == "messages":
                self.marks[point.messages - 1] = point.lifetime
            else:
                self.system_mark = point.lifetime
        return self._resolved(messages, references, synced.notes)

    def _taken(self, messages: list[Any]) -> Generator[Any, Any, Record]:
        """The output of `sync` for a list, once no summary is asked for."""
        keys = messages if self._fingerprint is None else [self._fingerprint(one) for one in messages]
        # A call that overlaps with this one, or one that fails, leaves nothing that is known.
        known, self._known = _same(self._known, keys), []
        self.marks, self.system_mark = {}, None
        self._call += 1
        call, usage, self.usage = self._call, self.usage, None
        while True:
            tail = [self._convert(message) for message in messages[known:]]
            try:
                synced = yield "sync", {"known": known, "messages": tail, "usage": usage}
            except ThroughlineError as error:
                if known and error.code == "whole_list_needed":
                    known = 0
                elif error.code == "unknown_context":
                    known = 0
                    yield from self.reopened()
                elif error.code == "summary_open":  # a call that was cancelled or that failed has asked for it
                    yield from self._settled("no_summary", {"id": error.data["summary"]})
                else:
                    if call == self._call and error.code == "nothing_to_answer":
                        self._known = keys
                    raise
                continue
            known, usage = len(messages), None
            if synced.send == "request":
                break
            yield from self._summarized(synced)
        if call == self._call:
            self._known = keys
        return synced

    def _summarized(self, synced: Record) -> Generator[Any, Any, None]:
        """Gives the summary that is asked for. One that cannot be written is extracted."""
        text = None
        try:
            if self._summarize:
                text = yield self._summarize, synced.summary
            if text is not None and not isinstance(text, str):
                raise TypeError(f"a summary is a text, not {type(text).__name__}")
        except Exception as error:
            text = None
            warnings.warn(f"throughline extracts a summary: {error!r}", stacklevel=5)
        except BaseException:
            yield from self._settled("no_summary", {"id": synced.id})
            raise
        operation, given = ("summary", {"text": text}) if text else ("no_summary", {})
        yield from self._settled(operation, {"id": synced.id, **given})

    def _settled(self, operation: str, input: dict[str, Any]) -> Generator[Any, Any, None]:
        try:
            yield operation, input
        except ThroughlineError as error:
            if error.code != "unknown_summary":  # a call that overlaps with this one has declined it
                raise

    def reopened(self) -> Generator[Any, Any, None]:
        """Opens the context again, which was closed: its session is resumed."""
        try:
            yield "open", self.context._opening
        except ThroughlineError as error:
            if error.code != "already_open":
                raise

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
        self._asked = -math.inf
        try:
            yield from self._taken(list(messages))
        except ThroughlineError as error:
            if error.code not in _UNUSABLE:
                raise
            if error.code != "nothing_to_answer":
                warnings.warn(f"throughline does not take over the list: {error.message}", stacklevel=4)

    def _refused(self, error: object, overflow: bool) -> Generator[Any, Any, bool]:
        if self.synced is None:
            return False
        code = "context_length_exceeded" if overflow else getattr(error, "code", None)
        said = {"type": "invalid_request_error", "code": code, "message": str(error)}
        body = dumps({"error": said}).decode()
        status = 400 if overflow else status_of(error)
        try:
            taken = yield "refused", {"request": self.synced.id, "status": status, "body": body}
        except ThroughlineError as failed:
            if failed.code not in ("unknown_context", "no_request", "other_request"):  # the request is another one's
                raise
            return False
        return taken.then == "request"


_UNUSABLE = ("invalid_message", "invalid_input", "invalid_request", "nothing_to_answer")
"""Codes of a list that the engine cannot answer with a request. It is the framework's, which may know better."""


def status_of(error: object) -> int | None:
    """The status of the response that an error of a client has; None if there was no response."""
    for name in ("status_code", "code", "status"):
        found = getattr(error, name, None)
        if isinstance(found, int) and 400 <= found < 600:
            return found
    unsent = isinstance(error, OSError) or hasattr(error, "request") and not hasattr(error, "response")
    return None if unsent else 400


def _same(known: list[Any], keys: list[Any]) -> int:
    """How many keys at the start are known."""
    most = min(len(known), len(keys))
    if (known if most == len(known) else known[:most]) == keys[:most]:
        return most
    return next(at for at in range(most) if known[at] is not keys[at] and known[at] != keys[at])
