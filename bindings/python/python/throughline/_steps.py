"""Generators of operations, which the blocking and the awaited half of the package run alike."""

from __future__ import annotations

import inspect
from typing import Any, Generator

from ._contexts import AsyncContext, Context


def finish(steps: Generator[Any, Any, Any], context: Context) -> Any:
    """Runs the steps: each is an operation with its input, or a function with its argument."""
    given: Any = None
    error: BaseException | None = None
    while True:
        try:
            step, input = steps.throw(error) if error else steps.send(given)
        except StopIteration as done:
            return done.value
        given, error = None, None
        try:
            given = step(input) if callable(step) else context._run(step, input)
            if inspect.isawaitable(given):
                given.close()  # type: ignore[attr-defined]
                raise TypeError("an awaited `summarize` needs `acall`")
        except BaseException as failed:
            error = failed


async def afinish(steps: Generator[Any, Any, Any], context: AsyncContext) -> Any:
    given: Any = None
    error: BaseException | None = None
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
        except BaseException as failed:
            error = failed
