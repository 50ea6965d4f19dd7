"""Answers: the records that commands and tools give, filled from other records and written as JSON.

An answer is a named tuple or a frozen dataclass. Its fields are the JSON's members, by the same
names. `Annotated[X, APART]` is for who renders it as text alone, `Annotated[X, UNTOLD]` is in the
JSON, and no part of what an agent is told over MCP. What only a command prints is a named tuple: a
dataclass takes ten times as long to define, and each start of a command pays for that.
"""

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from functools import cache
from typing import Any, TypeVar

from learnt.core.json_values import JsonValue
from learnt.core.records import APART, UNTOLD

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
        for name in (kind.__dataclass_fields__ if is_dataclass(kind) else kind._fields)
        for source in reversed(sources)
        if hasattr(source, name)
    }
    return answer(**{**read, **given})


@cache
def members(answer: Any, *, told: bool = False) -> tuple[str, ...]:
    """The fields of an answer that its JSON has, or that of them an agent is told over MCP."""
    dataclass_ = is_dataclass(answer)
    types = {f.name: f.type for f in fields(answer)} if dataclass_ else answer.__annotations__
    without = {APART, UNTOLD} if told else {APART}
    marks = {name: getattr(type_, "__metadata__", ()) for name, type_ in types.items()}
    return tuple(name for name in types if without.isdisjoint(marks[name]))


def to_json(value: Any, *, told: bool = False) -> JsonValue:
    """An answer as JSON: records by their fields, named tuples likewise, sequences as lists.

    A field that is called as a keyword of Python's has an underscore behind its name: `from_`.
    With `told` what is UNTOLD is left out. Raises TypeError for what is none of these.

    >>> to_json((1, None, {"at": date(2026, 1, 2)}))
    [1, None, {'at': '2026-01-02'}]
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return str(value)  # an enum's member as its value
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "_fields") or (is_dataclass(value) and not isinstance(value, type)):
        kind: Any = type(value)
        names = members(kind, told=told)
        return {name.rstrip("_"): to_json(getattr(value, name), told=told) for name in names}
    if isinstance(value, Mapping):
        return {str(name): to_json(part, told=told) for name, part in value.items()}
    if isinstance(value, Iterable):
        return [to_json(part, told=told) for part in value]
    raise TypeError(f"{type(value).__name__} is no part of an answer")
