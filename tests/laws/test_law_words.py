"""Words of any text: letters, digits and nothing else, and the search holds them as they are."""

import unicodedata

from hypothesis import assume, example, given
from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.knowledge.drafts import Draft, tidy
from learnt.core.recall.asking import should_recall
from learnt.core.tokens import estimate, terms, words
from learnt.core.words import STOP_WORDS
from learnt.flows.knowledge.capture import Offer
from learnt.flows.recall.ask import ask
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from tests.laws.strategies import empty_ledger, storable_text, texts
from tests.support import in_memory
from tests.support.kept_unseen import capture_many

_category = unicodedata.category


@given(texts)
def test_words_are_letters_and_digits(text: str) -> None:
    """Those of a Unicode to come, and marks that case folding parts, included; none is endless."""
    for word in words(text):
        assert 0 < len(word) <= 64
        assert all(category[0] in "LNM" or category == "Cn" for category in map(_category, word))
        assert word not in STOP_WORDS


@given(texts)
def test_nothing_crashes_on_any_text(text: str) -> None:
    """Neither the words nor what is decided by them."""
    assert len(words(text)) == len(terms(text, porter))
    assert should_recall(text) in {True, False}
    assert 0 <= estimate(text)


@given(texts)
def test_words_do_not_depend_on_composition(text: str) -> None:
    """Composed or decomposed, a text has the same words."""
    decomposed = unicodedata.normalize("NFD", text)

    assert words(unicodedata.normalize("NFC", text)) == words(decomposed)


@given(texts)
def test_words_come_one_line_at_a_time(text: str) -> None:
    """A text's words are those of its lines, one after the other."""
    one = [word for line in text.split("\n") for word in words(line)]

    assert one == words(text)


@given(storable_text, storable_text)
@example("constructor breaks prototype", "override hasOwnProperty")
@example("__proto__ is polluted", "freeze __proto__ first")
@example("データ・ベースが遅い", "接続・プールを増やす")
@example("ราคา 25฿ ผิด", "ปัดเศษ")
def test_whatever_is_remembered_is_found_by_its_own_words(problem: str, approach: str) -> None:
    """And the search's index holds, byte for byte, what the entries say."""
    solution = Draft(problem=problem, approach=approach)
    assume((solution, ()) == tidy(solution))
    offer = Offer(what=solution, actor=Actor.HUMAN)
    with empty_ledger() as ledger:
        outside = replace(in_memory.outside(porter, ShippedLanguage()), ledger=ledger)
        (kept,) = capture_many(outside, [offer], gated=False)
        hits = ask(outside, problem, folder="/", actor=Actor.HUMAN, most=1, record=False)

        assert [] == ledger.verify()
    assert [kept.entry] * bool(words(problem)) == [hit.note.id for hit in hits]
