"""JSON as values: the types, and the one canonical text that hashes and comparisons use."""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias

JsonValue: TypeAlias = (
    "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
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
