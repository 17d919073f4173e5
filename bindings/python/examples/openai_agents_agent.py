"""An agent of the OpenAI Agents SDK whose session is compacted, stored and resumed.

    python openai_agents_agent.py gpt-5 "Which files are the largest?"

Without a model, a scripted one runs: it needs no key.
"""

import sys

from agents import Agent, Runner, SQLiteSession, function_tool, set_tracing_disabled
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call

from throughline import Engine  # added
from throughline.openai_agents import Throughline  # added

throughline = Throughline(Engine("sessions"), "files", window=24_000)  # added


def scripted() -> ScriptedModel:
    set_tracing_disabled(True)
    asked = []

    def answer(call):
        asked.append(call)
        print(f"request {len(asked)}: {len(call.input) if isinstance(call.input, list) else 1} items")
        folder = f"src/{len(asked)}"
        if len(asked) <= 20:
            return ModelStep(output=[function_call("list_files", {"folder": folder}, call_id=f"call-{folder}")])
        return ModelStep(output=[assistant_message("src/1/file 149")])

    return ScriptedModel([ModelStep.respond(answer)] * 30)


@function_tool
def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "\n".join(f"{folder}/file {at} has {at * 37} bytes" for at in range(150))


model, prompt = (sys.argv + [None, None])[1:3]
agent = Agent(name="files", instructions="You answer questions about files.", tools=[list_files], model=model or scripted())
agent = throughline.wrap(agent)  # added
session = SQLiteSession("files")
result = Runner.run_sync(agent, prompt or "Which files are the largest?", session=session, max_turns=50)
print(result.final_output, "after", len(result.to_input_list()), "items")
print(throughline.context.report().window)
