"""An app of Google ADK whose sessions are compacted, stored and resumed.

    python google_adk_agent.py gemini-2.5-flash "Which files are the largest?"

Without a model, a scripted one runs: it needs no key.
"""

import asyncio
import sys

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models import BaseLlm, LlmResponse
from google.adk.runners import Runner
from google.adk.sessions import InMemorySessionService
from google.genai import types

from throughline import Engine  # added
from throughline.google_adk import Throughline  # added

throughline = Throughline(Engine("sessions"), window=24_000)  # added


class Scripted(BaseLlm):
    asked: list = []

    async def generate_content_async(self, llm_request, stream=False):
        self.asked.append(len(llm_request.contents))
        step = len(self.asked)
        print(f"request {step}: {self.asked[-1]} contents")
        call = types.Part(function_call=types.FunctionCall(name="list_files", args={"folder": f"src/{step}"}))
        part = call if step <= 20 else types.Part(text="src/1/file 149")
        yield LlmResponse(content=types.Content(role="model", parts=[part]))


def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "\n".join(f"{folder}/file {at} has {at * 37} bytes" for at in range(150))


async def main(model, prompt) -> None:
    model = model or Scripted(model="scripted")
    agent = LlmAgent(name="files", model=model, instruction="You answer questions about files.", tools=[list_files])
    app = App(name="files", root_agent=agent, plugins=[throughline])  # changed
    runner = Runner(app=app, session_service=InMemorySessionService())
    await runner.session_service.create_session(app_name="files", user_id="me", session_id="files")
    message = types.Content(role="user", parts=[types.Part(text=prompt or "Which files are the largest?")])
    events = [event async for event in runner.run_async(user_id="me", session_id="files", new_message=message)]
    print(events[-1].content.parts[0].text, "after", len(events), "events")
    print(throughline.context("files").report().window)


asyncio.run(main(*(sys.argv + [None, None])[1:3]))
