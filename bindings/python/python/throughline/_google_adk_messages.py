"""Contents of Google ADK, which are in the form of Gemini's API."""

from __future__ import annotations

from typing import Any

from google.genai import types


def schema_of(declaration: Any) -> dict[str, Any]:
    if declaration.parameters_json_schema:
        return declaration.parameters_json_schema
    return declaration.parameters.model_dump(mode="json", exclude_none=True) if declaration.parameters else {"type": "object"}


def item(content: Any) -> dict[str, Any]:
    return content.model_dump(mode="json", by_alias=True, exclude_none=True)


def message(item: dict[str, Any], original: Any) -> Any:
    """A message of the engine."""
    return types.Content.model_validate(item)
