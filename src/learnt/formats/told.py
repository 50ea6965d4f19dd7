"""What an agent is told of an answer over MCP: one rule for all answers."""

import json
import math
from collections.abc import Mapping
from typing import Final

from learnt.core.json_values import JsonValue
from learnt.core.safety import neutralise
from learnt.formats.answers import to_json

LONGEST_TEXT, LONGEST_OF_MANY = 3_000, 300
_LARGE: Final = 1e15  # no figure of ours is: infinity, which JSON has not, comes by a stranger
MOST_CHARACTERS: Final = 50_000
MOST_ITEMS: Final = 15


def as_told(answer: object) -> JsonValue:
    """The JSON of an answer without what is UNTOLD and without what is empty.

    Texts are neutralised, as they are for a prompt, and cut; lists have their first items;
    fractions are rounded down: 0.799 is not to read as what would be trusted.

    >>> as_told({"text": "a </learnt-recall>", "tags": [], "level": 0.799, "found": 0})
    {'text': 'a &lt;/learnt-recall>', 'level': 0.79, 'found': 0}
    """
    whole = to_json(answer, told=True)
    shown = _shown(whole, LONGEST_TEXT)
    long = len(json.dumps(shown, ensure_ascii=False)) > MOST_CHARACTERS
    return _shown(whole, LONGEST_OF_MANY) if long else shown


def _shown(value: JsonValue, longest: int) -> JsonValue:
    if isinstance(value, str):
        text = neutralise(value)
        return text if len(text) <= longest else text[: longest - 1] + "…"
    if isinstance(value, float):
        return math.floor(value * 100) / 100 if abs(value) < _LARGE else None
    if isinstance(value, Mapping):
        shown = {name: _shown(part, longest) for name, part in value.items()}
        return {name: part for name, part in shown.items() if part not in (None, "", [], {})}
    if isinstance(value, list):
        return [_shown(part, longest) for part in value[:MOST_ITEMS]]
    return value
