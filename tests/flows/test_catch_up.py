"""What a session did while nobody was up to be told of it, read from its transcript."""

from dataclasses import replace

import pytest

from learnt.core.events import Actor, Kind, Origin
from learnt.core.sessions.observations import Observation
from learnt.flows.sessions.catch_up import as_begun, catch_up
from learnt.formats.wire import Frame
from learnt.stores.in_memory import FixedClock
from tests.support.sessions_told import FOLDER, Home, Turn, ran, said, told
from tests.support.transcripts import START_MS, Reports

BUILD = said("build the firmware", ran("make", "ok"), told("Built."))
TEST = said("and test it", ran("make test", "1 failed", failed=True), told("One fails."))
MEND = said("then mend it", ran("make test", "3 passed"), told("It passes."))
TURNS = [BUILD, TEST, MEND]


@pytest.fixture
def home() -> Home:
    made = Home()
    made.outside = replace(made.outside, clock=FixedClock(START_MS))
    return made


def reports(home: Home, session: str = "s1") -> list[Observation]:
    """What is known of a session, in order."""
    with home.outside.ledger.reading() as reader:
        return [seen.observation for seen in reader.observed(session)]


def begun(home: Home, *turns: Turn, reported: int = 0, session: str = "s1") -> Reports:
    """A session of these turns, of which the first so many were reported."""
    path = home.write(session, turns)
    hooks = Reports(session=session, folder=FOLDER, transcript=path)
    home.report(hooks.began())
    for number, turn in enumerate(turns[:reported]):
        home.report(hooks.asked(number, turn["prompt"]))
        home.report(hooks.called(number, 0, turn["steps"][0]))
    return hooks


def test_missed_prompts_and_calls_are_taken_in_and_counted(home: Home) -> None:
    """Each once, as from the spool, in their order; a second look finds nothing."""
    begun(home, *TURNS, reported=1)
    assert (catch_up(home.outside), catch_up(home.outside)) == (2, 0)

    found = reports(home)
    prompts = [one.episode for one in found if one.event == "UserPromptSubmit"]
    calls = [str(call["id"]) for one in found for call in one.calls]
    assert (prompts, calls) == (["s1-p0", "s1-p1", "s1-p2"], ["s1-0-0", "s1-1-0", "s1-2-0"])
    assert [call["failed"] for one in found for call in one.calls] == [False, True, False]
    assert not home.outside.spool.waiting(1)
    # The prompts that nobody was told of close the episodes before them all the same.
    assert len(home.events(Kind.EPISODE_CLOSED)) == 2
    assert not home.events(Kind.RECALLED) and len(home.events(Kind.MISSED)) == 1


def test_a_step_that_was_missed_in_the_middle_is_added(home: Home) -> None:
    """The worker went down between a prompt and its call."""
    hooks = begun(home, *TURNS, reported=1)
    home.report(hooks.asked(1, TEST["prompt"]))
    assert catch_up(home.outside) == 1
    assert sum(one.event == "PostToolBatch" for one in reports(home)) == 3


def test_nobody_is_taken_for_the_person_who_typed(home: Home) -> None:
    """A transcript may be anybody's: what it says was asked for counts as no person's word."""
    begun(home, *TURNS, said("remember: the gateway is 8443", told("Noted.")), reported=1)
    catch_up(home.outside)

    read = [one for one in reports(home) if one.episode not in {"", "s1-p0"}]
    assert {one.actor for one in read} == {Actor.AGENT}
    assert {one.environment["CLAUDE_PROJECT_DIR"] for one in read} == {FOLDER}
    home.harvest("s1")
    assert Origin.USER not in {entry.origin for entry in home.entries()}


def test_what_is_under_way_or_from_before_is_left(home: Home) -> None:
    """A prompt without a reply may wait for its hook; what was before the start is not ours."""
    begun(home, *TURNS, said("wait for me"))
    assert catch_up(home.outside) == 3
    late = Home()
    late.outside = replace(late.outside, clock=FixedClock(START_MS * 2))
    begun(late, *TURNS)
    assert catch_up(late.outside) == 0


@pytest.mark.parametrize(
    "content", [b"", b"\x00\xff" * 9_000, b'{"type":"user"}\n[1]\n{"type":"user","message":7}\n']
)
def test_a_transcript_that_is_none_gives_nothing(home: Home, content: bytes) -> None:
    """Empty, binary, or in a form that nobody knows."""
    begun(home, *TURNS)
    home.transcripts["/t/s1.jsonl"] = content
    assert catch_up(home.outside) == 0
    del home.transcripts["/t/s1.jsonl"]
    assert catch_up(home.outside) == 0


def test_sessions_of_others_are_not_read(home: Home) -> None:
    """Only those named, where some are; and none of an agent that posts nothing."""
    begun(home, *TURNS)
    begun(home, *TURNS, session="s2")
    assert (catch_up(home.outside, ["s2", "", "s9"]), catch_up(home.outside)) == (3, 3)


def test_a_posted_report_is_made_where_its_session_began(home: Home) -> None:
    """By its newest start; one whose start nobody reported has no surroundings."""
    begun(home, *TURNS)
    known = as_begun(home.outside, Frame(event="Stop", body=b'{"session_id": "s1"}'))
    assert known.environment["CLAUDE_CODE_ENTRYPOINT"] == "cli"
    for body in (b'{"session_id": "s2"}', b"", b'{"session_id": ["s1"]}'):
        assert as_begun(home.outside, Frame(event="Stop", body=body)).environment == {}
