"""Checks that the official Python clients read what the test server speaks.

    python check_clients.py URL

URL is that of a test server with the script check_clients.json; the test `official` of the suite `wire` starts both.

Needs the packages `anthropic`, `openai` and `google-genai`; Ollama is checked when the package `ollama` is there. The checks take the
answers of the script in their order, so each run needs a server of its own. Prints one line for each check; exit 1
when one failed.

The clients build their objects without looking whether fields are missing, so every object is validated once more,
strictly, by the clients' own types.
"""

import json
import sys

import anthropic
import openai
from google import genai
from google.genai import errors, types

try:
    import ollama
except ImportError:
    ollama = None

KEY = "test-key"
MODEL = "some-model"
HELLO = [{"role": "user", "content": "hello"}]
FAILED = []


def check(function):
    """Runs a check at once and prints how it went."""
    name = function.__name__.replace("_", " ").strip()
    try:
        function()
    except Exception as error:  # any failure of a client is a failure of the check
        FAILED.append(name)
        print(f"FAILED {name}: {type(error).__name__}: {error}", flush=True)
    else:
        print(f"ok     {name}", flush=True)
    return function


def same(found, expected, what=""):
    if found != expected:
        raise AssertionError(f"{what} expected {expected!r}, found {found!r}")


def holds(condition, what):
    if not condition:
        raise AssertionError(what)


def strict(value):
    """The same object, validated: the types of its fields, and that none is missing."""
    raw = json.loads(value.to_json()) if hasattr(value, "to_json") else value.model_dump(mode="json")
    type(value).model_validate(raw)
    return value


def fails(kind, function):
    """The error of that kind that the function ends with."""
    try:
        function()
    except kind as error:
        return error
    raise AssertionError(f"expected {kind.__name__}, but it went well")


def read_all(stream):
    return [event for event in stream]


# Anthropic ---------------------------------------------------------------------------------------------------------

TOOLS = [
    {
        "name": name,
        "description": "A tool.",
        "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}},
    }
    for name in ["read", "list"]
]


def anthropic_checks(url):
    client = anthropic.Anthropic(base_url=url, api_key=KEY, max_retries=0)
    asked = {"model": MODEL, "max_tokens": 4096, "messages": HELLO}
    kept = {}

    @check
    def anthropic_text_in_pieces_of_one_byte():
        system = [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}]
        with client.messages.stream(**asked, system=system) as stream:
            events = read_all(stream)
            message = strict(stream.get_final_message())
        same(message.content[0].text, "Привет, world 👋🏽!")
        same(message.stop_reason, "end_turn")
        deltas = [event.delta.text for event in events if event.type == "content_block_delta"]
        holds(len(deltas) > 1, "more than one delta")
        same("".join(deltas), message.content[0].text)
        usage = message.usage
        same((usage.input_tokens, usage.output_tokens), (12, 34))
        same((usage.cache_read_input_tokens, usage.cache_creation_input_tokens), (1000, 100))
        split = usage.cache_creation
        same((split.ephemeral_5m_input_tokens, split.ephemeral_1h_input_tokens), (100, 0))

    @check
    def anthropic_cache_kept_for_an_hour():
        marker = {"type": "ephemeral", "ttl": "1h"}
        system = [{"type": "text", "text": "Be kind.", "cache_control": marker}]
        message = strict(client.messages.create(**asked, system=system))
        split = message.usage.cache_creation
        same((split.ephemeral_5m_input_tokens, split.ephemeral_1h_input_tokens), (0, 100))

    @check
    def anthropic_thinking_and_parallel_tools():
        thinking = {"type": "enabled", "budget_tokens": 1024}
        with client.messages.stream(**asked, tools=TOOLS, thinking=thinking) as stream:
            for event in stream:
                strict(event)
            message = strict(stream.get_final_message())
        same(
            [block.type for block in message.content],
            ["thinking", "redacted_thinking", "text", "tool_use", "tool_use", "tool_use"],
        )
        thought, hidden, text, first, second, third = message.content
        same((thought.thinking, thought.signature), ("Two files, both small.", "c2lnbmF0dXJl"))
        same(hidden.data, "b3BhcXVl")
        same(text.text, "I look at both.")
        same((first.id, first.name, first.input), ("toolu_01", "read", {"path": "a.rs", "lines": [1, 2]}))
        same((second.id, second.input, third.input), ("toolu_02", {"path": "б.rs"}, {}))
        same(message.stop_reason, "tool_use")
        kept["blocks"] = [block.model_dump(exclude_none=True) for block in message.content]

    @check
    def anthropic_results_go_back():
        ids = [block["id"] for block in kept["blocks"] if block["type"] == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": id, "content": "fine"} for id in ids]
        blocks = [{name: value for name, value in block.items() if name != "caller"} for block in kept["blocks"]]
        messages = [*HELLO, {"role": "assistant", "content": blocks}, {"role": "user", "content": results}]
        thinking = {"type": "enabled", "budget_tokens": 1024}
        message = client.messages.create(
            model=MODEL, max_tokens=4096, messages=messages, tools=TOOLS, thinking=thinking
        )
        same(strict(message).content[0].text, "Both are fine.")

    @check
    def anthropic_whole_message():
        message = strict(client.messages.create(**asked, tools=TOOLS))
        same([block.type for block in message.content], ["thinking", "tool_use"])
        same(message.content[1].input, {"path": "c.rs"})

    @check
    def anthropic_stop_reasons():
        for reason in ["max_tokens", "refusal"]:
            with client.messages.stream(**asked) as stream:
                same(strict(stream.get_final_message()).stop_reason, reason)

    @check
    def anthropic_rate_limit():
        error = fails(anthropic.RateLimitError, lambda: client.messages.create(**asked))
        same(error.response.headers["retry-after"], "7")
        same(error.body["error"]["type"], "rate_limit_error")
        holds(error.request_id.startswith("req_"), "a request id")

    @check
    def anthropic_overloaded():
        error = fails(anthropic.InternalServerError, lambda: client.messages.create(**asked))
        same((error.status_code, error.body["error"]["type"]), (529, "overloaded_error"))

    @check
    def anthropic_internal_error():
        error = fails(anthropic.InternalServerError, lambda: client.messages.create(**asked))
        same((error.status_code, error.body["error"]["type"]), (500, "api_error"))

    @check
    def anthropic_prompt_is_too_long():
        error = fails(anthropic.BadRequestError, lambda: client.messages.create(**asked))
        same(error.body["error"]["message"], "prompt is too long: 210000 tokens > 200000 maximum")

    @check
    def anthropic_overloaded_in_the_stream():
        deltas = []

        def read():
            with client.messages.stream(**asked) as stream:
                deltas.extend(stream.text_stream)

        error = fails(anthropic.APIStatusError, read)
        same(error.body["error"]["type"], "overloaded_error")
        same(len(deltas), 1)

    @check
    def anthropic_connection_cut():
        def read():
            with client.messages.stream(**asked) as stream:
                stream.get_final_message()

        error = fails(Exception, read)
        holds("incomplete" in str(error) or isinstance(error, anthropic.APIConnectionError), f"a cut: {error!r}")

    @check
    def anthropic_retries_after_the_wait():
        patient = anthropic.Anthropic(base_url=url, api_key=KEY, max_retries=1)
        same(patient.messages.create(**asked).content[0].text, "At the second try.")

    @check
    def anthropic_counts_tokens():
        count = strict(client.messages.count_tokens(model=MODEL, messages=HELLO, tools=TOOLS))
        more = client.messages.count_tokens(model=MODEL, messages=HELLO, tools=TOOLS, system="x" * 400)
        holds(count.input_tokens > 0, "some tokens")
        same(more.input_tokens - count.input_tokens in range(100, 103), True)

    @check
    def anthropic_refuses_what_breaks_a_rule():
        result = {"type": "tool_result", "tool_use_id": "toolu_99", "content": "fine"}
        messages = [*HELLO, {"role": "assistant", "content": "hi"}, {"role": "user", "content": [result]}]
        error = fails(
            anthropic.BadRequestError,
            lambda: client.messages.create(model=MODEL, max_tokens=16, messages=messages, tools=TOOLS),
        )
        holds("unexpected `tool_use_id` found in `tool_result` blocks" in str(error), str(error))

    @check
    def anthropic_key_and_model():
        stranger = anthropic.Anthropic(base_url=url, api_key="other-key", max_retries=0)
        error = fails(anthropic.AuthenticationError, lambda: stranger.messages.create(**asked))
        same(error.body["error"]["type"], "authentication_error")
        other = {**asked, "model": "other-model"}
        error = fails(anthropic.NotFoundError, lambda: client.messages.create(**other))
        same(error.body["error"]["message"], "model: other-model")

    @check
    def anthropic_models():
        models = [strict(model) for model in client.models.list()]
        same([(model.id, model.max_input_tokens) for model in models], [(MODEL, 200000)])
        same(strict(client.models.retrieve(MODEL)).id, MODEL)


# OpenAI ------------------------------------------------------------------------------------------------------------

FUNCTIONS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "parameters": {"type": "object", "properties": {"path": {"type": "string"}}},
        },
    }
    for name in ["read", "list"]
]


def chat_checks(url):
    client = openai.OpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0)
    asked = {"model": MODEL, "messages": HELLO}
    streamed = {**asked, "stream": True, "stream_options": {"include_usage": True}}
    kept = {}

    @check
    def chat_text_and_usage():
        chunks = [strict(chunk) for chunk in client.chat.completions.create(**streamed)]
        texts = [chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices]
        same("".join(texts), "Привет, world 👋🏽!")
        same(chunks[-2].choices[0].finish_reason, "stop")
        usage = chunks[-1].usage
        same(chunks[-1].choices, [])
        same((usage.prompt_tokens, usage.completion_tokens, usage.total_tokens), (1012, 34, 1046))
        same(usage.prompt_tokens_details.cached_tokens, 1000)
        same([chunk.usage for chunk in chunks[:-1]], [None] * (len(chunks) - 1))

    @check
    def chat_parallel_tools_and_reasoning():
        reasoning = []
        with client.chat.completions.stream(**asked, tools=FUNCTIONS) as stream:
            for event in stream:
                if event.type == "chunk":
                    strict(event.chunk)
                    delta = event.chunk.choices[0].delta
                    reasoning.append(getattr(delta, "reasoning_content", None) or "")
            completion = stream.get_final_completion()
        choice = completion.choices[0]
        same("".join(reasoning), "Two files.")
        same((choice.message.content, choice.finish_reason), ("I look at both.", "tool_calls"))
        calls = [(call.id, call.function.name, json.loads(call.function.arguments)) for call in choice.message.tool_calls]
        same(calls, [("call_1", "read", {"path": "a.rs"}), ("call_2", "list", {"deep": True})])
        kept["calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.function.name, "arguments": call.function.arguments},
            }
            for call in choice.message.tool_calls
        ]

    @check
    def chat_results_go_back():
        said = {"role": "assistant", "content": "I look at both.", "tool_calls": kept["calls"]}
        results = [{"role": "tool", "tool_call_id": call["id"], "content": "fine"} for call in kept["calls"]]
        completion = client.chat.completions.create(
            model=MODEL, messages=[*HELLO, said, *results], tools=FUNCTIONS
        )
        same(strict(completion).choices[0].message.content, "Both are fine.")

    @check
    def chat_whole_completion():
        completion = strict(client.chat.completions.create(**asked, tools=FUNCTIONS))
        message = completion.choices[0].message
        same((message.content, completion.choices[0].finish_reason), (None, "tool_calls"))
        same(json.loads(message.tool_calls[0].function.arguments), {"path": "c.rs"})

    @check
    def chat_length():
        chunks = read_all(client.chat.completions.create(**streamed))
        same(chunks[-2].choices[0].finish_reason, "length")

    @check
    def chat_rate_limit():
        error = fails(openai.RateLimitError, lambda: client.chat.completions.create(**streamed))
        same((error.response.headers["retry-after"], error.code), ("7", "rate_limit_exceeded"))

    @check
    def chat_overloaded():
        error = fails(openai.InternalServerError, lambda: client.chat.completions.create(**streamed))
        same((error.status_code, error.type), (503, "server_error"))

    @check
    def chat_prompt_is_too_long():
        error = fails(openai.BadRequestError, lambda: client.chat.completions.create(**streamed))
        same(error.code, "context_length_exceeded")
        holds("maximum context length is 200000 tokens" in str(error), str(error))

    @check
    def chat_error_in_the_stream():
        chunks = []
        error = fails(openai.APIError, lambda: chunks.extend(client.chat.completions.create(**streamed)))
        holds("The server had an error" in error.message, error.message)
        texts = [chunk.choices[0].delta.content or "" for chunk in chunks]
        same("".join(texts), "This ")

    @check
    def chat_refusals():
        stranger = openai.OpenAI(base_url=f"{url}/v1", api_key="other-key", max_retries=0)
        error = fails(openai.AuthenticationError, lambda: stranger.chat.completions.create(**asked))
        same(error.code, "invalid_api_key")
        error = fails(
            openai.NotFoundError, lambda: client.chat.completions.create(model="other-model", messages=HELLO)
        )
        same(error.code, "model_not_found")
        orphan = [*HELLO, {"role": "tool", "tool_call_id": "call_99", "content": "fine"}]
        error = fails(
            openai.BadRequestError, lambda: client.chat.completions.create(model=MODEL, messages=orphan)
        )
        holds("must be a response to a preceeding message with 'tool_calls'" in str(error), str(error))

    @check
    def openai_models():
        same([strict(model).id for model in client.models.list()], [MODEL])


def responses_checks(url):
    client = openai.OpenAI(base_url=f"{url}/v1", api_key=KEY, max_retries=0)
    tools = [{"type": "function", "strict": False, **function["function"]} for function in FUNCTIONS]
    asked = {"model": MODEL, "input": HELLO, "store": False}
    kept = {}

    @check
    def responses_reasoning_text_and_calls():
        include = ["reasoning.encrypted_content"]
        events = []
        with client.responses.stream(**asked, tools=tools, include=include) as stream:
            events.extend(stream)
            response = stream.get_final_response()
        same([event.sequence_number for event in events], list(range(len(events))))
        thought, message, first, second = response.output
        same((thought.type, thought.id), ("reasoning", "rs_abc"))
        same(thought.summary[0].text, "Two files, both small.")
        same(thought.encrypted_content, "ZW5jcnlwdGVk")
        same(message.content[0].text, "Я look at both.")
        same(response.output_text, "Я look at both.")
        same((first.call_id, first.name, json.loads(first.arguments)), ("call_4", "read", {"path": "a.rs"}))
        same((second.call_id, second.arguments), ("call_5", "{}"))
        usage = response.usage
        same((usage.input_tokens, usage.input_tokens_details.cached_tokens), (1012, 1000))
        holds(0 < usage.output_tokens_details.reasoning_tokens < usage.output_tokens == 34, "reasoning tokens")
        deltas = [event.delta for event in events if event.type == "response.reasoning_summary_text.delta"]
        same("".join(deltas), "Two files, both small.")
        kept["output"] = [item.model_dump(exclude_none=True, exclude={"parsed_arguments"}) for item in response.output]

    @check
    def responses_outputs_go_back():
        items = []
        for item in kept["output"]:
            for part in item.get("content", []):
                part.pop("parsed", None)
            items.append(item)
        results = [
            {"type": "function_call_output", "call_id": id, "output": "fine"} for id in ["call_4", "call_5"]
        ]
        stream = client.responses.create(
            model=MODEL, store=False, input=[*HELLO, *items, *results], tools=tools, stream=True
        )
        events = [strict(event) for event in stream]
        kinds = [event.type for event in events]
        same(
            [kind for kind in kinds if not kind.endswith("delta")],
            [
                "response.created",
                "response.in_progress",
                "response.output_item.added",
                "response.content_part.added",
                "response.output_text.done",
                "response.content_part.done",
                "response.output_item.done",
                "response.completed",
            ],
        )
        same(events[-1].response.output_text, "Both are fine.")

    @check
    def responses_whole_response():
        response = strict(client.responses.create(**asked, tools=tools))
        same((response.status, response.output[0].type), ("completed", "function_call"))
        same(json.loads(response.output[0].arguments), {"path": "c.rs"})

    @check
    def responses_incomplete():
        last = [strict(event) for event in client.responses.create(**asked, stream=True)][-1]
        same(last.type, "response.incomplete")
        same(last.response.incomplete_details.reason, "max_output_tokens")

    @check
    def responses_too_long():
        last = read_all(client.responses.create(**asked, stream=True))[-1]
        same((last.type, last.response.error.code), ("response.failed", "context_length_exceeded"))
        error = fails(openai.BadRequestError, lambda: client.responses.create(**asked))
        same(error.code, "context_length_exceeded")

    @check
    def responses_fails_in_the_stream():
        events = read_all(client.responses.create(**asked, stream=True))
        same([event.sequence_number for event in events], list(range(len(events))))
        same((events[-1].type, events[-2].type), ("response.failed", "response.output_text.delta"))
        same((events[-1].response.status, events[-1].response.error.code), ("failed", "rate_limit_exceeded"))

    @check
    def responses_rate_limit():
        error = fails(openai.RateLimitError, lambda: client.responses.create(**asked, stream=True))
        same(error.response.headers["retry-after"], "7")

    @check
    def responses_refusals():
        orphan = [{"type": "function_call_output", "call_id": "call_99", "output": "fine"}]
        error = fails(
            openai.BadRequestError, lambda: client.responses.create(model=MODEL, input=orphan, tools=tools)
        )
        holds("No tool call found for function call output with call_id call_99." in str(error), str(error))

    @check
    def responses_count_input_tokens():
        count = strict(client.responses.input_tokens.count(model=MODEL, input="hello"))
        holds(count.input_tokens > 0, "some tokens")


# Ollama ------------------------------------------------------------------------------------------------------------


def ollama_checks(url):
    client = ollama.Client(host=url)
    asked = {"model": MODEL, "messages": HELLO, "options": {"num_ctx": 4096}}

    @check
    def ollama_chat():
        tools = [
            {"type": "function", "function": {**function["function"], "description": "A tool."}}
            for function in FUNCTIONS
        ]
        parts = read_all(client.chat(**asked, tools=tools, stream=True))
        same("".join(part.message.thinking or "" for part in parts), "Two files.")
        same("".join(part.message.content or "" for part in parts), "Я look at both.")
        calls = [call for part in parts for call in part.message.tool_calls or []]
        same([(call.function.name, call.function.arguments) for call in calls], [("read", {"path": "a.rs"})])
        last = parts[-1]
        same((last.done, last.done_reason), (True, "stop"))
        same((last.prompt_eval_count, last.eval_count), (12, 34))

    @check
    def ollama_whole_answer():
        answer = client.chat(**asked)
        same((answer.message.content, answer.done_reason), ("Short.", "length"))

    @check
    def ollama_errors():
        error = fails(ollama.ResponseError, lambda: read_all(client.chat(**asked, stream=True)))
        holds("unexpectedly stopped" in str(error), str(error))
        error = fails(ollama.ResponseError, lambda: client.chat(**{**asked, "model": "other-model"}))
        same((error.status_code, error.error), (404, "model 'other-model' not found"))

    @check
    def ollama_models():
        same([model.model for model in client.list().models], [MODEL])
        shown = client.show(MODEL)
        family = shown.modelinfo["general.architecture"]
        same(shown.modelinfo[f"{family}.context_length"], 200000)
        holds("tools" in shown.capabilities, "it calls tools")
        statuses = [progress.status for progress in client.pull(MODEL, stream=True)]
        same((statuses[0], statuses[-1]), ("pulling manifest", "success"))


# Google ------------------------------------------------------------------------------------------------------------


def google_checks(url):
    # One try: the checks look at errors.
    retries = types.HttpRetryOptions(attempts=1)
    options = types.HttpOptions(base_url=url, api_version="v1beta", retry_options=retries)
    # It closes its connections when nothing names it any more.
    google = genai.Client(api_key=KEY, http_options=options)
    client = google.models
    schema = {"type": "object", "properties": {"path": {"type": "string"}}}
    functions = [
        types.FunctionDeclaration(name=name, description="A tool.", parameters_json_schema=schema)
        for name in ["read", "list"]
    ]
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=functions)])
    asked = {"model": MODEL, "config": config}
    hello = types.Content(role="user", parts=[types.Part(text="hello")])
    kept = {}

    @check
    def google_thinking_and_parallel_calls():
        chunks = read_all(client.generate_content_stream(**asked, contents=[hello]))
        parts = [part for chunk in chunks for part in chunk.candidates[0].content.parts]
        same("".join(part.text for part in parts if part.thought), "Two files.")
        same("".join(part.text for part in parts if part.text and not part.thought), "Я look at both.")
        calls = [part for part in parts if part.function_call]
        same([(part.function_call.id, part.function_call.args) for part in calls],
             [("call_8", {"path": "a.rs"}), ("call_9", {})])
        same([part.thought_signature is None for part in calls], [False, True])
        last = chunks[-1]
        same(last.candidates[0].finish_reason, types.FinishReason.STOP)
        usage = last.usage_metadata
        same((usage.prompt_token_count, usage.cached_content_token_count), (1012, 1000))
        same(usage.candidates_token_count + usage.thoughts_token_count, 34)
        kept["calls"] = calls

    @check
    def google_results_go_back():
        results = [
            types.Part(function_response=types.FunctionResponse(
                id=part.function_call.id, name=part.function_call.name, response={"output": "fine"}
            ))
            for part in kept["calls"]
        ]
        contents = [hello, types.Content(role="model", parts=kept["calls"]), types.Content(role="user", parts=results)]
        answer = client.generate_content(**asked, contents=contents)
        same(answer.text, "Both are fine.")

    @check
    def google_cut_and_blocked():
        answer = client.generate_content(**asked, contents=[hello])
        same((answer.text, answer.candidates[0].finish_reason), ("And then", types.FinishReason.MAX_TOKENS))
        blocked = read_all(client.generate_content_stream(**asked, contents=[hello]))
        same(blocked[-1].prompt_feedback.block_reason, types.BlockedReason.PROHIBITED_CONTENT)

    @check
    def google_errors():
        error = fails(errors.ClientError, lambda: client.generate_content(**asked, contents=[hello]))
        same((error.code, error.status), (429, "RESOURCE_EXHAUSTED"))
        same(error.details["error"]["details"][0]["retryDelay"], "7s")
        error = fails(errors.ClientError, lambda: client.generate_content(**asked, contents=[hello]))
        same((error.code, error.status), (400, "INVALID_ARGUMENT"))
        other = {**asked, "model": "other-model"}
        error = fails(errors.ClientError, lambda: client.generate_content(**other, contents=[hello]))
        same((error.code, error.status), (404, "NOT_FOUND"))
        wrong = genai.Client(api_key="wrong", http_options=options)
        error = fails(errors.ClientError, lambda: wrong.models.generate_content(**asked, contents=[hello]))
        same(error.details["error"]["details"][0]["reason"], "API_KEY_INVALID")

    @check
    def google_models():
        names = [(model.name, model.input_token_limit) for model in client.list()]
        same(names, [(f"models/{MODEL}", 200000)])


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    url = sys.argv[1].rstrip("/")
    anthropic_checks(url)
    chat_checks(url)
    responses_checks(url)
    if ollama is None:
        print("left   ollama: the package is not installed")
    else:
        ollama_checks(url)
    google_checks(url)
    if FAILED:
        print(f"{len(FAILED)} failed", file=sys.stderr)
    return 1 if FAILED else 0


if __name__ == "__main__":
    sys.exit(main())
