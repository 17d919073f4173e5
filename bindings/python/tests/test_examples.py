"""Each example runs with its scripted model, and is compacted."""

import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
NEEDS = {
    "pydantic_ai_agent": "pydantic_ai",
    "langchain_agent": "langchain",
    "openai_agents_agent": "agents",
    "strands_agent": "strands",
    "google_adk_agent": "google.adk",
    "agent_framework_agent": "agent_framework",
}


def is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False


@pytest.mark.parametrize("name", NEEDS)
def test_an_example_runs(name: str, tmp_path: Path):
    if not is_installed(NEEDS[name]):
        pytest.skip(f"{name}: {NEEDS[name]} is not installed")
    run = subprocess.run([sys.executable, str(EXAMPLES / f"{name}.py")], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    sizes = [int(size) for size in re.findall(r"request \d+: (\d+)", run.stdout)]
    assert len(sizes) > 20 and sizes[-1] < max(sizes), run.stdout
    assert " after " in run.stdout and (tmp_path / "sessions").is_dir()


def test_every_example_is_in_the_table():
    assert sorted([*NEEDS, "durable_agent"]) == sorted(path.stem for path in EXAMPLES.glob("*.py"))


def test_an_agent_gets_it_in_ten_lines():
    for path in EXAMPLES.glob("*.py"):
        assert len(re.findall("# (added|changed)$", path.read_text(), re.M)) <= 10, path
