"""Closeness by words and by meaning are added up, and never by rank."""

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.recall.closeness import of_best, raised

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
