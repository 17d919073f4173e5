"""Hermes, the whole agent, with a scripted server. Its packages need an environment of their own, which `THROUGHLINE_HERMES` names."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from work import NEEDLE, STEPS

HERMES = os.environ.get("THROUGHLINE_HERMES")

if not HERMES:
    pytest.skip("Hermes is not installed: THROUGHLINE_HERMES names no Python with hermes-agent", allow_module_level=True)


def run(*arguments: str) -> dict:
    """A run in a process of its own, with this Python and the packages of Hermes."""
    site = subprocess.run([HERMES, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], capture_output=True, text=True)
    here = Path(__file__).parent
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([site.stdout.strip(), str(here)])}
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", str(here / "hermes_run.py"), *arguments], env=env, capture_output=True, text=True, timeout=900
    )
    assert ran.returncode == 0 and ran.stdout, ran.stderr[-4000:]
    return json.loads(ran.stdout.splitlines()[-1])


def test_a_long_run_is_compacted_read_back_and_resumed(tmp_path: Path):
    first = run(str(tmp_path))
    assert first["engine"] == "throughline.hermes" and first["output"] == f"done at {STEPS + 1}", first
    shrinks = sum(after < before for before, after in zip(first["sizes"], first["sizes"][1:]))
    assert first["pairs"] and first["whole"] and shrinks >= 3 and max(first["sizes"]) < 60, first
    assert len(first["sizes"]) == STEPS + 3, "the overflow was answered inside of the turn"
    assert NEEDLE in first["read"], first["read"]
    assert first["receipts"] >= STEPS and first["figures"] == [1, 1000], first

    resumed = run(str(tmp_path), first["reference"])
    assert resumed["sizes"][0] < 40 and NEEDLE in resumed["read"] and resumed["output"] == f"done at {STEPS + 1}", resumed
