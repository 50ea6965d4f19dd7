"""What the comparison's rules leave open: let in and said, unless somebody may judge."""

from dataclasses import dataclass, field, replace

import pytest

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.gates import Admit, Correct, Decision, Merge
from learnt.core.knowledge.relations import Relation
from learnt.errors import JudgeUnusable
from learnt.language.comparison.comparer import compare
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from tests.core.test_gates import DOUBTFUL, TIMEOUT
from tests.flows.stage import Stage

OPEN = next(text for text in DOUBTFUL if not compare(text, TIMEOUT.text, porter).certain)


@dataclass(slots=True)
class Model:
    """An inference model that gives one answer; `asked` are the pairs it was asked about."""

    answer: Relation | None
    asked: list[tuple[str, str]] = field(default_factory=list)

    def __call__(self, known: str, new: str) -> Relation | None:
        self.asked.append((known, new))
        return self.answer


def staged(model: Model | None = None) -> tuple[Stage, EntryId]:
    """A stage that remembers what the rules are not sure about."""
    stage = Stage()
    if model is not None:
        language = ShippedLanguage(porter, lambda: model)
        stage.outside = replace(stage.outside, language=language)
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
def test_a_judge_decides_what_is_open(relation: Relation) -> None:
    """A model that the user named; it is asked about that alone."""
    model = Model(relation)
    stage, _ = staged(model)
    outcome = stage.learn(TIMEOUT.text, TIMEOUT.kind)
    assert isinstance(outcome.decision, decision(relation))
    assert [(OPEN, TIMEOUT.text)] == model.asked
    stage.learn("Backups go to the cold bucket at night", "tool_experience")
    assert [(OPEN, TIMEOUT.text)] == model.asked


@pytest.mark.parametrize("relation", Relation)
def test_the_agent_may_judge_where_it_is_allowed_to(relation: Relation) -> None:
    """Its judgement comes along with the offer, and goes before a model's."""
    stage, name = staged(Model(Relation.DISTINCT))
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


def test_a_judge_that_does_not_say_leaves_it_open() -> None:
    """As if there were none."""
    stage, name = staged(Model(None))
    outcome = stage.learn(TIMEOUT.text, TIMEOUT.kind)
    assert isinstance(outcome.decision, Admit)
    assert (name,) == outcome.ruling.unsure


def test_a_judge_that_cannot_be_used_leaves_it_open_and_is_not_tried_again() -> None:
    """The rules alone decide; `doctor` tells what is wrong with the model."""
    tried = []

    def broken() -> Model:
        tried.append("once")
        raise JudgeUnusable("it is not there")

    language = ShippedLanguage(porter, broken)
    first, second = (language.compare(OPEN, TIMEOUT.text) for _ in range(2))
    assert first == second == compare(OPEN, TIMEOUT.text, porter)
    assert ["once"] == tried
