"""What a call through the binding costs over the call of the engine: `python bench.py`.

The session has 500 messages. The engine reports its own time for each request, so the rest is the binding's.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import sys
import time
from typing import Any, Callable

from throughline import Engine, ListSync

STEPS = 250
TEXT = "A line of the answer that says something about the parser. " * 8


def said(text: str = TEXT) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}


def filled(engine: Engine, id: str) -> Any:
    context = engine.open(id, model="bench", window=4_000_000, policy="off")
    for step in range(STEPS):
        context.user(f"Question {step}: {TEXT}")
        context.answer(context.next_request(), said())
    return context


def median(run: Callable[[], float], times: int = 60) -> float:
    return statistics.median(run() for _ in range(times)) * 1e3


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    result = call()
    return time.perf_counter() - begun, result


def blocking(context: Any) -> tuple[float, float, float]:
    engine, whole, body = [], [], []
    for _ in range(60):
        context.user("And now?")
        took, request = timed(context.next_request)
        engine.append(request._handle.took())
        whole.append(took - engine[-1])
        body.append(timed(lambda: request.body)[0])
        context.answer(request, said("Fine."))
    return tuple(statistics.median(figures) * 1e3 for figures in (engine, whole, body))  # type: ignore[return-value]


async def awaited(context: Any) -> float:
    over = []
    for _ in range(60):
        await context.user("And now?")
        begun = time.perf_counter()
        request = await context.next_request()
        over.append(time.perf_counter() - begun - request._handle.took())
        await context.answer(request, said("Fine."))
    return statistics.median(over) * 1e3


def conversation(length: int) -> list[dict[str, Any]]:
    roles = ("user", "assistant")
    return [{"role": roles[at % 2], "content": f"{at}: {TEXT}"} for at in range(length - 1 + length % 2)]


def listed(engine: Engine, length: int) -> tuple[float, float]:
    """The first call, with the whole list, and a later one with two more messages, without what the engine takes for either."""
    synced = ListSync(engine.open(f"list-{length}", model="bench", window=400_000_000, policy="off"))
    messages = conversation(length)
    first = timed(lambda: synced(messages))[0] * 1e3
    inside = [0.0]
    call = synced._blocking.engine.call

    def measured(*args: Any, **input: Any) -> Any:
        took, result = timed(lambda: call(*args, **input))
        inside[0] += took
        return result

    synced._blocking.engine.call = measured  # type: ignore[method-assign]

    def next_call() -> float:
        messages.extend(conversation(3)[1:] if messages[-1]["role"] == "user" else conversation(2))
        inside[0] = 0.0
        return timed(lambda: synced(messages))[0] - inside[0]

    return first, median(next_call, 20)


def main() -> None:
    engine = Engine(memory=True)
    context = filled(engine, "blocking")
    of_engine, over, body = blocking(context)
    print(f"next_request of {2 * STEPS} messages: engine {of_engine:.3f} ms, binding {over:.3f} ms, its body as a dict {body:.3f} ms")
    print(f"  the body has {len(json.dumps(context_body(context))) >> 10} KiB")
    print(f"awaited: binding {asyncio.run(awaited(filled(engine, 'awaited').aio)):.3f} ms")
    print(f"state, engine and binding: {median(lambda: timed(context.state)[0]):.3f} ms")
    for length in (500, 15_000):
        first, later = listed(engine, length)
        print(f"a list of {length} messages: first {first:.1f} ms, what Python adds to a later one {later:.3f} ms")
    if over > 0.1:
        sys.exit("the binding takes more than 0.1 ms")


def context_body(context: Any) -> dict[str, Any]:
    context.user("And now?")
    request = context.next_request()
    context.cancelled(request)
    return request.body


if __name__ == "__main__":
    main()
