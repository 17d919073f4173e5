"""Objects of the providers' own SDKs as answers."""

import pytest

from throughline import Engine


def answered(wire: str, body):
    context = Engine(memory=True).open("mine", model="any", window=24_000, wire=wire)
    context.user("Go.")
    return context.answer(context.next_request(), body)


def test_a_message_of_anthropic():
    types = pytest.importorskip("anthropic.types", reason="anthropic is not installed")
    call = types.ToolUseBlock(id="a", name="big", input={"n": None}, type="tool_use")
    usage = types.Usage(input_tokens=9, output_tokens=3)
    message = types.Message(
        id="m", content=[types.TextBlock(text="Hm.", type="text"), call], model="any", role="assistant",
        stop_reason="tool_use", type="message", usage=usage,
    )  # fmt: skip
    followed = answered("anthropic", message)
    assert followed.then == "calls" and followed.calls[0].input == {"n": None}


def test_a_completion_and_a_response_of_openai():
    chat = pytest.importorskip("openai.types.chat", reason="openai is not installed")
    responses = pytest.importorskip("openai.types.responses", reason="openai is not installed")
    said = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Done."}}
    completion = {"id": "c", "choices": [said], "created": 0, "model": "any", "object": "chat.completion"}
    assert answered("openai_chat", chat.ChatCompletion.model_validate(completion)).text == "Done."
    text = {"type": "output_text", "text": "Done.", "annotations": []}
    output = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [text]}
    response = {
        "id": "r", "created_at": 0, "model": "any", "object": "response", "output": [output], "status": "completed",
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
    }  # fmt: skip
    assert answered("openai_responses", responses.Response.model_validate(response)).text == "Done."


def test_a_response_of_gemini():
    types = pytest.importorskip("google.genai.types", reason="google-genai is not installed")
    call = types.Part(function_call=types.FunctionCall(id="a", name="big", args={"n": 1}), thought_signature=b"\xff\xfe?")
    content = types.Content(role="model", parts=[call])
    response = types.GenerateContentResponse(candidates=[types.Candidate(content=content, finish_reason="STOP")])
    followed = answered("gemini", response)
    assert followed.then == "calls" and followed.calls[0].input == {"n": 1}
