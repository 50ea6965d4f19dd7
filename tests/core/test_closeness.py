"""How close a document is to what is asked."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.recall.closeness import (
    APPROACH,
    DESCRIPTION,
    MOST,
    NAME,
    SATURATION,
    SUBJECT,
    TEXT,
    Field,
    WeighedQuery,
    closeness,
    measure,
)
from learnt.core.recall.ranking import idf

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
