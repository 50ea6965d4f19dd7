"""A turn's score rises with the words of any turn near it, and of no other."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.recall.conversation import REACH, HitSession, impact, score, times

LENGTH = 12
SCORES = st.dictionaries(st.integers(0, LENGTH - 1), st.floats(0, 2), max_size=LENGTH)
ASKS = st.binary(min_size=LENGTH, max_size=LENGTH).map(lambda raw: bytes(b & 1 for b in raw))


def hit(own: dict[int, float], asks: bytes) -> HitSession:
    return HitSession(asks, (0, 0), own=own)


@given(SCORES, ASKS, st.integers(0, LENGTH - 1), st.integers(0, LENGTH - 1), st.floats(0.1, 1))
def test_more_words_near_it_raise_a_turn(
    own: dict[int, float], asks: bytes, number: int, other: int, more: float
) -> None:
    """Strictly within reach, not at all beyond; in a session without words every score is 0."""
    richer = own | {other: own.get(other, 0.0) + more}
    before, after = score(hit(own, asks), number), score(hit(richer, asks), number)

    assert (after > before) == (abs(number - other) <= REACH)
    assert score(hit({}, asks), number) == 0.0


@given(st.integers(1, 500), st.integers(1, 5_000))
def test_what_a_term_counts_fits_a_byte(count: int, more: int) -> None:
    """It rises with how often it stands there and falls with the length."""
    length = count + more
    assert 1 <= impact(count, length) <= impact(count + 1, length + 1) <= 255
    assert impact(count, length + 100) <= impact(count, length)


TODAY = date(2026, 5, 20)  # a Wednesday
NAMES = "January February March April May June July August September October November December"


@given(st.integers(1900, 2099), st.integers(1, 12))
def test_a_month_is_read_however_it_is_written(year: int, month: int) -> None:
    """By its name, by its number, in Chinese; a year alone is all its months."""
    name = NAMES.split()[month - 1]
    for text in (
        f"said in {name} {year}?", f"on {name[:3]} 3rd, {year}", f"on {year}-{month:02}-03",
        f"{year}年{month}月说的", f"{name.upper()}, {year}", f"on 3 {name} {year}",
    ):  # fmt: skip
        ((first, last),) = times(text, TODAY)
        days = [date.fromordinal(first), date.fromordinal(last), date.fromordinal(last + 1)]
        assert [(year, month, 1), (year, month)] == [
            days[0].timetuple()[:3], days[1].timetuple()[:2]
        ], text  # fmt: skip
        assert 1 == days[2].day, text
    year_whole = (date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal())
    assert [year_whole] == times(f"what was it in {year}?", TODAY)
    assert [] == times(f"the port {year}1, build 1.{year}.3 may fail", TODAY)


@given(st.dates(date(1950, 1, 1), date(2090, 12, 31)), st.dates(date(1951, 1, 1)))
def test_a_day_without_a_year_is_the_latest(day: date, today: date) -> None:
    """It is not after today, and no later one of that name is before it."""
    name = NAMES.split()[day.month - 1]
    for text in (f"on {day.day} {name}", f"{name} {day.day}", f"{day.month}月{day.day}日"):
        for first, last in times(text, today):
            found = date.fromordinal(first)
            assert first == last <= today.toordinal()
            assert (day.month, day.day) == (found.month, found.day)
            assert (today - found).days <= 366


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("what did we do today", 0, 0),
        ("yesterday's timeout", 1, 1),
        ("昨天说的端口", 1, 1),
        ("gestern", 1, 1),
        ("last week", 13, 1),
        ("上周的部署", 13, 1),
        ("3 days ago", 3, 3),
        ("three days ago", 3, 3),
        ("two weeks ago", 17, 11),
        ("3 天前", 3, 3),
        ("on Tuesday", 1, 1),
        ("last wednesday", 7, 7),
        ("the release of Sunday", 3, 3),
        ("5月19日", 1, 1),
        ("since May", 19, -11),
    ],
)
def test_how_long_ago_is_counted_from_today(said: str, first: int, last: int) -> None:
    """From a day and a weekday, in the languages whose words are there."""
    today = TODAY.toordinal()
    assert [(today - first, today - last)] == times(said, TODAY)


@pytest.mark.parametrize(
    "said",
    [
        "a timeout of 3 days", "the march of progress", "we may fail", "31 June", "May 32",
        "the 10 000 days ago", "monitor the sunrise", "port 8080", "", "before 5.3",
    ],
)  # fmt: skip
def test_what_names_no_time_names_none(said: str) -> None:
    """A length of time, a word that looks like a month, a day that no month has."""
    assert [] == times(said, TODAY)
