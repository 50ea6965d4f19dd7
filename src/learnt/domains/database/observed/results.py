"""What came back from a database: rows, a table's columns, an error, or only that it went well.

Learnt's own answers are read, and those of the usual servers of tools: rows as JSON objects or
lists, bare or under a name.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core.json_values import JsonObject, JsonValue, member, text_of

LOOKED_AT: Final = 2_000_000
_UNDER: Final = ("rows", "data", "result", "results", "records", "content", "objects")
_COUNTED: Final = re.compile(r"^(\d+) rows?(; there is more.*)?$", re.MULTILINE)
_ERROR: Final = re.compile(
    r"^\W{0,4}(?:\w+ )?(?:error|exception|traceback|failed|ERROR \d+)\b|\bdoes(?:n't| not) exist\b|"
    r"\bUnknown column\b|\bno such (?:table|column)\b|\bsyntax error\b",
    re.IGNORECASE | re.MULTILINE,
)
_OBJECT: Final = re.compile(r"(?:table|view) (\S.*?)(?:  -- .*)?")
_COLUMN: Final = re.compile(r"  ([^\s(|].*?)  \S.*")
_OTHER: Final = re.compile(
    r"  (?:key \(|\(|\||(?:unique )?index \S).*|\S.*: there is no such table, view or routine|"
    r"As it was seen .*|(?:procedure|function) .*"
)
_GONE: Final = re.compile(r"^(\S.*): there is no such table, view or routine$", re.MULTILINE)
_COLUMN_NAME: Final = ("Field", "column_name", "COLUMN_NAME", "name")


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """What came back. `columns` and `rows` are None where they could not be told.

    `failed` is what an error said; `shapes` are tables with all of their columns.
    """

    columns: tuple[str, ...] | None = None
    rows: tuple[tuple[JsonValue, ...], ...] | None = None
    whole: bool = True
    failed: str = ""
    refused: bool = False
    shapes: Mapping[str, tuple[str, ...]] | None = None
    gone: tuple[str, ...] = ()


def came(response: JsonValue, *, failed: bool) -> Came:
    """What a response says.

    >>> came('{"columns": ["n"], "rows": [[3]], "row_count": 1, "truncated": false}', failed=False)
    Came(columns=('n',), rows=((3,),), whole=True, failed='', refused=False, shapes=None, gone=())
    >>> came('[{"type": "text", "text": "[]"}]', failed=False).rows
    ()
    """
    text = text_in(response)[:LOOKED_AT]
    value = _json(text)
    if isinstance(value, Mapping):
        if "refused" in value:
            return Came(refused=True)
        said = text_of(value.get("failed")) or text_of(value.get("error"))
        if said:
            return Came(failed=said)
        if _is_structure(value):
            return _structure(value)
    if value is None and (drawn := _drawn(text)) is not None:
        return drawn
    if failed or (value is None and _ERROR.search(text)):
        return Came(failed=text or "it failed")
    if value is not None:
        return _rows(value)
    return _shown(text)


def text_in(response: JsonValue) -> str:
    """The text of a response, whatever its client wraps it in."""
    if isinstance(response, str):
        inner = _json(response)
        return text_in(inner) if _is_wrapped(inner) else response
    if isinstance(response, Mapping):
        if _is_wrapped(response.get("content")):
            return text_in(response.get("content"))
        printed = [text_of(response.get(name)) for name in ("stdout", "stderr")]
        return "\n".join(filter(None, printed)) or json.dumps(response, ensure_ascii=False)
    if isinstance(response, Sequence):
        if not _is_wrapped(response):
            return json.dumps(response, ensure_ascii=False)
        return "\n".join(text_of(member(part, "text")) for part in response)
    return ""


def _is_wrapped(value: JsonValue) -> bool:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return False
    return all(text_of(member(part, "type")) and member(part, "text") is not None for part in value)


def _json(text: str) -> JsonValue:
    """The first value that begins a line and is an object or a list."""
    for found in re.finditer(r"^[ \t]*(?=[{\[])", text, re.MULTILINE):
        try:
            value, end = json.JSONDecoder().raw_decode(text, found.end())
        except (ValueError, RecursionError):
            return None
        rest = text[end:].strip()
        return value if not rest or len(rest) < 2_000 else None
    return None


def _rows(value: JsonValue) -> Came:
    """Rows as lists with their columns' names, or as objects."""
    if isinstance(value, Mapping):
        columns, rows = _listed(value.get("columns")), _listed(value.get("rows"))
        cells = [_listed(row) for row in rows or ()]
        if columns is not None and rows is not None and None not in cells:
            names = tuple(text_of(one) or text_of(member(one, "name")) for one in columns)
            found = tuple(tuple(row) for row in cells if row is not None)
            return Came(columns=names, rows=found, whole=value.get("truncated") is not True)
        under = [value[name] for name in _UNDER if _listed(value.get(name)) is not None]
        return _rows(under[0]) if len(under) == 1 else Came()
    listed = _listed(value) or ()
    objects = [one for one in listed if isinstance(one, Mapping)]
    names = tuple(objects[0]) if objects else ()
    if len(objects) != len(listed) or any(tuple(one) != names for one in objects):
        return Came()
    return Came(columns=names or None, rows=tuple(tuple(one.values()) for one in objects))


def _listed(value: JsonValue) -> Sequence[JsonValue] | None:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else None


def _is_structure(value: JsonObject) -> bool:
    return _listed(value.get("objects")) is not None and "missing" in value


def _structure(value: JsonObject) -> Came:
    """Learnt's own `db structure`, as JSON."""
    shapes: dict[str, tuple[str, ...]] = {}
    for one in _listed(value.get("objects")) or ():
        columns = _listed(member(one, "columns"))
        if columns:
            shapes[text_of(member(one, "name"))] = _names(columns)
    gone = _listed(value.get("missing")) or ()
    return Came(shapes=shapes, gone=tuple(filter(None, map(text_of, gone))))


def _names(columns: Iterable[JsonValue]) -> tuple[str, ...]:
    return tuple(text_of(member(column, "name")) for column in columns)


def _shown(text: str) -> Came:
    """What Learnt prints for people: rows under their names."""
    counted = _COUNTED.search(text)
    if counted is None:
        return Came()
    *_, name, value, _ = ["", "", *(line.rstrip() for line in text.strip().split("\n"))]
    if counted[1] == "1" and name and "  " not in name + value:
        return Came(columns=(name,), rows=((value,),))
    return Came(rows=() if counted[1] == "0" else None, whole=not counted[2])


def _drawn(text: str) -> Came | None:
    """A structure as Learnt prints it for people; None for any other text."""
    gone = tuple(_GONE.findall(text))
    shapes = _shapes([line.rstrip() for line in text.split("\n")])
    return Came(shapes=shapes, gone=gone) if shapes or gone else None


def _shapes(lines: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Tables with their columns; one with a line that is not understood is left out."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        if (opened := _OBJECT.fullmatch(line)) is not None:
            name = opened[1]
            found[name] = []
        elif not line or _OTHER.fullmatch(line):
            continue
        elif name and (column := _COLUMN.fullmatch(line)) is not None:
            found.setdefault(name, []).append(column[1])
        else:
            found.pop(name, None)
            name = ""
    return {name: tuple(columns) for name, columns in found.items() if columns}


def column_names(came: Came) -> tuple[str, ...]:
    """The names in rows that tell of a table's columns, a row each; nothing where they tell else.

    >>> column_names(came('[{"Field": "id", "Type": "int"}]', failed=False))
    ('id',)
    """
    if came.columns is None or came.rows is None or not came.whole:
        return ()
    at = next((came.columns.index(name) for name in _COLUMN_NAME if name in came.columns), -1)
    names = tuple(text_of(row[at]) for row in came.rows if len(row) > at) if at >= 0 else ()
    return names if all(names) else ()
