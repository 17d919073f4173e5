"""An agent of Strands whose session is compacted, stored and resumed.

    python strands_agent.py us.anthropic.claude-sonnet-4-5-20250929-v1:0 "Which files are the largest?"

Without a model of Bedrock, a scripted one runs: it needs no key.
"""

import json
import sys

from strands import Agent, tool
from strands.models.model import Model

from throughline import Engine  # added
from throughline.strands import Throughline  # added

throughline = Throughline(Engine("sessions"), "files", window=24_000)  # added


class Scripted(Model):
    asked = 0

    def update_config(self, **_):
        pass

    def get_config(self):
        return {"model_id": "scripted"}

    async def structured_output(self, *_, **__):
        raise NotImplementedError
        yield

    async def stream(self, messages, tool_specs=None, system_prompt=None, **_):
        self.asked += 1
        print(f"request {self.asked}: {len(messages)} messages")
        calls = self.asked <= 20
        start = {"toolUse": {"name": "list_files", "toolUseId": f"call-{self.asked}"}} if calls else {}
        delta = {"toolUse": {"input": json.dumps({"folder": f"src/{self.asked}"})}} if calls else {"text": "src/1/file 149"}
        yield {"messageStart": {"role": "assistant"}}
        yield {"contentBlockStart": {"start": start}}
        yield {"contentBlockDelta": {"delta": delta}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "tool_use" if calls else "end_turn"}}


@tool
def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "\n".join(f"{folder}/file {at} has {at * 37} bytes" for at in range(150))


model, prompt = (sys.argv + [None, None])[1:3]
agent = Agent(
    model or Scripted(),
    tools=[list_files],
    system_prompt="You answer questions about files.",
    plugins=[throughline],  # added
    callback_handler=None,
)
result = agent(prompt or "Which files are the largest?")
print(str(result).strip(), "after", len(agent.messages), "messages")
print(throughline.context.report().window)
