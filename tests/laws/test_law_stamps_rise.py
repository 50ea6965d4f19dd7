"""Stamps rise, whatever the clock does and whoever's events arrive."""

from hypothesis import given, settings
from hypothesis import strategies as st

from learnt.core.events import Actor, Event, NewEvent, Stamp, next_stamp
from learnt.core.identifiers import Subject
from learnt.core.payloads.entry_events import Missed
from tests.laws.strategies import SUBJECTS, empty_ledger, events
from tests.support.in_memory import FixedClock

DRAFT = NewEvent(subject=Subject("questions"), actor=Actor.AGENT, payload=Missed())


@given(
    st.lists(
        st.tuples(st.integers(-(2**40), 2**48), st.sampled_from("ab")), min_size=1, max_size=20
    )
)
def test_a_stamp_is_behind_all_before_it(readings: list[tuple[int, str]]) -> None:
    """And never before the wall clock."""
    last: Stamp | None = None
    for wall, home in readings:
        stamp = next_stamp(last, wall, home)

        assert last is None or last < stamp
        assert wall <= stamp.ms
        last = stamp


@settings(max_examples=settings().max_examples // 2)
@given(st.lists(st.integers(0, 2**48 - 1), min_size=1, max_size=6), events(SUBJECTS, 1, 3))
def test_what_a_ledger_writes_is_behind_all_that_it_holds(
    readings: list[int], arriving: list[Event]
) -> None:
    """Even after another home's events from the future came in."""
    clock = FixedClock()
    newest: Stamp | None = None
    with empty_ledger(clock) as ledger:
        for wall in readings:
            clock.ms = wall
            with ledger.writing() as writer:
                written = writer.append(DRAFT)

                assert written is not None
                assert wall == written.wall_ms
                assert newest is None or newest < written.stamp
                newest = written.stamp
                if arriving:
                    other = arriving.pop()
                    writer.merge(other)
                    newest = max(newest, other.stamp)
