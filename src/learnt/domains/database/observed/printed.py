"""What clients print for people: the rows of mysql, psql, sqlite3 and of Learnt itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from learnt.core.json_values import JsonValue

MOST_LINES: Final = 20_000
_NOISE: Final = re.compile(
    r"(?:mysql|mariadb): \[Warning\] .*|Warning: Using a password .*|Time: [\d.,]+ ms.*|"
    r"Timing is on\.|Pager usage is off\.|Output format is .*|Tuples only is on\.|"
    r"Expanded display is .*|\(Bash completed with no output\)"
)
_FOOTER: Final = re.compile(r"\((\d{1,12}) rows?\)")
_COUNTED: Final = re.compile(r"(\d{1,12}) rows?(; there is more.*)?")
_RULE: Final = re.compile(r"-+(?:\+-+)*")
_BORDER: Final = re.compile(r"\+[-=]+(?:\+[-=]+)*\+")
_DRAWN: Final = re.compile(r"[┌╭+*].*|.*[│|].*[│|].*|-+(?:  -+)+ *")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryResult:
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


def printed(text: str, client: str, *, bare: bool) -> QueryResult:
    """The rows that a client printed; of what is not understood only that there were some.

    >>> printed(" count \\n-------\\n  4800\\n(1 row)\\n", "psql", bare=False).rows
    (('4800',),)
    """
    shown = (line.rstrip("\r") for line in text.split("\n"))
    lines = [line for line in shown if not _NOISE.fullmatch(line.strip())]
    filled = [at for at, line in enumerate(lines) if line.strip()]
    lines = lines[filled[0] : filled[-1] + 1] if filled else []
    if len(lines) > MOST_LINES:
        return QueryResult(ran=True)
    if client == "learnt":
        return _learnts(lines)
    if client == "psql" and not bare:
        return _psqls(lines)
    if not lines:
        return QueryResult(rows=(), ran=True)
    if client == "mysql":
        return _mysqls(lines, bare=bare)
    return _separated(lines, "|", bare=bare)


def _learnts(lines: Sequence[str]) -> QueryResult:
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


def _psqls(lines: Sequence[str]) -> QueryResult:
    """Rows between a rule and their number; `\\d` has no number, and a title."""
    footers = [match for line in lines if (match := _FOOTER.fullmatch(line.strip()))]
    if len(footers) != 1:
        expanded = bool(lines) and lines[0].startswith("-[ RECORD 1 ]")
        return QueryResult(ran=bool(footers) or expanded)
    count = int(footers[0][1])
    if count == 0:
        return QueryResult(rows=(), ran=True)
    last = len(lines) == count + 3 and lines[-1].strip() == footers[0][0]
    if not last or not _RULE.fullmatch(lines[1].strip()):
        return QueryResult(ran=True)
    return _table([line.split("|") for line in (lines[0], *lines[2:-1])])


def _mysqls(lines: Sequence[str], *, bare: bool) -> QueryResult:
    if _BORDER.fullmatch(lines[0].strip()):
        body = [line.strip()[1:-1].split("|") for line in lines if line.startswith("|")]
        borders = [line for line in lines if _BORDER.fullmatch(line.strip())]
        whole = len(body) + len(borders) == len(lines) and len(borders) == 3
        return _table(body) if whole and not bare else QueryResult(ran=True)
    if lines[0].startswith("*****"):
        return QueryResult(ran=True)
    return _separated(lines, "\t", bare=bare)


def _separated(lines: Sequence[str], mark: str, *, bare: bool) -> QueryResult:
    if mark == "|" and _DRAWN.fullmatch(lines[0]) and not re.fullmatch(r"[^|]*\|[^|]*", lines[0]):
        return QueryResult(ran=True)
    cells = [line.split(mark) for line in lines]
    result = _table([cells[0], *cells] if bare else cells)
    return replace(result, columns=None) if bare else result


def _table(cells: Sequence[Sequence[str]]) -> QueryResult:
    """Names and rows that have as many cells; else what is in them is not told."""
    if len(set(map(len, cells))) != 1:
        return QueryResult(ran=True)
    names, *rows = (tuple(map(str.strip, row)) for row in cells)
    return QueryResult(columns=names, rows=tuple(rows), ran=True)
