"""An agent of Microsoft Agent Framework whose sessions are compacted, stored and resumed. A scripted client runs: it needs no key.

    python agent_framework_agent.py
"""

import asyncio
import json

from agent_framework import (
    Agent,
    BaseChatClient,
    ChatMiddlewareLayer,
    ChatResponse,
    Content,
    FunctionInvocationLayer,
    InMemoryHistoryProvider,
    Message,
    tool,
)

from throughline import Engine  # added
from throughline.agent_framework import Throughline  # added

throughline = Throughline(Engine("sessions"), model="scripted", window=24_000)  # added


class Scripted(FunctionInvocationLayer, ChatMiddlewareLayer, BaseChatClient):
    asked = 0

    async def _inner_get_response(self, *, messages, stream, options, **_):
        self.asked += 1
        print(f"request {self.asked}: {len(messages)} messages")
        arguments = json.dumps({"folder": f"src/{self.asked}"})
        call = Content.from_function_call(f"call-{self.asked}", "list_files", arguments=arguments)
        said = call if self.asked <= 20 else Content.from_text("src/1/file 149")
        return ChatResponse(messages=[Message("assistant", [said])])


@tool(approval_mode="never_require")
def list_files(folder: str) -> str:
    """Lists the files of a folder."""
    return "\n".join(f"{folder}/file {at} has {at * 37} bytes" for at in range(150))


async def main() -> None:
    history = InMemoryHistoryProvider("history")
    agent = Agent(
        Scripted(function_invocation_configuration={"max_iterations": 50}),
        instructions="You answer questions about files.",
        tools=[list_files],
        context_providers=[history, throughline],  # changed
    )
    session = agent.create_session(session_id="files")
    result = await agent.run("Which files are the largest?", session=session)
    print(result.text, "after", len(session.state["history"]["messages"]), "messages")
    print(throughline.context("files").report().window)


asyncio.run(main())
