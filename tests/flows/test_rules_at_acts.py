"""Before a command the user's rules that govern it are given, where the start did not show them."""

from typing import Any

import pytest

from learnt.core.events import Actor, Kind, Origin, payload_of
from learnt.core.identifiers import entry_subject
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage as Stages
from learnt.core.payloads.entry_events import EntryDecided, Recalled
from learnt.core.sessions.observations import LATE
from learnt.core.sessions.turns import ToldCall
from learnt.errors import Refused
from learnt.flows.knowledge.capture import Offer
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.flows.recall.contents import RULES_AT_ONCE, answer_act
from learnt.flows.recall.offering import answer_step
from learnt.flows.stored import append
from learnt.formats.contents import RULES_HEADING
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from tests.flows.stage import ELSEWHERE, HERE, Stage
from tests.flows.test_answer_prompt import AGAIN, SIGN, cured
from tests.flows.test_contents_at_a_start import LINT, rule, start, state
from tests.support import in_memory
from tests.support.kept_unseen import capture_many

PUSH = "git push origin main"


def before(stage: Stage, command: str = PUSH, number: int = 1, **given: Any) -> str:
    """What is put before the agent as it is about to run a command."""
    given.setdefault("episode", "p1")
    detail = {"tool_use_id": f"before t{number}"}
    seen = stage.observation("PreToolUse", detail=detail, **given)
    return answer_act(stage.outside, seen, command, lambda: False)


def acts(stage: Stage) -> list[Recalled]:
    """What is recorded of commands that rules were given before."""
    recalls = (payload_of(Recalled, event) for event in stage.events(Kind.RECALLED))
    return [recall for recall in recalls if recall.mode == "act"]


def test_a_rule_comes_before_its_act_once_a_context() -> None:
    """Whole, and again after a compaction that showed none; recorded, and counted as no use."""
    stage = Stage()
    law = rule(stage)

    assert f"\n- {LINT}\n" in before(stage)
    assert "" == before(stage, number=2)
    assert [("act", (law,), ())] == [(r.mode, r.shown, r.counted) for r in acts(stage)]
    assert (law,) == state(stage).rules and 0 == stage.reused(law)
    stage.report("SessionStart", detail={"source": "compact"}, episode="p9")
    assert LINT in before(stage, number=3)


def test_a_rule_that_the_start_showed_is_not_given_again() -> None:
    """Until a later start shows it no more."""
    stage = Stage()
    rule(stage)
    assert LINT in start(stage)

    assert "" == before(stage)
    assert [] == acts(stage)


@pytest.mark.parametrize("command", ["git status", "pytest -q", "echo 'git push'", "", "'"])
def test_nothing_is_written_where_no_rule_waits(command: str) -> None:
    """Most commands are governed by none."""
    stage = Stage()
    rule(stage)
    with stage.outside.ledger.reading() as reader:
        earlier = reader.moment()

    assert "" == before(stage, command)
    with stage.outside.ledger.reading() as reader:
        assert earlier == reader.moment()


def test_a_rule_is_a_persons_own_word() -> None:
    """An agent can make none, nor an import; nor does what a session was mixed of."""
    stage = Stage()
    for actor, origin in (
        (Actor.AGENT, Origin.ASSISTANT),
        (Actor.TOOL, Origin.TOOL),
        (Actor.HUMAN, Origin.MIXED),
    ):
        with pytest.raises(Refused, match="Only the person makes rules"):
            stage.learn(LINT, "rule", actor=actor, session="", came_from=origin)
    stage.learn(LINT, "procedure", actor=Actor.HUMAN, session="")

    assert "" == before(stage)
    assert RULES_HEADING not in start(stage)


def test_what_is_out_of_use_governs_nothing() -> None:
    """Retired, masked, or of another project."""
    stage = Stage()
    stage_by_hand(stage.outside, rule(stage), Actor.HUMAN, Stages.RETIRED)
    masked = rule(stage, "Never push on a Friday evening")
    with stage.outside.ledger.writing() as writer:
        append(writer, entry_subject(masked), Actor.LEARNT, EntryDecided(action="masked"))
    rule(stage, "Always ask before you push", folder=ELSEWHERE)

    assert "" == before(stage)
    assert "ask before" in before(stage, cwd=ELSEWHERE)


def test_the_newest_rules_come_first_and_few_at_once() -> None:
    """The others wait for the next command that they govern."""
    stage = Stage()
    offers = [
        Offer(
            what=Draft(text=f"Always run check{n} before you push", kind="rule"),
            actor=Actor.HUMAN,
            folder=HERE,
        )
        for n in range(RULES_AT_ONCE + 2)
    ]
    names = [outcome.entry for outcome in capture_many(stage.outside, offers, gated=False)]
    assert RULES_AT_ONCE == before(stage).count("\n- ")
    assert 2 == before(stage, number=2).count("\n- ")

    first, second = acts(stage)
    assert tuple(sorted(names, reverse=True)) == (*first.shown, *second.shown)


def test_a_call_reported_twice_is_answered_once() -> None:
    """A plug-in and the settings may both be registered."""
    stage = Stage()
    rule(stage)
    first = [before(stage, number=1), before(stage, number=1)]

    assert [True, False] == [bool(text) for text in first]
    assert 1 == len(acts(stage))


def test_the_failure_of_that_command_still_has_its_cure() -> None:
    """The two answers to one call are two."""
    stage = Stage()
    rule(stage)
    cured(stage, SIGN)
    assert LINT in before(stage)
    seen = stage.observation("PostToolUseFailure", episode="p1", detail={"tool_use_id": "t1"})

    assert "Install the extra" in answer_step(
        stage.outside, seen, ToldCall(error=AGAIN), lambda: False
    )


def test_an_answer_that_came_too_late_is_taken_back() -> None:
    """The rule comes before the next such command."""
    stage = Stage()
    rule(stage)
    assert before(stage)
    stage.report(LATE, episode="p1", detail={"tool_use_id": "before t1"})

    assert () == state(stage).rules
    assert LINT in before(stage, number=2)


def test_each_subagent_has_a_context_of_its_own() -> None:
    """The start's contents did not reach it; what it was given the main agent was not."""
    stage = Stage()
    rule(stage)
    start(stage)

    assert LINT in before(stage, number=1, subagent="a")
    assert "" == before(stage, number=2, subagent="a")
    assert LINT in before(stage, number=3, subagent="b")
    assert "" == before(stage, number=4)


def test_the_coin_withholds_a_rule_from_the_whole_session() -> None:
    """From its start and from its commands alike."""
    stage = Stage(in_memory.outside(porter, ShippedLanguage(), share=1.0))
    rule(stage)
    names = [f"s{number}" for number in range(20)]
    given = [bool(before(stage, session=name, number=n)) for n, name in enumerate(names)]

    assert {True, False} == {*given}
    assert given == [LINT in start(stage, session=name, source="compact") for name in names]


def test_a_rule_about_no_act_governs_the_programs_that_it_names() -> None:
    """`use uv, not pip`."""
    stage = Stage()
    rule(stage, "Use uvx ruff, not flake8, for style")

    assert "" == before(stage, "ls -la")
    assert "not flake8" in before(stage, "flake8 src", 2)
