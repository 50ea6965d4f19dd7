"""The walk-through shows what it is there to show; that it is up to date `make check` tells."""

import pytest

from learnt.core.knowledge.gates import Correct
from tools.walkthrough import Played, Week, page, play, revalidated


@pytest.fixture(scope="module")
def week() -> tuple[Week, list[Played]]:
    return play()


def test_a_person_corrects_and_only_that(week: tuple[Week, list[Played]]) -> None:
    """The night's hour; nothing else takes the place of anything."""
    right = [o.decision for played in week[1] for o in played.outcomes
             if isinstance(o.decision, Correct)]  # fmt: skip
    assert ["corrected"] == [decision.reason for decision in right]


def test_it_converges_to_doing_nothing(week: tuple[Week, list[Played]]) -> None:
    """Nothing new is let in at the end, and the first day let in the most."""
    let_in = [played.counts["Admit"] for played in week[1]]
    assert max(let_in) == let_in[0]
    assert [0, 0, 0] == let_in[-3:]
    assert [1.0, 1.0, 1.0] == [played.rate for played in week[1][-3:]]


def test_something_proves_itself_and_a_refusal_has_its_gate(
    week: tuple[Week, list[Played]],
) -> None:
    """A candidate is validated by its witnesses; value and freshness both refuse something."""
    assert any(played.swept.promoted for played in week[1])
    gates = {p.gate for played in week[1] for o in played.outcomes for p in o.ruling.passages
             if p.verdict == "reject"}  # fmt: skip
    assert {"value", "freshness"} <= gates


def test_the_week_ends_with_proposals() -> None:
    """A note recalled three times is a draft skill, three misses that belong together a route."""
    _, waiting = page().split("## What waits for a person\n")
    listed = [line for line in waiting.split("\n## ")[0].splitlines() if line.startswith("- ")]
    assert ["- new-skill", "- routing"] == [line.partition(",")[0] for line in listed]
    assert "recalled 3x across 3 sessions" in listed[0]
    assert "3 prompts (3 distinct) found nothing" in listed[1]


def test_trust_fades_and_one_check_brings_it_back() -> None:
    """On the day that the page tells of."""
    before, after = revalidated(play()[0], 40)
    assert {"VERIFY", "TRUST"} == {one.trust for one in before}
    assert {"TRUST"} == {one.trust for one in after}


def test_the_page_is_the_same_each_time() -> None:
    """No clock and no chance of the machine's own."""
    assert page() == page()
