"""What the shims for frameworks share: a list for each session of a framework, and the parts of messages."""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from contextlib import suppress
from typing import Any, Callable, Generator

from ._contexts import Context, Engine
from ._json import Record, ThroughlineError
from ._lists import ListSync
from ._steps import afinish, finish


def changed(item: dict[str, Any], original: Any) -> Any:
    """A message of a framework whose messages are those of an API: the original with what the engine has changed."""
    return {**original, **item} if original else item


def text_of(content: Any) -> str:
    """The text of a content: a text, or a list of blocks."""
    return content if isinstance(content, str) else "\n".join(block.get("text", "") for block in content or ())


def blocks_of(item: dict[str, Any]) -> list[dict[str, Any]]:
    """The content of a message of Anthropic's form, as blocks."""
    content = item["content"]
    return content if isinstance(content, list) else [{"type": "text", "text": content}]


def tool(name: str, description: str | None, schema: Any) -> dict[str, Any]:
    """A tool of the caller, as `open` takes it."""
    return {"name": name, "description": description or "", "input_schema": schema}


def usage(input: int | None, read: int | None, write: int | None, output: int | None) -> dict[str, int] | None:
    """What the provider reported, of an `input` that includes what the prompt cache has read and written. None: it reported nothing."""
    if not input:
        return None
    read, write = read or 0, write or 0
    return {"input": max(0, input - read - write), "cache_read": read, "cache_write": write, "output": output or 0}


class Sessions:
    """A shim with the sessions of its framework in `sessions`."""

    sessions: ListSessions

    def context(self, id: str) -> Context:
        """The context of a session: receipts, handoff, pins."""
        return self.sessions.context(id)


class Session:
    """A shim for one session, whose id is `id`."""

    sessions: ListSessions
    id: str

    @property
    def context(self) -> Context:
        """The context of the session: receipts, handoff, pins."""
        return self.sessions.context(self.id)


class ListSessions:
    """A `ListSync` for each session of a framework, opened on first use. More than `most` close the one used longest ago that is in no
    turn; a session that is used again is opened again."""

    def __init__(
        self,
        engine: Engine,
        convert: Callable[[Any], Any] = lambda message: message,
        make: Callable[[Any, Any], Any] = changed,
        *,
        most: int = 256,
        **settings: Any,
    ):
        self.engine, self._convert, self._make, self._most, self._settings = engine, convert, make, most, settings
        self._lists: OrderedDict[str, ListSync] = OrderedDict()
        with Engine(memory=True).open("tools", model="any", window=100_000) as context:
            found = next(tool for tool in context.tools if tool.name == "read_result")
        self.read_result: tuple[str, str, dict[str, Any]] = (found.name, found.description, dict(found.input_schema))
        """The tool that reads stored results: its name, its description, the schema of its arguments. `read` and `aread` run it."""

    def get(self, id: str, **facts: Any) -> ListSync:
        """The list of a session. `facts` are fields of `open` that the framework knows; those of the constructor come first."""
        id = str(id)
        if found := self.find(id):
            return found
        opened, oldest = self._noted(id, self.engine.open(_session(id), key="list", **self._opening(facts)))
        if oldest:
            with oldest.context.blocking:
                pass  # it is closed at the end
        return opened

    async def aget(self, id: str, **facts: Any) -> ListSync:
        """The same for an event loop."""
        id = str(id)
        if found := self.find(id):
            return found
        context = await self.engine.aio.open(_session(id), key="list", **self._opening(facts))
        opened, oldest = self._noted(id, context)
        if oldest:
            async with oldest.context.aio:
                pass
        return opened

    def context(self, id: str) -> Context:
        """The context of a session that was used: its receipts, its handoff, its pins."""
        return self._known(id).context.blocking

    def find(self, id: str) -> ListSync | None:
        """The list of a session, if one was handed over. A framework's id may be a number."""
        id = str(id)
        with suppress(KeyError):
            self._lists.move_to_end(id)
        return self._lists.get(id)

    def forget(self, id: str) -> ListSync | None:
        """Gives up the list of a session. Its context stays open, for the caller to close."""
        return self._lists.pop(str(id), None)

    def read(self, id: str, input: dict[str, Any]) -> Record:
        """Runs `read_result` in a session: `text` and `is_error`."""
        synced = self._known(id)
        return finish(self._reading(synced, input), synced.context.blocking)

    async def aread(self, id: str, input: dict[str, Any]) -> Record:
        """The same for an event loop."""
        synced = self._known(id)
        return await afinish(self._reading(synced, input), synced.context.aio)

    def _reading(self, synced: ListSync, input: dict[str, Any]) -> Generator[Any, Any, Record]:
        call = "call", {"name": self.read_result[0], "input": input}
        try:
            return (yield call)
        except ThroughlineError as error:
            if error.code != "unknown_context":
                raise
        yield from synced.reopened()
        return (yield call)

    def _known(self, id: str) -> ListSync:
        if found := self.find(id):
            return found
        raise KeyError(f"no list of the session {id!r} was handed over yet")

    def _opening(self, facts: dict[str, Any]) -> dict[str, Any]:
        """The fields of `open`. The framework shows the engine's own tool among the others."""
        opening = {**facts, **self._settings}
        if tools := opening.get("tools"):
            opening["tools"] = [tool for tool in tools if tool.get("function", tool)["name"] != self.read_result[0]]
        return opening

    def _noted(self, id: str, context: Any) -> tuple[ListSync, ListSync | None]:
        opened = self._lists.setdefault(id, ListSync(context, self._convert, self._make))
        unused = (known for known, one in list(self._lists.items()) if known != id and not one.is_in_use)
        oldest = next(unused, None) if len(self._lists) > self._most else None
        return opened, self._lists.pop(oldest, None) if oldest is not None else None


def _session(id: str) -> str:
    """An id that sessions may have. A framework's may be any text."""
    return id if re.fullmatch("[A-Za-z0-9_-]{1,64}", id) else hashlib.sha256(id.encode()).hexdigest()
