"""JSON as values with one canonical text, and one codec for records, stored by their fields.

| a field of type | is stored as |
|---|---|
| `str`, `int`, `bool`, a `NewType` or `Literal` of them, a `StrEnum` | that value |
| `X \\| None` | X or null |
| `tuple[X, ...]`, `tuple[X, Y]` | a list |
| `Mapping[str, X]`, `dict[str, X]` | an object |
| another record | an object |

A field that equals its default is left out, so that equal records are equal bytes; one without a
default is always written. `Annotated[X, ...]` changes that: `ALWAYS` writes the field whatever it
holds, `INLINE` puts a record's members among those of the outer one, `ROWS` stores records as
lists, `named` stores the field under another name.

Reading is lenient, since a home outlives the code that wrote it: members that no field has are
ignored, a value of a wrong type counts as missing, and what is missing has its default. Without
one it is an error, which names the record and the field.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from operator import attrgetter
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Final,
    Literal,
    NewType,
    TypeAlias,
    TypeVar,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
)

import msgspec
from msgspec import NODEFAULT

if TYPE_CHECKING:
    JsonValue: TypeAlias = (
        "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
    )
else:  # msgspec reads no type that names itself
    JsonValue = bool | int | float | str | Sequence[Any] | Mapping[str, Any] | None
JsonObject: TypeAlias = Mapping[str, JsonValue]


def canonical(value: JsonValue) -> str:
    """The one text of a value: keys sorted, no spaces. Changing it changes every hash.

    Raises ValueError for NaN and infinity, which JSON does not have.

    >>> canonical({"b": 1, "a": [True, "é"]})
    '{"a":[true,"é"],"b":1}'
    """
    return json.dumps(
        value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
    )


def holds(serialised: str, text: str) -> bool:
    """Whether a text stands in another, case folded, as it is or as JSON would spell it.

    >>> holds('{"said": "Say \\\\"HI\\\\""}', 'say "hi"'), holds("\\\\u00e9t\\\\u00e9", "Été")
    (True, True)
    """
    folded = serialised.casefold()
    return any(
        spelling.casefold() in folded
        for word in {text, text.casefold(), text.upper(), text.lower()}
        for spelling in (word, json.dumps(word)[1:-1], json.dumps(word, ensure_ascii=False)[1:-1])
    )


def text_of(value: JsonValue) -> str:
    """The value if it is a string, else the empty string.

    >>> text_of("x"), text_of(3)
    ('x', '')
    """
    return value if isinstance(value, str) else ""


def whole(value: JsonValue, default: int = 0) -> int:
    """The value if it is a whole number (true and false are not), else the default.

    >>> whole(3), whole("3"), whole(True)
    (3, 0, 0)
    """
    return value if isinstance(value, int) and not isinstance(value, bool) else default


def strings(value: JsonValue) -> tuple[str, ...]:
    """The strings of a list, in order; anything else is dropped.

    >>> strings(["a", 1, "b"]), strings("a")
    (('a', 'b'), ())
    """
    if isinstance(value, str) or not isinstance(value, Sequence):
        return ()
    return tuple(item for item in value if isinstance(item, str))


def member(value: JsonValue, name: str) -> JsonValue:
    """What an object holds under a name; None where it holds nothing or is no object.

    >>> member({"a": 1}, "a"), member([1], "a")
    (1, None)
    """
    return value.get(name) if isinstance(value, Mapping) else None


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """What all records are: fields that do not change, equal where all of them are."""


class Row(Record, frozen=True, order=True):
    """A record that is a sequence of its fields as well, as the rows of tables are.

    It is equal to a tuple of the same values.
    """

    def __iter__(self) -> Iterator[Any]:
        return iter(msgspec.structs.astuple(self))

    def __len__(self) -> int:
        return len(self.__struct_fields__)

    def __getitem__(self, at: int | slice) -> Any:
        return msgspec.structs.astuple(self)[at]

    def __eq__(self, other: object) -> bool:
        return msgspec.structs.astuple(self) == (tuple(other) if isinstance(other, Row) else other)

    def __hash__(self) -> int:
        return hash(msgspec.structs.astuple(self))


class Stored(Record):
    """How a field is stored, where its type alone does not say it."""

    name: str = ""
    always: bool = False
    inline: bool = False
    rows: bool = False


ALWAYS: Final = Stored(always=True)
INLINE: Final = Stored(inline=True)
ROWS: Final = Stored(rows=True)
# What answers leave out, which are made of some of these records: see `formats/answers.py`.
APART: Final = "apart"
UNTOLD: Final = "untold"

T = TypeVar("T")
_Read = Callable[[Any], Any]
_Write = Callable[[Any], Any] | None  # None: the value is JSON as it is
_UNREADABLE: Final = object()  # what a reader gives for a value of a wrong type


def named(name: str) -> Stored:
    """What marks a field that is stored under another name."""
    return Stored(name=name)


class Unreadable(ValueError):
    """A stored record lacks what it can't be without; the ledger tells it as LedgerDamaged."""


class _Part(Row):
    """How one field is stored. `default` is `_UNREADABLE` where it is always written."""

    name: str
    key: str
    default: Any
    write: _Write


class _Plan(Record):
    parts: tuple[_Part, ...]
    values: Callable[[Any], tuple[Any, ...]]  # of a record: its fields in the order of `parts`
    readers: Mapping[str, tuple[str, Any, _Read]]  # by the name that is stored
    required: frozenset[str]
    inline: tuple[tuple[str, type, bool], ...]  # field, its record, whether it may be None


def encode(record: object) -> JsonObject:
    """A record as the JSON object that is stored.

    >>> encode(Stored(name="from", always=False))
    {'name': 'from'}
    """
    stored: dict[str, JsonValue] = {}
    plan = _plan(type(record))
    for (_, key, default, write), value in zip(plan.parts, plan.values(record), strict=True):
        if value != default:
            stored[key] = value if write is None else write(value)
    for name, _, _ in plan.inline:
        inner = getattr(record, name)
        if inner is not None:
            stored.update(encode(inner))
    return stored


def shared(record: object, names: str) -> dict[str, Any]:
    """Fields of a record by their names, for another that has them too.

    >>> shared(ROWS, "name rows")
    {'name': '', 'rows': True}
    """
    return {name: getattr(record, name) for name in names.split()}


def decode(kind: type[T], stored: JsonValue) -> T:
    """The record of a class that a JSON value stands for. Raises Unreadable where it is none.

    >>> decode(Stored, {"name": "from", "always": "yes", "newer": 1}).always
    False
    """
    if not isinstance(stored, Mapping):
        raise Unreadable(_trouble(kind, {}, f"is {stored!r}"))
    plan = _plan(kind)
    readers = plan.readers
    given: dict[str, Any] = {}
    for key, raw in stored.items():
        reader = readers.get(key)
        if reader is not None:
            name, plain, read = reader
            # Most fields are a text or a number, for which no call is needed.
            value = raw if type(raw) is plain else read(raw)
            if value is not _UNREADABLE:
                given[name] = value
    for name, inner, optional in plan.inline:
        absent = optional and not any(key in stored for key in _plan(inner).readers)
        given[name] = None if absent else decode(inner, stored)
    if not plan.required <= given.keys():
        part = min(plan.required - given.keys())
        raise Unreadable(_trouble(kind, stored, f"has {stored.get(part)!r} for its {part}"))
    return kind(**given)


def _trouble(kind: type, stored: JsonObject, what: str) -> str:
    name = f" {stored['id']}" if "id" in stored else ""
    return f"a stored {kind.__name__.lower()}{name} {what}"


_PLANS: Final[dict[type, _Plan]] = {}


def _plan(kind: type) -> _Plan:
    plan = _PLANS.get(kind)
    if plan is None:
        plan = _PLANS[kind] = _worked_out(kind)
    return plan


def _worked_out(kind: type) -> _Plan:
    parts, readers, required, inline = [], {}, set(), []
    for name, given, default in fields_of(kind):
        type_, how = given, Stored()
        if get_origin(given) is Annotated:
            type_, *marks = get_args(given)
            how = next((mark for mark in marks if isinstance(mark, Stored)), how)
        if how.inline:
            inner = next(filter(is_record, (type_, *get_args(type_))))
            inline.append((name, inner, default is None))
            continue
        read, write = _rows(type_) if how.rows else _codec(type_)
        key = how.name or name
        if default is NODEFAULT:
            required.add(name)
        always = default is NODEFAULT or how.always
        parts.append(_Part(name, key, _UNREADABLE if always else default, write))
        readers[key] = (name, _plain(type_), read)
    return _Plan(tuple(parts), _values(parts), readers, frozenset(required), tuple(inline))


def _values(parts: list[_Part]) -> Callable[[Any], tuple[Any, ...]]:
    names = [part.name for part in parts]
    if len(names) < 2:  # for which attrgetter gives no tuple
        return lambda record: tuple(getattr(record, name) for name in names)
    return attrgetter(*names)


def _plain(kind: Any) -> Any:
    """The class whose values are stored as they are, or None."""
    while isinstance(kind, NewType):
        kind = kind.__supertype__
    return kind if kind in {str, int, bool} else None


def fields_of(kind: Any) -> Iterator[tuple[str, Any, Any]]:
    """A record's fields: name, type, and default or `NODEFAULT`."""
    if issubclass(kind, tuple):
        for name, type_ in kind.__annotations__.items():
            yield name, type_, kind._field_defaults.get(name, NODEFAULT)
        return
    types = {
        n: t
        for base in kind.__mro__[::-1]
        for n, t in vars(base).get("__annotations__", {}).items()
    }
    names, defaults = kind.__struct_fields__, kind.__struct_defaults__
    for name, default in zip(
        names, (NODEFAULT,) * (len(names) - len(defaults)) + defaults, strict=True
    ):
        made = getattr(default, "factory", None)
        yield name, types[name], made() if made else default


def is_record(kind: Any) -> bool:
    """Whether a type is a record or a named tuple."""
    return isinstance(kind, type) and (issubclass(kind, msgspec.Struct) or hasattr(kind, "_fields"))


def _codec(kind: Any) -> tuple[_Read, _Write]:
    origin, inner = get_origin(kind), get_args(kind)
    if isinstance(kind, NewType):
        return _codec(kind.__supertype__)
    if origin in {UnionType, Union}:
        kinds = [member for member in inner if member is not type(None)]
        if len(kinds) > 1:  # any JSON
            return lambda raw: raw, None
        read, write = _codec(kinds[0])
        return (
            lambda raw: None if raw is None else read(raw),
            write and (lambda value: None if value is None else write(value)),
        )
    if origin is tuple:
        return _tuple(inner)
    if origin is not None and origin is not Literal and issubclass(origin, Mapping):
        return _mapping(inner[1])
    if is_record(kind):
        return lambda raw: decode(kind, raw) if isinstance(raw, Mapping) else _UNREADABLE, encode
    if origin is Literal or (isinstance(kind, type) and issubclass(kind, StrEnum)):
        members = {str(member): member for member in inner or kind}
        return (
            lambda raw: members.get(raw, _UNREADABLE) if isinstance(raw, str) else _UNREADABLE,
            None,
        )
    if kind is str:
        return lambda raw: raw if isinstance(raw, str) else _UNREADABLE, None
    if kind in {int, bool}:  # true and false are no numbers
        return lambda raw: raw if type(raw) is kind else _UNREADABLE, None
    return lambda raw: raw, None


def _mapping(kind: Any) -> tuple[_Read, _Write]:
    read, write = _codec(kind)

    def entries(raw: Any) -> Any:
        if not isinstance(raw, Mapping):
            return _UNREADABLE
        values = {name: read(value) for name, value in raw.items()}
        return {name: value for name, value in values.items() if value is not _UNREADABLE}

    if write is None:
        return entries, dict
    return entries, lambda value: {name: write(item) for name, item in value.items()}


def _tuple(inner: tuple[Any, ...]) -> tuple[_Read, _Write]:
    """Any number of one type, of which the unreadable are left out; or exactly so many of each."""
    read, write = _codec(inner[0])
    if inner[-1] is ...:

        def items(raw: Any) -> Any:
            if not isinstance(raw, list | tuple):
                return _UNREADABLE
            return tuple(item for item in map(read, raw) if item is not _UNREADABLE)

        return items, list if write is None else lambda value: [write(item) for item in value]
    readers = [_codec(kind)[0] for kind in inner]

    def exactly(raw: Any) -> Any:
        if not isinstance(raw, list | tuple) or len(raw) != len(readers):
            return _UNREADABLE
        items = tuple(read(item) for read, item in zip(readers, raw, strict=True))
        return _UNREADABLE if _UNREADABLE in items else items

    return exactly, list


def _rows(kind: Any) -> tuple[_Read, _Write]:
    """A tuple of NamedTuples as lists, each of which must be whole."""
    record = get_args(kind)[0]
    names, types, _ = zip(*fields_of(record), strict=True)
    exactly, _ = _tuple(types)

    def row(raw: Any) -> Any:
        values = exactly(raw)
        if values is _UNREADABLE:
            raise Unreadable(_trouble(record, {}, f"is {raw!r}"))
        return record(*values)

    def rows(raw: Any) -> Any:
        return tuple(map(row, raw)) if isinstance(raw, list | tuple) else _UNREADABLE

    return rows, lambda value: [[getattr(item, name) for name in names] for item in value]
