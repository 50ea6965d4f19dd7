"""Events in words."""

from typing import get_args

import pytest

from learnt.core.events import Kind
from learnt.core.knowledge.gates import REASONS
from learnt.core.payloads.skill_events import Action
from learnt.core.records import JsonObject
from learnt.formats.sentences import sentence
from tests.core.happenings import happened

SAID: list[tuple[Kind, JsonObject, str]] = [
    (
        Kind.GATED,
        {"verdict": "admit", "passed": ["value", "safety"]},
        "the gates: let in (passed value, safety)",
    ),
    (
        Kind.GATED,
        {"verdict": "merge", "reason": "duplicate"},
        "the gates: one already (the same is already remembered)",
    ),
    (
        Kind.GATED,
        {"verdict": "reject", "reason": "hidden-text"},
        "the gates: kept out (it holds characters that a reader cannot see)",
    ),
    (Kind.GATED, {"verdict": "postpone"}, "the gates: another verdict (passed )"),
    (Kind.REMEMBERED, {"stage": "candidate"}, "remembered as candidate"),
    (Kind.RECALLED, {"mode": "hook", "shown": ["a", "b"]}, "recalled: 2 put before the agent"),
    (Kind.RECALLED, {"mode": "hook", "shown": []}, "recalled: nothing new to show"),
    (Kind.RECALLED, {"mode": "explicit", "shown": ["a"]}, "asked for: 1 found"),
    (Kind.MISSED, {}, "missed: nothing known bears on the prompt"),
    (Kind.NOT_DELIVERED, {"reason": "late"}, "taken back, it never arrived (late)"),
    (Kind.REUSED, {}, "put before the agent, counted once for the session"),
    (Kind.SESSION_STARTED, {"source": "startup"}, "session begun (startup)"),
    (Kind.SESSION_LINKED, {"other": "s0"}, "follows session s0"),
    (Kind.SESSION_ENDED, {"reason": "clear"}, "session ended (clear)"),
    (
        Kind.EPISODE_CLOSED,
        {"tools": 3, "failed": 1},
        "episode closed after 3 tool call(s), 1 failed: no trouble, not graded",
    ),
    (
        Kind.EPISODE_CLOSED,
        {"tools": 1, "trouble": "test", "cause": "skill", "grade": 750_000},
        "episode closed after 1 tool call(s), 0 failed: test (skill), 75 %",
    ),
    (
        Kind.FEEDBACK,
        {"source": "person", "verdict": "good"},
        "a person said of it: good",
    ),
    (
        Kind.FEEDBACK,
        {"source": "reply", "verdict": "correction"},
        "the next prompt said of it: correction",
    ),
    (Kind.FEEDBACK, {"source": "agent", "verdict": "bad"}, "an agent said of it: bad"),
    (
        Kind.FEEDBACK,
        {"result": "confirmed", "source": "a tool"},
        "confirmed it (a tool)",
    ),
    (
        Kind.FEEDBACK,
        {"result": "failure", "weight": 1_500, "source": "a person"},
        "it proved false (a person, weight 1.5)",
    ),
    (
        Kind.REMEMBERED,
        {"stage": "candidate", "lesson": "fix"},
        "remembered as candidate, harvested: a failure and its cure",
    ),
    (
        Kind.HARVESTED,
        {"turns": 3, "lessons": 2, "admit": 1, "reject": 1},
        "harvested: 3 turn(s), 2 lesson(s), 1 new, 1 kept out",
    ),
    (Kind.SUSPECTED, {"other": "e-1", "sort": "same"}, "it may repeat e-1"),
    (Kind.SUSPECTED, {"other": "e-1", "sort": "contradicts"}, "it may contradict e-1"),
    (Kind.RELATED, {"other": "e-1", "relation": "same"}, "said to say the same as e-1"),
    (
        Kind.RELATED,
        {"other": "e-1", "relation": "contradicts", "disputed": True},
        "said to contradict e-1: they are in dispute",
    ),
    (Kind.RELATED, {"other": "e-1", "relation": "narrows"}, "said to narrow e-1"),
    (
        Kind.RELATED,
        {"other": "e-1", "relation": "narrows", "wider": True},
        "said to be narrowed by e-1",
    ),
    (
        Kind.RELATED,
        {"other": "e-1", "relation": "different"},
        "said to have nothing to do with e-1",
    ),
    (Kind.RELATED, {"other": "e-1"}, "what was said of it and e-1 is taken back"),
    (Kind.TIDIED, {"pairs": [["e-2", "e-1"]]}, "pairs of notes were shown, to be related"),
    (Kind.STAGED, {"stage": "validated", "reason": "proved itself"}, "validated: proved itself"),
    (Kind.CLASSED, {"kind": "rule", "by_word": True}, "its kind is rule"),
    (
        Kind.STAGED,
        {"stage": "retired", "reason": "merged", "into": "e-0"},
        "retired: merged into e-0",
    ),
    (
        Kind.GATED,
        {"verdict": "correct", "reason": "60, not 90"},
        "the gates: corrected (60, not 90)",
    ),
    (Kind.PROJECT_SEEN, {}, "project seen at a path"),
    (Kind.PROJECT_LINKED, {"other": "p-2", "verdict": "same"}, "declared the same as p-2"),
    (Kind.PROJECT_LINKED, {"other": "p-2", "verdict": "apart"}, "kept apart from p-2"),
    (Kind.PROJECT_NAMED, {"label": "k.x"}, "a person named it"),
    (Kind.PROJECT_SWITCHED, {"turned": "off"}, "a person turned Learnt off there"),
    (Kind.PROPOSED, {"kind": "new-skill", "count": 3}, "proposed: new-skill, evidence 3"),
    (Kind.DECIDED, {"verdict": "rejected"}, "decided: rejected"),
    (
        Kind.DECIDED,
        {"action": "drawn", "arm": "withheld", "propensity": 900_000},
        "the coin for this session: withheld, its chance to be shown was 90 %",
    ),
    (
        Kind.DECIDED,
        {"action": "masked", "evidence": 23_400},
        "masked, no hook shows it: it hurts, by evidence of 23.4",
    ),
    (
        Kind.DECIDED,
        {"action": "unmasked"},
        "hooks may show it again, and its effect is measured from now",
    ),
    (Kind.APPLIED, {"written": "abc"}, "applied: the text is on the disk"),
    (Kind.APPLIED, {"proposal": "skill-1"}, "became a skill by skill-1"),
    (Kind.APPLIED, {"proposal": ""}, "is a skill no more"),
    (Kind.PURGED, {}, "purged: its texts were erased"),
    (Kind.SKILL, {"action": "graded", "success": True}, "a use went well"),
    (Kind.SKILL, {"action": "graded"}, "a use failed"),
    (Kind.SKILL, {"action": "installed"}, "installed"),
    (Kind.SKILL, {"action": "pinned"}, "pinned"),
    (
        Kind.SKILL,
        {"action": "versioned", "version": "1.1", "cause": "rollback"},
        "its text became version 1.1 by rollback",
    ),
]


def subject(kind: Kind, payload: JsonObject) -> str:
    """Three kinds say one thing of an entry, another of a session or of a proposal."""
    if kind is Kind.FEEDBACK and "verdict" in payload:
        return "session:a:s"
    of_proposal = "written" in payload or (kind is Kind.DECIDED and "verdict" in payload)
    return "proposal:skill-1" if of_proposal else "entry:e-1"


@pytest.mark.parametrize(("kind", "payload", "expected"), SAID)
def test_an_event_is_one_short_sentence(kind: Kind, payload: JsonObject, expected: str) -> None:
    """What happened, as a person would say it."""
    assert expected == sentence(happened(subject(kind, payload), kind, payload))


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_has_a_sentence(kind: Kind) -> None:
    """Even an event whose payload says the least, and on one line."""
    said = sentence(happened("entry:e-1", kind, {"stage": "candidate", "other": "p-1"}))

    assert said and "\n" not in said
    assert kind in {known for known, _, _ in SAID}


@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_of_the_gates_is_said(reason: str) -> None:
    """In its own words."""
    event = happened("entry:e-1", Kind.GATED, {"verdict": "reject", "reason": reason})

    assert f"the gates: kept out ({REASONS[reason]})" == sentence(event)


@pytest.mark.parametrize(
    ("subject", "payload", "expected"),
    [
        (
            "distilled:s1",
            {"failures": ["a", "b"], "successes": 3, "drafts": 2, "proposals": ["skill-1"]},
            "distilled by rules: 2 novel failure(s), 3 success(es), 2 draft(s), 1 proposed",
        ),
        (
            "model:2026-11-23",
            {"purpose": "distil", "tokens": 900, "micro_usd": 1_500},
            "a model was asked to distil, 900 token(s), $0.0015 reserved",
        ),
        (
            "model:2026-11-23",
            {"action": "failed", "trouble": "time-out"},
            "the model failed: time-out, 0 token(s), $0.0000",
        ),
    ],
)
def test_distillation_is_told_in_a_sentence(
    subject: str, payload: JsonObject, expected: str
) -> None:
    """What became of a session, and what a model cost."""
    assert expected == sentence(happened(subject, Kind.HARVESTED, payload))


@pytest.mark.parametrize("action", get_args(Action))
def test_whatever_happens_to_a_skill_has_a_sentence(action: Action) -> None:
    """Its fields filled in."""
    assert "{" not in sentence(happened("skill:user:a", Kind.SKILL, {"action": action}))
