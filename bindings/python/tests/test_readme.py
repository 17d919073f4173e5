"""The code of the README runs."""

import re
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.S)


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_a_block_of_the_readme_runs(block: str):
    exec(compile(block, "README.md", "exec"), {})


def test_the_readme_has_code():
    assert len(BLOCKS) == 2
