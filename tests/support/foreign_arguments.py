"""Arguments of any type that a parser takes, made from foreign bytes."""

import collections.abc
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, Final

from learnt.core.records import JsonValue
from learnt.core.safety import Clean
from learnt.domains.database.servers.connections import Dialect
from learnt.formats import skill_text
from learnt.formats.observations import lenient
from learnt.stores.stemming import porter

Foreign = bytes  # a text is given as its bytes, decoded as the transcript's reader does


def decoded(raw: Foreign) -> str:
    """Foreign bytes as text."""
    return raw.decode("utf-8", "replace")


def value(raw: Foreign) -> Any:
    """Foreign bytes as JSON, or what a text is as JSON where they are none."""
    text = decoded(raw)
    try:
        return lenient(text)
    except (ValueError, RecursionError):
        return text


def mapped(raw: Foreign) -> dict[str, Any]:
    """Foreign bytes as an object of JSON, or one whose members they are."""
    found = value(raw)
    return found if isinstance(found, dict) else {"text": found, "name": found, "content": [found]}


def _last(raw: Foreign) -> str:
    return (decoded(raw).splitlines() or [""])[-1][:200]


def lines(raw: Foreign) -> list[str]:
    """Foreign bytes as lines, with their ends."""
    return decoded(raw).splitlines(keepends=True)


def _fixed(anything: object) -> Callable[[Foreign], object]:
    return lambda raw: anything


def filler(name: str, hint: Any, first: bool) -> Callable[[Foreign], object] | None:
    """What makes an argument of this type from foreign bytes; None where nothing can."""
    said, choices = str(hint), typing.get_args(hint)
    if name in _BY_NAME:
        return _BY_NAME[name]
    if str(JsonValue) in said:
        return mapped if said.startswith(("dict", "collections.abc.Mapping")) else value
    if isinstance(hint, types.UnionType) and type(None) in choices:
        only = [each for each in choices if each is not type(None)]
        return filler(name, only[0], first) if len(only) == 1 else None
    if hint is str or hint is Clean:
        return decoded if first else _last
    plain: list[Callable[[Foreign], object]] = [f for known, f in _BY_TYPE if hint == known]
    if plain:
        return plain[0]
    return _of_many(typing.get_origin(hint), choices)


def _of_many(origin: Any, held: tuple[Any, ...]) -> Callable[[Foreign], object] | None:
    """The same for a type that holds others."""
    if origin in (frozenset, collections.abc.Container):
        return lambda raw: frozenset(lines(raw)[:9])
    if origin in (collections.abc.Mapping, dict) and held[0] is str:
        files: Callable[[Foreign], object] = _FILES.get(held[1], mapped)
        return files
    each = origin in (collections.abc.Iterable, collections.abc.Sequence, list, tuple)
    return lines if each and held and held[0] in (str, str | bytes) else None


_BY_NAME: Final[Mapping[str, Callable[[Foreign], object]]] = {
    "front": lambda raw: skill_text.read(decoded(raw), "").front,
    "key": _fixed(b"k" * 32),
    "randomness": _fixed(b"k" * 32),
}
_BY_TYPE: Final[Sequence[tuple[Any, Callable[[Foreign], object]]]] = (
    (bytes, lambda raw: raw),
    (date, _fixed(date(2026, 3, 1))),
    (int, _fixed(1)),
    (float, _fixed(1.0)),
    (bool, _fixed(True)),
    (Dialect, _fixed("mysql")),
    ("Iterable[str]", lines),
    (Callable[[str], str], _fixed(porter)),
    (object, value),
    (Any, value),
)
_FILES: Final[Mapping[Any, Callable[[Foreign], object]]] = {
    str: lambda raw: {"a.md": decoded(raw), "b.json": decoded(raw), "SKILL.md": _last(raw)},
    bytes: lambda raw: {"SKILL.md": raw, "b.py": raw[:99]},
}
