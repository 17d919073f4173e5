"""An agent of pydantic-ai whose sessions are compacted, stored and resumed.

    python pydantic_ai_agent.py anthropic:claude-sonnet-4-5 "Which files are the largest?"

Without a model, a scripted one runs: it needs no key.
"""

import sys

from pydantic_ai import Agent
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import RequestUsage

from throughline import Engine  # added
from throughline.pydantic_ai import Throughline  # added

throughline = Throughline(Engine("sessions"), window=24_000)  # added


asked = []


def scripted(messages, info):
    asked.append(messages)
    print(f"request {len(asked)}: {len(messages)} messages")
    call = ToolCallPart("list_files", {"folder": f"src/{len(asked)}"})
    part = call if len(asked) <= 20 else TextPart("src/1/file 149")
    return ModelResponse([part], usage=RequestUsage(input_tokens=900 * len(messages)))


model, prompt = (sys.argv + [None, None])[1:3]
agent = Agent(
    model or FunctionModel(scripted, model_name="scripted"),
    instructions="You answer questions about files.",
    capabilities=[throughline],  # added
)


@agent.tool_plain
def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "\n".join(f"{folder}/file {at} has {at * 37} bytes" for at in range(150))


result = agent.run_sync(prompt or "Which files are the largest?", conversation_id="files")
print(result.output, "after", len(result.all_messages()), "messages")
print(throughline.context("files").report().window)
