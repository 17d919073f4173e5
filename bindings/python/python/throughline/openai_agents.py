"""OpenAI Agents SDK: a model that decides what each request shows. The session of the SDK stays whole.

    throughline = Throughline(engine, "session-1", window=400_000)
    result = await Runner.run(throughline.wrap(agent), "…", session=SQLiteSession("session-1", "agent.db"))
"""

from __future__ import annotations

import dataclasses
import json
from typing import Any

from agents import Agent, FunctionTool
from agents.models.interface import Model
from agents.models.multi_provider import MultiProvider
from agents.run_config import ModelInputData

from ._contexts import Engine
from ._lists import ListSync
from ._openai_agents_model import EngineModel
from ._sessions import ListSessions, Session, tool


class Throughline(Session):
    """Compaction, stored results, receipts and resume for one session. `settings` are those of `Engine.open`; the model's name, the
    instructions and the tools are the agent's."""

    def __init__(self, engine: Engine, session: str, **settings: Any):
        self.id, self.sessions = session, ListSessions(engine, wire="openai_responses", **settings)

    def wrap(self, agent: Agent[Any]) -> Agent[Any]:
        """The agent with `read_result`, and with a model that is asked for less. Each agent of a handoff is wrapped by itself."""
        model = agent.model if isinstance(agent.model, Model) else MultiProvider().get_model(agent.model)
        return dataclasses.replace(agent, model=EngineModel(model, self.list), tools=[*agent.tools, self.tool()])

    def tool(self) -> FunctionTool:
        """`read_result`."""

        async def invoke(_: Any, arguments: str) -> str:
            return (await self.sessions.aread(self.id, json.loads(arguments))).text

        name, description, schema = self.sessions.read_result
        return FunctionTool(name, description, schema, invoke, strict_json_schema=False)

    async def filter(self, data: Any) -> ModelInputData:
        """A `call_model_input_filter`, where the model cannot be wrapped. After an overflow the run ends."""
        given = data.model_data
        synced = await self.list(str(data.agent.model), given.instructions, data.agent.tools)
        return ModelInputData(input=await synced.acall(given.input), instructions=given.instructions)

    async def list(self, model: str, instructions: str | None, tools: list[Any]) -> ListSync:
        """The list of the session."""
        described = [tool(one.name, one.description, one.params_json_schema) for one in tools if isinstance(one, FunctionTool)]
        return await self.sessions.aget(self.id, model=model, system=instructions or None, tools=described)
