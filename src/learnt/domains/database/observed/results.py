"""What came back from a database: rows, a table's columns, an error, or only that it went well.

Learnt's own answers are read, and what the usual servers of tools answer: rows as JSON objects or
lists, bare or under a name. Of what a server's own client prints its errors are read, and no rows.
"""

import ast
import json
import re
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from learnt.core.records import JsonValue, Record, member, strings, text_of
from learnt.core.shell import UNSEEN
from learnt.domains.database.observed.asked import Asked

LOOKED_AT: Final = 2_000_000
_LONGEST_PYTHON: Final = 100_000
_UNDER: Final = ("rows", "data", "result", "results", "records", "content", "objects")
_MORE: Final = ("truncated", "has_more", "hasMore", "is_truncated", "isTruncated")
_SAYS: Final = frozenset(
    "error failed message code success status detail details hint ok sql query isError type name"
    " errno sqlState sqlMessage".split()
)
_ERROR: Final = re.compile(
    r"\W{0,4}(?:[\w.]{1,60}:? ){0,2}(?:\w{0,40}error|\w{0,40}exception|traceback|failed|failure)\b|"
    r"psql: .*|SQLSTATE\[\w{5}\]|\d{4} \(\w{5}\): |"
    r"[^|\t]{0,80}(?:\bdoes(?:n't| not) exist\b|\bUnknown (?:column|table)\b|"
    r"\bno such (?:table|column)\b|\bsyntax error\b)",
    re.IGNORECASE,
)
_NONE: Final = re.compile(
    r"\b(?:no|0|zero) (?:matching )?(?:rows?|results?|records?|data)\b|\bempty\b|\bnothing\b|"
    r"\bnot (?:allowed|permitted|supported|found)\b|\bdenied\b|\bonly select|\binvalid\b|"
    r"\b(?:cannot|can't|could not|unable|refused|timed? ?out|too (?:large|long|many)|exceeds)\b",
    re.IGNORECASE,
)
# What clients write where they keep a long result back, or cut it.
_CUT: Final = re.compile(
    r"<persisted-output>|Output too large|characters? truncated|(?:chars|lines) truncated|"
    r"\[truncated\]|exceeds maximum allowed|… ?\(\d[\d,]* (?:characters|chars|lines)\)"
)
_LOOKALIKE: Final = re.compile(r"\btype\b.*\btext\b|\btext\b.*\btype\b", re.I | re.DOTALL)
_OBJECT: Final = re.compile(r"(?:(?:foreign )?table|(?:materialized )?view) (\S.*?)(?:  -- .*)?")
_COLUMN: Final = re.compile(r"  ([^\s(|].*?)  \S.*")
_NOWHERE: Final = r"there is no such table, view(?: or routine|, routine or trigger)"
_OTHER: Final = re.compile(
    r"  (?:key \(|\(|\||(?:unique )?index \S|trigger \S).*|"
    rf"\S.*: {_NOWHERE}|(?:procedure|function|trigger) .*"
)
_KEPT: Final = re.compile(r"^As seen .* ago; --fresh asks the server\.$", re.MULTILINE)
_BEGINS: Final = re.compile(r"^[ \t]*(?=[{\[])", re.MULTILINE)
_GONE: Final = re.compile(rf"^(\S.*): {_NOWHERE}$", re.MULTILINE)
_COLUMN_NAME: Final = ("Field", "column_name", "COLUMN_NAME", "Column", "name")
_TYPED: Final = frozenset({"type", "data_type", "datatype", "column_type", "dtype", "udt_name"})
_NOTHING_ASKED: Final = Asked()
_COUNTED: Final = re.compile(r"(\d{1,12}) rows?(; there is more.*)?")


class QueryResult(Record, kw_only=True):
    """What came back. `columns` and `rows` are None where they could not be told.

    `ran`: rows were seen, if not which; without it, and without rows, nobody can tell whether it
    ran. `failed` is what an error said; `shapes` are tables with all of their columns.
    """

    columns: tuple[str, ...] | None = None
    rows: tuple[tuple[JsonValue, ...], ...] | None = None
    ran: bool = False
    whole: bool = True
    failed: str = ""
    refused: bool = False
    shapes: Mapping[str, tuple[str, ...]] | None = None
    gone: tuple[str, ...] = ()


def read_result(response: JsonValue, *, failed: bool, of: Asked = _NOTHING_ASKED) -> QueryResult:
    """What a response to a question says.

    >>> read_result('{"columns": ["n"], "rows": [[3]], "truncated": false}', failed=False).rows
    ((3,),)
    >>> read_result('[{"type": "text", "text": "[]"}]', failed=False).rows
    ()
    """
    # Rows of a table may look like a wrapped answer.
    lookalike = isinstance(response, str) and _LOOKALIKE.search(of.sql) is not None
    text = response if lookalike and isinstance(response, str) else text_in(response)
    text = text if of.client else _unwrapped(text)
    cut = len(text) > LOOKED_AT or _CUT.search(text[:4_000]) or _CUT.search(text[-4_000:])
    inner = _within(text[:LOOKED_AT], of.around)
    if failed:
        return _failed(inner if inner is not None else text[:LOOKED_AT])
    if inner is None:
        return QueryResult()
    if of.client not in {"", "learnt"}:
        told = not of.sure and not cut and _ERROR.match(_first(inner))
        return QueryResult(failed=inner if told else "")
    return QueryResult(ran=of.sure, whole=False) if cut else _answered(inner, of)


def _failed(text: str) -> QueryResult:
    """Whether it was refused or failed, and what was said; or a structure, of which a part is."""
    value = _json(text)
    if isinstance(value, Mapping) and "refused" in value:
        return QueryResult(refused=True)
    if shown := _structure(value):
        return shown
    if value is None and (drawn := _drawn(text)) is not None:
        return drawn
    return QueryResult(failed=_error_in(value) or text or "it failed")


def _answered(text: str, of: Asked) -> QueryResult:
    """What Learnt or a server of tools answers, where the call itself went well."""
    value = _json(text)
    value = _python(text) if value is None else value
    if isinstance(value, Mapping) and "refused" in value:
        return QueryResult(refused=True)
    if failure := _error_in(value):
        return QueryResult(failed=failure)
    if not of.sql and of.client == "learnt":
        shown = _structure(value) if isinstance(value, Mapping) else _drawn(text)
        return shown or QueryResult()
    if value is not None:
        return _rows(value)
    if _ERROR.match(_first(text)):
        return QueryResult(failed=text)
    result = _printed(text)
    if result.rows is not None or result.ran or of.client:
        return result
    lines = list(filter(str.strip, text.split("\n")))
    return QueryResult(ran=len(lines) > 1 and _NONE.search(text[:300]) is None)


def _printed(text: str) -> QueryResult:
    """What `learnt db query` prints for people: rows and their number, of which one value is read.

    >>> _printed("n\\n4800\\n1 row\\n").rows
    (('4800',),)
    """
    lines = text.strip().splitlines()
    at = next((at for at in range(len(lines))[:-4:-1] if _COUNTED.fullmatch(lines[at])), 0)
    counted = _COUNTED.fullmatch(lines[at]) if lines else None
    if counted is None:
        return QueryResult()
    if counted[1] == "0":
        return QueryResult(rows=() if not counted[2] else None, whole=not counted[2])
    if counted[1] == "1" and at >= 2:
        name, value = (line.rstrip() for line in lines[at - 2 : at])
        if name and "  " not in name + value:
            return QueryResult(columns=(name,), rows=((value,),), whole=not counted[2], ran=True)
    return QueryResult(whole=not counted[2], ran=True)


def _error_in(value: JsonValue) -> str:
    """What an object says that is the word of an error, and no row that has such a column."""
    if not isinstance(value, Mapping) or not _SAYS.issuperset(value):
        return ""
    own = (text_of(value.get(name)) for name in ("failed", "error"))
    nested = text_of(member(value.get("error"), "message"))
    failing = value.get("success") is False or value.get("ok") is False or value.get("isError")
    worded = text_of(value.get("message")) if failing or value.get("status") == "error" else ""
    return next(filter(None, (*own, nested, worded)), "")


def _first(text: str) -> str:
    return next(filter(str.strip, text.split("\n")), "")[:400]


def _within(text: str, around: tuple[tuple[str, ...], tuple[str, ...]]) -> str | None:
    """What stands between the lines that others print; None where those are not there."""
    above, below = around
    lines = text.split("\n")
    while below and lines and not lines[-1].strip():
        lines.pop()
    last = len(lines) - len(below)
    if len(lines) < len(above) + len(below):
        return None
    printed_by_others = zip((*above, *below), (*lines[: len(above)], *lines[last:]), strict=True)
    for heading, line in printed_by_others:
        pattern = r"[\w./: -]{0,80}".join(map(re.escape, heading.split(UNSEEN)))
        if re.fullmatch(pattern, line.rstrip("\r")) is None:
            return None
    return "\n".join(lines[len(above) : last]) if above or below else text


def text_in(response: JsonValue) -> str:
    """The text of a response, whatever its client wraps it in."""
    if isinstance(response, str):
        inner = _json(response[:LOOKED_AT]) if '"text"' in response[:200] else None
        return text_in(inner) if _is_wrapped(inner) else response
    if isinstance(response, Mapping):
        if _is_wrapped(response.get("content")):
            return text_in(response.get("content"))
        printed = [text_of(response.get(name)) for name in ("stdout", "stderr")]
        return "\n".join(filter(None, printed)) or json.dumps(response, ensure_ascii=False)
    if isinstance(response, Sequence) and _is_wrapped(response):
        return "\n".join(text_of(member(part, "text")) for part in response)
    return json.dumps(response, ensure_ascii=False) if isinstance(response, Sequence) else ""


def _unwrapped(text: str) -> str:
    """The text that a server's own library put under one name, as it does beside the plain one.

    >>> _unwrapped('{"result": "[]"}'), _unwrapped('{"result": []}')
    ('[]', '{"result": []}')
    """
    value = _json(text[:LOOKED_AT]) if text[:12].lstrip().startswith('{"result"') else None
    only = isinstance(value, Mapping) and set(value) == {"result"}
    return text_of(member(value, "result")) or text if only else text


def _is_wrapped(value: JsonValue) -> bool:
    if not isinstance(value, Sequence) or isinstance(value, str) or not value:
        return False
    return all(
        isinstance(part, Mapping)
        and part.get("type") in {"text", "image", "resource"}
        and not set(part) - {"type", "text", "annotations", "data", "mimeType", "resource"}
        for part in value
    )


def _json(text: str) -> JsonValue:
    """The value that begins a line and is an object or a list, if it is the only one."""
    start = _BEGINS.search(text)
    if start is None:
        return None
    try:
        value, end = json.JSONDecoder().raw_decode(text, start.end())
    except (ValueError, RecursionError):
        return None
    rest = text[end : end + 2_001].strip()
    alone = len(rest) < 2_000 and _BEGINS.search(rest) is None
    return value if alone and isinstance(value, Mapping | list) else None


def _python(text: str) -> JsonValue:
    """Rows as Python writes them, which some servers of tools answer.

    >>> _python("[{'n': 4800, 'of': None}]"), _python("[{'at': Decimal('1')}]")
    ([{'n': 4800, 'of': None}], None)
    """
    if not text.startswith("[{'") or len(text) > _LONGEST_PYTHON:
        return None
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _rows(value: JsonValue) -> QueryResult:
    """Rows as lists with their columns' names, or as objects."""
    if isinstance(value, Mapping):
        whole = not any(value.get(name) is True for name in _MORE)
        columns, rows = _listed(value.get("columns")), _listed(value.get("rows"))
        cells = [tuple(row) for row in map(_listed, rows or ()) if row is not None]
        if columns is not None and rows is not None and len(cells) == len(rows):
            names = tuple(text_of(name) or text_of(member(name, "name")) for name in columns)
            return QueryResult(columns=names, rows=tuple(cells), whole=whole, ran=bool(cells))
        under = [value[name] for name in _UNDER if _listed(value.get(name)) is not None]
        return replace(_rows(under[0]), whole=whole) if len(under) == 1 else QueryResult()
    listed = _listed(value) or ()
    objects = [row for row in listed if isinstance(row, Mapping)]
    names = tuple(objects[0]) if objects else ()
    if len(objects) != len(listed):
        return QueryResult()
    if any(tuple(row) != names for row in objects):
        return QueryResult(ran=True)
    values = tuple(tuple(row.values()) for row in objects)
    return QueryResult(columns=names or None, rows=values, ran=bool(objects))


def _listed(value: JsonValue) -> Sequence[JsonValue] | None:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else None


def _structure(value: JsonValue) -> QueryResult | None:
    """Learnt's own `db structure`, as JSON; what was kept tells of no table as it is now."""
    objects = _listed(member(value, "objects"))
    if objects is None or not isinstance(value, Mapping) or "missing" not in value:
        return None
    if value.get("age_seconds"):
        return QueryResult()
    shapes = {
        text_of(member(shown, "name")): tuple(text_of(member(column, "name")) for column in columns)
        for shown in objects
        if (columns := _listed(member(shown, "columns")))
    }
    return QueryResult(shapes=shapes, gone=tuple(filter(None, strings(value.get("missing")))))


def _drawn(text: str) -> QueryResult | None:
    """A structure as Learnt prints it for people; None for any other text, and what was kept."""
    if _KEPT.search(text):
        return None
    gone = tuple(_GONE.findall(text))
    shapes = _shapes([line.rstrip() for line in text.split("\n")])
    return QueryResult(shapes=shapes, gone=gone) if shapes or gone else None


def _shapes(lines: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Tables with their columns; one with a line that is not understood is left out."""
    shapes: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        if (opened := _OBJECT.fullmatch(line)) is not None:
            name = opened[1]
            shapes[name] = []
        elif not line or _OTHER.fullmatch(line):
            continue
        elif name and (column := _COLUMN.fullmatch(line)) is not None:
            shapes.setdefault(name, []).append(column[1])
        else:
            shapes.pop(name, None)
            name = ""
    return {name: tuple(columns) for name, columns in shapes.items() if columns}


def column_names(came: QueryResult) -> tuple[str, ...]:
    """The names in rows that tell of a table's columns, a row each; nothing where they tell else.

    >>> column_names(read_result('[{"Field": "id", "Type": "int"}]', failed=False))
    ('id',)
    """
    if came.columns is None or came.rows is None or not came.whole:
        return ()
    at = next((came.columns.index(name) for name in _COLUMN_NAME if name in came.columns), -1)
    # A `name` is anything's, but for rows that have a type beside it.
    typed = _TYPED & {name.casefold() for name in came.columns}
    if at < 0 or (came.columns[at] in {"name", "Column"} and not typed):
        return ()
    names = tuple(text_of(row[at]) for row in came.rows if len(row) > at)
    return names if all(names) else ()
