"""Clustering takes time in proportion to the prompts, whatever they share."""

import time

import pytest

from learnt.core.governance.misses import Miss, cluster
from learnt.core.identifiers import ContentRef


def many(count: int, vocabulary: int, length: int) -> list[Miss]:
    """As many prompts, their terms strewn over a vocabulary, some more often than others."""
    return [
        Miss(
            prompt=ContentRef(f"{n:06}"),
            terms={
                term: term
                for place in range(length)
                for term in [f"w{(n * (2 * place + 3) ** 3 + n * n // 7 + place) % vocabulary}x"]
            },
        )
        for n in range(count)
    ]


# The second is what a whole analysis clusters in tests/adversity/test_accept_under_attack.py.
@pytest.mark.slow
@pytest.mark.parametrize(("vocabulary", "length"), [(20_000, 12), (40, 12), (2_000, 12), (8, 8)])
def test_ten_thousand_prompts_take_a_moment(vocabulary: int, length: int) -> None:
    """Alike or unlike, long or short: less than ten seconds."""
    prompts = many(10_000, vocabulary, length)
    start = time.perf_counter()

    cluster(prompts)

    assert time.perf_counter() - start < 10
