"""Answers: records that commands and tools give, as JSON, their schemas, what an agent sees.

An answer is a record, or a named tuple of the Python API. Its fields are the JSON's members, by the
same names. `Annotated[X, APART]` is for who renders it as text alone, `Annotated[X, UNTOLD]` is in
the JSON, and no part of what an agent sees over MCP.
"""

import inspect
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from enum import StrEnum
from functools import cache
from types import NoneType, UnionType
from typing import (
    Any,
    Final,
    Literal,
    NewType,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from learnt.core.records import APART, UNTOLD, JsonValue, fields_of, is_record
from learnt.core.safety import neutralise

T = TypeVar("T")


def filled(answer: type[T], *sources: object, **given: object) -> T:
    """An answer of what is `given`, else of the first source with it. Raises TypeError for gaps.

    >>> from typing import NamedTuple
    >>> class Sum(NamedTuple):
    ...     real: int
    ...     said: str = "exact"
    >>> filled(Sum, 3), filled(Sum, 3, said="about")
    (Sum(real=3, said='exact'), Sum(real=3, said='about'))
    """
    kind: Any = answer
    read = {
        name: getattr(source, name)
        for name, _, _ in fields_of(kind)
        for source in reversed(sources)
        if hasattr(source, name)
    }
    return answer(**{**read, **given})


@cache
def members(answer: Any, *, told: bool = False) -> tuple[str, ...]:
    """The fields of an answer that its JSON has, or those of them that an agent sees over MCP."""
    without = {APART, UNTOLD} if told else {APART}
    marks = ((name, getattr(type_, "__metadata__", ())) for name, type_, _ in fields_of(answer))
    return tuple(name for name, marked in marks if without.isdisjoint(marked))


def to_json(value: Any, *, told: bool = False) -> JsonValue:
    """An answer as JSON: records by their fields, named tuples likewise, sequences as lists.

    A field that is called as a keyword of Python's has an underscore behind its name: `from_`.
    With `told` what is UNTOLD is left out. Raises TypeError for what is none of these.
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return str(value)  # an enum's member as its value
    if isinstance(value, date):
        return value.isoformat()
    if is_record(type(value)):
        kind: Any = type(value)
        names = members(kind, told=told)
        return {name.rstrip("_"): to_json(getattr(value, name), told=told) for name in names}
    if isinstance(value, Mapping):
        return {str(name): to_json(part, told=told) for name, part in value.items()}
    if isinstance(value, Iterable):
        return [to_json(part, told=told) for part in value]
    raise TypeError(f"{type(value).__name__} is no part of an answer")


LONGEST_TEXT, LONGEST_OF_MANY = 3_000, 300
_LARGE: Final = 1e15  # no figure of ours is: infinity, which JSON has not, comes by a stranger
MOST_CHARACTERS: Final = 50_000
MOST_ITEMS: Final = 15


def as_told(answer: object) -> JsonValue:
    """The JSON of an answer without what is UNTOLD and without what is empty.

    Texts are neutralised, as they are for a prompt, and cut; lists have their first items;
    fractions are rounded down: 0.799 is not to read as what would be trusted.
    """
    whole = to_json(answer, told=True)
    shown = _shown(whole, LONGEST_TEXT)
    long = len(json.dumps(shown, ensure_ascii=False)) > MOST_CHARACTERS
    return _shown(whole, LONGEST_OF_MANY) if long else shown


def _shown(value: JsonValue, longest: int) -> JsonValue:
    if isinstance(value, str):
        text = neutralise(value)
        return text if len(text) <= longest else text[: longest - 1] + "…"
    if isinstance(value, float):
        return math.floor(value * 100) / 100 if abs(value) < _LARGE else None
    if isinstance(value, Mapping):
        shown = {name: _shown(part, longest) for name, part in value.items()}
        return {name: part for name, part in shown.items() if part not in (None, "", [], {})}
    if isinstance(value, list):
        return [_shown(part, longest) for part in value[:MOST_ITEMS]]
    return value


_PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
_NAMED = {"JsonValue": Any, "Sequence": Sequence, "Mapping": Mapping}  # in the types of JSON
Schema = dict[str, Any]


class Schemas:
    """Schemas of types; the records that they hold are kept once each, by name.

    With `told` they are of what an agent sees over MCP, where what is empty is left out.
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
        if is_record(kind):
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
    """The schema of what an agent sees of an answer, with all that it refers to."""
    schemas = Schemas(told=True)
    whole = {"type": "object", **schemas.of(kind)}
    if "$ref" in whole:
        whole = schemas.records.pop(kind.__name__)
    return {**whole, "$defs": schemas.records} if schemas.records else whole
