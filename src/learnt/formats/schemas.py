"""JSON schemas of answers, made of the records that they are."""

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import is_dataclass
from datetime import date
from enum import StrEnum
from types import NoneType, UnionType
from typing import Any, Literal, NewType, Union, get_args, get_origin, get_type_hints

from learnt.formats.answers import members

_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_NAMED = {"JsonValue": Any, "Sequence": Sequence, "Mapping": Mapping}  # in the types of JSON
Schema = dict[str, Any]


class Schemas:
    """Schemas of types; the records that they hold are kept once each, by name.

    With `told` they are of what an agent is told over MCP, where what is empty is left out.
    """

    def __init__(self, *, told: bool = False) -> None:
        self.records: dict[str, Schema] = {}
        self._told = told
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
            types = get_type_hints(kind, localns=_NAMED)
            names = members(kind, told=self._told)
            parts = {name.rstrip("_"): self.of(types[name]) for name in names}
            self.records[name] = {
                "description": " ".join((inspect.getdoc(kind) or "").split()),
                "type": "object",
                "properties": parts,
                **({} if self._told else {"required": list(parts)}),
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}


def told_schema(kind: type) -> Schema:
    """The schema of what an agent is told of an answer, with all that it refers to."""
    schemas = Schemas(told=True)
    schemas.of(kind)
    whole = schemas.records.pop(kind.__name__)
    return {**whole, "$defs": schemas.records} if schemas.records else whole
