"""Sessions, episodes and the spool."""

from learnt.core.events import Kind
from learnt.core.records import member
from learnt.flows.sessions.answer import drain
from learnt.flows.sessions.locate import current_session
from tests.flows.stage import ATTENDED, Stage


def test_an_episode_closes_at_the_next_prompt_with_what_was_done() -> None:
    """Steps, tools and failures of the episode are folded into one event."""
    stage = Stage()
    stage.prompt(episode="p1")
    calls = [{"tool": "Bash", "id": "t1", "failed": True}, {"tool": "Read", "id": "t2"}]
    stage.report("PostToolBatch", episode="p1", detail={"calls": calls})
    stage.report("Stop", episode="p1")
    stage.prompt(episode="p2")

    (closed,) = stage.events(Kind.EPISODE_CLOSED)
    assert "p1" == closed.where.episode
    expected = {"ended_by": "prompt", "steps": 1, "tools": 2, "failed": 1, "stops": 1}
    assert expected == {name: closed.payload[name] for name in expected}


def test_a_session_end_closes_what_is_open() -> None:
    """The last episode is closed by the session's end, once."""
    stage = Stage()
    stage.prompt(episode="p1")
    stage.report("SessionEnd", episode="p1", detail={"reason": "other"})
    stage.report("SessionEnd", episode="p1", detail={"reason": "other"})

    (closed,) = stage.events(Kind.EPISODE_CLOSED)
    assert "session_end" == member(closed.payload, "ended_by")
    assert 1 == len(stage.events(Kind.SESSION_ENDED))


def test_what_the_agent_numbers_without_a_prompt_is_no_episode() -> None:
    """/exit has a prompt id of its own and nothing in it."""
    stage = Stage()
    stage.prompt(episode="p1")
    stage.report("SessionEnd", episode="p2", detail={"reason": "prompt_input_exit"})

    assert ["p1"] == [event.where.episode for event in stage.events(Kind.EPISODE_CLOSED)]


def test_a_start_reported_twice_is_one_start() -> None:
    """A hook registered in two places begins one session."""
    stage = Stage()
    for _ in range(2):
        stage.report("SessionStart", detail={"source": "startup"})

    assert 1 == len(stage.events(Kind.SESSION_STARTED))


def test_two_compactions_with_work_between_are_two() -> None:
    """The same compaction reported twice is one; after a step the next is another."""
    stage = Stage()
    for _ in range(2):
        stage.report("SessionStart", detail={"source": "compact"}, episode="p1")
    assert 1 == len(stage.events(Kind.SESSION_STARTED))

    call = {"tool": "Bash", "id": "t1"}
    stage.report("PostToolBatch", episode="p1", detail={"calls": [call]})
    stage.report("SessionStart", detail={"source": "compact"}, episode="p1")
    assert 2 == len(stage.events(Kind.SESSION_STARTED))


def test_a_cleared_session_follows_the_one_it_replaced() -> None:
    """/clear gives a new id in the same process: the two are linked."""
    stage = Stage()
    stage.report("SessionStart", detail={"source": "startup"})
    stage.report("SessionEnd", detail={"reason": "clear"})
    stage.report("SessionStart", session="s2", detail={"source": "clear"})

    (linked,) = stage.events(Kind.SESSION_LINKED)
    assert ("s2", "s1") == (linked.where.session, member(linked.payload, "other"))


def test_the_spool_is_emptied_into_the_ledger_once() -> None:
    """A report that waits is taken once, though its file comes back."""
    stage = Stage()
    end = stage.observation("SessionEnd", detail={"reason": "other"})
    for _ in range(2):
        stage.outside.spool.put(end)
        assert 1 == drain(stage.outside)

    assert [] == list(stage.outside.spool.waiting(10))
    assert 1 == len(stage.events(Kind.SESSION_ENDED))


def test_a_prompt_that_waited_opens_its_session_but_recalls_nothing() -> None:
    """What no worker answered is recorded as seen; nobody was shown anything."""
    stage = Stage()
    stage.remember()
    stage.outside.spool.put(stage.observation("UserPromptSubmit", episode="p1", excerpt="stripe"))
    drain(stage.outside)

    assert [] == stage.events(Kind.RECALLED) + stage.events(Kind.MISSED)
    with stage.outside.ledger.reading() as reader:
        assert 1 == len(reader.observed("s1"))


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
