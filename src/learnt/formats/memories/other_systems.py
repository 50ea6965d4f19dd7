"""What claude-mem and mem0 write when their memories are exported: one JSON document.

| from | what is taken |
|---|---|
| claude-mem | of an observation its facts, or title and narrative; of a summary what was learned |
| mem0 | `memory` of each row, whether the rows are a list or under `results` or `memories` |

Projects, dates and tags (`concepts`, `categories`) come along. What was said in sessions, and
prompts, are counted and left out.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from learnt.core.json_values import JsonValue, member, strings, text_of, whole
from learnt.core.knowledge.brought import Brought, Bundle, Quoted
from learnt.formats.observations import lenient

_LAST_MS: Final = 253_402_300_799_999
_ROWS: Final = ("results", "memories")


def knows(value: JsonValue) -> bool:
    """Whether a JSON document is an export of either system.

    >>> knows({"observations": []}), knows([{"memory": "x"}]), knows({"results": []}), knows([])
    (True, True, False, False)
    """
    return isinstance(member(value, "observations"), list) or bool(_mem0_rows(value))


def parse(name: str, value: JsonValue, today: str) -> Bundle:
    """What an export brings; `today` is the day by which a mem0 row may have expired.

    >>> parse("m.json", [{"id": "1", "memory": "The port is 8080"}], "2026-01-01").pieces[0].place
    'm.json#1'
    """
    rows = _mem0_rows(value)
    if rows:
        pieces = [_of_mem0(row, today) for row in rows if text_of(member(row, "memory"))]
        left = {"rows without a memory": len(rows) - len(pieces)}
    else:
        told = [row for part in ("observations", "summaries") for row in _list(value, part)]
        found = [list(_of_claude_mem(row)) for row in told]
        pieces = [piece for some in found for piece in some]
        talk = sum(len(_list(value, part)) for part in ("sessions", "prompts"))
        left = {
            "observations and summaries that tell no fact": found.count([]),
            "sessions and prompts, which are no memories": talk,
        }
    return Bundle(
        pieces=tuple(replace(piece, place=f"{name}#{piece.id}") for piece in pieces),
        findings=tuple(f"{name}: {count} {what}" for what, count in left.items() if count),
    )


def _mem0_rows(value: JsonValue) -> list[JsonValue]:
    lists = [value, *(member(value, part) for part in _ROWS)]
    rows = next((rows for rows in lists if isinstance(rows, list)), [])
    return rows if any(text_of(member(row, "memory")) for row in rows) else []


def _of_mem0(row: JsonValue, today: str) -> Brought:
    about, ends = member(row, "metadata"), text_of(member(row, "expiration_date"))[:10]
    dates = (text_of(member(row, part)) for part in ("updated_at", "created_at"))
    tags = (*strings(member(row, "categories")), text_of(member(about, "language")))
    return Brought(
        text=text_of(member(row, "memory")),
        tags=tuple(filter(None, tags)),
        id=_id(row),
        project=text_of(member(about, "project")),
        source=Quoted(date=next(filter(None, dates), None)),
        gone=f"it expired there on {ends}" if ends and ends < today else "",
    )


def _of_claude_mem(row: JsonValue) -> Iterator[Brought]:
    date, epoch = text_of(member(row, "created_at")), whole(member(row, "created_at_epoch"))
    if not date and 0 < epoch <= _LAST_MS:
        ms = epoch if epoch > 10**11 else 1_000 * epoch
        date = datetime.fromtimestamp(ms / 1_000, UTC).isoformat()
    piece = Brought(
        tags=_texts(row, "concepts"),
        id=_id(row),
        project=text_of(member(row, "project")),
        source=Quoted(date=date or None),
    )
    told = [*filter(str.strip, (*_texts(row, "facts"), text_of(member(row, "learned"))))]
    title, narrative = (text_of(member(row, part)) for part in ("title", "narrative"))
    yield from (replace(piece, text=text) for text in told)
    if title and narrative and not told:
        files = _texts(row, "files_modified")
        yield replace(piece, problem=title, approach=narrative, files=files)


def _id(row: JsonValue) -> str:
    own = member(row, "id")
    return str(own) if isinstance(own, int | str) else ""


def _texts(row: JsonValue, part: str) -> tuple[str, ...]:
    """A list of texts, which an export has as JSON in a text."""
    value = member(row, part)
    return strings(lenient(value) if isinstance(value, str) else value)


def _list(value: JsonValue, part: str) -> list[JsonValue]:
    rows = member(value, part)
    return rows if isinstance(rows, list) else []
