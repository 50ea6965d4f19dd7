"""What the gates' rules leave open: let in and said, unless somebody may judge."""

from dataclasses import replace

import pytest

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.alignment import compare
from learnt.core.knowledge.gates import Admit, Correct, Decision, Merge
from learnt.core.knowledge.relations import Relation
from learnt.stores.scripted_judge import ScriptedJudge
from learnt.stores.stemming import porter
from tests.core.test_gates import DOUBTFUL, TIMEOUT
from tests.flows.stage import Stage

OPEN = next(text for text in DOUBTFUL if not compare(text, TIMEOUT.text, porter).certain)


def staged() -> tuple[Stage, EntryId]:
    stage = Stage()
    return stage, stage.learn(OPEN, TIMEOUT.kind).entry


def test_without_a_judge_it_is_let_in_and_said() -> None:
    """Nothing is merged or overwritten on a doubt."""
    stage, name = staged()
    outcome = stage.learn(TIMEOUT.text, TIMEOUT.kind)
    assert isinstance(outcome.decision, Admit)
    assert (name,) == outcome.ruling.unsure


def decision(relation: Relation, name: EntryId) -> type[Decision]:
    assert name
    return {Relation.SAME: Merge, Relation.CONTRADICTS: Correct, Relation.APART: Admit}[relation]


@pytest.mark.parametrize("relation", Relation)
def test_a_judge_decides_what_is_open(relation: Relation) -> None:
    """A text model behind the port; it is asked about that alone."""
    stage, name = staged()
    judge = ScriptedJudge({name: relation})
    stage.outside = replace(stage.outside, judge=judge)
    outcome = stage.learn(TIMEOUT.text, TIMEOUT.kind)
    assert isinstance(outcome.decision, decision(relation, name))
    assert [name] == judge.asked
    stage.learn("Backups go to the cold bucket at night", "tool_experience")
    assert [name] == judge.asked[:1]


@pytest.mark.parametrize("relation", Relation)
def test_the_agent_may_judge_where_it_is_allowed_to(relation: Relation) -> None:
    """Its judgement comes along with the offer, and goes before a model's."""
    stage, name = staged()
    stage.outside = replace(stage.outside, judge=ScriptedJudge({name: Relation.APART}))
    outcome = stage.learn(TIMEOUT.text, TIMEOUT.kind, judged=((name, relation),))
    assert isinstance(outcome.decision, decision(relation, name))


def test_a_judge_that_does_not_say_leaves_it_open() -> None:
    """As if there were none."""
    stage, name = staged()
    stage.outside = replace(stage.outside, judge=ScriptedJudge())
    outcome = stage.learn(TIMEOUT.text, TIMEOUT.kind)
    assert isinstance(outcome.decision, Admit)
    assert (name,) == outcome.ruling.unsure
