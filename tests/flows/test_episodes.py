"""Episodes from their first report to their outcome, whatever order the reports come in."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, payload_of
from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION, Cause, Trouble
from learnt.core.payloads.session_events import EpisodeClosed
from learnt.errors import NotFound
from learnt.flows.governance.explain import explain
from learnt.flows.health.closing import WINDOW_MS, measured
from learnt.flows.health.queue import adopt
from learnt.flows.health.report import feedback, last_episodes, skills
from learnt.flows.sessions.observe import close_stale, report
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
