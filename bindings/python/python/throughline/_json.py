"""Values as JSON, the form in which they cross into the engine and back."""

from __future__ import annotations

import base64
import dataclasses
import json
import math
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
    if isinstance(value, _BYTES):
        raise _Unwritable
    if isinstance(value, (set, frozenset)) or hasattr(value, "__iter__"):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def dumps(value: Any) -> bytes:
    """Writes a value: bytes as the text that they are, those of a picture in base64, and what is no number as null."""
    try:
        try:
            text = _written(value)
        except (_Unwritable, ValueError):
            text = _written(_writable(value))
    except (TypeError, ValueError, RecursionError) as error:
        raise ThroughlineError("invalid_input", str(error)) from error
    try:
        return text.encode()
    except UnicodeEncodeError:  # half of a character, which is no text
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def loads(written: bytes) -> Any:
    """Reads an output."""
    return json.loads(written, object_hook=Record)


_BYTES = (bytes, bytearray, memoryview)
_MEDIA = ("media_type", "mime_type", "mimeType")


class _Unwritable(Exception):
    """A value has bytes, whose form depends on where they are."""


def _written(value: Any) -> str:
    return json.dumps(value, default=plain, allow_nan=False, ensure_ascii=False, separators=(",", ":"))


def _writable(value: Any, is_picture: bool = False) -> Any:
    if isinstance(value, dict):
        has_media = any(name in value for name in _MEDIA)
        return {key: _writable(inner, has_media and key == "data") for key, inner in value.items()}
    if isinstance(value, _BYTES):
        return base64.b64encode(value).decode() if is_picture else bytes(value).decode(errors="replace")
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (list, tuple)):
        return [_writable(inner) for inner in value]
    return value if isinstance(value, (str, int, type(None))) else _writable(plain(value))
