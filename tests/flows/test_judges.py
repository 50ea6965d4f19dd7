"""What the comparison's rules leave open: let in and said, unless the agent may judge."""

import pytest

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.gates import Admit, Correct, Decision, Merge
from learnt.core.knowledge.relations import Relation
from learnt.language.comparison.comparer import compare
from learnt.stores.stemming import porter
from tests.core.test_gates import DOUBTFUL, TIMEOUT
from tests.flows.stage import Stage

OPEN = next(text for text in DOUBTFUL if not compare(text, TIMEOUT.text, porter).certain)


def staged() -> tuple[Stage, EntryId]:
    """A stage that remembers what the rules are not sure about."""
    stage = Stage()
    return stage, stage.learn(OPEN, TIMEOUT.kind).entry


def test_without_a_judge_it_is_let_in_and_said() -> None:
    """Nothing is merged or overwritten on a doubt."""
    stage, name = staged()
    outcome = stage.learn(TIMEOUT.text, TIMEOUT.kind)
    assert isinstance(outcome.decision, Admit)
    assert (name,) == outcome.ruling.unsure


def decision(relation: Relation) -> type[Decision]:
    """What becomes of an offer that stands so to an entry that is not trusted yet."""
    return {Relation.DUPLICATE: Merge, Relation.CONTRADICTION: Correct, Relation.DISTINCT: Admit}[
        relation
    ]


@pytest.mark.parametrize("relation", Relation)
def test_the_agent_may_judge_where_it_is_allowed_to(relation: Relation) -> None:
    """Its judgement comes along with the offer."""
    stage, name = staged()
    outcome = stage.learn(TIMEOUT.text, TIMEOUT.kind, judged=((name, relation),))
    assert isinstance(outcome.decision, decision(relation))


def test_the_agent_judges_nothing_that_rules_are_sure_of() -> None:
    """What a number contradicts is not made the same by its word."""
    stage, _ = staged()
    name = stage.learn("Uploads to `media` may have 20 MB", "business_rule").entry
    outcome = stage.learn(
        "Uploads to `media` may have 80 MB", "business_rule", judged=((name, Relation.DUPLICATE),)
    )
    assert not isinstance(outcome.decision, Merge)
