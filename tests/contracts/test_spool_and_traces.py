"""What any spool and any traces promise."""

from learnt.core.safety import owned
from learnt.core.sessions.observations import Observation
from learnt.ports import Outside


def seen(name: str) -> Observation:
    return Observation(
        id=name,
        ms=7,
        event="SessionEnd",
        session="s",
        cwd="/p",
        detail={"reason": "other"},
        environment={"CLAUDE_PID": "1"},
        excerpt=owned("死锁"),
    )


def test_what_was_put_is_read_back(outside: Outside) -> None:
    """A spooled observation is the one that was put."""
    outside.spool.put(seen("1"))

    assert ["1"] == list(outside.spool.waiting(10))
    assert seen("1") == outside.spool.read("1")


def test_the_oldest_wait_in_front(outside: Outside) -> None:
    """Names order by time, and a limit takes the first."""
    for name in ("3", "1", "2"):
        outside.spool.put(seen(name))

    assert ["1", "2"] == list(outside.spool.waiting(2))


def test_done_and_set_aside_no_longer_wait(outside: Outside) -> None:
    """Both leave the queue; doing either twice is no error."""
    for name in ("1", "2"):
        outside.spool.put(seen(name))
    for _ in range(2):
        outside.spool.done("1")
        outside.spool.set_aside("2")

    assert [] == list(outside.spool.waiting(10))
    assert outside.spool.read("1") is None
