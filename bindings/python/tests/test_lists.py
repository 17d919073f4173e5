"""Lists of frameworks that are not as they should be: what they have, what fails around them, and sessions that are closed meanwhile."""

import asyncio
import math

import pytest

from throughline import AsyncEngine, Engine, ListSync
from throughline._lists import status_of
from throughline._sessions import ListSessions
from work import rows

WINDOW = {"model": "claude-test", "window": 24_000}
GO = {"role": "user", "content": "Go."}


def call(id, input=None):
    return {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "big", "input": input or {}}]}


def result(id, text="rows"):
    return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": text}]}


def steps(count):
    return [GO, *(message for at in range(count) for message in (call(f"c{at}"), result(f"c{at}", rows(at))))]


def listed(engine=None, **more):
    return ListSync((engine or Engine(memory=True)).open("mine", **WINDOW), **more)


def sends_as_it_is(synced, messages):
    sent = synced(messages)
    return len(sent) == len(messages) and all(one is other for one, other in zip(sent, messages))


def test_ids_that_are_used_again_or_empty_change_no_message():
    synced, messages = listed(), [GO]
    for at, id in enumerate(["call_0", "call_0", "", ""]):
        messages += [call(id, {"n": at}), result(id)]
        assert sends_as_it_is(synced, messages)
    messages += [call("call_0", {"n": 9}), result("call_0", rows(3))]
    shown = synced(messages)[-1]["content"][0]
    assert shown["tool_use_id"] == "call_0" and "ref_id" in str(shown["content"])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("wire", ["anthropic", "openai_chat", "openai_responses"])
def test_answers_in_a_row_and_blank_messages_end_no_list(wire):
    synced = ListSync(Engine(memory=True).open("mine", **WINDOW, wire=wire))
    said = [("user", "a"), ("assistant", "1"), ("user", ""), ("assistant", "2"), ("assistant", "3"), ("user", "b")]
    messages = [{"role": role, "content": text} for role, text in said]
    for end in (1, 6, 6):
        assert sends_as_it_is(synced, messages[:end])
    messages += [{"role": "assistant", "content": "4"}, {"role": "user", "content": "c"}]
    assert sends_as_it_is(synced, messages) and synced.synced.known == 6


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["fs.read", "mcp:server.tool", "a b", "x" * 128])
def test_a_tool_of_a_list_may_have_any_name(name):
    described = {"name": name, "description": "Reads.", "input_schema": {"type": "object"}}
    synced = ListSync(Engine(memory=True).open("mine", **WINDOW, tools=[described]))
    assert sends_as_it_is(synced, [GO])
    assert any(name in notice.text for notice in synced.synced.notices)


def test_a_session_of_a_framework_may_have_a_number():
    sessions = ListSessions(Engine(memory=True), **WINDOW)
    sessions.get(123)([GO])
    assert sessions.find("123") is sessions.get(123) and sessions.context(123).id == "123"


@pytest.mark.parametrize("text", ["bad \udcff byte", "half \ud83d of one"])
def test_half_of_a_character_ends_no_run(text):
    synced = listed()
    messages = [{"role": "user", "content": text}, call("a", {"x": text}), result("a", text)]
    assert sends_as_it_is(synced, messages)
    assert synced.context.handoff().requests == [text.replace("\udcff", "\ufffd").replace("\ud83d", "\ufffd")]


def test_input_that_json_does_not_have_ends_no_run():
    assert sends_as_it_is(listed(), [GO, call("a", {"x": math.nan, "y": [math.inf]}), result("a")])
    deep = {}
    for _ in range(200):
        deep = {"inner": deep}
    with pytest.warns(UserWarning, match="sends the whole list: recursion limit"):
        assert sends_as_it_is(listed(), [GO, call("a", deep), result("a")])


@pytest.mark.parametrize("messages", [[GO, {"role": "assistant", "content": "{"}], [{"role": "user", "content": ""}], []])
def test_a_list_with_nothing_to_answer_is_sent_unchanged(messages):
    with pytest.warns(UserWarning, match="sends the whole list"):
        assert sends_as_it_is(listed(), messages)


@pytest.mark.filterwarnings("error")
def test_the_end_of_a_turn_is_noted_without_a_warning():
    synced = listed()
    synced([GO])
    synced.note([GO, {"role": "assistant", "content": "Done."}])
    assert synced.context.handoff().last_answer == "Done."


def test_an_error_has_the_status_of_its_response_if_it_got_one():
    def error(**fields):
        return type("Failed", (Exception,), fields)("overloaded")

    unsent, words = error(request="POST"), "prompt is too long: 9001 tokens > 8192 maximum"
    assert [status_of(one) for one in (ConnectionError(), TimeoutError(), unsent)] == [None] * 3
    assert status_of(error(status_code=529, request="POST", response="")) == 529
    assert status_of(error(code=429, status="RESOURCE_EXHAUSTED")) == 429
    assert status_of(words) == status_of(ValueError(words)) == status_of(error(code="context_length_exceeded")) == 400
    synced = listed()
    synced(steps(2))
    assert not synced.refused(ConnectionError("reset")) and len(synced(steps(2))) == 5


def summarizing(summarize):
    return listed_by(Engine(memory=True).open("mine", **WINDOW, summaries_by_caller=True), summarize)


def listed_by(context, summarize):
    return ListSync(context, summarize=summarize)


@pytest.mark.parametrize("summary", [ConnectionError("down"), 5])
def test_a_summary_that_cannot_be_written_is_extracted(summary):
    def summarize(_):
        if isinstance(summary, Exception):
            raise summary
        return summary

    synced = summarizing(summarize)
    with pytest.warns(UserWarning, match="extracts a summary"):
        sizes = [len(synced(steps(count))) for count in range(0, 48, 4)]
    assert sizes[-1] < 2 * 44


def test_a_task_that_is_cancelled_while_a_summary_is_written_leaves_the_session_usable():
    async def summarize(_):
        await asyncio.sleep(60)

    async def main():
        context = await AsyncEngine(memory=True).open("mine", **WINDOW, summaries_by_caller=True)
        synced, cancelled = listed_by(context, summarize), 0
        for count in range(0, 48, 4):
            try:
                await asyncio.wait_for(synced.acall(steps(count)), 0.3)
            except TimeoutError:
                cancelled += 1
        synced = listed_by(context, None)
        assert cancelled and len(await synced.acall(steps(48))) < 2 * 48

    asyncio.run(main())


def test_a_summary_that_was_asked_for_and_never_given_is_declined():
    context = Engine(memory=True).open("mine", **WINDOW, summaries_by_caller=True)
    asked = None
    for count in range(0, 48, 4):
        asked = context.sync(steps(count))
        if asked.send == "summary":
            break
    assert asked.send == "summary"
    assert len(listed_by(context, None)(steps(48))) < 2 * 48


def test_a_context_that_was_closed_is_opened_again(tmp_path):
    for engine in (Engine(memory=True), Engine(tmp_path)):
        synced = listed(engine)
        synced(steps(2))
        synced.context.close()
        assert sends_as_it_is(synced, steps(3)) and synced.synced.known == 5, "the session is resumed"


def test_a_session_in_a_turn_is_not_closed_for_another_one():
    engine = Engine(memory=True)
    sessions = ListSessions(engine, most=2, **WINDOW)
    messages = {id: [{"role": "user", "content": id}] for id in "abcd"}
    for id in "abc":
        sessions.get(id)(messages[id])
    assert [one.context for one in engine.list()] == ["a", "b", "c"], "all are in a turn"
    sessions.get("b").note([*messages["b"], {"role": "assistant", "content": "Done."}])
    sessions.get("d")(messages["d"])
    assert [one.context for one in engine.list()] == ["a", "c", "d"]
    assert sends_as_it_is(sessions.get("b"), [*messages["b"], {"role": "assistant", "content": "Done."}, GO])
    sessions.context("a").close()
    assert "r-0123456789abcdef" in sessions.read("a", {"ref_id": "r-0123456789abcdef"}).text


def test_an_event_loop_closes_a_session_that_threads_have_opened():
    engine = Engine(memory=True)
    sessions = ListSessions(engine, most=1, **WINDOW)
    sessions.get("a").note([GO, {"role": "assistant", "content": "Done."}])
    asyncio.run(sessions.aget("b"))
    assert [one.context for one in engine.list()] == ["b"]
