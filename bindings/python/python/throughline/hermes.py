"""Hermes: a context engine that decides what each call of the model shows. The transcript changes only after an overflow.

    def register(ctx):  # $HERMES_HOME/plugins/throughline/__init__.py
        Throughline(Engine()).register(ctx)
"""

from __future__ import annotations

import json
from typing import Any

from agent.context_engine import ContextEngine

from ._contexts import Engine
from ._lists import ListSync
from ._sessions import ListSessions, Sessions, usage


class Throughline(Sessions, ContextEngine):
    """Compaction, stored results, receipts and resume for the sessions of Hermes. `settings` are those of `Engine.open`; the model's
    name, its window, the system prompt and the tools are those of Hermes."""

    name = "throughline"
    protect_first_n = 0

    def __init__(self, engine: Engine, **settings: Any):
        self.sessions = ListSessions(engine, wire="openai_chat", **settings)
        self._facts: dict[str, dict[str, Any]] = {}
        self._session, self._folds = "", True

    def __deepcopy__(self, memo: Any) -> Throughline:
        """Each agent gets a copy with figures of its own. The sessions are shared."""
        copy = object.__new__(Throughline)
        copy.__dict__.update(self.__dict__)
        return copy

    def register(self, ctx: Any) -> None:
        """Registers everything, in the `register` of a plugin."""
        ctx.register_context_engine(self)
        ctx.register_middleware("llm_request", self._request)

    def on_session_start(self, session_id: str, model: str = "", context_length: int = 0, **_: Any) -> None:
        self._session, self._facts[session_id] = session_id, {"model": model, "window": context_length or None}

    def update_model(self, model: str, context_length: int, *rest: Any, api_mode: str = "", **more: Any) -> None:
        super().update_model(model, context_length, *rest, **more)
        self._folds = api_mode in ("", "chat_completions")

    def _list(self, session_id: str, **facts: Any) -> ListSync:
        return self.sessions.get(session_id, **{"model": "model", **self._facts.get(session_id, {}), **facts})

    def _request(self, *, request: Any, session_id: str, api_mode: str, **_: Any) -> Any:
        if api_mode != "chat_completions":  # the list is in another form; `compress` gets it in that of Chat Completions
            return None
        first, tools = request["messages"][0], request.get("tools") or ()
        system = first["content"] if first["role"] == "system" and isinstance(first["content"], str) else None
        sent = self._list(session_id, system=system, tools=tools)(request["messages"])
        return {"request": {**request, "messages": sent}}

    def should_compress(self, prompt_tokens: int | None = None) -> bool:
        return not self._folds and (prompt_tokens or 0) >= self.threshold_tokens > 0

    def compress(self, messages: list[Any], current_tokens: Any = None, focus_topic: Any = None, **_: Any) -> list[Any]:
        """After an overflow, and where `should_compress` asks for it: the messages of a smaller request replace the transcript."""
        synced = self._list(self._session)
        if messages and messages[-1]["role"] == "assistant":  # between turns, the next request is smaller
            synced.note(messages)
            self.context(self._session).compact(instructions=focus_topic)
            return messages
        sent = synced(messages)
        if (self._folds or len(sent) == len(messages)) and synced.refused("prompt is too long", overflow=True):
            sent = synced(messages)
        self.compression_count += 1
        return sent

    def update_from_response(self, used: dict[str, Any]) -> None:
        prompt, output = used.get("prompt_tokens") or 0, used.get("completion_tokens") or 0
        self.last_prompt_tokens, self.last_completion_tokens, self.last_total_tokens = prompt, output, prompt + output
        if found := self.sessions.find(self._session):
            found.usage = usage(prompt, used.get("cache_read_tokens"), used.get("cache_write_tokens"), output)

    def on_session_end(self, session_id: str, messages: list[Any]) -> None:
        if found := self.sessions.forget(session_id):
            found.note(messages)
            found.context.blocking.close()

    def get_tool_schemas(self) -> list[dict[str, Any]]:
        name, description, schema = self.sessions.read_result
        return [{"name": name, "description": description, "parameters": schema}]

    def handle_tool_call(self, name: str, args: dict[str, Any], **_: Any) -> str:
        return json.dumps({"result": self.sessions.read(self._session, args).text})
