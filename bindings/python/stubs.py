"""Writes what the package says about the engine's operations: their table, and the types of their inputs and outputs.

    python stubs.py          writes _operations.py, _contexts.pyi and __init__.pyi in python/throughline
    python stubs.py --check  fails if one of them is not what it would write
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

PACKAGE = Path(__file__).parent / "python" / "throughline"
NOT_METHODS = ("open", "list", "describe")

HEAD = '''# Written by stubs.py from the engine's table of operations.
from os import PathLike
from typing import Any, Literal, Sequence

from ._json import Record

WIRE: str

class Request:
    send: Literal["request", "summary"]
    id: int
    model: str
    @property
    def predicted(self) -> Record: ...
    @property
    def notices(self) -> list[Record]: ...
    @property
    def json(self) -> bytes: ...
    @property
    def body(self) -> dict[str, Any]: ...
    def to_dict(self) -> int: ...
'''

PACKAGE_HEAD = '''# Written by stubs.py from the engine's table of operations.
from ._json import Record as Record
from ._json import ThroughlineError as ThroughlineError
from ._lists import ListSync as ListSync
'''

KIND = '''
class {engine}:
    _handle: Any
    def __init__(self, data_dir: str | PathLike[str] | None = None, database: str | None = None, memory: bool = False) -> None: ...
    @property
    def aio(self) -> AsyncEngine: ...
    @property
    def blocking(self) -> Engine: ...
    {verb}call(self, operation: str, **input: Any) -> Any: ...
    {verb}open(self, id: str, *, key: str | None = None, {opening}) -> {context}: ...
    {verb}list(self) -> Sequence[Record]: ...

class {context}:
    engine: {engine}
    id: str
    opened: Opened
    wire: str
    _opening: dict[str, Any]
    def _run(self, operation: str, input: dict[str, Any]) -> Any: ...
    @property
    def tools(self) -> list[Record]: ...
    @property
    def aio(self) -> AsyncContext: ...
    @property
    def blocking(self) -> Context: ...
    {verb}{enter}(self) -> {context}: ...
    {verb}{exit}(self, *_: Any) -> None: ...
    {verb}next_request(self, *, key: str | None = None) -> Request: ...
'''


class Types:
    """Types of outputs, a class for each object."""

    def __init__(self) -> None:
        self.classes: dict[str, str] = {}

    def of(self, schema: Any, name: str) -> str:
        if not isinstance(schema, dict):
            return "Any"
        for word in ("anyOf", "oneOf"):
            if word in schema:
                words = [json.dumps(one["const"]) for one in schema[word] if "const" in one]
                kinds = [self.of(one, name) for one in schema[word] if "const" not in one]
                literal = [f"Literal[{', '.join(words)}]"] if words else []
                return " | ".join(dict.fromkeys(literal + kinds))
        if "enum" in schema:
            return f"Literal[{', '.join(json.dumps(one) for one in schema['enum'])}]"
        kinds = schema.get("type", "any")
        kinds = kinds if isinstance(kinds, list) else [kinds]
        return " | ".join(self.kind(kind, schema, name) for kind in kinds)

    def kind(self, kind: str, schema: dict[str, Any], name: str) -> str:
        if kind == "array":
            return f"list[{self.of(schema.get('items'), name.removesuffix('s'))}]"
        if kind != "object":
            plain = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "null": "None"}
            return plain.get(kind, "Any")
        fields = schema.get("properties", {})
        if not fields or any(not field.isidentifier() or field == "from" for field in fields):
            return "Record" if fields else "dict[str, Any]"
        lines = [f"    {field}: {self.of(inner, camel(field))}" for field, inner in fields.items()]
        body = "\n".join(lines)
        if body not in self.classes.values():
            self.classes[name] = body
        return next(known for known, lines in self.classes.items() if lines == body)


def camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def given(schema: dict[str, Any], field: str) -> str:
    """The type of an input: objects may be of an SDK, and texts may be bytes."""
    if field == "request":
        return "Request | int"
    if field in ("text", "stream", "body") and schema.get("type") == "string":
        return "str | bytes"
    made = Types().of(schema, "Given")
    for wide in ("Given", "dict[str, Any]"):
        made = made.replace(wide, "Any")
    return made.replace("list[", "Sequence[")


def split(row: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Fields that are required, and the others."""
    required = row["input"].get("required", [])
    fields = [field for field in row["input"].get("properties", {}) if field not in ("context", "key")]
    return [f for f in fields if f in required], [f for f in fields if f not in required]


def named(fields: list[str]) -> str:
    return f"({', '.join(map(json.dumps, fields))}{',' if len(fields) == 1 else ''})"


def methods(rows: list[dict[str, Any]], types: Types, verb: str) -> str:
    lines = []
    for row in rows:
        if row["name"] in (*NOT_METHODS, "next_request"):
            continue
        required, others = split(row)
        fields = row["input"].get("properties", {})
        listed = [f"{f}: {given(fields[f], f)}" for f in required]
        for field in others:
            kind = given(fields[field], field)
            listed.append(f"{field}: {kind}{'' if kind.endswith('None') else ' | None'} = None")
        output = types.of(row["output"], camel(row["name"]) + "Output")
        output = "Record" if output == "dict[str, Any]" else output
        arguments = ", ".join(["self", *listed, "*", "key: str | None = None"])
        lines.append(f"    {verb}{row['name']}({arguments}) -> {output}: ...")
    return "\n".join(lines) + "\n"


def written() -> dict[str, str]:
    from throughline import Engine

    rows = Engine(memory=True).call("describe")["operations"]
    table = ['"""Operations of a context: fields that are required, others, what it does. And the types of outputs. Written by stubs.py."""\n', "OPERATIONS = {"]
    for row in rows:
        if row["name"] not in NOT_METHODS:
            required, others = split(row)
            table += [f"    {json.dumps(row['name'])}: (", *(f"        {named(fields)}," for fields in (required, others))]
            table += [f"        {json.dumps(row['about'])},", "    ),"]
    types = Types()
    opened = next(row for row in rows if row["name"] == "open")
    types.of(opened["output"], "Opened")
    required, others = split(opened)
    fields = opened["input"]["properties"]
    opening = ", ".join(
        [f"{f}: {given(fields[f], f)}" for f in required]
        + [f"{f}: {kind}{'' if kind.endswith('None') else ' | None'} = None" for f in others for kind in [given(fields[f], f)]]
    )
    text = ""
    for prefix, verb in (("", "def "), ("Async", "async def ")):
        words = ("__aenter__", "__aexit__") if prefix else ("__enter__", "__exit__")
        text += KIND.format(engine=prefix + "Engine", context=prefix + "Context", verb=verb, opening=opening, enter=words[0], exit=words[1])
        text += methods(rows, types, verb)
    classes = "".join(f"\nclass {name}(Record):\n{body}\n" for name, body in types.classes.items())
    names = "".join(f"    {json.dumps(name)},\n" for name in types.classes)
    records = f'RECORDS = (\n{names})\n"""The types of outputs: each is a `Record`."""\n'
    kinds = ("Engine", "Context", "AsyncEngine", "AsyncContext", "Request", *types.classes)
    package = PACKAGE_HEAD + "".join(f"from ._contexts import {name} as {name}\n" for name in kinds)
    return {
        "_operations.py": "\n".join(table) + "\n}\n\n" + records,
        "_contexts.pyi": HEAD + classes + text,
        "__init__.pyi": package,
    }


def main() -> None:
    for name, text in written().items():
        path = PACKAGE / name
        if "--check" not in sys.argv:
            path.write_text(text)
        elif path.read_text() != text:
            sys.exit(f"{path} is not what stubs.py writes: run `python stubs.py`")


if __name__ == "__main__":
    main()
