"""Forged and cut quotes over the server's tool: none gets through."""

from typing import Final

import pytest

from learnt.core.knowledge.entries import Stage
from learnt.formats.contents import PICKED_HEADING
from learnt.formats.injection import PICKED
from tests.support.entry_attacks import RULES, Attack, attacks, play_quote, shown_later, texts_of
from tests.support.sessions_told import Home

REFUSED: Final = frozenset(
    "q05 q06 q07 q10 q11 q12 q13 q18 q19 q103 q104 q105 q106 q107 q108 q109 q114 q120 q122".split()
)
WAITS: Final = frozenset("q01 q02 q03 q04 q102 q119 q121 q126".split())
# What a quote of the first set leaves out, and nothing shows it without.
BESIDE: Final = {
    "q08": "don't",
    "q09": "If the replica is more than an hour behind",
    "q14": "should we",
    "q15": "what could possibly go wrong",
    "q16": "According to them",
    "q17": "I answered them by mail",
    "q20": "please do not:",
}


@pytest.mark.parametrize("attack", attacks("quote"))
def test_a_quote_is_never_more_than_what_the_person_typed(attack: Attack) -> None:
    """Refused, or a candidate; or whole sentences of this session, marked as picked."""
    home = Home()
    why = play_quote(home, attack)
    notes, entries = home.notes(), home.entries()
    printed = [*shown_later(home, attack["quote"][:3000])]
    shown = "\n".join(map(texts_of, printed))

    assert RULES not in shown
    assert all(entry.kind != "rule" or entry.picked for entry in entries)
    if attack["id"] in REFUSED:
        assert why and not entries and not any(printed)
    elif attack["id"] in WAITS:
        assert not why and [Stage.CANDIDATE] == [entry.stage for entry in entries]
        assert not any(printed)
    else:
        (note,) = notes
        beside = attack.get("beside", BESIDE.get(attack["id"]))
        assert beside is not None and beside in note.text and note.picked
        assert any(note.text in prompt for prompt in attack["typed"])
        assert PICKED in shown or PICKED_HEADING in shown
        start = " ".join(texts_of(printed[0]).split())
        assert note.trust == "VERIFY" and " ".join(note.text.split())[:30] in start


@pytest.mark.parametrize("attack", attacks("quote"))
def test_a_quote_that_leaves_words_out_is_no_rule(attack: Attack) -> None:
    """What was left out may say when it holds, or whose word it is."""
    home = Home()
    play_quote(home, attack)
    for note in home.notes():
        whole = "".join(filter(str.isalnum, note.text))
        assert note.kind != "rule" or whole == "".join(filter(str.isalnum, attack["quote"]))
