"""The binding without a framework: an own loop, errors, event loops, stored sessions, lists."""

import asyncio
import base64
import copy
import dataclasses
import pickle
import sys
import threading
from pathlib import Path

import pytest

from throughline import AsyncEngine, Engine, ListSync, ThroughlineError
from work import rows, run_python

TOOL = {"name": "big", "description": "Dumps rows.", "input_schema": {"type": "object"}}
WINDOW = {"model": "claude-test", "window": 24_000}
PNG = b"\x89PNG\r\n\x1a\n"


def open_context(engine=None, id="mine", **more):
    return (engine or Engine(memory=True)).open(id, **WINDOW, system="Be careful.", tools=[TOOL], **more)


def calls(step):
    call = {"type": "tool_use", "id": f"c{step}", "name": "big", "input": {"n": step}}
    return {"content": [call], "stop_reason": "tool_use", "usage": {"input_tokens": 900, "output_tokens": 40}}


def says(text):
    return {"content": [{"type": "text", "text": text}], "stop_reason": "end_turn"}


def code(call, *args, **input):
    with pytest.raises(ThroughlineError) as caught:
        call(*args, **input)
    return caught.value.code


def test_an_own_loop_is_compacted_and_reads_back_what_was_stored():
    context = open_context()
    context.user("Dump everything.")
    sizes = []
    for step in range(40):
        request = context.next_request()
        sizes.append(len(request.body["messages"]))
        followed = context.answer(request, calls(step))
        assert followed.then == "calls" and followed.calls[0].input == {"n": step}
        context.results([{"call": f"c{step}", "text": rows(step)}])
    assert sum(after < before for before, after in zip(sizes, sizes[1:])) >= 2, sizes
    request = context.next_request()
    assert request.body["model"] == "claude-test" and request.json == request.json
    assert context.answer(request, says("Done.")).text == "Done."
    assert context.receipts(most=100).receipts[-1]["stop"] == "end_turn"
    assert context.state().waits_for == "nothing" and context.state().window.total == 24_000
    assert context.handoff().last_answer == "Done."


def test_objects_of_an_sdk_are_taken_where_dicts_are():
    class Model:
        def __init__(self, **fields):
            self.fields = fields

        def model_dump(self, **_):
            return self.fields

    class Other:
        def __init__(self, **fields):
            self.fields = fields

        def to_dict(self):
            return self.fields

    @dataclasses.dataclass
    class Result:
        call: str
        text: str

    context = open_context()
    context.user("Go.")
    answer = calls(0)
    answer["content"] = [Other(**block) for block in answer["content"]]
    assert context.answer(context.next_request(), Model(**answer)).then == "calls"
    context.results([Result("c0", "rows")])
    assert context.answer(request=context.next_request(), body=says("Done.")).text == "Done."


def test_tools_may_have_the_form_of_openai():
    function = {"name": "big", "description": "Dumps rows.", "parameters": {"type": "object"}}
    context = Engine(memory=True).open("mine", **WINDOW, wire="openai_chat", tools=[{"type": "function", "function": function}])
    context.user("Go.")
    assert function["name"] in [tool["function"]["name"] for tool in context.next_request().body["tools"]]


def test_errors_have_a_code_a_message_and_data():
    engine = Engine(memory=True)
    context = open_context(engine)
    assert code(engine.open, "mine", **WINDOW) == "already_open"
    assert code(engine.call, "nothing") == "unknown_operation"
    assert code(engine.open, "other", model="no-such-model") == "unknown_model"
    assert code(context.user, txt="Hi.") == "invalid_input"
    assert code(context.user, text=float("nan")) == "invalid_input"
    assert code(context.user, text=object()) == "invalid_input"
    assert code(context.next_request) == "nothing_to_answer"
    context.user("Hi.")
    request = context.next_request()
    with pytest.raises(ThroughlineError, match="request_open: .* waits for its answer") as caught:
        context.next_request()
    assert caught.value.data == {"request": request.id} and caught.value.message in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.code, again.data) == (caught.value.code, caught.value.data)
    assert code(context.answer, request, {"error": {"message": "Overloaded"}}) == "provider_error"
    assert context.refused(request, "prompt is too long: 9001 tokens > 8192 maximum", status=400).kind == "overflow"
    with pytest.raises(TypeError, match="user takes 2 fields: text, images"):
        context.user("a", [], "b")
    with pytest.raises(TypeError, match="user was given text twice"):
        context.user("a", text="b")
    context.close()
    assert code(context.state) == "unknown_context"


def test_bytes_are_the_text_that_they_are_and_pictures_in_base64():
    context = open_context()
    context.user("Go.", images=[{"media_type": "image/png", "data": PNG}])
    picture = context.next_request(key="a").body["messages"][0]["content"][1]
    assert picture["source"]["data"] == base64.b64encode(PNG).decode()
    context.answer(context.next_request(key="a"), calls(0))
    context.results([{"call": "c0", "text": "r\u00f6ws".encode()}])
    request = context.next_request()
    assert "r\u00f6ws" in request.json.decode()
    assert context.refused(request, b"prompt is too long: 9001 tokens > 8192 maximum", 400).kind == "overflow"


def test_none_is_a_field_that_is_left_out():
    context = open_context()
    context.user("Go.", images=None)
    context.cancelled(context.next_request(), text=None)
    assert context.call("read_result", None).is_error
    assert context.report(most=None) and context.receipts(most=None)
    assert context.offload("a", "big", "rows", None, None).text == "rows"
    assert context.sync([{"role": "user", "content": "Go."}], known=None, usage=None).send == "request"
    assert context.undo(None) and context.redo(None)


def test_the_types_of_outputs_can_be_imported():
    from throughline import Call, Opened, Record, SyncOutput

    assert Call is Opened is SyncOutput is Record
    opened: Opened = open_context().opened
    assert isinstance(opened, Opened)


def test_an_exception_is_not_hidden_by_a_context_that_is_closed():
    with pytest.raises(KeyError), open_context() as context:
        context.close()
        raise KeyError("mine")

    async def main():
        async with await AsyncEngine(memory=True).open("mine", **WINDOW) as context:
            await context.close()
            raise KeyError("mine")

    with pytest.raises(KeyError):
        asyncio.run(main())


def test_a_repeated_key_changes_nothing():
    engine = Engine(memory=True)
    context = open_context(engine, key="opened")
    assert open_context(engine, key="opened").opened == context.opened
    for _ in range(2):
        context.user("Go.", key="a")
    first = context.next_request(key="b")
    assert context.next_request(key="b").json == first.json
    assert context.state().messages == 1
    assert code(context.user, "Go.", key="b") == "key_reused"


def test_a_handle_is_used_from_many_threads_and_copied_as_itself():
    engine = Engine(memory=True)
    failed = []

    def work(name):
        try:
            context = open_context(engine, name)
            for _ in range(5):
                context.user("Go.")
                context.answer(context.next_request(), says(name))
            assert context.handoff().last_answer == name
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(f"t{at}",)) for at in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert not failed and [one.context for one in engine.list()] == ["t0", "t1", "t2", "t3"]
    assert copy.deepcopy({"engine": engine})["engine"] is engine


def test_contexts_are_awaited_side_by_side():
    async def work(engine, name):
        async with await engine.open(name, **WINDOW) as context:
            await context.user("Go.")
            request = await context.next_request()
            assert request.body["messages"][0]["role"] == "user"
            return (await context.answer(request, says(name))).text

    async def main():
        engine = AsyncEngine(memory=True)
        names = [f"c{at}" for at in range(20)]
        assert await asyncio.gather(*(work(engine, name) for name in names)) == names
        assert await engine.list() == []
        with pytest.raises(ThroughlineError, match="unknown_context"):
            await engine.call("state", context="c1")

    asyncio.run(main())
    asyncio.run(main())


def test_awaited_operations_of_one_context_run_in_the_order_of_their_calls():
    async def main():
        engine = AsyncEngine(memory=True)
        for at in range(40):
            context = await engine.open(f"c{at}", **WINDOW)
            *_, request = await asyncio.gather(*(context.user(f"m{n}") for n in range(5)), context.next_request())
            assert request.send == "request"
            assert (await context.handoff()).requests == [f"m{n}" for n in reversed(range(5))]
            await context.close(forget=True)

    asyncio.run(main())


def test_a_pin_is_removed_by_its_number():
    context = open_context()
    context.user("Always say why.")
    context.answer(context.next_request(), says("Yes."))
    assert context.pin(turn=1).pin == 1
    assert [(pin.pin, pin.texts) for pin in context.report().pins] == [(1, ["Always say why.", "Yes."])]
    context.unpin(1)
    assert context.report().pins == []


def test_an_operation_that_was_begun_ends_though_its_task_is_cancelled():
    async def main():
        context = await AsyncEngine(memory=True).open("mine", **WINDOW)
        await context.user("Go.")
        asked = asyncio.ensure_future(context.next_request(key="asked"))
        await asyncio.sleep(0)
        asked.cancel()
        request = await context.next_request(key="asked")
        assert (await context.answer(request, says("Fine."))).text == "Fine."
        assert (await context.state()).requests == 1

    asyncio.run(main())


def test_a_session_in_a_folder_is_resumed_by_another_process(tmp_path: Path):
    engine = Engine(tmp_path)
    context = open_context(engine, "stored")
    context.user("Dump.")
    context.answer(context.next_request(), calls(3))
    context.results([{"call": "c3", "text": rows(3)}])
    program = f"""
        from throughline import Engine, ThroughlineError
        try:
            context = Engine({str(tmp_path)!r}).open("stored", model="claude-test", window=24_000)
        except ThroughlineError as error:
            print(error.code)
        else:
            text = context.next_request().body["messages"][-1]["content"][0]["content"]
            text = text if isinstance(text, str) else text[0]["text"]
            reference = text.split('ref_id="')[1].split('"')[0]
            print(context.opened.resumed, context.call("read_result", {{"ref_id": reference, "search": "line 1234 of"}}).text)
    """
    assert run_python(program) == "held"
    context.close()
    resumed = run_python(program)
    assert resumed.startswith("True") and "line 1234 of 3" in resumed


def test_a_place_that_cannot_be_opened_is_said(tmp_path: Path):
    assert code(Engine, tmp_path, memory=True) == "invalid_input"
    (tmp_path / "file").write_text("no folder")
    assert code(Engine, tmp_path / "file") == "storage"
    assert code(Engine, tmp_path, database="nonsense://") == "invalid_input"


def test_the_table_and_the_types_are_those_of_the_engine():
    sys.path.insert(0, str(Path(__file__).parent.parent))
    import stubs

    for name, text in stubs.written().items():
        assert (stubs.PACKAGE / name).read_text() == text, f"{name}: run `python stubs.py`"


class Said:
    """A message of a framework."""

    def __init__(self, role, text, call=None):
        self.role, self.text, self.call = role, text, call

    def __eq__(self, other):
        return vars(self) == vars(other)


def item(message):
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call, "content": message.text}
    call = {"id": message.call, "type": "function", "function": {"name": "big", "arguments": "{}"}}
    calls = {"tool_calls": [call]} if message.call else {}
    return {"role": message.role, "content": message.text, **calls}


def made(item, original):
    return Said(item["role"], f"made of {original and original.role}", item.get("tool_call_id"))


def steps(count, begin=0):
    pairs = [[Said("assistant", "", f"c{at}"), Said("tool", rows(at), f"c{at}")] for at in range(begin, count)]
    return [message for pair in pairs for message in pair]


def listed(**more):
    return ListSync(open_context(wire="openai_chat"), item, made, **more)


def test_a_list_gives_back_the_objects_of_its_caller():
    synced = listed()
    messages = [Said("user", "Go."), *steps(3)]
    sent = synced(messages)
    assert len(sent) == 7 and all(one is other for one, other in zip(sent, messages))
    messages += steps(4, 3)
    sent = synced(messages)
    assert synced.synced.known == 7 and synced.synced.appended == 2
    assert sent[-1].text == "made of tool" and sent[-2] is messages[-2], "a large result is shown in part"
    messages += steps(30, 4)
    sent = synced(messages)
    assert len(sent) < len(messages) and any(one.text == "made of None" for one in sent), "it was compacted"
    assert sent[-1] is messages[-1]
    synced.usage = {"input": 900, "output": 40}
    messages.append(Said("assistant", "Done."))
    synced.note(messages)
    assert synced.context.handoff().last_answer == "Done." and synced.usage is None


def test_a_list_of_copies_is_known_too_and_only_its_end_is_converted():
    converted = []
    synced = ListSync(open_context(wire="openai_chat"), lambda one: converted.append(one) or item(one), made)
    messages = [Said("user", "Go."), *steps(3)]
    synced(messages)
    converted.clear()
    copied = copy.deepcopy(messages) + steps(4, 3)
    synced(copied)
    assert len(converted) == 2 and synced.synced.appended == 2


def test_a_list_that_was_rewound_or_edited_is_recorded():
    synced = listed()
    messages = [Said("user", "Go."), *steps(2), Said("user", "More.")]
    synced(messages)
    assert len(synced(messages[:3])) == 3 and synced.synced.hidden > 0
    edited = [*messages[:3], Said("user", "Other.")]
    assert synced(edited)[-1] is edited[-1]
    assert synced.context.state().messages == 4


def test_a_list_changed_in_place_needs_a_fingerprint():
    synced = listed(fingerprint=lambda message: (message.role, message.text, message.call))
    messages = [Said("user", "Go.")]
    synced(messages)
    messages[0].text = "Stop."
    synced(messages)
    assert synced.context.handoff().requests == ["Stop."]


def test_results_that_come_one_by_one_need_the_whole_list():
    synced = listed()
    asked = Said("assistant", "", "a")
    synced([Said("user", "Go."), asked, Said("tool", "first", "a")])
    both = [Said("user", "Go."), asked, Said("tool", "first", "a"), Said("tool", "second", "a")]
    assert len(synced(both)) >= 3


def test_an_overflow_shortens_the_same_list():
    synced = listed()
    messages = [Said("user", "Go."), *steps(7)]
    before = len(synced(messages))
    assert synced.refused("prompt is too long: 9001 tokens > 8192 maximum")
    assert len(synced(messages)) < before
    assert not synced.refused("Overloaded"), "that is no fault of the list"


def test_a_list_that_is_no_conversation_is_sent_unchanged():
    synced = listed()
    messages = [Said("user", "Go."), Said("robot", "Beep.")]
    with pytest.warns(UserWarning, match="sends the whole list"):
        assert synced(messages) == messages
    assert synced(messages[:1]) == messages[:1]


def test_a_summary_by_a_model_is_asked_for_and_put_in():
    asked = []

    async def summarize(body):
        asked.append(body)
        return "### Now\nDumping.\n### Done\nThe rows, name_MARKER among them.\n### Next\nThe rest."

    context = open_context(wire="openai_chat", summaries_by_caller=True)
    synced = ListSync(context, item, lambda item, original: item, summarize=summarize)
    messages = [Said("user", "Go.")]
    for step in range(0, 40, 4):
        messages += steps(step + 4, step)
        sent = asyncio.run(synced.acall(messages))
    assert asked and asked[0]["messages"] and any("name_MARKER" in str(one) for one in sent if isinstance(one, dict))
