"""The days that a question names: by a date, a month, a weekday, or by how long ago they were."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from learnt.core.knowledge.numbers import quantities
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
    ...     found = times(question, date(2026, 5, 20))
    ...     return [(str(date.fromordinal(a)), str(date.fromordinal(b))) for a, b in found]
    >>> named("what did we say of the port in May 2025?")
    [('2025-05-01', '2025-05-31')]
    >>> named("yesterday, or on 3 June?")
    [('2025-06-03', '2025-06-03'), ('2026-05-19', '2026-05-19')]
    >>> named("the timeout of two weeks ago")
    [('2026-05-03', '2026-05-09')]
    """
    found = [_year_or_month(match) for match in _DATED.finditer(question)]
    rest = _DATED.sub(" ", question)
    for pattern in _UNDATED:
        found += filter(None, (_latest(match, today) for match in pattern.finditer(rest)))
        rest = pattern.sub(" ", rest)
    for match in _WEEKDAY.finditer(rest):
        day = today.toordinal() - 1
        wanted = _WEEKDAYS.index(match["name"].casefold()) % 7
        found.append((day - (day - 1 - wanted) % 7,) * 2)
    for match in _BACK_NAMED.finditer(rest):
        first, last = _BACK[match[0].casefold()]
        found.append((today.toordinal() - last, today.toordinal() - first))
    return found + _ago(rest, today)


def touches(span: Days, asked: Iterable[Days]) -> bool:
    """Whether a time has a day of any that is asked for.

    >>> touches((3, 5), [(1, 2), (5, 9)]), touches((3, 5), [(6, 9)]), touches((3, 5), [])
    (True, False, False)
    """
    return any(span[0] <= last and first <= span[1] for first, last in asked)


def _year_or_month(match: re.Match[str]) -> Days:
    year = int(match["year"])
    if not (match["name"] or match["month"]):
        return date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()
    return _month(year, _number(match))


def _number(match: re.Match[str]) -> int:
    groups = match.groupdict()
    if groups.get("name"):
        return _MONTHS.index(groups["name"].casefold()) + 1
    return int(groups["month"])


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
    found = []
    for length in quantities(text):
        days = round(length.value / _DAY_SECONDS) if length.measure == "time" else 0
        before, behind = text[: length.start].rstrip(), text[length.end :].lstrip()
        gone = _AGO.match(behind) or any(m.end() == len(before) for m in _AGO.finditer(before))
        if gone and 0 < days < today.toordinal() - 366:
            about, day = days // 4, today.toordinal() - days
            found.append((day - about, day + about))
    return found
