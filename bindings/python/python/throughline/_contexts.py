"""Engines and their contexts. The operations of a context are methods, made from the engine's own table."""

from __future__ import annotations

import atexit
import inspect
import json
import os
from os import PathLike
from typing import Any

from ._engine import Handle, end
from ._json import Record, ThroughlineError, dumps, loads
from ._operations import OPERATIONS

atexit.register(end)  # a thread of the engine may not enter an interpreter that has ended

WIRE = "anthropic"
"""The form of bodies and lists where none is asked for."""


class Request:
    """A request to send, or the question for a summary. Its body is written when it is asked for."""

    def __init__(self, handle: Any):
        self._handle = handle
        self._body: dict[str, Any] | None = None
        self._rest: Record | None = None
        self.send, self.id, self.model = handle.head()

    @property
    def json(self) -> bytes:
        """The body as JSON, ready to be sent."""
        return self._handle.body()

    @property
    def body(self) -> dict[str, Any]:
        """The body as a dict, made on first use: `client.messages.create(**request.body)`."""
        if self._body is None:
            self._body = json.loads(self.json)
        return self._body

    @property
    def predicted(self) -> Record:
        """What the prompt cache is expected to give."""
        return self._told()["predicted"]

    @property
    def notices(self) -> list[Record]:
        """What happened since the last request."""
        return self._told()["notices"]

    def _told(self) -> Record:
        if self._rest is None:
            self._rest = loads(self._handle.rest())
        return self._rest

    def to_dict(self) -> int:
        """Its number, which represents it in inputs."""
        return self.id

    def __repr__(self) -> str:
        return f"Request(id={self.id}, send={self.send!r}, model={self.model!r})"


class _Engine:
    """What both kinds of engine share: the handle of the contexts."""

    def __init__(
        self,
        data_dir: str | PathLike[str] | None = None,
        database: str | None = None,
        memory: bool = False,
        *,
        _handle: Any = None,
    ):
        folder = data_dir and os.path.expanduser(data_dir)
        self._handle = _handle or Handle(folder or None, database, memory)

    def __deepcopy__(self, memo: Any):
        return self

    @property
    def aio(self) -> AsyncEngine:
        """The same contexts for an event loop."""
        return AsyncEngine(_handle=self._handle)

    @property
    def blocking(self) -> Engine:
        """The same contexts for threads."""
        return Engine(_handle=self._handle)


class Engine(_Engine):
    """Many contexts in one process. Its calls block, and let other threads of Python run meanwhile."""

    def call(self, operation: str, **input: Any) -> Any:
        """Runs any operation of the table by its name."""
        return loads(self._handle.call(operation, dumps(input)))

    def open(self, id: str, *, key: str | None = None, **settings: Any) -> Context:
        """Opens a context: resumes its session where the log ends, or begins it."""
        opening = _opening(id, key, settings)
        return Context(self, id, self.call("open", **opening), settings.get("wire") or WIRE, opening)

    def list(self) -> list[Record]:
        """The open contexts."""
        return self.call("list")["contexts"]


class AsyncEngine(_Engine):
    """Many contexts in one process. Its calls are awaited; no thread waits for them."""

    async def call(self, operation: str, **input: Any) -> Any:
        """Runs any operation of the table by its name."""
        context = input.get("context")
        return loads(await self._handle.call_async(operation, dumps(input), context if isinstance(context, str) else None))

    async def open(self, id: str, *, key: str | None = None, **settings: Any) -> AsyncContext:
        """Opens a context: resumes its session where the log ends, or begins it."""
        opening = _opening(id, key, settings)
        return AsyncContext(self, id, await self.call("open", **opening), settings.get("wire") or WIRE, opening)

    async def list(self) -> list[Record]:
        """The open contexts."""
        return (await self.call("list"))["contexts"]


class _Context:
    """What both kinds of context share."""

    def __init__(self, engine: Any, id: str, opened: Record, wire: str, opening: dict[str, Any]):
        self.engine, self.id, self.opened, self.wire, self._opening = engine, id, opened, wire, opening

    @property
    def aio(self) -> AsyncContext:
        """The same context for an event loop."""
        return AsyncContext(self.engine.aio, self.id, self.opened, self.wire, self._opening)

    @property
    def blocking(self) -> Context:
        """The same context for threads."""
        return Context(self.engine.blocking, self.id, self.opened, self.wire, self._opening)

    @property
    def tools(self) -> list[Record]:
        """The engine's own tools: name, description, input_schema. `call` runs them."""
        return self.opened["tools"]

    def _run(self, operation: str, input: dict[str, Any]) -> Any:
        return self.engine.call(operation, **{"context": self.id, **input})

    def __deepcopy__(self, memo: Any):
        return self

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r})"


class Context(_Context):
    """One conversation. Operations are methods that take their fields, and `key`: the same key again changes nothing."""

    def next_request(self, *, key: str | None = None) -> Request:
        """The request that the model answers next, or the question for a summary that is needed first."""
        return Request(self.engine._handle.next_request(self.id, key))

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            self.close()
        except ThroughlineError as error:
            if error.code != "unknown_context":  # closed already
                raise


class AsyncContext(_Context):
    """One conversation, as `Context`, for an event loop. Its operations run one after the other, in the order of their calls. One that was
    begun runs to its end even if its task is cancelled."""

    async def next_request(self, *, key: str | None = None) -> Request:
        """The request that the model answers next, or the question for a summary that is needed first."""
        return Request(await self.engine._handle.next_request_async(self.id, key))

    async def __aenter__(self) -> AsyncContext:
        return self

    async def __aexit__(self, *_: Any) -> None:
        try:
            await self.close()
        except ThroughlineError as error:
            if error.code != "unknown_context":
                raise


def _opening(id: str, key: str | None, settings: dict[str, Any]) -> dict[str, Any]:
    tools = [_tool(tool) for tool in settings.get("tools") or ()]
    given = {name: value for name, value in settings.items() if value is not None}
    return {"context": id, "key": key, **given, "tools": tools}


def _tool(tool: Any) -> Any:
    """A tool in the form of OpenAI's two APIs, or as the engine has it."""
    if not isinstance(tool, dict):
        return tool
    tool = tool.get("function", tool)
    if "parameters" not in tool:
        return tool
    return {
        "name": tool["name"],
        "description": tool.get("description", ""),
        "input_schema": tool["parameters"],
    }


def _method(name: str, required: tuple[str, ...], others: tuple[str, ...], about: str) -> Any:
    """The method of an operation. Its fields may be given in order, or by name."""
    fields = (*required, *others)

    def method(self: _Context, *args: Any, key: str | None = None, **input: Any) -> Any:
        if len(args) > len(fields):
            raise TypeError(f"{name} takes {len(fields)} fields: {', '.join(fields)}")
        for field, value in zip(fields, args):
            if field in input:
                raise TypeError(f"{name} was given {field} twice")
            input[field] = value
        return self._run(name, {field: value for field, value in {**input, "key": key}.items() if value is not None})

    parameter = inspect.Parameter
    listed = [parameter("self", parameter.POSITIONAL_OR_KEYWORD)]
    for field in fields:
        default = parameter.empty if field in required else None
        listed.append(parameter(field, parameter.POSITIONAL_OR_KEYWORD, default=default))
    listed.append(parameter("key", parameter.KEYWORD_ONLY, default=None))
    method.__name__, method.__doc__ = name, about
    method.__signature__ = inspect.Signature(listed)  # type: ignore[attr-defined]
    return method


for _name, _row in OPERATIONS.items():
    if _name != "next_request":
        for _kind in (Context, AsyncContext):
            setattr(_kind, _name, _method(_name, *_row))
