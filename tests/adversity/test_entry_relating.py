"""Misuses of `relate`: whatever an agent answers, what its person said stays, and is shown."""

import pytest

from learnt.core.events import Origin
from learnt.core.identifiers import handle
from learnt.core.knowledge.relating import MOST_ANSWERS
from tests.support.entry_attacks import (
    Attack,
    attacks,
    kept_for_relating,
    play_answers,
    shown_later,
    texts_of,
)


@pytest.mark.parametrize("attack", attacks("relate"))
def test_what_must_stay_stays(attack: Attack) -> None:
    """In use, with its text, its origin and its witnesses; no foreign note gains anything."""
    played = kept_for_relating(attack)
    home, before = played.home, {entry.id: entry for entry in played.home.entries()}
    play_answers(attack, played)
    after = {entry.id: entry for entry in home.entries()}

    for key in attack["must_stay"]:
        name = played.names[key]
        old, new = before[name], after[name]
        assert (old.text, old.stage, old.origin, old.standing) == (
            new.text, new.stage, new.origin, new.standing
        )  # fmt: skip
    foreign = {n["key"] for n in attack["notes"] if n["by"] in {"agent", "import"}}
    for name in {played.names[key] for key in foreign} & after.keys():
        assert after[name].origin is not Origin.USER
        assert (before[name].actor, before[name].standing) == (
            after[name].actor, after[name].standing
        )  # fmt: skip
    start = texts_of(next(shown_later(home)))
    own = (played.names[key] for key in attack["must_stay"])
    assert all(handle(name) in start or after[name].kind == "rule" for name in own)
    rules = (n["text"] for n in attack["notes"] if n["kind"] == "rule" and n["by"] == "typed")
    assert all(f"- {text}" in start for text in rules)
    taken = {
        frozenset(each[:2])
        for each, done in zip(attack["calls"], played.answers, strict=True)
        if not done.endswith("recorded.")
    }
    assert len(taken) <= MOST_ANSWERS
