"""Strands Agents: a plugin that decides what each call of the model shows. The agent's messages and its session stay whole.

    agent = Agent(model, tools=[…], plugins=[Throughline(engine, "session-1", window=200_000)])
"""

from __future__ import annotations

import json
from typing import Any, AsyncIterator

from strands.agent.conversation_manager import NullConversationManager
from strands.hooks import AfterInvocationEvent, AfterModelCallEvent
from strands.middleware import InvokeModelStage
from strands.plugins import Plugin
from strands.tools.tools import PythonAgentTool
from strands.types.exceptions import ContextWindowOverflowException

from ._contexts import Context, Engine
from ._lists import ListSessions, read_result_tool, text_of


class Throughline(Plugin):
    """Compaction, stored results, receipts and resume for one session, in place of the conversation manager. `settings` are those of `Engine.open`; the model's name, the
    system prompt and the tools are the agent's. `cache` marks the end of each request for the prompt cache."""

    name = "throughline"

    def __init__(self, engine: Engine, session: str, *, cache: bool = False, **settings: Any):
        super().__init__()
        self._id, self._cache, self._read = session, cache, read_result_tool()
        self.sessions = ListSessions(engine, _item, _message, wire="anthropic", **settings)

    @property
    def context(self) -> Context:
        """The context of the session: receipts, handoff, pins."""
        return self.sessions.context(self._id)

    def init_agent(self, agent: Any) -> None:
        def read_result(tool_use: Any, **_: Any) -> Any:
            read = self.context.call("read_result", tool_use["input"])
            status = "error" if read.is_error else "success"
            return {"toolUseId": tool_use["toolUseId"], "status": status, "content": [{"text": read.text}]}

        name, schema = self._read.name, {"json": dict(self._read.input_schema)}
        spec: Any = {"name": name, "description": self._read.description, "inputSchema": schema}
        agent.tool_registry.register_tool(PythonAgentTool(name, spec, read_result))
        agent.conversation_manager = NullConversationManager()  # the default one drops messages for good
        agent.add_hook(self._after_model, AfterModelCallEvent)
        agent.add_hook(self._after_turn, AfterInvocationEvent)
        agent.add_middleware(InvokeModelStage, self._invoke)

    async def _invoke(self, context: Any, next_fn: Any) -> AsyncIterator[Any]:
        tools = [
            {"name": spec["name"], "description": spec["description"], "input_schema": spec["inputSchema"]["json"]}
            for spec in context.tool_specs or ()
            if spec["name"] != self._read.name
        ]
        model = (context.agent.model.get_config() or {}).get("model_id") or "model"
        synced = await self.sessions.aget(self._id, model=model, system=text_of(context.system_prompt) or None, tools=tools)
        sent = await synced.acall(context.messages)
        if self._cache:
            sent[-1] = {**sent[-1], "content": [*sent[-1]["content"], {"cachePoint": {"type": "default"}}]}
        async for event in next_fn(context.replace(messages=sent)):
            yield event

    def _after_model(self, event: Any) -> None:
        synced = self.sessions.find(self._id)
        if synced and isinstance(event.exception, ContextWindowOverflowException):
            event.retry = synced.refused(event.exception, overflow=True)
        elif synced and event.stop_response:
            used = (event.stop_response.message.get("metadata") or {}).get("usage") or {}
            if used.get("inputTokens"):
                read, write = used.get("cacheReadInputTokens") or 0, used.get("cacheWriteInputTokens") or 0
                synced.usage = {"input": used["inputTokens"], "cache_read": read, "cache_write": write, "output": used["outputTokens"]}

    def _after_turn(self, event: Any) -> None:
        if synced := self.sessions.find(self._id):
            synced.note(event.agent.messages)


def _item(message: Any) -> dict[str, Any]:
    return {"role": message["role"], "content": [one for block in message["content"] for one in _block(block)]}


def _block(block: Any) -> list[dict[str, Any]]:
    if "text" in block:
        return [{"type": "text", "text": block["text"]}]
    if use := block.get("toolUse"):
        return [{"type": "tool_use", "id": use["toolUseId"], "name": use["name"], "input": use["input"]}]
    if result := block.get("toolResult"):
        texts = [one["text"] if "text" in one else json.dumps(one.get("json"), default=repr) for one in result["content"]]
        failed = result.get("status") == "error"
        return [{"type": "tool_result", "tool_use_id": result["toolUseId"], "content": "\n".join(texts), "is_error": failed}]
    if "reasoningContent" in block or "cachePoint" in block:
        return []
    return [{"type": "text", "text": f"[{', '.join(block)}]"}]


def _message(item: dict[str, Any], original: Any) -> Any:
    """A message of the engine. Reasoning, which the engine does not change, comes from the original."""
    made = [block for block in original["content"] if "reasoningContent" in block] if original else []
    for block in item["content"] if isinstance(item["content"], list) else [{"type": "text", "text": item["content"]}]:
        if block["type"] == "text":
            made.append({"text": block["text"]})
        elif block["type"] == "tool_use":
            made.append({"toolUse": {"toolUseId": block["id"], "name": block["name"], "input": block["input"]}})
        elif block["type"] == "tool_result":
            status = "error" if block.get("is_error") else "success"
            content = [{"text": text_of(block["content"])}]
            made.append({"toolResult": {"toolUseId": block["tool_use_id"], "status": status, "content": content}})
    return {**(original or {}), "role": item["role"], "content": made}
