"""Which entries bear on a prompt: measured in rare terms, not in counts."""

import math
from collections.abc import Mapping, Sequence

import pytest

from learnt.core.recall.ranking import (
    AHEAD,
    ALIKE,
    BODY,
    GIVEN,
    LENGTH,
    LIKELY,
    NAMED,
    NOTHING,
    OF_BODY,
    ORDINARY,
    PASTED,
    SATURATION,
    SUBJECT,
    SUBJECT_TERM,
    SURE,
    Share,
    bm25,
    idf,
    likelihood,
    likelihoods,
    mass,
    occurrences,
    rarest,
    rarity,
    weight,
)


def test_the_calibrated_numbers() -> None:
    """What was calibrated on the labelled set; a change needs its benchmark run again."""
    assert (200, 0.9, 0.4, 1.3) == (ORDINARY, SATURATION, LENGTH, SUBJECT_TERM)


def test_a_term_in_no_entry_weighs_one() -> None:
    """Whatever the ledger's size."""
    assert [1.0, 1.0, 1.0] == [weight(0, total) for total in (0, 10, 100_000)]


@pytest.mark.parametrize(
    ("documents", "total", "expected"),
    [
        (1, 1, 0.8169),
        (1, 9, 0.8181),
        (10, 10, 0.4964),
        (5_000, 10_000, 0.0718),
        (1, 10_000, 0.8893),
    ],
)
def test_weights_are_these(documents: int, total: int, expected: float) -> None:
    """Computed by hand: idf over the corpus and the ordinary text, as a part of the unseen's."""
    corpus = total + 200
    top = math.log(1 + (corpus - documents + 0.5) / (documents + 0.5))
    by_hand = top / math.log(1 + (corpus + 0.5) / 0.5)

    assert by_hand == pytest.approx(weight(documents, total), rel=1e-12)
    assert expected == pytest.approx(weight(documents, total), abs=1e-4)


def test_a_commoner_term_weighs_less() -> None:
    """Weights fall with the number of entries, and stay above nothing."""
    falling = [weight(documents, 1_000) for documents in range(0, 1_001, 50)]

    assert falling == sorted(falling, reverse=True)
    assert 0 < falling[-1]


@pytest.mark.parametrize(
    ("documents", "total", "expected"),
    [(1, 1, 0.287682072), (1, 2, 0.693147181), (2, 2, 0.182321557), (0, 9, 2.995732274)],
)
def test_idf_is_the_textbooks(documents: int, total: int, expected: float) -> None:
    """Oracles 42 and 43: one document of one, and one of two."""
    assert expected == pytest.approx(idf(documents, total), abs=1e-9)


ASKED = {"webhook": 2.0, "stripe": 1.0}


def scored(
    asked: Mapping[str, float], subject: Sequence[str], body: Sequence[str], average: float
) -> float:
    """BM25 of a document as a search asks for it."""
    counts = occurrences(asked, subject, body)
    return bm25(asked, counts, len(subject) + len(body), average)


def test_bm25_by_hand() -> None:
    """Saturation, length and the subject's weight, worked out on paper."""
    subject, body = ["stripe", "webhook", "fails"], ["verify", "webhook", "body"]
    damping = 0.9 * (1 - 0.4 + 0.4 * 6 / 4.0)
    webhook, stripe = 1.3 * 1 + 1, 1.3 * 1

    expected = 2.0 * webhook * 1.9 / (webhook + damping) + 1.0 * stripe * 1.9 / (stripe + damping)

    assert expected == pytest.approx(scored(ASKED, subject, body, 4.0), rel=1e-12)


def test_bm25_of_a_document_as_long_as_the_average() -> None:
    """One term, once, in a body of average length: idf times (k1 + 1) / (1 + k1)."""
    assert 3.0 == pytest.approx(scored({"a": 3.0}, [], ["a"], 1.0), rel=1e-12)


def test_bm25_prefers() -> None:
    """A subject to a body, more of a term to less, shorter to longer, rarer to commoner."""
    in_body = scored(ASKED, ["x"], ["stripe"], 2.0)

    assert in_body < scored(ASKED, ["stripe"], ["x"], 2.0)
    assert in_body < scored(ASKED, ["x"], ["stripe", "stripe"], 2.0)
    assert in_body > scored(ASKED, ["x"], ["stripe", "y", "z"], 2.0)
    assert in_body < scored(ASKED, ["x"], ["webhook"], 2.0)
    assert 0.0 == scored(ASKED, ["x"], ["y"], 2.0) == scored({}, ["x"], ["y"], 2.0)


@pytest.mark.parametrize(
    ("postings", "least", "expected"),
    [
        (0, 2, ("d", "c")),
        (3, 2, ("d", "c")),
        (8, 2, ("d", "c", "b")),
        (7, 2, ("d", "c")),
        (100, 2, ("d", "c", "b", "a")),
        (0, 0, ()),
        (0, 1, ("d",)),
        (0, 9, ("d", "c", "b", "a")),
    ],
)
def test_the_rarest_terms_are_searched_by(
    postings: int, least: int, expected: tuple[str, ...]
) -> None:
    """Rarest first, until their entries are used up; so many at least; unknown terms never."""
    assert expected == rarest({"a": 50, "b": 5, "d": 1, "c": 2, "new": 0}, postings, least)


def test_two_terms_are_searched_by_at_least() -> None:
    """However common they are."""
    assert ("x", "y") == rarest({"x": 900, "y": 900, "z": 900}, 10)


def test_equally_rare_terms_come_in_one_order() -> None:
    """The same query is the same search wherever it is asked."""
    assert ("a", "b", "c") == rarest({"c": 1, "a": 1, "b": 1}, 10)


def test_no_term_known_is_no_search() -> None:
    """Nothing is searched by terms that no entry holds."""
    assert () == rarest({"new": 0}, 10) == rarest({}, 10)


def test_the_fitted_numbers() -> None:
    """What `train.recall` fitted; a change needs its benchmark run again."""
    assert (-4.4, 0.85, 0.7, 1.4) == (NOTHING, SUBJECT, BODY, AHEAD)
    assert (0.7, 0.5, 3) == (OF_BODY, PASTED, ALIKE)
    assert (0.75, 0.5, 0.1, 0.035) == (GIVEN, SURE, NAMED, LIKELY)


@pytest.mark.parametrize("total", [1, 5, 60, 2_060, 100_000])
def test_a_word_of_one_entry_weighs_one_in_every_home(total: int) -> None:
    """And so does one that stands in none."""
    assert [1.0, 1.0] == [rarity(1, total), rarity(0, total)]


def test_a_commoner_word_weighs_less() -> None:
    """Down to next to nothing where every entry has it."""
    falling = [rarity(documents, 1_000) for documents in range(1, 1_001, 50)]

    assert falling == sorted(falling, reverse=True)
    assert 0 < falling[-1] < 0.1


@pytest.mark.parametrize(
    ("asked", "there", "expected"),
    [
        ([("lock",), ("key",)], {"lock", "key"}, 2.0),
        ([("lock",), ("lock",)], {"lock"}, 1.0),
        ([("lock",)], {"key"}, 0.0),
        ([()], {"key"}, 0.0),
        ([("websocket", "web", "socket")], {"websocket", "web", "socket"}, 1.0),
        ([("websocket", "web", "socket")], {"socket"}, 1.0),
        ([("websocket", "web", "socket"), ("socket",)], {"websocket", "web", "socket"}, 1.0),
        ([("socket",), ("websocket", "web", "socket")], {"websocket", "web", "socket"}, 1.0),
        ([("死锁",)], {"死锁"}, 1.0),
        ([("数据", "据库")], {"数据", "据库"}, 1.5),
        ([("数据", "据库", "库死", "死锁")], {"数据", "据库", "库死", "死锁"}, 2.5),
        ([("数据", "据库", "库死", "死锁")], {"数据", "死锁"}, 2.0),
        ([("数据", "据库"), ("数据",)], {"数据", "据库"}, 1.5),
    ],
)
def test_a_mass_counts_words_and_not_their_parts(
    asked: list[tuple[str, ...]], there: set[str], expected: float
) -> None:
    """A compound is one word however much of it is there, a run half of its characters."""
    assert expected == mass(asked, there, {})


def test_rare_words_count_for_more() -> None:
    """Of a compound its rarest spelling counts."""
    rarities = {"web": 0.2, "websocket": 0.9, "lock": 0.5}

    assert 1.4 == mass([("websocket", "web"), ("lock",)], {"websocket", "web", "lock"}, rarities)


def test_the_odds_are_a_sum() -> None:
    """Of words shared in the subject, in the body, and those by which it is ahead."""
    odds = NOTHING + 2 * SUBJECT + BODY + AHEAD * (2 + OF_BODY - 1)

    assert 1 / (1 + math.exp(-odds)) == pytest.approx(likelihood(Share(2.0, 1.0), 1.0))
    assert 2 + OF_BODY == Share(2.0, 1.0).both


def test_each_is_compared_with_the_best_other() -> None:
    """The best with the second, the others with the best; one alone with nothing."""
    one, two, three = (Share(float(count), 0.0) for count in (1, 2, 3))

    assert [] == likelihoods([])
    assert [likelihood(three, 0.0)] == likelihoods([three])
    assert [likelihood(one, 3.0), likelihood(three, 2.0), likelihood(two, 3.0)] == (
        likelihoods([one, three, two])
    )


def test_what_was_noted_several_times_is_no_rival_of_itself() -> None:
    """Three terms of both subjects in the prompt: both may bear on it, and the third is behind."""
    terms = frozenset({"stripe", "webhook", "signature"})
    first, second = Share(3.0, 0.0, terms), Share(3.5, 0.0, terms | {"port"})
    third = Share(2.0, 0.0, frozenset({"stripe", "webhook"}))

    assert [likelihood(first, 2.0), likelihood(second, 2.0), likelihood(third, 3.5)] == (
        likelihoods([first, second, third])
    )


def test_nothing_shared_is_nothing_likely() -> None:
    """Whatever else there is; and much that is shared is sure."""
    assert likelihood(Share(0.0, 0.0), 0.0) < LIKELY / 2
    assert likelihood(Share(6.0, 3.0), 0.0) > 0.99
