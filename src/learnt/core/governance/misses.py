"""Which misses belong together: prompts that share two terms which belong together.

The rule, the same for every script and for any order of the prompts:

1. A pair of terms belongs together if at least a third of the prompts that hold the rarer of the
   two hold both. Two spellings or halves of one word are no pair.
2. The pair that most distinct prompts share makes the first cluster, of just those prompts; they
   are taken out, and the rest is looked at again. Ties go to the more frequent, then by spelling.

All prompts of a cluster share its pair, so that no chain of likenesses joins what is unlike.
"""

import heapq
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Final

from learnt.core.identifiers import ContentRef
from learnt.core.records import Record

TOGETHER: Final = 1 / 3
TERMS_A_PROMPT: Final = 8  # those that most prompts hold: others can hardly be shared
TERMS_SHOWN: Final = 12
Pair = tuple[str, str]


class Miss(Record, kw_only=True):
    """A distinct prompt that found nothing: its terms (stem to word as typed), and how often."""

    prompt: ContentRef
    terms: Mapping[str, str]
    count: int = 1


class Cluster(Record, kw_only=True):
    """Misses that share a `pair` of stems, `named` as mostly typed; `words` are theirs, sorted."""

    pair: Pair
    named: Pair
    prompts: tuple[ContentRef, ...]
    count: int
    words: tuple[str, ...]

    @property
    def distinct(self) -> int:
        """How many different prompts it holds."""
        return len(self.prompts)


def one_word(term: str, other: str) -> bool:
    """Whether two terms are parts of one word rather than two.

    >>> one_word("数据", "据库"), one_word("createuser", "user"), one_word("flag", "feature")
    (True, True, False)
    """
    if term in other or other in term:
        return True
    unspaced = not term.isascii() and not other.isascii() and len(term) == len(other) == 2
    return unspaced and (term[1] == other[0] or other[1] == term[0])


def _pairs(telling: Sequence[Sequence[str]], counts: Mapping[str, int]) -> dict[Pair, list[int]]:
    sharing: defaultdict[Pair, list[int]] = defaultdict(list)
    for number, terms in enumerate(telling):
        for pair in combinations([term for term in terms if counts[term] > 1], 2):
            sharing[pair].append(number)
    return {
        pair: numbers
        for pair, numbers in sharing.items()
        if len(numbers) > 1 and _together(pair, len(numbers), counts)
    }


def _together(pair: Pair, sharing: int, counts: Mapping[str, int]) -> bool:
    return sharing >= TOGETHER * min(counts[pair[0]], counts[pair[1]]) and not one_word(*pair)


def cluster(misses: Iterable[Miss]) -> list[Cluster]:
    """The clusters, largest first. A prompt without two terms is in none.

    >>> flags = [{"flag": "flag", "gradual": "gradual"}, {"flag": "flags", "gradual": "gradual"}]
    >>> [c.count for c in cluster(Miss(prompt=ContentRef(str(n)), terms=t)
    ...                           for n, t in enumerate(flags))]
    [2]
    """
    prompts = sorted(misses, key=lambda miss: miss.prompt)
    left = set(range(len(prompts)))
    clusters: list[Cluster] = []
    every = Counter(term for miss in prompts for term in miss.terms)
    most = (sorted(miss.terms, key=lambda t: (-every[t], t))[:TERMS_A_PROMPT] for miss in prompts)
    telling = [tuple(sorted(terms)) for terms in most]
    counts = Counter(term for terms in telling for term in terms)
    sharing = _pairs(telling, counts)

    def rank(pair: Pair, numbers: Sequence[int]) -> tuple[int, int, Pair]:
        return (-len(numbers), -sum(prompts[n].count for n in numbers), pair)

    queue = [rank(pair, numbers) for pair, numbers in sharing.items()]
    heapq.heapify(queue)
    while queue:
        best = heapq.heappop(queue)
        pair = best[2]
        still = [number for number in sharing[pair] if number in left]
        if not still:
            continue
        if rank(pair, still) == best:
            clusters.append(_cluster(pair, [prompts[number] for number in still]))
            left.difference_update(still)
        else:
            heapq.heappush(queue, rank(pair, still))
    for number in sorted(left):
        pairs = (pair for pair in combinations(telling[number], 2) if _together(pair, 1, counts))
        if (first := next(pairs, None)) is not None:
            clusters.append(_cluster(first, [prompts[number]]))
    return sorted(clusters, key=by_size)


def by_size(cluster: Cluster) -> tuple[int, int, Pair]:
    """What clusters are sorted by: the largest first, then by spelling."""
    return (-cluster.count, -cluster.distinct, cluster.pair)


def _cluster(pair: Pair, misses: Sequence[Miss]) -> Cluster:
    spelt: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for miss in misses:
        for stem, word in miss.terms.items():
            spelt[stem][word] += miss.count
    commonest = sorted(spelt, key=lambda stem: (stem not in pair, -spelt[stem].total(), stem))

    def typed(stem: str) -> str:
        return min(spelt[stem], key=lambda word: (-spelt[stem][word], word))

    return Cluster(
        pair=pair,
        named=(typed(pair[0]), typed(pair[1])),
        prompts=tuple(miss.prompt for miss in misses),
        count=sum(miss.count for miss in misses),
        words=tuple(sorted({typed(stem) for stem in commonest[:TERMS_SHOWN]})),
    )
