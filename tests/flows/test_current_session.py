"""An agent's process may be in another session than the one it began with."""

from learnt.flows.sessions.locate import current_session
from tests.flows.stage import ATTENDED, Stage


def now(stage: Stage, named: str) -> str:
    return current_session(stage.outside, named)


def begin(stage: Stage, session: str, source: str = "startup", process: str = "7") -> None:
    """A session starts in a process."""
    flags = ATTENDED | {"CLAUDE_PID": process}
    stage.report("SessionStart", session=session, detail={"source": source}, environment=flags)


def test_a_cleared_session_is_followed_by_the_next() -> None:
    """As often as that happens, by the process they share; going back is followed too."""
    stage = Stage()
    begin(stage, "s1")
    assert "s1" == now(stage, "s1")
    begin(stage, "other", process="8")
    begin(stage, "s2", "clear")
    begin(stage, "s3", "clear")
    assert ("s3", "s3", "other") == (now(stage, "s1"), now(stage, "s2"), now(stage, "other"))
    begin(stage, "s1", "resume")
    assert "s1" == now(stage, "s1") == now(stage, "s3")
    begin(stage, "next", "startup")
    begin(stage, "after", "clear")
    assert ("s1", "after") == (now(stage, "s1"), now(stage, "next"))


def test_what_is_not_known_stays_as_it_was_named() -> None:
    """No name, a name nobody saw, a session of no process."""
    stage = Stage()
    begin(stage, "s1", process="")
    begin(stage, "s2", process="")
    assert ("", "made-up", "s1") == (now(stage, ""), now(stage, "made-up"), now(stage, "s1"))
