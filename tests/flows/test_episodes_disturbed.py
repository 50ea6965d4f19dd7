"""Episodes whose reports come late, out of turn or not at all, and what is said of them."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.health.outcomes import MILLION, Cause, Trouble
from learnt.core.payloads.session_events import EpisodeClosed
from learnt.errors import Conflict
from learnt.flows.governance.explain import explain
from learnt.flows.health.closing import measured
from learnt.flows.health.queue import adopt
from learnt.flows.health.report import feedback, last_episodes, skills
from learnt.flows.sessions.observe import report
from learnt.formats.agents.transcripts import interrupted
from learnt.formats.seed_health import Logged, SeedHealth
from tests.flows.stage import Stage
from tests.flows.test_episodes import FAILS, PASSES, call, closed, launched, newest, ran, step
from tests.support.in_memory_files import InMemoryTranscripts


def told(stage: Stage) -> dict[str, tuple[Trouble, int | None]]:
    """Each episode's trouble and grade, by its prompt."""
    return {
        e.prompt: (e.outcome.trouble, e.outcome.grade) for e in last_episodes(stage.outside, 99)
    }


def test_a_reply_is_of_the_last_episode_alone() -> None:
    """A background subagent's late step reopens an earlier one, which nobody spoke of."""
    stage = Stage()
    stage.prompt("first", episode="p1", ms=1_000)
    step(stage, "p1", ran(PASSES), ms=1_500)
    stage.prompt("second", episode="p2", ms=2_000)
    step(stage, "p1", ran(PASSES), subagent="a1", ms=2_500)
    step(stage, "p2", ran(PASSES), ms=2_600)
    stage.prompt("no, that's wrong", episode="p3", ms=3_000)
    assert {"p1": (Trouble.NONE, MILLION), "p2": (Trouble.CORRECTION, 0)} == told(stage)


def test_an_older_prompt_closes_nothing_newer() -> None:
    """It waited in the spool while the next one was answered."""
    stage = Stage()
    stage.prompt("second", episode="p2", ms=2_000)
    step(stage, "p2", ran(PASSES), ms=2_500)
    late = stage.observation("UserPromptSubmit", episode="p1", ms=1_000, excerpt="no, that's wrong")
    report(stage.outside, late, waited=True)
    assert [] == closed(stage)
    stage.prompt("go on", episode="p3", ms=3_000)
    assert (Trouble.NONE, MILLION) == told(stage)["p2"]


def test_a_sessions_end_that_comes_late_closes_nothing_newer() -> None:
    """It waited in the spool while the session was resumed and asked again."""
    stage = Stage()
    stage.prompt("first", episode="p1", ms=1_000)
    ended = stage.observation("SessionEnd", episode="p1", ms=1_500, detail={"reason": "other"})
    stage.prompt("second", episode="p2", ms=2_000)
    report(stage.outside, ended, waited=True)
    assert ["p1"] == [event.where.episode for event in closed(stage)]


def test_a_clock_that_is_set_back_keeps_no_episode_open() -> None:
    """The next prompt closes the one before it, whatever the clock says by then."""
    stage = Stage()
    stage.prompt("first", episode="p1", ms=9_000_000)
    stage.prompt("second", episode="p2", ms=1_000)
    assert ["p1"] == [event.where.episode for event in closed(stage)]


def test_a_typed_command_is_no_opinion() -> None:
    """Whatever its name says."""
    for name in ("/clean", "/revert", "/wrong-name", "/code-clean"):
        stage = Stage()
        stage.prompt("look round", episode="p1")
        stage.prompt(name, episode="p2")
        assert {"p1": (Trouble.NONE, None)} == told(stage)


def test_a_turn_that_the_service_broke_off_is_nobodys_fault() -> None:
    """Trouble, by the environment; one that went on after it is none."""
    stage = Stage()
    stage.prompt("go", episode="p1")
    step(stage, "p1", launched("audit"))
    stage.report("StopFailure", episode="p1", detail={"error": "rate_limit"})
    stage.prompt("go on", episode="p2")
    found = newest(stage)
    assert (Trouble.COMMAND, Cause.ENVIRONMENT) == (found.outcome.trouble, found.outcome.cause)
    assert "broken off: rate_limit" == found.outcome.quotes[0].words
    assert None is skills(stage.outside)[0].success_rate


def test_the_clients_own_commands_are_no_skills() -> None:
    """Compacting and an MCP server's prompts are expanded too."""
    stage = Stage()
    for source, kind, name in (("builtin", "slash_command", "compact"),
                               ("mcp", "mcp_prompt", "ask"),
                               ("projectSettings", "slash_command", "greet")):  # fmt: skip
        detail = {"command_name": name, "command_source": source, "expansion_type": kind}
        stage.report("UserPromptExpansion", episode="p1", detail=detail)
    stage.prompt("/greet you", episode="p1")
    stage.prompt("go on", episode="p2")
    assert ["greet"] == [one.skill for one in skills(stage.outside)]


def test_a_launch_that_worked_at_last_counts() -> None:
    """The failed one before it does not hide it."""
    stage = Stage()
    stage.prompt("go", episode="p1")
    failed = call("Skill", "<tool_use_error>Unknown skill: audit</tool_use_error>", skill="audit")
    step(stage, "p1", failed)
    step(stage, "p1", launched("audit"))
    step(stage, "p1", ran(PASSES))
    stage.prompt("go on", episode="p2")
    (found,) = skills(stage.outside)
    assert (1, 1.0) == (found.executions, found.success_rate)


def test_a_persons_word_is_of_what_ran() -> None:
    """It counts against a skill that the surroundings excused, and makes none of one not there."""
    stage = Stage()
    stage.prompt("go", episode="p1")
    unknown = call("Skill", "<tool_use_error>Unknown skill: nope</tool_use_error>", skill="nope")
    step(stage, "p1", launched("audit"), unknown)
    step(stage, "p1", ran("Exit code 1\ncurl: Could not resolve host: x", command="./fetch"))
    stage.prompt("go on", episode="p2")
    assert {None} == {one.success_rate for one in skills(stage.outside)}
    feedback(stage.outside, "p1", "bad", "", Actor.HUMAN)
    assert {"audit": 0.0, "nope": None} == {
        one.skill: one.success_rate for one in skills(stage.outside)
    }


def test_a_prompts_id_in_two_sessions_is_asked_back() -> None:
    """Neither is picked; the id of the closing tells them apart."""
    stage = Stage()
    for session in ("s1", "s2"):
        stage.prompt("go", session=session, episode="p1")
        stage.prompt("go on", session=session, episode="p2")
    with pytest.raises(Conflict, match="2 sessions"):
        feedback(stage.outside, "p1", "good", "", Actor.HUMAN)
    name = closed(stage)[0].id
    assert name == feedback(stage.outside, name, "good", "", Actor.HUMAN).event


def test_why_takes_a_prompts_id_too() -> None:
    """As feedback does."""
    stage = Stage()
    stage.prompt("the thing to be done now", episode="p1")
    stage.prompt("go on", episode="p2")
    assert ["missed", "episode_closed"] == [one.kind for one in explain(stage.outside, "p1").events]


def test_a_report_after_very_many_episodes_is_not_lost() -> None:
    """The first of thirty gets a failing test that waited in a spool."""
    stage = Stage()
    for number in range(30):
        stage.prompt(f"thing {number}", episode=f"p{number}")
    step(stage, "p0", ran(FAILS))
    stage.report("SessionEnd", episode="p29", detail={"reason": "other"})
    again = [event for event in closed(stage) if event.where.episode == "p0"]
    assert [0, 1] == [payload_of(EpisodeClosed, event).again for event in again]
    assert (Trouble.TEST, 750_000) == told(stage)["p0"]


def test_calls_beyond_those_kept_are_counted() -> None:
    """A batch of very many names the rest by their number."""
    stage = Stage()
    stage.prompt("go", episode="p1")
    stage.report("PostToolBatch", episode="p1", detail={"calls": [ran(PASSES)], "more": 44})
    stage.prompt("go on", episode="p2")
    assert 45 == newest(stage).tools


def user(text: str, prompt: str = "") -> dict[str, Any]:
    return {"type": "user", "message": {"content": text}, "promptId": prompt}


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([user("go", "p1"), user("[Request interrupted by user]")], True),
        ([user("[Request interrupted by user]", "p1")], True),
        ([user("[Request interrupted by user]")], True),  # the prompt is out of sight
        ([user("go", "p0"), user("[Request interrupted by user]"), user("x", "p1")], False),
        ([user("[Request interrupted by user]", "p0"), user("x", "p1")], False),
        ([user("go", "p1"), user("[Request interrupted by user]"), user("next", "p2")], True),
    ],
)
def test_an_interrupt_is_found_without_its_prompt(
    records: list[dict[str, Any]], expected: bool
) -> None:
    """A turn may be longer than the tail that is looked at."""
    assert expected is interrupted([json.dumps(one) for one in records], "p1")


def test_imports_hide_no_episode_and_come_in_once() -> None:
    """The last episodes are observed ones; a history without its daily logs adds nothing."""
    stage = Stage()
    stage.prompt("go", episode="p1")
    stage.prompt("go on", episode="p2")
    history = tuple(
        Logged(skill="a:b", id=f"history:a:b:{n}", grade=0, from_history=True) for n in range(20)
    )
    daily = tuple(Logged(skill="a:b", id=f"i{n}", grade=MILLION, at_ms=1_000 + n) for n in range(5))
    both = SeedHealth(logged=(*history[:15], *daily), totals={"a:b": 20})
    assert 20 == adopt(stage.outside, both)
    assert 0 == adopt(stage.outside, replace(both, logged=history))
    assert ["p1"] == [one.prompt for one in last_episodes(stage.outside)]
    (found,) = skills(stage.outside)
    assert (20, 1.0) == (found.executions, found.last.grade)
    assert 20 == len([e for e in stage.events(Kind.EPISODE_CLOSED) if e.where.agent == "seed-001"])


def forked(stage: Stage, said: str) -> bytes:
    """A fork s2 of s1 that begins with what its user said; the transcript it will have."""
    stage.prompt("make it blue", session="s1", episode="p1")
    step(stage, "p1", ran(PASSES), session="s1")
    stage.report("SessionEnd", session="s1", episode="p1", detail={"reason": "other"})
    stage.report("SessionStart", session="s2", episode="f1", detail={"source": "fork"})
    stage.prompt(said, session="s2", episode="f1", transcript="/f.jsonl")
    copied = {"type": "assistant", "message": {"id": "m"}, "requestSessionId": "s1"}
    own = {"type": "assistant", "message": {"id": "n", "usage": {"output_tokens": 7}}}
    lines = [user("make it blue", "f1"), copied, user(said, "f1"), own]
    for number, line in enumerate(lines):
        line["turnPosition"] = {"turnIndex": 1 + number // 2}
    return "\n".join(map(json.dumps, lines)).encode()


def looked_up(stage: Stage, event: str) -> None:
    ended = stage.observation(event, session="s2", episode="f1", transcript="/f.jsonl")
    ended = measured(stage.outside, ended)
    report(stage.outside, ended)


@pytest.mark.parametrize("written_at", ["Stop", "SessionEnd"])
def test_a_fork_is_tied_to_its_parent_and_speaks_of_it(written_at: str) -> None:
    """Its first prompt disagrees with the parent: known as soon as its transcript is written."""
    stage = Stage()
    assert isinstance(stage.outside.transcripts, InMemoryTranscripts)
    transcript = forked(stage, "no, that's wrong")
    for event in ("Stop", "Stop", "SessionEnd"):
        if event == written_at:
            stage.outside.transcripts.files["/f.jsonl"] = transcript
        looked_up(stage, event)

    (linked,) = stage.events(Kind.SESSION_LINKED)
    assert ("forked", "s1") == (linked.payload["relation"], linked.payload["other"])
    assert (Trouble.CORRECTION, 0) == told(stage)["p1"]
    assert newest(stage).tokens == (7 if written_at == "Stop" else None)


def test_only_the_first_prompt_of_a_fork_speaks_of_its_parent() -> None:
    """What is said later is about the fork's own work, though its parent is known only then."""
    stage = Stage()
    assert isinstance(stage.outside.transcripts, InMemoryTranscripts)
    transcript = forked(stage, "and the door too")
    looked_up(stage, "Stop")
    stage.prompt("no, that's wrong", session="s2", episode="f2")
    stage.outside.transcripts.files["/f.jsonl"] = transcript
    looked_up(stage, "SessionEnd")
    ends = {name: trouble for name, (trouble, _) in told(stage).items()}
    assert {"p1": Trouble.NONE, "f1": Trouble.CORRECTION} == {n: ends[n] for n in ("p1", "f1")}
    assert 1 == len(stage.events(Kind.SESSION_LINKED))


def test_a_compaction_in_between_changes_nothing() -> None:
    """What was launched before it is of the same episode."""
    stage = Stage()
    stage.prompt("go", episode="p1")
    step(stage, "p1", launched("audit"))
    stage.report("SessionStart", episode="p1", detail={"source": "compact"})
    step(stage, "p1", ran(FAILS))
    stage.prompt("go on", episode="p2")
    (found,) = skills(stage.outside)
    assert (1, Trouble.TEST) == (found.executions, found.last.trouble)


@pytest.mark.parametrize(
    ("secret", "before"),
    [("Xy9hunter2Qwerty7Zz", "db password is "), ("ghp_" + "a1B2" * 9, "the token is ")],
)
def test_a_quote_of_a_prompt_holds_no_part_of_a_secret(secret: str, before: str) -> None:
    """However far before the words that count it stands."""
    for gap in range(0, 140, 7):
        stage = Stage()
        stage.prompt("make it blue", episode="p1")
        filler = ("and some more words " * 9)[:gap]
        stage.prompt(f"{before}{secret} {filler} but that's wrong", episode="p2")
        words = newest(stage).outcome.quotes[0].words
        pieces = [secret[at : at + 8] for at in range(len(secret) - 8)]
        assert [] == [piece for piece in pieces if piece in words], words
