"""Lists of messages that a framework owns: what of them goes into the next request."""

from __future__ import annotations

import inspect
import warnings
from typing import Any, AsyncIterator, Awaitable, Callable, Generator, Sequence

from ._contexts import AsyncContext, Context
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
        self.marks: dict[int, str] = {}
        """Which of the messages that were returned last end a prefix for the prompt cache, each with its lifetime: `5m` or `1h`."""
        self.system_mark: str | None = None
        """The same for the system prompt, or for the tools in front of it."""

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

    def _steps(self, messages: Sequence[Any]) -> Generator[Any, Any, list[Any]]:
        messages = list(messages)
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
        for point in synced.breakpoints:
            if point.place == "messages":
                self.marks[point.messages - 1] = point.lifetime
            else:
                self.system_mark = point.lifetime
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
