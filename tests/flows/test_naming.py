"""Which ids begin so, and which are nearly like one that nothing has."""

from difflib import SequenceMatcher
from itertools import combinations

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.flows.governance.naming import alike, beginning
from learnt.flows.knowledge.capture import Offer
from tests.flows.stage import Stage
from tests.support.kept_unseen import capture_many


def many(stage: Stage) -> list[EntryId]:
    """Entries of one moment, whose ids differ in a few letters."""
    whats = (Draft(problem=f"a problem {n}", approach="some way") for n in range(200))
    offers = [Offer(what=what, actor=Actor.HUMAN) for what in whats]
    return [outcome.entry for outcome in capture_many(stage.outside, offers, gated=False)]


def test_what_is_there_is_like_nothing_else() -> None:
    """However near another id is: who typed it meant it."""
    stage = Stage()
    names = many(stage)
    pairs = combinations(names, 2)
    near = next(pair for pair in pairs if SequenceMatcher(None, *pair).ratio() >= 0.85)

    assert [[], []] == [alike(stage.outside, name, ["entry"]) for name in near]
    assert near[0] in [each.id for each in alike(stage.outside, f"{near[0]}x", ["entry"])]


def test_the_beginning_of_many_gives_the_newest() -> None:
    """As many of them as are worth naming; an id that is typed whole is found whatever there is."""
    stage = Stage()
    names = [*many(stage), *many(stage)]

    assert sorted(names)[-200:] == [e.id for e in beginning(stage.outside, "e-", ["entry"])]
    oldest = min(names)
    assert [oldest] == [e.id for e in beginning(stage.outside, oldest, ["entry", "event"])]
