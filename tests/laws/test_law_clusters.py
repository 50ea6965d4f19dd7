"""Clusters of misses: the same for any order, apart from each other, and complete sums."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.governance.misses import Miss, cluster, one_word
from learnt.core.identifiers import ContentRef

_STEMS = [*"abcdefgh", "flag", "flags", "feature", "数据", "据库", "死锁", "库死", "createuser"]
_terms = st.dictionaries(
    st.sampled_from(_STEMS), st.sampled_from(["Flag", "flags", "x", "锁"]), max_size=12
)


@st.composite
def _misses(draw: st.DrawFn) -> list[Miss]:
    """Distinct prompts of a few terms, asked a few times."""
    held = draw(st.lists(st.tuples(_terms, st.integers(1, 4)), max_size=14))
    return [
        Miss(prompt=ContentRef(f"k.{number}"), terms=terms, count=count)
        for number, (terms, count) in enumerate(held)
    ]


misses = _misses()


@given(misses, st.data())
def test_clusters_do_not_depend_on_order(found: list[Miss], data: st.DataObject) -> None:
    """Whichever prompt came first."""
    assert cluster(found) == cluster(data.draw(st.permutations(found)))


@given(misses)
def test_clusters_do_not_depend_on_how_terms_are_listed(found: list[Miss]) -> None:
    """A prompt is the terms that it holds, whichever comes first."""
    turned = [
        Miss(prompt=one.prompt, terms=dict(reversed(list(one.terms.items()))), count=one.count)
        for one in found
    ]

    assert cluster(found) == cluster(turned)


@given(misses)
def test_a_prompt_is_in_one_cluster_at_most(found: list[Miss]) -> None:
    """And in none that was not asked about."""
    held = [prompt for one in cluster(found) for prompt in one.prompts]

    assert len(set(held)) == len(held)
    assert set(held) <= {one.prompt for one in found}


@given(misses)
def test_all_prompts_of_a_cluster_hold_its_pair(found: list[Miss]) -> None:
    """Two terms that are two words, so that no chain joins what is unlike."""
    terms = {one.prompt: one.terms.keys() for one in found}
    for one in cluster(found):
        assert not one_word(*one.pair)
        assert one.prompts
        assert all(set(one.pair) <= terms[prompt] for prompt in one.prompts)


@given(misses)
def test_counts_add_up(found: list[Miss]) -> None:
    """A cluster counts its prompts' repeats, and the largest stands first."""
    asked = {one.prompt: one.count for one in found}
    clusters = cluster(found)

    for one in clusters:
        assert one.count == sum(asked[prompt] for prompt in one.prompts)
        assert one.distinct == len(one.prompts) <= one.count
    assert sorted((one.count for one in clusters), reverse=True) == [c.count for c in clusters]


@given(misses)
def test_a_prompt_with_a_pair_that_belongs_together_is_in_a_cluster(found: list[Miss]) -> None:
    """Of a few terms that each prompt asked about alone holds, two that are two words."""
    for one in found:
        apart = any(not one_word(*pair) for pair in combinations(sorted(one.terms)[:8], 2))
        few = len(one.terms) <= 8
        assert [one.prompt] * (apart and few) == [
            prompt for made in cluster([one]) for prompt in made.prompts if few
        ]
