"""What another memory brings is taken in as it was shown, or looked at again."""

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind
from learnt.core.knowledge.brought import Brought, Bundle
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.entries import Stage as Stages
from learnt.flows.governance.decisions import Decider
from learnt.flows.knowledge.adopt import adopt, take_back
from learnt.flows.knowledge.preview import Whither, preview
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.flows.stored import all_stored
from tests.flows.stage import HERE, Stage

FACTS = (
    "The harbour api listens on port 8080",
    "The broker of the harbour keeps messages for 3 days",
    "The depot opens at six in the morning",
)
IN_DISPUTE = (
    "t_room.state 7 means guest never arrived",
    "t_room.state 7 means room under repair",
)
TO = Whither(folder=HERE, read=True)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def brought(*texts: str) -> list[Brought]:
    return [
        Brought(text=text, kind="schema", place=f"a.md:{line}", id=f"a{line}")
        for line, text in enumerate(texts, 1)
    ]


def live(stage: Stage) -> list[Entry]:
    with stage.outside.ledger.reading() as reader:
        return [entry for entry in all_stored(reader, Entry) if entry.live]


def test_what_changed_while_a_person_thought_is_looked_at_again(stage: Stage) -> None:
    """What was kept meanwhile is a double by then, and not kept twice."""
    found = preview(stage.outside, brought(*FACTS), TO)
    assert [one.state for one in found] == ["new", "new", "new"]
    stage.learn(FACTS[1])
    done = adopt(stage.outside, found, Bundle(), TO)
    assert (done.taken, len(live(stage))) == (2, 3)


def test_two_terminals_take_the_same_in_once(stage: Stage) -> None:
    """Both were shown it as new."""
    both = [preview(stage.outside, brought(*FACTS), TO) for _ in range(2)]
    taken = [adopt(stage.outside, found, Bundle(), TO).taken for found in both]
    assert (taken, len(live(stage))) == ([3, 0], 3)


def test_an_import_that_repeats_itself_is_taken_once(stage: Stage) -> None:
    """Word by word, or in other words of the same meaning."""
    found = preview(stage.outside, brought(FACTS[0], FACTS[0].upper(), FACTS[2]), TO)
    assert [one.state for one in found] == ["new", "double", "new"]
    assert adopt(stage.outside, found, Bundle(), TO).taken == 2


def test_pieces_that_were_in_dispute_are_so_here(stage: Stage) -> None:
    """Told by the place of the other; one that is not picked takes its dispute along."""
    first, second = brought(*IN_DISPUTE)
    pieces = [first, replace(second, disputes=(first.id,))]
    found = preview(stage.outside, pieces, TO)
    assert [(one.state, one.against) for one in found] == [("new", ()), ("disputed", ("a.md:1",))]
    adopt(stage.outside, found[1:], Bundle(), TO)
    assert [entry.disputes for entry in live(stage)] == [()]
    elsewhere = Stage()
    adopt(elsewhere.outside, preview(elsewhere.outside, pieces, TO), Bundle(), TO)
    assert sorted(len(entry.disputes) for entry in live(elsewhere)) == [1, 1]


def test_pieces_that_seem_to_contradict_each_other_are_suspected(stage: Stage) -> None:
    """They are new, both; rules put nothing in dispute."""
    found = preview(stage.outside, brought(*IN_DISPUTE), TO)
    assert ["new", "new"] == [one.state for one in found]
    adopt(stage.outside, found, Bundle(), TO)
    assert [(0, 1), (0, 1)] == [(len(e.disputes), len(e.suspected)) for e in live(stage)]


def test_a_kind_of_no_enabled_domain_is_refused(stage: Stage) -> None:
    """With its name; a solution without an approach likewise with its reason."""
    odd = Brought(text=FACTS[0], kind="payoff")
    empty = Brought(problem="The crane lock is lost")
    found = preview(stage.outside, [odd, empty], TO)
    assert [one.state for one in found] == ["refused", "refused"]
    assert "payoff" in found[0].why
    assert "no approach" in found[1].why


def test_an_undo_that_was_cut_goes_on(stage: Stage) -> None:
    """What is retired already is passed over."""
    found = preview(stage.outside, brought(*FACTS), TO)
    adopt(stage.outside, found, Bundle(), TO)
    stage_by_hand(stage.outside, live(stage)[0].id, Actor.HUMAN, Stages.RETIRED)
    assert take_back(stage.outside, "last", Decider(actor=Actor.HUMAN)).retired == 2
    assert (live(stage), len(stage.events(Kind.REMEMBERED))) == ([], 3)
