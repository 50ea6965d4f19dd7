"""How close a document is to what is asked."""

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.recall.closeness import (
    APPROACH,
    ASIDE,
    DESCRIPTION,
    END,
    MOST,
    MOST_QUESTIONS,
    NAME,
    SATURATION,
    SUBJECT,
    TEXT,
    Field,
    WeighedQuery,
    closeness,
    measure,
    of_best,
    raised,
    weighed,
)
from learnt.core.recall.ranking import idf
from learnt.core.tokens import words

# The seed's BM25 (k1 1.5, texts of usual length) is this measure with one field, twice as large.
SEED = Field(SATURATION / 1.5, 0.0, 15.0)


def classic(counts: Mapping[str, int], having: int, total: int) -> float:
    """The score of a text of the seed's by how often each word of a query stands in it."""
    return sum(idf(having, total) * closeness([(SEED, count, 15)]) / 2 for count in counts.values())


@pytest.mark.parametrize(
    ("counts", "having", "total", "expected"),
    [
        ({"webhook": 1}, 1, 2, 0.693147181),
        ({"stripe": 2, "webhook": 1}, 1, 2, 1.683357439),
        ({"redis": 2, "cluster": 2, "failover": 1, "after": 1}, 1, 2, 3.366714877),
        ({"only": 1}, 1, 1, 0.287682072),
    ],
)
def test_the_seeds_scores(
    counts: Mapping[str, int], having: int, total: int, expected: float
) -> None:
    """Oracles 42 and 43, of an index that counts each text once."""
    assert classic(counts, having, total) == pytest.approx(expected, abs=1e-8)


def test_the_constants() -> None:
    """Chosen on the halves that may be read; a change needs the benchmark run again."""
    fields = (NAME, DESCRIPTION, TEXT, SUBJECT, APPROACH)
    assert [4.0, 4.0, 1.0, 4.0, 1.0] == [field.weight for field in fields]
    assert [0.0, 0.3, 0.75, 0.4, 0.75] == [field.length for field in fields]
    assert (4.0, 5.0) == (SATURATION, MOST)


def test_fields_are_added_up_before_they_saturate() -> None:
    """A word in three fields says less than three words in one field each."""
    every = [(NAME, 1, 3), (DESCRIPTION, 1, 40), (TEXT, 1, 470)]
    assert closeness(every) < sum(closeness([one]) for one in every)
    assert closeness(every) > max(closeness([one]) for one in every)


@given(st.integers(1, 1_000), st.integers(1, 5_000))
def test_more_is_closer_and_longer_is_farther(count: int, length: int) -> None:
    """In each field, and never beyond the most."""
    for field in (NAME, DESCRIPTION, TEXT, SUBJECT, APPROACH):
        once = closeness([(field, count, length)])
        assert 0 < once <= closeness([(field, count + 1, length)]) < MOST
        assert once >= closeness([(field, count, length + 1)])


def test_a_document_that_answers_one_question_well_beats_one_that_touches_both() -> None:
    """The best question counts, and the whole text beside it."""
    question = WeighedQuery(
        {"a": 1.0, "b": 1.0, "c": 1.0, "d": 1.0}, [{"a": 1.0, "b": 1.0}, {"c": 1.0, "d": 1.0}]
    )
    close = measure(question, dict.fromkeys("abcd", 1.0))
    assert close({"a": 2.0, "b": 2.0}) > close({"a": 2.0, "c": 2.0})


@given(st.integers(1, 10**6))
def test_the_home_s_size_does_not_matter(times: int) -> None:
    """All words being rarer by the same factor, a document is as close as before."""
    question = WeighedQuery({"a": 1.0, "b": 0.3}, [{"a": 1.0}])
    small, large = (
        measure(question, {"a": 2.0, "b": 1.0}),
        measure(question, {"a": 2.0 * times, "b": 1.0 * times}),
    )
    assert small({"a": 1.0}) == pytest.approx(large({"a": 1.0}))


def test_words_that_no_document_has_tell_nothing() -> None:
    """Nor does a question all of whose words are unknown."""
    question = WeighedQuery({"a": 1.0, "new": 1.0}, [{"new": 1.0}])
    assert 1.25 == measure(question, {"a": 3.0})({"a": 2.5})
    assert 0.0 == measure(question, {})({})


SCORES = st.dictionaries(st.sampled_from("abcdef"), st.floats(0.01, 100.0))


def test_scores_are_parts_of_the_best() -> None:
    """Of nothing, and of what has no score above 0, there are none."""
    assert {"a": 1.0, "b": 0.5} == of_best({"a": 0.5, "b": 0.25})
    assert {} == of_best({}) == of_best({"a": 0.0}) == of_best({"a": -1.0})


def test_what_is_nearer_rises_by_its_cosine_above_the_least() -> None:
    """What has no vector counts as the farthest; what words did not find is there as well."""
    found = raised({"a": 1.0, "b": 0.75}, {"b": 0.5, "c": 0.75, "d": 0.25}, weight=2.0)

    assert [("b", 1.25), ("a", 1.0), ("c", 1.0), ("d", 0.0)] == list(found.items())
    assert {"a": 1.0} == raised({"a": 1.0}, {}, weight=2.0)


@given(SCORES)
def test_the_best_is_one_and_the_order_stays(scores: dict[str, float]) -> None:
    """Whatever the scale."""
    parts = of_best(scores)

    assert parts.keys() == scores.keys()
    assert not parts or max(parts.values()) == 1.0
    assert all(parts[a] <= parts[b] for a in parts for b in parts if scores[a] <= scores[b])


@given(SCORES, SCORES, st.floats(0.0, 1.0))
def test_without_weight_words_alone_decide(
    scores: dict[str, float], cosines: dict[str, float], weight: float
) -> None:
    """With it none falls below its score by words, and the best comes first."""
    found = raised(scores, cosines, weight)

    assert found.keys() == scores.keys() | cosines.keys()
    assert all(found[key] >= scores.get(key, 0.0) for key in found)
    assert sorted(found.values(), reverse=True) == list(found.values())
    assert {key: scores.get(key, 0.0) for key in found} == raised(scores, cosines, 0.0)


def looked_for(text: str) -> WeighedQuery:
    """What a text asks for, by its words."""
    return weighed(text, words)


def test_the_seeds_tokens() -> None:
    """Oracle 41: stop words are left out, case is passed over."""
    text = "The Stripe webhook signature failed in production"
    expected = ["stripe", "webhook", "signature", "failed", "production"]
    assert expected == words(text) == list(looked_for(text).whole)


def test_a_word_that_repeats_weighs_more_by_the_logarithm() -> None:
    """Not in proportion: a pasted log would ask for nothing else."""
    assert {"lock": 1 + math.log(3), "queue": 1.0} == looked_for("lock queue lock lock").whole


@pytest.mark.parametrize(
    "aside",
    [
        "```\ntraceback\n```",
        "```\ntraceback",
        f'"traceback {"o" * 40}"',
        f"“traceback {'o' * 40}”",
        f"「traceback {'锁' * 40}」",
    ],
)
def test_what_is_fenced_or_quoted_at_length_weighs_less(aside: str) -> None:
    """It is pasted; a short quotation is the person's own words."""
    weights = looked_for(f"deadlock in the pool\n{aside}").whole
    assert (1.0, ASIDE) == (weights["deadlock"], weights["traceback"])
    assert 1.0 == looked_for('deadlock "traceback" now').whole["traceback"]


def test_a_word_that_is_said_and_quoted_counts_as_said() -> None:
    """Both times it stands there."""
    assert 1 + math.log(2) == looked_for("the traceback\n```\ntraceback\n```").whole["traceback"]


def test_identifiers_are_split_and_kept_whole() -> None:
    """Each spelling finds the others."""
    assert {"createuser", "create", "user"} == looked_for("create_user createUser").whole.keys()


def test_pairs_with_a_particle_weigh_less() -> None:
    """What asks, points or links in Chinese is part of nearly every message."""
    weights = looked_for("数据库的端口").whole
    assert {"数据": 1.0, "据库": 1.0, "库的": ASIDE, "的端": ASIDE, "端口": 1.0} == weights


def test_each_question_is_looked_for_by_itself() -> None:
    """Besides the whole; a text that asks nothing is its own question."""
    found = looked_for("The pool hangs. Which port is open? And who restarts workers?")
    assert [{"port", "open"}, {"restarts", "workers"}] == [set(q) for q in found.questions]
    assert {"pool", "hangs", "port", "open", "restarts", "workers"} == found.whole.keys()
    calm = looked_for("The pool hangs.")
    assert (calm.whole,) == calm.questions


def test_many_questions_are_the_last_ones() -> None:
    """What is asked last is what is wanted."""
    found = looked_for(" ".join(f"is{n} ok{n}?" for n in range(9)))
    assert MOST_QUESTIONS == len(found.questions)
    assert {"is8", "ok8"} <= {word.replace(" ", "") for word in found.questions[-1]}


def test_of_a_very_long_text_both_ends_are_looked_for() -> None:
    """A question at the end of a paste is found, and the middle costs nothing."""
    found = looked_for("begins " + "x " * END + "middle " + "x " * END + "which port?").whole
    assert {"begins", "port"} <= found.keys()
    assert "middle" not in found


@given(st.text(max_size=300))
def test_any_text_may_be_asked_for(text: str) -> None:
    """Each word has a weight above 0, and no question asks for what the text does not hold."""
    found = looked_for(text)
    assert set(words(text)) >= found.whole.keys()
    assert all(weight > 0 for weight in found.whole.values())
    assert found.questions
    assert all(set(weights) <= set(found.whole) for weights in found.questions)
