"""Strands Agents: a plugin that decides what each call of the model shows. The agent's messages and its session stay whole.

    agent = Agent(model, tools=[…], plugins=[Throughline(engine, "session-1", window=200_000)])
"""

from __future__ import annotations

from typing import Any, AsyncIterator

from strands.agent.conversation_manager import NullConversationManager
from strands.hooks import AfterInvocationEvent, AfterModelCallEvent
from strands.middleware import InvokeModelStage
from strands.plugins import Plugin
from strands.tools.tools import PythonAgentTool
from strands.types.exceptions import ContextWindowOverflowException

from ._contexts import Engine
from ._sessions import ListSessions, Session, text_of, tool, usage
from ._strands_messages import item, message


class Throughline(Session, Plugin):
    """Compaction, stored results, receipts and resume for one session. It replaces the conversation manager. `settings` are those of
    `Engine.open`; the model's name, the system prompt and the tools are the agent's. `cache` sets the breakpoints of the prompt cache
    that the engine plans, for models of Anthropic."""

    name = "throughline"

    def __init__(self, engine: Engine, session: str, *, cache: bool = False, **settings: Any):
        super().__init__()
        self.id, self._cache = session, cache
        self.sessions = ListSessions(engine, item, message, wire="anthropic", **settings)

    def init_agent(self, agent: Any) -> None:
        def read_result(tool_use: Any, **_: Any) -> Any:
            read = self.sessions.read(self.id, tool_use["input"])
            status = "error" if read.is_error else "success"
            return {"toolUseId": tool_use["toolUseId"], "status": status, "content": [{"text": read.text}]}

        name, description, schema = self.sessions.read_result
        spec: Any = {"name": name, "description": description, "inputSchema": {"json": schema}}
        agent.tool_registry.register_tool(PythonAgentTool(name, spec, read_result))
        agent.conversation_manager = NullConversationManager()  # the default one drops messages for good
        agent.add_hook(self._after_model, AfterModelCallEvent)
        agent.add_hook(self._after_turn, AfterInvocationEvent)
        agent.add_middleware(InvokeModelStage, self._invoke)

    async def _invoke(self, context: Any, next_fn: Any) -> AsyncIterator[Any]:
        tools = [tool(spec["name"], spec["description"], spec["inputSchema"]["json"]) for spec in context.tool_specs or ()]
        model = (context.agent.model.get_config() or {}).get("model_id") or "model"
        synced = await self.sessions.aget(self.id, model=model, system=text_of(context.system_prompt) or None, tools=tools)
        sent = await synced.acall(context.messages)
        for at, lifetime in synced.marks.items() if self._cache else ():
            point = {"cachePoint": {"type": "default", "ttl": lifetime}}
            sent[at] = {**sent[at], "content": [*sent[at]["content"], point]}
        async for event in next_fn(context.replace(messages=sent)):
            yield event

    def _after_model(self, event: Any) -> None:
        synced = self.sessions.find(self.id)
        if synced and isinstance(event.exception, ContextWindowOverflowException):
            event.retry = synced.refused(event.exception, overflow=True)
        elif synced and event.stop_response:
            used = (event.stop_response.message.get("metadata") or {}).get("usage") or {}
            read, write = used.get("cacheReadInputTokens"), used.get("cacheWriteInputTokens")
            synced.usage = usage(used.get("inputTokens"), read, write, used.get("outputTokens"))

    def _after_turn(self, event: Any) -> None:
        if synced := self.sessions.find(self.id):
            synced.note(event.agent.messages)
