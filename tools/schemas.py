"""JSON schemas of what commands print with `--json`, made of the records that they print."""

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

import click

from learnt.formats.answers import APART
from learnt.surfaces.cli.commands import learnt_command

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_NAMED = {"JsonValue": Any, "Sequence": Sequence, "Mapping": Mapping}  # in the types of JSON
Schema = dict[str, Any]


class Schemas:
    """Schemas of types; the records that they hold are kept once each, by name."""

    def __init__(self) -> None:
        self.records: dict[str, Schema] = {}
        self._types: dict[str, Any] = {}

    def of(self, kind: Any) -> Schema:
        """The schema of a type. Raises TypeError for one that no answer may hold."""
        if isinstance(kind, NewType):
            return self.of(kind.__supertype__)
        if kind in _PLAIN:
            return {"type": _PLAIN[kind]}
        if kind is date:
            return {"type": "string", "format": "date"}
        if kind is Any:
            return {}
        if isinstance(kind, type) and issubclass(kind, StrEnum):
            return {"enum": [str(member) for member in kind]}
        if is_dataclass(kind) or hasattr(kind, "_fields"):
            return self._record(kind)
        return self._of_parts(get_origin(kind), get_args(kind))

    def _of_parts(self, origin: Any, parts: tuple[Any, ...]) -> Schema:
        if origin is Literal:
            return {"enum": list(parts)}
        if origin in {Union, UnionType}:
            return {"anyOf": [self.of(part) for part in parts]}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(parts[1])}
        if origin is tuple and parts[1:] != (...,):
            items = [self.of(part) for part in parts]
            return {"type": "array", "prefixItems": items, "items": False, "minItems": len(items)}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            return {"type": "array", "items": self.of(parts[0])}
        raise TypeError(f"{origin} is no part of an answer")

    def _record(self, kind: Any) -> Schema:
        name = kind.__name__
        if self._types.setdefault(name, kind) is not kind:
            raise TypeError(f"two records are called {name}")
        if name not in self.records:
            self.records[name] = {}  # a record may hold itself
            types, apart = get_type_hints(kind, localns=_NAMED), set[str]()
            if is_dataclass(kind):
                apart = {field.name for field in fields(kind) if field.metadata == APART}
            names = [part for part in types if part not in apart]
            members = {part.rstrip("_"): self.of(types[part]) for part in names}
            self.records[name] = {
                "description": " ".join((inspect.getdoc(kind) or "").split()),
                "type": "object",
                "properties": members,
                "required": list(members),
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}


def printing(command: click.Command, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every command that has `--json`, and the type of what it prints; None where none is said."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            below = command.get_command(context, word)
            assert below is not None
            yield from printing(below, f"{name} {word}".strip())
        return
    answers = getattr(command, "answers", None)
    if answers is not None or any("--json" in option.opts for option in command.params):
        yield name, answers


def document() -> Schema:
    """All schemas: `commands` by name, and the records that they refer to."""
    schemas = Schemas()
    commands = {
        name: schemas.of(answers)
        for name, answers in sorted(printing(learnt_command), key=lambda pair: pair[0])
        if answers is not None
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What `learnt COMMAND --json` prints, by command",
        "type": "object",
        "properties": commands,
        "$defs": dict(sorted(schemas.records.items())),
    }


def page() -> str:
    """The document as text: a command and a record a line."""
    whole = document()
    parts = []
    for part in ("properties", "$defs"):
        rows = [f"  {_line(name)}: {_line(schema)}" for name, schema in whole.pop(part).items()]
        parts.append(f" {_line(part)}: {{\n" + ",\n".join(rows) + "\n }")
    head = [f" {_line(name)}: {_line(value)}" for name, value in whole.items()]
    return "{\n" + ",\n".join([*head, *parts]) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def overview() -> str:
    """A page of the commands with what each answers."""
    whole = document()
    rows = []
    for name, schema in whole["properties"].items():
        refs = [part["$ref"].rpartition("/")[2] for part in schema.get("anyOf", [schema])
                if "$ref" in part]  # fmt: skip
        said = " Or: ".join(whole["$defs"][ref]["description"] for ref in refs)
        rows.append(f"| `{name}` | {', '.join(f'`{ref}`' for ref in refs)} | {said} |")
    return f"{_HEAD}\n" + "\n".join(["| command | answer | |", "|---|---|---|", *rows]) + "\n"


_HEAD = """# What `--json` prints

Generated from the records that the commands print, by `python -m tools.docs`. The schemas are in
[`answers.schema.json`](answers.schema.json): `properties` has them by command, `$defs` by record.
A refusal prints no JSON: it is a line on standard error and an exit code. Members may be added to
an answer; none changes its meaning or goes without a line in the changelog. What the MCP server
answers it describes itself (`tools/list`).
"""
