"""The work that every framework's scripted model does: 60 steps with rows, one large result, and a read-back of it."""

import json
import re
import subprocess
import sys
import textwrap
from pathlib import Path

STEPS = 60
LARGE = 3
"""The step whose result is stored and shown in part."""
WINDOW = 24_000
NEEDLE = "line 1234 of 3"


def rows(step: int) -> str:
    if step == LARGE:
        return "\n".join(f"line {line} of {step} {'x' * 40}" for line in range(2000))
    return "\n".join(f"row {row} of {step}: name_{row * 7 + step} is {row * step}" for row in range(60))


class Script:
    """What a scripted model does next. It sees each request as one text, and the number of its messages."""

    def __init__(self, begun: int = 0, overflow: int | None = None, reference: str = ""):
        self.step, self._overflow = begun, overflow
        self.sizes: list[int] = []
        self.reference = reference

    def next(self, size: int, text: str) -> tuple[str, dict]:
        """`("big", {"n": …})`, `("read_result", {…})`, `("overflow", {})` or `("text", {"text": …})`."""
        self.sizes.append(size)
        if found := re.search(r'bytes from \W*big.*?ref_id=\W*(r-[0-9a-f]+)', text, re.S):
            self.reference = found[1]
        if self.step == self._overflow:
            self._overflow = None
            return "overflow", {}
        step, self.step = self.step, self.step + 1
        if step < STEPS:
            return "big", {"n": step}
        if step == STEPS:
            return "read_result", {"ref_id": self.reference, "search": "line 1234 of 3"}
        return "text", {"text": f"done at {step}"}

    def compactions(self) -> int:
        """How often a request had fewer messages than the one before."""
        return sum(after < before for before, after in zip(self.sizes, self.sizes[1:]))


def check_marks(requests: list[list[bool]]) -> None:
    """Each request marks its end for the prompt cache, and once more the end of the request before. `requests` says of each message
    whether it is marked."""
    assert len(requests) >= 4
    for before, after in zip([[], *requests], requests):
        assert after[-1] and (not before or after[len(before) - 1]) and sum(after) <= 4, requests


def run_python(program: str) -> str:
    """What a program prints, in a process of its own."""
    run = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def in_new_process(file: str, *arguments: str) -> dict:
    """Runs a test file as a program, which prints a line of JSON last."""
    here = Path(file)
    run = subprocess.run([sys.executable, str(here), *arguments], capture_output=True, text=True, cwd=here.parent)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])
