"""Programs that end while the engine works, and processes that are forked."""

import os
import sys

import pytest

from throughline import Engine, ThroughlineError
from work import run_python


def test_a_program_ends_while_awaited_operations_run():
    program = """
        import asyncio
        from throughline import AsyncEngine

        async def agent(engine, name):
            context = await engine.open(name, model="claude-test", window=24_000)
            messages = [{"role": "user", "content": "Go."}]
            for step in range(1000):
                if name == "a0" and step == 20:
                    raise ValueError("one agent fails")
                await context.sync(messages)
                messages += [
                    {"role": "assistant", "content": [{"type": "tool_use", "id": f"c{step}", "name": "big", "input": {}}]},
                    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{step}", "content": "row " * 500}]},
                ]

        async def main():
            engine = AsyncEngine(memory=True)
            tasks = [asyncio.ensure_future(agent(engine, f"a{at}")) for at in range(8)]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)

        asyncio.run(main())
        print("ended")
    """
    assert [run_python(program) for _ in range(5)] == ["ended"] * 5


def test_an_operation_that_has_begun_is_done_before_the_program_ends(tmp_path):
    program = f"""
        import asyncio
        from throughline import AsyncEngine

        async def main():
            context = await AsyncEngine({str(tmp_path)!r}).open("mine", model="claude-test", window=24_000)
            asyncio.ensure_future(context.user("Remember this."))
            await asyncio.sleep(0)

        asyncio.run(main())
    """
    run_python(program)
    with Engine(tmp_path).open("mine", model="claude-test", window=24_000) as context:
        assert context.next_request().body["messages"][0]["content"][0]["text"] == "Remember this."


def test_nothing_begins_when_the_program_has_ended():
    program = """
        import atexit
        from throughline import Engine, _engine

        engine = Engine(memory=True)
        _engine.end()
        try:
            engine.list()
        except RuntimeError as error:
            print(error)
    """
    assert run_python(program) == "the program ends, so no operation begins"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_fork_has_an_engine_of_its_own(tmp_path):
    engine = Engine(memory=True)
    context = engine.open("mine", model="claude-test", window=24_000)
    child = os.fork()
    if child == 0:
        import signal

        signal.alarm(60)
        code = 1
        try:
            with Engine(tmp_path).open("other", model="claude-test", window=24_000) as own:
                own.user("Go.")
            context.state()
        except ThroughlineError as error:
            code = 0 if error.code == "not_possible" and "forked" in error.message else 2
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert context.state().messages == 0 and Engine(tmp_path).open("other", model="claude-test", window=24_000).opened.resumed
