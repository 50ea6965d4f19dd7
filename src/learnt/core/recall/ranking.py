"""Which of the entries that share words with a prompt bear on it.

Everything is measured in rare terms: a term in no entry weighs 1, a common one next to nothing, and
ordinary text stands behind every home, so that one entry in an empty home can be found and a floor
means the same in a home of ten and of a hundred thousand.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from learnt.core.identifiers import EntryId

ORDINARY: Final = 200  # documents of ordinary text that every term's rarity is also judged by
# Calibrated on tests/data/recall (dev); `benchmarks/relevance.py` measures what they reach.
ENOUGH: Final = 2.5  # rare terms shared with the subject
MOST_OF_IT: Final = 0.5  # or this part of the lighter side, for short subjects and short prompts
LEAST_SHARED: Final = 2
MOST_TERMS: Final = 64  # of a prompt, the rest is repetition or paste


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """An entry that shares terms with a query, as the search found it, best score first."""

    entry: EntryId
    score: float
    subject_terms: frozenset[str]  # of its problem and tags: what it is about
    shared: frozenset[str]  # of the query, anywhere in it


def weight(documents: int, total: int) -> float:
    """How much a term in `documents` of `total` entries tells: 1 for a term in none of them.

    >>> weight(0, 9), round(weight(1, 1), 2), round(weight(5_000, 10_000), 2)
    (1.0, 0.82, 0.07)
    """
    corpus = total + ORDINARY
    unseen = math.log(1 + (corpus + 0.5) / 0.5)
    return math.log(1 + (corpus - documents + 0.5) / (documents + 0.5)) / unseen


def _mass(terms: Iterable[str], weights: Mapping[str, float]) -> float:
    return math.fsum(weights.get(term, 1.0) for term in terms)


def relevance(query: Iterable[str], match: Match, weights: Mapping[str, float]) -> float:
    """The part (0 to 1) of the lighter side, query or subject, that both sides share.

    Against the lighter side, so that a long paste with the whole problem in it still counts. A
    term without a weight is in no entry and weighs 1.
    """
    terms = frozenset(query)
    lighter = min(_mass(terms, weights), _mass(match.subject_terms, weights))
    return min(1.0, _mass(terms & match.subject_terms, weights) / lighter) if lighter else 0.0


def bears_on(query: Iterable[str], match: Match, weights: Mapping[str, float]) -> bool:
    """Whether a match is good enough to be put before an agent unasked."""
    shared = frozenset(query) & match.subject_terms
    if len(shared) < min(LEAST_SHARED, len(match.subject_terms)):
        return False
    enough = _mass(shared, weights) >= ENOUGH
    return enough or relevance(query, match, weights) >= MOST_OF_IT


def rarest(frequencies: Mapping[str, int], postings: int, least: int = 2) -> tuple[str, ...]:
    """The terms to search by: rarest first, until their postings are used up, `least` at least.

    Common terms cost time in proportion to their entries and tell little: see the ledger's
    benchmark for what the cap costs in hits. Terms in no entry are left out.

    >>> rarest({"the": 900, "socket": 3, "deadlock": 1, "new": 0}, 100)
    ('deadlock', 'socket')
    """
    chosen: list[str] = []
    spent = 0
    for term, count in sorted(frequencies.items(), key=lambda pair: (pair[1], pair[0])):
        if count == 0:
            continue
        spent += count
        if spent > postings and len(chosen) >= least:
            break
        chosen.append(term)
    return tuple(chosen)
