"""Google ADK: a plugin that decides what each request shows. The session of the framework stays whole.

    app = App(name="app", root_agent=agent, plugins=[Throughline(engine, window=1_000_000)])
"""

from __future__ import annotations

from typing import Any

from google.adk.plugins import BasePlugin
from google.adk.tools import BaseTool
from google.genai import types

from ._contexts import Context, Engine
from ._lists import ListSessions, ListSync, read_result_tool


class Throughline(BasePlugin):
    """Compaction, stored results, receipts and resume for the sessions of an app. `settings` are those of `Engine.open`; the model's
    name, the system prompt and the tools are the agent's."""

    def __init__(self, engine: Engine, **settings: Any):
        super().__init__("throughline")
        self.sessions = ListSessions(engine, _item, _message, wire="gemini", **settings)
        self._whole: dict[str, list[Any]] = {}
        self._tool = _ReadResult(self.sessions)

    def context(self, session_id: str) -> Context:
        """The context of a session: receipts, handoff, pins."""
        return self.sessions.context(session_id)

    async def before_model_callback(self, *, callback_context: Any, llm_request: Any) -> None:
        declared = [one for tool in llm_request.config.tools or () for one in getattr(tool, "function_declarations", None) or ()]
        tools = [
            {"name": one.name, "description": one.description or "", "input_schema": _schema(one)}
            for one in declared
            if one.name != self._tool.name
        ]
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
        if used and used.prompt_token_count:
            read, output = used.cached_content_token_count or 0, used.candidates_token_count or 0
            synced.usage = {"input": used.prompt_token_count - read, "cache_read": read, "cache_write": 0, "output": output}
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
        self._sessions, self._read = sessions, read_result_tool()
        super().__init__(name=self._read.name, description=self._read.description)

    def _get_declaration(self) -> types.FunctionDeclaration:
        schema = dict(self._read.input_schema)
        return types.FunctionDeclaration(name=self.name, description=self.description, parameters_json_schema=schema)

    async def run_async(self, *, args: dict[str, Any], tool_context: Any) -> Any:
        return (await self._sessions.context(tool_context.session.id).aio.call("read_result", args)).text


def _schema(declaration: Any) -> dict[str, Any]:
    if declaration.parameters_json_schema:
        return declaration.parameters_json_schema
    return declaration.parameters.model_dump(mode="json", exclude_none=True) if declaration.parameters else {"type": "object"}


def _item(content: Any) -> dict[str, Any]:
    return content.model_dump(mode="json", by_alias=True, exclude_none=True)


def _message(item: dict[str, Any], original: Any) -> Any:
    """A message of the engine. The names and ids of results, which a model may leave out, come from the original."""
    content = types.Content.model_validate(item)
    for made, was in zip(_results(content), _results(original) if original else ()):
        made.name, made.id = was.name, was.id
    return content


def _results(content: Any) -> list[Any]:
    return [part.function_response for part in content.parts or () if part.function_response]
