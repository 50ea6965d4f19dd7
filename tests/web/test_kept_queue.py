"""The queue between requests: nobody waits long for one that was drawn up before."""

from collections.abc import Callable
from concurrent.futures import Future

import pytest

from learnt.ports import Outside
from learnt.surfaces.web.pages import HOLDS, PATIENCE, RESTS, KeptQueue
from tests.flows.stage import HERE, Stage


class Elsewhere:
    """Another thread, whose work is done when the test says so, and its clock.

    Between two looks at the clock `takes` seconds go by.
    """

    def __init__(self, outside: Outside) -> None:
        self.outside, self.now, self.takes = outside, 0.0, 0.0
        self.waiting: list[tuple[Callable[[Outside], None], Future[None]]] = []
        self.kept = KeptQueue(self.later, self.clock)

    def clock(self) -> float:
        self.now += self.takes
        return self.now

    def later(self, work: Callable[[Outside], None]) -> Future[None]:
        self.waiting.append((work, Future()))
        return self.waiting[-1][1]

    def work(self) -> None:
        for work, future in self.waiting:
            work(self.outside)
            future.set_result(None)
        self.waiting.clear()

    def waits(self) -> list[str]:
        return sorted(item.subject for item in self.kept.items(self.outside, HERE))


FIRST, SECOND = "db7 listens on 6432, not 5432", "the cache of the shop lives for nine minutes"


@pytest.fixture
def stage() -> Stage:
    stage = Stage()
    stage.learn(FIRST)
    return stage


def test_the_former_queue_is_given_while_another_is_drawn_up(stage: Stage) -> None:
    """It is behind until then; the first one is waited for."""
    there = Elsewhere(stage.outside)
    assert ([FIRST], False) == (there.waits(), there.kept.behind)
    stage.learn(SECOND)

    assert ([FIRST], True) == (there.waits(), there.kept.behind)
    assert [FIRST] == there.waits() and 1 == len(there.waiting), "drawn up once"
    there.work()
    assert ([FIRST, SECOND], False) == (there.waits(), there.kept.behind)


def test_what_was_decided_meanwhile_does_not_come_back(stage: Stage) -> None:
    """A queue that was begun before the decision is thrown away."""
    there = Elsewhere(stage.outside)
    (item,) = there.kept.items(stage.outside, HERE)
    stage.learn(SECOND)
    there.waits()
    there.kept.decided(stage.outside, item)
    there.work()

    assert [FIRST] == there.waits(), "it waits still, since nothing took it out"
    there.kept.forget()
    assert [FIRST, SECOND] == there.waits()


def test_what_takes_long_to_draw_up_rests(stage: Stage) -> None:
    """So that with an agent at work the other pages get their turn; it is fresh a minute later."""
    there = Elsewhere(stage.outside)
    there.waits()
    stage.learn(SECOND)
    there.waits()
    there.takes = 2 * PATIENCE
    there.work()
    there.takes = 0.0
    stage.learn("invoices are printed on blue paper")

    assert 2 == len(there.waits()) and not there.waiting
    there.now += RESTS * 2 * PATIENCE
    there.waits()
    there.work()
    assert 3 == len(there.waits()) and not there.waiting
    there.now += 2 * HOLDS
    assert 3 == len(there.waits()) and 1 == len(there.waiting)
