"""What claude-mem and mem0 write when their memories are exported: one JSON document.

| from | what is taken |
|---|---|
| claude-mem | of an observation its facts, or title and narrative; of a summary what was learned |
| mem0 | `memory` of each row, whether the rows are a list or under `results` or `memories` |

Projects, dates and tags (`concepts`, `categories`) come along. What was said in sessions, and
prompts, are counted and left out.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from learnt.core.digest.lessons import kind_of
from learnt.core.json_values import JsonValue, member, strings, text_of
from learnt.core.knowledge.brought import Brought, Bundle, Quoted
from learnt.core.knowledge.drafts import Fact, Offered, Solution
from learnt.core.knowledge.standing import Standing
from learnt.formats.observations import lenient
from learnt.formats.seed_health import at_ms

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
        found = [_row(name, row, number, today) for number, row in enumerate(rows, 1)]
        return _bundle(name, filter(None, found), {"rows without a memory": found.count(None)})
    told = [row for part in ("observations", "summaries") for row in _list(value, part)]
    pieces = [
        _of_claude_mem(name, row, what, number)
        for number, row in enumerate(told, 1)
        for what in _said(row)
    ]
    left = {
        "observations and summaries that tell no fact": sum(not any(_said(row)) for row in told),
        "sessions and prompts, which are no memories": sum(
            len(_list(value, part)) for part in ("sessions", "prompts")
        ),
    }
    return _bundle(name, pieces, left)


def _bundle(name: str, pieces: Iterable[Brought], left: Mapping[str, int]) -> Bundle:
    findings = (f"{name}: {count} {what}: left out" for what, count in left.items() if count)
    return Bundle(pieces=tuple(pieces), findings=tuple(findings))


def _mem0_rows(value: JsonValue) -> list[JsonValue]:
    lists = [value, *(member(value, part) for part in _ROWS)]
    rows = next((rows for rows in lists if isinstance(rows, list)), [])
    return rows if any(text_of(member(row, "memory")) for row in rows) else []


def _row(name: str, row: JsonValue, number: int, today: str) -> Brought | None:
    text, about = text_of(member(row, "memory")), member(row, "metadata")
    if not text.strip():
        return None
    own, ends = text_of(member(row, "id")), text_of(member(row, "expiration_date"))
    date = text_of(member(row, "updated_at")) or text_of(member(row, "created_at"))
    tags = (*strings(member(row, "categories")), text_of(member(about, "language")))
    return Brought(
        what=Fact(text=text, kind=kind_of(text), tags=tuple(filter(None, tags))),
        place=f"{name}#{own or number}",
        id=own,
        project=text_of(member(about, "project")),
        quoted=Quoted(date=date or None, session=text_of(member(row, "run_id")) or None),
        standing=_since(date),
        gone=f"it expired there on {ends[:10]}" if ends and ends[:10] < today else "",
    )


def _of_claude_mem(name: str, row: JsonValue, what: Offered, number: int) -> Brought:
    epoch, date = member(row, "created_at_epoch"), text_of(member(row, "created_at"))
    if not at_ms(date) and isinstance(epoch, int) and 0 < epoch <= _LAST_MS:
        ms = epoch if epoch > 10**11 else 1_000 * epoch
        date = datetime.fromtimestamp(ms / 1_000, UTC).isoformat()
    own = member(row, "id")
    return Brought(
        what=what,
        place=f"{name}#{own if isinstance(own, int | str) else number}",
        project=text_of(member(row, "project")),
        quoted=Quoted(date=date or None, session=text_of(member(row, "memory_session_id")) or None),
        standing=_since(date),
    )


def _said(row: JsonValue) -> Iterator[Offered]:
    tags, files = _texts(row, "concepts"), _texts(row, "files_modified")
    title, narrative = (text_of(member(row, part)) for part in ("title", "narrative"))
    told = (*_texts(row, "facts"), text_of(member(row, "learned")))
    for text in filter(str.strip, told):
        yield Fact(text=text, kind=kind_of(text), tags=tags)
    if title and narrative and not any(told):
        yield Solution(problem=title, approach=narrative, tags=tags, files=files)


def _texts(row: JsonValue, part: str) -> tuple[str, ...]:
    """A list of texts, which an export has as JSON in a text."""
    value = member(row, part)
    return strings(lenient(value) if isinstance(value, str) else value)


def _since(date: str) -> Standing | None:
    return Standing(confirmed_ms=ms) if (ms := at_ms(date)) else None


def _list(value: JsonValue, part: str) -> list[JsonValue]:
    rows = member(value, part)
    return rows if isinstance(rows, list) else []
