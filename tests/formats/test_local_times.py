"""Days and times are those of whoever reads or names them."""

import time
from collections.abc import Iterator
from datetime import date

import pytest

from learnt.core.governance.model_calls import day_of
from learnt.formats.injection import day, moment, zoned
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from learnt.surfaces.cli.lifecycle import between
from tests.contracts.test_past import HERE, put, turn
from tests.support import in_memory

MORNING = 1_795_816_800_000  # seven o'clock in Tokyo, where it is the day before in London


@pytest.fixture(autouse=True)
def _in_tokyo() -> Iterator[None]:
    """Run each test as if the machine stood in Tokyo."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TZ", "Asia/Tokyo")
        time.tzset()
        yield
    time.tzset()


def test_people_read_local_times_and_programs_the_zone() -> None:
    """A morning is of its own day, not of the evening before."""
    assert "2026-11-28" == day(MORNING) == day_of(MORNING)
    assert "2026-11-28 07:00:00" == moment(MORNING)
    assert "2026-11-28 07:00:00+09:00" == zoned(MORNING)


def test_a_zone_that_cannot_be_is_none() -> None:
    """The clock has no hour 99: times are those of London."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TZ", "<+99>-99")
        time.tzset()
        assert "2026-11-27 22:00:00" == moment(MORNING)


def test_a_day_that_a_person_names_is_a_local_one() -> None:
    """From midnight to midnight there; a moment with a zone is what it says."""
    assert MORNING in between("2026-11-28", "2026-11-28")
    assert MORNING not in between("2026-11-27", "2026-11-27")
    assert MORNING in between("2026-11-27T22:00:00+00:00", "2026-11-27T22:00:00+00:00")


def test_what_was_said_that_morning_is_found_by_its_day() -> None:
    """The day before finds it no more."""
    outside = in_memory.outside(porter, ShippedLanguage())
    put(outside, "s1", [turn(1, "gateway port", ms=MORNING)])
    days = [date(2026, 11, number).toordinal() for number in (27, 28)]
    hits = [bool(outside.past.match(["zebra"], [(one, one)], [HERE], 5)) for one in days]
    assert [False, True] == hits
