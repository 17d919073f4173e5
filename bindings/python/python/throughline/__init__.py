"""A context and continuity engine for LLM agents: it decides what the model sees next, and calls no model itself."""

from ._contexts import AsyncContext, AsyncEngine, Context, Engine, Request
from ._json import Record, ThroughlineError
from ._lists import ListSync
from ._operations import RECORDS

__all__ = ["AsyncContext", "AsyncEngine", "Context", "Engine", "ListSync", "Record", "Request", "ThroughlineError"]

globals().update(dict.fromkeys(RECORDS, Record))  # the classes of outputs that the stub names
