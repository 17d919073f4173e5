"""Values as JSON, the form in which they cross into the engine and back."""

from __future__ import annotations

import base64
import dataclasses
import json
from typing import Any


class ThroughlineError(Exception):
    """An operation failed. `code` is for programs and stable, `message` is for people, `data` has the values of the message."""

    __module__ = "throughline"

    def __init__(self, code: str, message: str, data: str | dict[str, Any] | None = None):
        super().__init__(message)
        self.code, self.message = code, message
        self.data: dict[str, Any] = json.loads(data) if isinstance(data, str) else data or {}

    def __reduce__(self):
        return ThroughlineError, (self.code, self.message, self.data)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class Record(dict):
    """An output of an operation: a dict whose fields are attributes too."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no field {name!r}; the fields are {', '.join(self)}") from None


def plain(value: Any) -> Any:
    """The JSON form of an object of an SDK: of pydantic, with `to_dict`, or a dataclass."""
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode()
    if isinstance(value, (set, frozenset)) or hasattr(value, "__iter__"):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def dumps(value: Any) -> bytes:
    """Writes a value."""
    try:
        return json.dumps(value, default=plain, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:
        raise ThroughlineError("invalid_input", str(error)) from error


def loads(written: bytes) -> Any:
    """Reads an output."""
    return json.loads(written, object_hook=Record)
