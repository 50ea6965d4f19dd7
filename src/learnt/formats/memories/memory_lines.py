"""Memories as JSON lines, one a line: what `learnt export` writes and `learnt import` reads.

    {"text": "…", "kind": "schema", "entities": [], "tags": []}
    {"problem": "…", "approach": "…", "cautions": [], "tags": [], "files": [], "language": "go"}
    {"missed": "a prompt that found nothing"}
    {"turned_down": "an id"}

The members are those of `Brought`, `EarlierMiss` and `TurnedDown`; `docs/import.md` tells them.
"""

import json
from dataclasses import replace
from typing import Final

from learnt.core.json_values import JsonValue, member, text_of
from learnt.core.knowledge.brought import Brought, Bundle, EarlierMiss, TurnedDown
from learnt.core.knowledge.entries import Stage
from learnt.core.records import decode, encode
from learnt.formats.observations import storable

LONGEST: Final = 100_000  # bytes of a line
_SHAPES: Final = ("text", "problem", "missed", "turned_down")


def parse(name: str, text: str) -> Bundle:
    """What the lines bring. Raises ValueError for one that is no memory: it may be cut off.

    >>> [one.text for one in parse("m", '{"text": "The port is 8080"}\\n').pieces]
    ['The port is 8080']
    """
    pieces: list[Brought] = []
    misses: list[EarlierMiss] = []
    turned_down: list[TurnedDown] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        row = _row(number, line)
        match next((shape for shape in _SHAPES if text_of(member(row, shape))), ""):
            case "missed":
                misses.append(decode(EarlierMiss, row))
            case "turned_down":
                turned_down.append(decode(TurnedDown, row))
            case "":
                raise ValueError(f'Line {number} has neither "text" nor "problem"')
            case _:
                piece = decode(Brought, row)
                there = piece.stage in {Stage.VALIDATED, Stage.CANDIDATE}
                gone = "" if there else f"it was {piece.stage} there"
                pieces.append(replace(piece, place=f"{name}:{number}", gone=gone))
    return Bundle(pieces=tuple(pieces), misses=tuple(misses), turned_down=tuple(turned_down))


def _row(number: int, line: str) -> JsonValue:
    try:
        value: JsonValue = storable(line)
    except (ValueError, RecursionError) as error:
        why = getattr(error, "msg", error)  # without another number of a line
        raise ValueError(f"Line {number} is not JSON ({why})") from error
    if len(line.encode("utf-8", "replace")) > LONGEST:
        raise ValueError(f"Line {number} has more than {LONGEST:,} bytes")
    return value


def rendered(bundle: Bundle) -> str:
    """The lines that say all of it, but for its findings.

    >>> rendered(Bundle(pieces=(Brought(text="The port is 8080", kind="schema"),)))
    '{"text": "The port is 8080", "kind": "schema"}\\n'
    """
    pieces = (replace(piece, place="", gone="") for piece in bundle.pieces)
    rows = map(encode, (*pieces, *bundle.misses, *bundle.turned_down))
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)
