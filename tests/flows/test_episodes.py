"""Episodes from their first report to their outcome, whatever order the reports come in."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, payload_of
from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION, Cause, Trouble
from learnt.core.payloads.session_events import EpisodeClosed
from learnt.errors import Conflict, NotFound
from learnt.flows.governance.explain import explain
from learnt.flows.health.closing import WINDOW_MS, measured
from learnt.flows.health.queue import adopt
from learnt.flows.health.report import feedback, last_episodes, skills
from learnt.flows.sessions.observe import close_stale, report
from learnt.formats.agents.transcripts import interrupted
from learnt.formats.evidence.calls import of_call
from learnt.formats.seed_health import Logged, SeedHealth
from tests.flows.stage import Stage
from tests.support.in_memory import FixedClock
from tests.support.in_memory_files import InMemoryTranscripts

FAILS, PASSES = "Exit code 1\n1 failed, 3 passed in 1s", "4 passed in 1s"
_numbers = iter(range(1_000_000))


def call(tool: str, response: str, **given: Any) -> dict[str, Any]:
    """A call as an observation holds it."""
    found: dict[str, Any] = {"tool": tool, "id": f"t{next(_numbers)}"}
    if tool == "Skill":
        found["skill"] = given["skill"]
    found["evidence"] = of_call(tool, given, response)
    return found


def step(stage: Stage, episode: str, *calls: dict[str, Any], **more: Any) -> bool:
    return stage.report("PostToolBatch", episode=episode, detail={"calls": list(calls)}, **more)


def ran(response: str, command: str = "pytest") -> dict[str, Any]:
    return call("Bash", response, command=command)


def closed(stage: Stage) -> list[Event]:
    return stage.events(Kind.EPISODE_CLOSED)


def newest(stage: Stage) -> Episode:
    return last_episodes(stage.outside, 1)[0]


def launched(skill: str) -> dict[str, Any]:
    return call("Skill", f"Launching skill: {skill}", skill=skill)


def test_a_failing_test_is_trouble_and_a_mended_one_is_none() -> None:
    """With the grade and the closing line as evidence."""
    stage = Stage()
    stage.prompt("run the tests", episode="p1")
    step(stage, "p1", ran(FAILS))
    stage.prompt("now mend them", episode="p2")
    first = newest(stage)
    assert (Trouble.TEST, 750_000) == (first.outcome.trouble, first.outcome.grade)
    assert "1 failed, 3 passed in 1s" in [quote.words for quote in first.outcome.quotes]

    step(stage, "p2", ran(FAILS), call("Edit", "ok", file_path="a"), ran(PASSES))
    stage.prompt("and the docs", episode="p3")
    second = newest(stage)
    assert (Trouble.NONE, MILLION) == (second.outcome.trouble, second.outcome.grade)


def test_the_next_prompt_speaks_of_the_one_before() -> None:
    """A correction, quoted, whatever the tests said."""
    stage = Stage()
    stage.prompt("make the button blue", episode="p1")
    step(stage, "p1", ran(PASSES))
    stage.prompt("no, the button is still red", episode="p2")
    found = newest(stage)
    assert (Trouble.CORRECTION, 0) == (found.outcome.trouble, found.outcome.grade)
    assert "still red" in found.outcome.quotes[0].words


def test_a_spooled_prompt_speaks_too() -> None:
    """One that no worker answered is judged by its excerpt, when the spool is taken in."""
    stage = Stage()
    stage.prompt("make the button blue", episode="p1")
    asked = stage.observation("UserPromptSubmit", episode="p2", excerpt="谢谢，但是标题没改")
    report(stage.outside, asked)
    assert Trouble.CORRECTION == newest(stage).outcome.trouble


def test_what_nobody_typed_says_nothing() -> None:
    """A subagent's notification is no opinion of the user's."""
    stage = Stage()
    stage.prompt("look round", episode="p1")
    stage.prompt("<task-notification>it is wrong and broken</task-notification>", episode="p2")
    assert Trouble.NONE == newest(stage).outcome.trouble


def test_a_prompt_typed_while_the_agent_works_closes_nothing() -> None:
    """It carries the running prompt's id and belongs to it."""
    stage = Stage()
    stage.prompt("make the button blue", episode="p1")
    stage.prompt("no wait, use green instead", episode="p1")
    assert [] == closed(stage)


def test_a_reply_after_the_sessions_end_amends_it() -> None:
    """The session is resumed, and its first prompt says that the last answer was wrong; once."""
    stage = Stage()
    stage.prompt("make the button blue", episode="p1")
    step(stage, "p1", ran(PASSES))
    stage.report("SessionEnd", episode="p1", detail={"reason": "other"})
    assert MILLION == newest(stage).outcome.grade

    stage.prompt("that's wrong, it is red", episode="p2")
    stage.prompt("that's wrong, it is red", episode="p2")
    found = newest(stage)
    assert (Trouble.CORRECTION, 0) == (found.outcome.trouble, found.outcome.grade)
    assert 1 == len(stage.events(Kind.FEEDBACK))


def test_after_a_day_a_reply_is_none() -> None:
    """Whoever comes back the day after does not speak of it any more."""
    stage = Stage()
    stage.prompt("make the button blue", episode="p1")
    late = stage.outside.clock.now_ms() + WINDOW_MS + 1
    stage.prompt("that's wrong", episode="p2", ms=late)
    assert Trouble.NONE == newest(stage).outcome.trouble


def test_what_nobody_closed_is_closed_after_a_day() -> None:
    """Once, and not before."""
    stage = Stage()
    stage.prompt("run the tests", episode="p1")
    step(stage, "p1", ran(FAILS))
    assert 0 == close_stale(stage.outside)
    assert isinstance(stage.outside.clock, FixedClock)
    stage.outside.clock.ms += WINDOW_MS + 1_000
    assert (1, 0) == (close_stale(stage.outside), close_stale(stage.outside))
    (event,) = closed(stage)
    assert ("time", "test") == (event.payload["ended_by"], event.payload["trouble"])


def test_a_report_that_comes_late_is_judged_with_the_rest() -> None:
    """The episode is closed once more with all its reports; its user's word stands."""
    stage = Stage()
    stage.prompt("make it blue", episode="p1")
    step(stage, "p1", ran(PASSES))
    stage.prompt("thanks!", episode="p2")
    step(stage, "p1", ran(FAILS))
    stage.report("SessionEnd", episode="p2", detail={"reason": "other"})

    again = [event for event in closed(stage) if event.where.episode == "p1"]
    assert [0, 1] == [payload_of(EpisodeClosed, event).again for event in again]
    told = [e for e in last_episodes(stage.outside, 9) if e.prompt == "p1"]
    assert [(2, Trouble.NONE, MILLION)] == [
        (e.tools, e.outcome.trouble, e.outcome.grade) for e in told
    ]
    assert [] == stage.outside.ledger.verify()


def test_reports_in_any_order_give_the_same_outcome() -> None:
    """The first report of an episode may be a step, and a report may come twice."""
    stage = Stage()
    one = stage.observation("PostToolBatch", episode="p1", detail={"calls": [ran(FAILS)]})
    assert report(stage.outside, one)
    assert not report(stage.outside, replace(one, id="again"))
    stage.prompt("run the tests", episode="p1")
    stage.prompt("go on", episode="p2")
    (event,) = closed(stage)
    assert ("test", 1) == (event.payload["trouble"], event.payload["tools"])


def test_sessions_and_subagents_do_not_mix() -> None:
    """Each session's episode has its own calls, and a subagent's do not decide its caller's."""
    stage = Stage()
    stage.prompt("one", session="s1", episode="p1")
    stage.prompt("two", session="s2", episode="p1")
    step(stage, "p1", ran(PASSES), session="s1")
    step(stage, "p1", ran(FAILS), session="s2")
    step(stage, "p1", ran(FAILS), session="s1", subagent="a1")
    stage.prompt("go on", session="s1", episode="p2")
    stage.prompt("go on", session="s2", episode="p2")
    assert [("s1", "none", 1), ("s2", "test", 0)] == [
        (e.where.session, e.payload["trouble"], payload_of(EpisodeClosed, e).subagents)
        for e in closed(stage)
    ]


def test_skills_are_executions_of_their_episode() -> None:
    """Typed, called by the model, in a subagent, and one that does not exist."""
    stage = Stage()
    stage.report("UserPromptExpansion", episode="p1", detail={"command_name": "greet"})
    stage.prompt("/greet the world", episode="p1")
    step(stage, "p1", launched("audit"), launched("audit"))
    step(stage, "p1", call("Skill", "<tool_use_error>Unknown skill: nope</tool_use_error>",
                           skill="nope"))  # fmt: skip
    step(stage, "p1", launched("deploy"), subagent="a1")
    step(stage, "p1", ran(FAILS), subagent="a1")
    step(stage, "p1", call("Edit", "ok", file_path="a"), ran(PASSES))
    stage.prompt("go on", episode="p2")

    found = {one.skill: one for one in skills(stage.outside)}
    assert {"greet", "audit", "nope", "deploy"} == set(found)
    told = {
        name: (one.last.by, one.executions, one.last.trouble, one.success_rate)
        for name, one in found.items()
    }
    assert ("user", 1, Trouble.NONE, 1.0) == told["greet"]
    assert ("agent", 1, Trouble.NONE, 1.0) == told["audit"]
    assert ("agent", 1, Trouble.COMMAND, None) == told["nope"]
    assert ("subagent", 1, Trouble.TEST) == told["deploy"][:3]
    assert Cause.INPUT == found["nope"].last.cause
    assert (1, 0.0) == (found["nope"].unknown, found["nope"].interval[0])
    assert ["audit"] == [one.skill for one in skills(stage.outside, "audit")]


def test_a_skill_renamed_on_the_way_keeps_the_name_it_was_launched_by() -> None:
    """The execution is of what was called; the new name has none."""
    stage = Stage()
    stage.prompt("audit it", episode="p1")
    step(stage, "p1", launched("audit-old"))
    step(stage, "p1", ran("", command="mv skills/audit-old skills/audit-new"))
    stage.prompt("go on", episode="p2")
    assert ["audit-old"] == [one.skill for one in skills(stage.outside)]


def test_entries_that_were_shown_are_named() -> None:
    """Those of this episode, not of the session's others."""
    stage = Stage()
    entry = stage.remember().entry
    assert stage.prompt(episode="p1")
    stage.prompt("something else entirely different", episode="p2")
    stage.prompt("go on", episode="p3")
    assert [(entry,), ()] == [e.entries for e in reversed(last_episodes(stage.outside, 2))]


def transcript(stage: Stage, *lines: dict[str, Any]) -> str:
    assert isinstance(stage.outside.transcripts, InMemoryTranscripts)
    text = "\n".join(json.dumps(line) for line in lines)
    stage.outside.transcripts.files["/t.jsonl"] = text.encode()
    return "/t.jsonl"


def typed(text: str, second: int, prompt: str = "p1") -> dict[str, Any]:
    at = f"2026-11-22T10:00:{second:02d}Z"
    return {"type": "user", "message": {"content": text}, "timestamp": at, "promptId": prompt}


def test_a_turn_left_without_a_stop_may_have_been_interrupted() -> None:
    """The transcript says whether it was; where it does not, nothing is claimed."""
    for words, trouble in (("[Request interrupted by user]", "interrupt"), ("more", "none")):
        stage = Stage()
        path = transcript(stage, typed("go", 0), typed(words, 3))
        stage.prompt("go", episode="p1", transcript=path)
        stage.prompt("something else then", episode="p2", transcript=path)
        (event,) = closed(stage)
        assert trouble == event.payload["trouble"]


def test_a_stop_is_measured_by_the_transcript() -> None:
    """Tokens and time, where the turn is in its tail; a transcript that lags leaves it unknown."""
    usage = {"input_tokens": 100, "output_tokens": 20}
    stage = Stage()
    said = {"type": "assistant", "timestamp": "2026-11-22T10:00:09Z",
            "message": {"id": "m", "content": [], "usage": usage}}  # fmt: skip
    path = transcript(stage, typed("go", 0), said)
    stage.prompt("go", episode="p1", transcript=path)
    stop = measured(stage.outside, stage.observation("Stop", episode="p1", transcript=path))
    lagging = stage.observation("Stop", episode="p9", transcript=path)
    assert lagging == measured(stage.outside, lagging)
    stage.report("Stop", episode="p1", detail=stop.detail)
    stage.prompt("go on", episode="p2")
    assert (9_000, 120) == (newest(stage).took_ms, newest(stage).tokens)


def test_a_clock_that_jumps_gives_no_negative_time() -> None:
    """The wall clock may go back between two reports."""
    stage = Stage()
    stage.prompt("go", episode="p1", ms=10_000)
    step(stage, "p1", ran(PASSES), ms=1)
    stage.prompt("go on", episode="p2", ms=5)
    took = newest(stage).took_ms
    assert took is not None
    assert took >= 0


def test_a_persons_word_outweighs_the_rest() -> None:
    """Over a reply, and the last one stands; an agent's counts where nothing graded."""
    stage = Stage()
    stage.prompt("go", episode="p1")
    step(stage, "p1", launched("audit"), ran(PASSES))
    stage.prompt("that's wrong", episode="p2")
    name = newest(stage).event

    agent = feedback(stage.outside, name, "good", "", Actor.AGENT)
    assert Trouble.CORRECTION == agent.outcome.trouble
    found = feedback(stage.outside, "p1", "good", "it was right", Actor.HUMAN)
    assert (name, Trouble.NONE, MILLION) == (
        found.event,
        found.outcome.trouble,
        found.outcome.grade,
    )
    found = feedback(stage.outside, name, "partly", "", Actor.HUMAN)
    assert 500_000 == found.outcome.grade
    (skill,) = skills(stage.outside)
    assert 0.5 == skill.success_rate
    with pytest.raises(NotFound):
        feedback(stage.outside, "nope", "good", "", Actor.HUMAN)


def test_why_tells_of_one_episode() -> None:
    """Its prompt, its end and what was said of it, with the evidence; not the session's others."""
    stage = Stage()
    stage.prompt("the first thing to be done", episode="p1")
    step(stage, "p1", launched("audit"), ran(FAILS))
    stage.prompt("another thing to be done", episode="p2")
    name = newest(stage).event
    feedback(stage.outside, name, "bad", "indeed", Actor.HUMAN)
    story = explain(stage.outside, name)
    assert ["missed", "episode_closed", "feedback"] == [one.kind for one in story.events]
    details = {text for one in story.events for _, text in one.details}
    assert {"1 failed, 3 passed in 1s", "audit, launched by the agent", "indeed"} <= details
    assert "another thing to be done" not in details


def test_a_seeds_executions_come_in_once() -> None:
    """Counted apart; the same import again adds nothing; the last episodes are not among them."""
    stage = Stage()
    seed = SeedHealth(logged=(
        Logged(skill="a:b", id="1", grade=MILLION, took_ms=5),
        Logged(skill="a:b", id="2", grade=0, at_ms=1_700_000_000_000, error="it broke"),
    ))  # fmt: skip
    assert (2, 0) == (adopt(stage.outside, seed), adopt(stage.outside, seed))
    (found,) = skills(stage.outside)
    assert ("a:b", 2, 2, 0.5, 2) == (
        found.skill, found.executions, found.graded, found.success_rate, found.imported,
    )  # fmt: skip
    assert [] == last_episodes(stage.outside)
    assert [] == stage.outside.ledger.verify()


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
