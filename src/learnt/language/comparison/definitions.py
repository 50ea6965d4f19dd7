"""Whether two statements say what one coded thing means, a status or an error, and differ."""

import re
from collections.abc import Callable
from itertools import takewhile
from typing import Final, NamedTuple

from learnt.core.words import SIGNS, STOP_WORDS

_DEFINES: Final = re.compile(SIGNS["defines"], re.IGNORECASE)
_TOKEN: Final = re.compile(r"[a-z0-9_]+(?:[.-][a-z0-9_]+)*|[\u4e00-\u9fff]{2}", re.IGNORECASE)
_CODED: Final = re.compile(r"\d|_|[a-z][A-Z]|^[A-Z]{2,}$")
_NAME: Final = re.compile(r"\b[A-Za-z][A-Za-z0-9]*(?:[_.][A-Za-z0-9]+)+\b")
_SAME, _OTHER = 0.5, 0.5  # of the words of the shorter part
_LEAST_ALIKE, _LONGEST_END = (
    3,
    3,
)  # words at the beginning that are the same, at the end that are not


class _Definition(NamedTuple):
    codes: frozenset[str]
    name: frozenset[str]
    meaning: frozenset[str]


def redefines(existing: str, new: str, stem: Callable[[str], str]) -> bool:
    """Whether one coded thing means something else in each statement.

    >>> redefines("status 7 means no-show", "Booking status 7 means waitlisted", str)
    True
    >>> redefines("status 7 means no-show", "status 8 means waitlisted", str)
    False
    """
    one, other = _definition(existing, stem), _definition(new, stem)
    if one is None or other is None or one.codes != other.codes:
        return False
    return _shared(one.name, other.name) >= _SAME and _shared(one.meaning, other.meaning) < _OTHER


def of_one_name(existing: str, new: str) -> bool:
    """Whether two statements name the same identifiers, and at least one.

    >>> of_one_name("t_stay.price is DECIMAL", "t_stay.price is INT, in cents")
    True
    """
    one, other = _named(existing), _named(new)
    return bool(one) and one == other


def of_one_subject(existing: str, new: str) -> bool:
    """Whether two statements begin alike and end in a few other words: one subject, two values.

    >>> of_one_subject("errors are reported to Sentry", "errors are reported to Datadog")
    True
    >>> of_one_subject("logs are kept in Loki", "metrics are kept in Loki")
    False
    """
    one, other = (_TOKEN.findall(text.casefold()) for text in (existing, new))
    pairs = zip(one, other, strict=False)
    alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    ends = one[alike:], other[alike:]
    few = all(0 < len(end) <= _LONGEST_END for end in ends) and not {*ends[0]} & {*ends[1]}
    return few and alike >= max(_LEAST_ALIKE, *map(len, ends)) and not named_apart(existing, new)


def named_apart(existing: str, new: str) -> bool:
    """Whether each of two statements names identifiers that the other does not.

    >>> named_apart("film.film_id is its id", "film.language_id is NULL")
    True
    """
    one, other = _named(existing), _named(new)
    return bool(one - other and other - one)


def _named(text: str) -> frozenset[str]:
    return frozenset(map(str.casefold, _NAME.findall(text)))


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))


def _definition(text: str, stem: Callable[[str], str]) -> _Definition | None:
    defines = _DEFINES.search(text)
    if defines is None:
        return None
    name, meaning = text[: defines.start()], text[defines.end() :]
    codes = frozenset(token.casefold() for token in _TOKEN.findall(name) if _CODED.search(token))
    return _Definition(codes, _words(name, stem), _words(meaning, stem)) if codes else None


def _words(text: str, stem: Callable[[str], str]) -> frozenset[str]:
    tokens = (token.casefold() for token in _TOKEN.findall(text))
    return frozenset(stem(token) for token in tokens if token not in STOP_WORDS)
