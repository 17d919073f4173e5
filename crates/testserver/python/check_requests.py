"""Validates request bodies by the parameter types of the providers' own clients.

    python check_requests.py anthropic|chat|responses|gemini < BODIES

Reads one JSON body, or null, from each line, and prints for each a JSON list of what the types say against it.

Needs the packages `anthropic`, `openai` and `google-genai`. Google's types are those of the parts of a body: the client has
none of the whole. Lists in the parameter types are iterables, which pydantic validates only as
they are read; so everything that comes out of a validation is read to its end.
"""

import json
import sys

import pydantic


def types(kind):
    """The types of a body: of a stream and of a whole answer, with betas where there are some."""
    if kind == "anthropic":
        from anthropic.types import message_create_params as plain
        from anthropic.types.beta import message_create_params as beta

        return [plain.MessageCreateParams, beta.MessageCreateParams]
    if kind == "chat":
        from openai.types.chat import completion_create_params as chat

        return [chat.CompletionCreateParams]
    if kind == "gemini":
        return [google()]
    from openai.types.responses import response_create_params as responses

    return [responses.ResponseCreateParams]


def google():
    """The body of Gemini's `generateContent`, from the types of its parts."""
    from google.genai import types

    fields = {
        "contents": (list[types.Content], ...),
        "systemInstruction": (types.Content | None, None),
        "tools": (list[types.Tool] | None, None),
        "generationConfig": (types.GenerationConfig | None, None),
    }
    config = pydantic.ConfigDict(extra="forbid")
    return pydantic.create_model("GenerateContentRequest", __config__=config, **fields)


def read(value):
    """Reads all of what a validation gave."""
    if isinstance(value, dict):
        for inner in value.values():
            read(inner)
    elif hasattr(value, "__iter__") and not isinstance(value, str):
        for inner in value:
            read(inner)


def faults(adapter, body):
    try:
        read(adapter.validate_python(body))
    except pydantic.ValidationError as error:
        return [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()]
    return []


def main():
    adapters = [pydantic.TypeAdapter(kind) for kind in types(sys.argv[1])]
    for line in sys.stdin:
        body = json.loads(line)
        found = [] if body is None else min((faults(adapter, body) for adapter in adapters), key=len)
        print(json.dumps(found[:4]))


main()
