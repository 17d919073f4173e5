"""A durable workflow on the engine, whose worker is killed at random moments and started again."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from throughline import Engine

pytest.importorskip("dbos", reason="DBOS is not installed: pip install dbos")

WORKER = Path(__file__).parent.parent / "examples" / "durable_agent.py"
STEPS, KILLS = 12, 12


def worker(folder: Path) -> subprocess.Popen:
    return subprocess.Popen([sys.executable, WORKER, folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def seconds_of_a_run(folder: Path) -> tuple[float, float]:
    """From the start of a worker to its first record, and to its end."""
    begun = time.monotonic()
    alone = worker(folder)
    out, err = alone.communicate(timeout=60)
    assert out.strip() == f"{STEPS} results", out + err
    whole = time.monotonic() - begun
    return whole / 2, whole


def test_a_killed_worker_loses_nothing_and_repeats_nothing(tmp_path: Path) -> None:
    alone, killed = tmp_path / "alone", tmp_path / "killed"
    for folder in (alone, killed):
        folder.mkdir()
    first, last = seconds_of_a_run(alone)
    chance, kills = random.Random(7), 0
    for _ in range(KILLS):
        running = worker(killed)
        try:
            running.wait(chance.uniform(first, last))
        except subprocess.TimeoutExpired:
            running.kill()
            kills += 1
        running.communicate()
    out, err = worker(killed).communicate(timeout=60)
    assert out.strip() == f"{STEPS} results", out + err
    assert kills >= 3, kills

    def said(folder: Path) -> tuple[list, list]:
        with Engine(folder / "sessions").open("chat-1", model="any", window=200_000, policy="off") as context:
            stops = [receipt["stop"] for receipt in context.receipts(most=100).receipts]
            context.user("What did you find?")
            return stops, context.next_request().body["messages"]

    assert said(killed) == said(alone)
    stops, messages = said(alone)
    assert stops.count("tool_use") == STEPS and len(messages) >= 2 * STEPS + 2
