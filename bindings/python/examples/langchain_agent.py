"""An agent of LangChain whose threads are compacted, stored and resumed.

    python langchain_agent.py anthropic:claude-sonnet-4-5 "Which files are the largest?"

Without a model, a scripted one runs: it needs no key.
"""

import sys

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from throughline import Engine  # added
from throughline.langchain import Throughline  # added

throughline = Throughline(Engine("sessions"), window=24_000)  # added


class Scripted(BaseChatModel):
    asked: list = []

    @property
    def _llm_type(self):
        return "scripted"

    def bind_tools(self, tools, **_):
        return self

    def _generate(self, messages, stop=None, run_manager=None, **_):
        self.asked.append(len(messages))
        step = len(self.asked)
        print(f"request {step}: {len(messages)} messages")
        call = {"id": f"call-{step}", "name": "list_files", "args": {"folder": f"src/{step}"}, "type": "tool_call"}
        said = AIMessage("", tool_calls=[call]) if step <= 20 else AIMessage("src/1/file 149")
        return ChatResult(generations=[ChatGeneration(message=said)])


@tool
def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "\n".join(f"{folder}/file {at} has {at * 37} bytes" for at in range(150))


model, prompt = (sys.argv + [None, None])[1:3]
agent = create_agent(
    model or Scripted(),
    [list_files],
    system_prompt="You answer questions about files.",
    middleware=[throughline],  # added
    checkpointer=InMemorySaver(),
)
config = {"configurable": {"thread_id": "files"}, "recursion_limit": 200}
state = agent.invoke({"messages": prompt or "Which files are the largest?"}, config)
print(state["messages"][-1].text, "after", len(state["messages"]), "messages")
print(throughline.context("files").report().window)
