"""Memories as JSON lines, one a line: what `learnt export` writes and `learnt import` reads.

    {"text": "…", "kind": "schema", "entities": [], "tags": []}
    {"problem": "…", "approach": "…", "cautions": [], "tags": [], "files": [], "language": "go"}

Either may have `id`, `project` (a name), `everywhere`, `stage`, `standing`, `sessions` (those that
it was given to), `disputes` (ids) and `source` (session, position, speaker, date). Lines of two
other shapes are `{"missed": "a prompt that found nothing"}` and `{"turned_down": "id"}`: a draft
skill of that entry which a person rejected.
"""

import json
from collections.abc import Iterator
from typing import Final

from learnt.core.digest.lessons import kind_of
from learnt.core.json_values import JsonObject, JsonValue, member, strings, text_of, whole
from learnt.core.knowledge.brought import Brought, Bundle, EarlierMiss, Quoted, TurnedDown
from learnt.core.knowledge.drafts import Fact, Offered, Solution
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.standing import Standing
from learnt.core.records import decode, encode
from learnt.formats.observations import storable
from learnt.formats.seed_health import at_ms

LONGEST: Final = 100_000  # bytes of a line


def parse(name: str, text: str) -> Bundle:
    """What the lines bring. Raises ValueError for one that is no memory: it may be cut off.

    >>> [one.what.text for one in parse("m", '{"text": "The port is 8080"}\\n').pieces]
    ['The port is 8080']
    """
    rows = [(n, _row(n, line)) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    pieces = [_piece(name, n, row, what) for n, row in rows if (what := _said(row)) is not None]
    misses = [
        EarlierMiss(
            prompt=prompt,
            session=text_of(member(row, "session")),
            date=text_of(member(row, "date")),
        )
        for _, row in rows
        if (prompt := text_of(member(row, "missed")))
    ]
    turned_down = [
        TurnedDown(about=about, note=text_of(member(row, "note")))
        for _, row in rows
        if (about := text_of(member(row, "turned_down")))
    ]
    for n, row in rows:
        if not any(text_of(member(row, part)) for part in ("text", "problem", *_OTHER)):
            raise ValueError(f'Line {n} has neither "text" nor "problem"')
    return Bundle(pieces=tuple(pieces), misses=tuple(misses), turned_down=tuple(turned_down))


_OTHER: Final = ("missed", "turned_down")


def _row(number: int, line: str) -> JsonValue:
    try:
        value: JsonValue = storable(line)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"Line {number} is not JSON ({error})") from error
    if len(line.encode("utf-8", "replace")) > LONGEST:
        raise ValueError(f"Line {number} has more than {LONGEST:,} bytes")
    return value


def _said(row: JsonValue) -> Offered | None:
    problem, text = text_of(member(row, "problem")), text_of(member(row, "text"))
    if problem:
        return Solution(
            problem=problem,
            approach=text_of(member(row, "approach")),
            language=text_of(member(row, "language")) or None,
            **{part: strings(member(row, part)) for part in ("cautions", "tags", "files")},
        )
    lists = {part: strings(member(row, part)) for part in ("entities", "tags")}
    kind = text_of(member(row, "kind")) or kind_of(text)
    return Fact(text=text, kind=kind, **lists) if text else None


def _piece(name: str, number: int, row: JsonValue, what: Offered) -> Brought:
    source, told = member(row, "source"), member(row, "standing")
    position, date = member(source, "position"), text_of(member(source, "date"))
    stage, ms = text_of(member(row, "stage")), at_ms(date)
    standing = decode(Standing, told) if isinstance(told, dict) else None
    return Brought(
        what=what,
        place=f"{name}:{number}",
        project=text_of(member(row, "project")),
        id=text_of(member(row, "id")),
        quoted=Quoted(
            session=text_of(member(source, "session")) or None,
            position=None if position is None else whole(position),
            speaker=text_of(member(source, "speaker")) or None,
            date=date or None,
        ),
        standing=standing or (Standing(confirmed_ms=ms) if ms else None),
        stage=Stage.CANDIDATE if stage == Stage.CANDIDATE else Stage.VALIDATED,
        everywhere=member(row, "everywhere") is True,
        sessions=strings(member(row, "sessions")),
        disputes=strings(member(row, "disputes")),
        gone="it was retired there" if stage == Stage.RETIRED else "",
    )


def rendered(bundle: Bundle) -> str:
    """The lines that say all of it.

    >>> piece = Brought(what=Fact(text="The port is 8080", kind="schema"), place="")
    >>> parse("m", rendered(Bundle(pieces=(piece,)))).pieces[0].what == piece.what
    True
    """
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in _rows(bundle))


def _rows(bundle: Bundle) -> Iterator[JsonObject]:
    yield from (_written(piece) for piece in bundle.pieces)
    for miss in bundle.misses:
        yield _full({"missed": miss.prompt, "session": miss.session, "date": miss.date})
    for draft in bundle.turned_down:
        yield _full({"turned_down": draft.about, "note": draft.note})


def _written(piece: Brought) -> JsonObject:
    what = piece.what
    kind = {"kind": what.kind} if isinstance(what, Fact) else {}
    quoted = {part: getattr(piece.quoted, part) for part in Quoted.__slots__}
    more = {part: getattr(piece, part) for part in ("id", "project", "everywhere", "sessions")}
    return _full({
        **{part: value for part, value in encode(what).items() if part != "signs"},
        **kind,
        **more,
        "disputes": piece.disputes,
        "stage": Stage.RETIRED if piece.gone else piece.stage,
        "standing": encode(piece.standing) if piece.standing else None,
        "source": _full(quoted),
    })


def _full(row: JsonObject) -> JsonObject:
    """An object without what says nothing."""
    return {
        name: value for name, value in row.items() if value or (value == 0 and value is not False)
    }
