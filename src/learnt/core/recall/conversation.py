"""What a conversation's structure adds to a turn's words, and the days that a question names.

An answer often repeats no word of the question before it. `benchmarks/conversations.py` measures
what the constants bring.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from typing import Final

from msgspec import field

from learnt.core.knowledge.numbers import quantities
from learnt.core.recall.ranking import LENGTH, SATURATION
from learnt.core.records import Record
from learnt.core.words import SIGNS

Days = tuple[int, int]  # the first and the last day of a time, as `date.toordinal` counts them

_MONTHS: Final = SIGNS["months"].split()
_WEEKDAYS: Final = SIGNS["weekdays"].split()
_MONTH: Final = rf"\b(?P<name>{'|'.join(_MONTHS)})[a-z]{{0,6}}"
_DAY: Final = rf"(?P<day>[0-3]?\d)(?:{SIGNS['ordinals']})?"
_YEAR: Final = r"(?<![\d.])(?P<year>(?:19|20)\d\d)(?!\.?\d)"
# With a year, as 2026-05-03, May 3rd, 2026, 3 May 2026, May 2026, 2026; or without.
_DATED: Final = re.compile(
    rf"(?:(?:{_DAY} +)?{_MONTH}[ ,]+(?:[0-3]?\d[a-z]{{0,2}}[ ,]+)?)?{_YEAR}"
    r"(?: ?(?:[-/]|[^\W\d_a-z]) ?(?P<month>1[0-2]|0?[1-9])(?!\d))?",
    re.IGNORECASE,
)
_CAPITAL: Final = rf"(?!(?-i:{SIGNS['words like months']})\b)"  # a month is written large
_UNDATED: Final = (
    re.compile(rf"\b{_DAY} +{_CAPITAL}{_MONTH}\b", re.IGNORECASE),
    re.compile(rf"{_CAPITAL}{_MONTH} +{_DAY}\b(?![:.]\d)", re.IGNORECASE),
    re.compile(rf"(?:{SIGNS['of a year']}){_CAPITAL}{_MONTH}\b", re.IGNORECASE),
    re.compile(SIGNS["month and day"]),
)
_WEEKDAY: Final = re.compile(rf"\b(?P<name>{'|'.join(_WEEKDAYS)})\b", re.IGNORECASE)
_BACK: Final = {
    words.replace("_", " "): (int(first), int(last))
    for first, last, *named in map(str.split, SIGNS["days back"].split("|"))
    for words in named
}
_BACK_NAMED: Final = re.compile(
    "|".join(rf"(?<![a-z]){re.escape(words)}(?![a-z])" for words in sorted(_BACK, key=len)[::-1]),
    re.IGNORECASE,
)
_AGO: Final = re.compile(SIGNS["ago"], re.IGNORECASE)
_DAY_SECONDS: Final = 86_400


def times(question: str, today: date) -> list[Days]:
    """The times that a question names, each as its first and its last day.

    A date with a year is its whole month: what is asked of was often said some days later. A month
    or a day without a year is the latest one. What is so many weeks ago is known to a week.

    >>> def named(question):
    ...     spans = times(question, date(2026, 5, 20))
    ...     return [(str(date.fromordinal(a)), str(date.fromordinal(b))) for a, b in spans]
    >>> named("what did we say of the port in May 2025?")
    [('2025-05-01', '2025-05-31')]
    >>> named("yesterday, or on 3 June?")
    [('2025-06-03', '2025-06-03'), ('2026-05-19', '2026-05-19')]
    >>> named("the timeout of two weeks ago")
    [('2026-05-03', '2026-05-09')]
    """
    spans = list[Days]()
    for match in _DATED.finditer(question):
        year = int(match["year"])
        whole = date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()
        spans.append(_month(year, _number(match)) if match["name"] or match["month"] else whole)
    rest = _DATED.sub(" ", question)
    for pattern in _UNDATED:
        spans += filter(None, (_latest(match, today) for match in pattern.finditer(rest)))
        rest = pattern.sub(" ", rest)
    for match in _WEEKDAY.finditer(rest):
        day = today.toordinal() - 1
        wanted = _WEEKDAYS.index(match["name"].casefold()) % 7
        spans.append((day - (day - 1 - wanted) % 7,) * 2)
    for match in _BACK_NAMED.finditer(rest):
        first, last = _BACK[match[0].casefold()]
        spans.append((today.toordinal() - last, today.toordinal() - first))
    return spans + _ago(rest, today)


def touches(span: Days, asked: Iterable[Days]) -> bool:
    """Whether a time has a day of any that is asked for."""
    return any(span[0] <= last and first <= span[1] for first, last in asked)


def _number(match: re.Match[str]) -> int:
    name = match.groupdict().get("name")
    return _MONTHS.index(name.casefold()) + 1 if name else int(match["month"])


def _month(year: int, month: int) -> Days:
    first = date(year, month, 1)
    following = (first + timedelta(days=31)).replace(day=1)
    return first.toordinal(), following.toordinal() - 1


def _latest(match: re.Match[str], today: date) -> Days | None:
    """The latest such month or day that has begun; None for a day that no month has."""
    month, day = _number(match), int(match.groupdict().get("day") or 0)
    year = today.year - ((month, day) > (today.month, today.day))
    try:
        return (date(year, month, day).toordinal(),) * 2 if day else _month(year, month)
    except ValueError:
        return None


def _ago(text: str, today: date) -> list[Days]:
    """What stands as a length of time with a word that says it is gone."""
    spans = []
    for length in quantities(text):
        days = round(length.value / _DAY_SECONDS) if length.measure == "time" else 0
        before, behind = text[: length.start].rstrip(), text[length.end :].lstrip()
        gone = _AGO.match(behind) or any(m.end() == len(before) for m in _AGO.finditer(before))
        if gone and 0 < days < today.toordinal() - 366:
            about, day = days // 4, today.toordinal() - days
            spans.append((day - about, day + about))
    return spans


NEIGHBOURS: Final = 0.3  # of a turn's score goes to each turn beside it,
FADES: Final = 0.5  # and this part of that to each one further on,
REACH: Final = 4  # so far
ANSWERS: Final = 0.6  # of a question's score goes to the turn behind it
SESSION: Final = 0.2  # what the session adds that is most about it
DATED: Final = 0.2  # what a session adds of a time that the question names
TYPICAL: Final = 20  # terms of a turn
SPREAD: Final = 1.2  # turns with a term, of a session of usual length, that make it half about it
SCALE: Final = (1 + SATURATION) / 255  # of an impact
QUESTION: Final = ("?", "\uff1f", "\u061f")  # at its end


class HitSession(Record):
    """A session that shares terms with a question.

    `asks` has a byte for each turn: 1 where it ends in a question. `own` is the score of turns by
    the words in them, `holding` the worth of each term and how many turns it stands in.
    """

    asks: bytes
    time: Days
    own: dict[int, float] = field(default_factory=dict)
    holding: list[tuple[float, int]] = field(default_factory=list)


def impact(count: int, length: int) -> int:
    """What a term counts for, 1 to 255, that stands so often in a turn of so many terms.

    >>> impact(1, 20), impact(2, 20), impact(1, 2000)
    (134, 176, 7)
    """
    damping = SATURATION * (1 - LENGTH + LENGTH * length / TYPICAL)
    return max(1, round(255 * count / (count + damping)))


def priors(
    hit: Mapping[int, HitSession], usual: float, asked: Collection[Days]
) -> dict[int, float]:
    """What each session adds to its turns; `usual` are the turns of one on average."""
    about = {}
    for key, session in hit.items():
        room = SPREAD * (1 + len(session.asks) / usual) / 2
        about[key] = sum(worth * count / (count + room) for worth, count in session.holding)
    most = max(about.values(), default=0.0) or 1.0  # none has a word of it
    return {
        key: SESSION * about[key] / most + DATED * touches(session.time, asked)
        for key, session in hit.items()
    }


def score(session: HitSession, number: int) -> float:
    """The score of a turn, with what its neighbours and a question before it give.

    >>> hit = HitSession(b"\\1\\0\\0", (0, 0), own={0: 1})
    >>> [round(score(hit, number), 2) for number in range(3)]
    [1.0, 0.9, 0.15]
    """
    alone, share = session.own.get, NEIGHBOURS
    total = alone(number, 0.0)
    for far in range(1, REACH + 1):
        total += share * (alone(number - far, 0.0) + alone(number + far, 0.0))
        share *= FADES
    if number and session.asks[number - 1]:
        total += ANSWERS * alone(number - 1, 0.0)
    return total
