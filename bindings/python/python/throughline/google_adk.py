"""Google ADK: a plugin that decides what each request shows. The session of the framework stays whole.

    app = App(name="app", root_agent=agent, plugins=[Throughline(engine, window=1_000_000)])
"""

from __future__ import annotations

from typing import Any

from google.adk.plugins import BasePlugin
from google.adk.tools import BaseTool
from google.genai import types

from ._contexts import Engine
from ._google_adk_messages import item, message, schema_of
from ._sessions import ListSessions, Sessions, tool, usage


class Throughline(Sessions, BasePlugin):
    """Compaction, stored results, receipts and resume for the sessions of an app. `settings` are those of `Engine.open`; the model's
    name, the system prompt and the tools are the agent's."""

    def __init__(self, engine: Engine, **settings: Any):
        super().__init__("throughline")
        self.sessions = ListSessions(engine, item, message, wire="gemini", **settings)
        self._whole: dict[str, list[Any]] = {}
        self._tool = _ReadResult(self.sessions)

    async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> None:
        declared = [one for tool in llm_request.config.tools or () for one in getattr(tool, "function_declarations", None) or ()]
        tools = [tool(one.name, one.description, schema_of(one)) for one in declared]
        system = llm_request.config.system_instruction
        facts = {"model": llm_request.model or "model", "system": system if isinstance(system, str) else None, "tools": tools}
        synced = await self.sessions.aget(callback_context.session.id, **facts)
        self._whole[callback_context.invocation_id] = whole = list(llm_request.contents)
        llm_request.contents = await synced.acall(whole)
        if self._tool.name not in llm_request.tools_dict:
            llm_request.append_tools([self._tool])

    async def after_model_callback(self, *, callback_context: Any, llm_response: Any) -> None:
        synced, used = self.sessions.find(callback_context.session.id), llm_response.usage_metadata
        if synced is None or llm_response.partial:
            return
        if used:
            synced.usage = usage(used.prompt_token_count, used.cached_content_token_count, None, used.candidates_token_count)
        content = llm_response.content
        if content and not any(part.function_call for part in content.parts or ()):
            await synced.anote([*self._whole[callback_context.invocation_id], content])

    async def on_model_error_callback(self, *, callback_context: Any, llm_request: Any, error: Exception) -> Any:
        """After an overflow, the plugin asks the model itself: the framework has no word for asking again."""
        synced = self.sessions.find(callback_context.session.id)
        while synced and await synced.arefused(error):
            llm_request.contents = await synced.acall(self._whole[callback_context.invocation_id])
            model = callback_context._invocation_context.agent.canonical_model
            try:
                async for response in model.generate_content_async(llm_request):
                    if not response.partial:
                        return response
            except Exception as again:
                error = again
        return None

    async def after_run_callback(self, *, invocation_context: Any) -> None:
        self._whole.pop(invocation_context.invocation_id, None)


class _ReadResult(BaseTool):
    def __init__(self, sessions: ListSessions):
        self._sessions = sessions
        super().__init__(name=sessions.read_result[0], description=sessions.read_result[1])

    def _get_declaration(self) -> types.FunctionDeclaration:
        name, description, schema = self._sessions.read_result
        return types.FunctionDeclaration(name=name, description=description, parameters_json_schema=schema)

    async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> Any:
        return (await self._sessions.aread(tool_context.session.id, args)).text
