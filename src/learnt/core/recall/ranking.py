"""Which of the entries that share words with a prompt bear on it.

Two numbers, both free of the corpus's size: a term weighs by how rare it is against a floor that
stands for ordinary text, so one entry in an empty home can be found; and what is shared is set
against the smaller of the two sides, so a long paste with the whole problem in it still counts.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core.identifiers import EntryId

ORDINARY: Final = 200  # documents of ordinary text that every term's rarity is also judged by
FLOOR: Final = 0.34  # of the smaller side's weight that must be shared; calibrated, see docs
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
    """How much a term found in `documents` of `total` entries tells: a smoothed log of rarity.

    >>> round(weight(1, 1), 2), round(weight(5000, 10000), 2)
    (4.9, 0.71)
    """
    corpus = total + ORDINARY
    return math.log(1 + (corpus - documents + 0.5) / (documents + 0.5))


def relevance(
    query: Iterable[str], match: Match, weights: Mapping[str, float], unseen: float
) -> float:
    """The part (0 to 1) of the lighter side, query or subject, that both sides share.

    A term in no entry weighs `unseen`.
    """
    terms = frozenset(query)

    def mass(side: Iterable[str]) -> float:
        return math.fsum(weights.get(term, unseen) for term in side)

    lighter = min(mass(terms), mass(match.subject_terms))
    return 0.0 if lighter <= 0 else min(1.0, mass(terms & match.subject_terms) / lighter)


def bears_on(
    query: Sequence[str], match: Match, weights: Mapping[str, float], unseen: float
) -> bool:
    """Whether a match is good enough to be put before an agent unasked."""
    shared = frozenset(query) & match.subject_terms
    if len(shared) < min(LEAST_SHARED, len(match.subject_terms)):
        return False
    return relevance(query, match, weights, unseen) >= FLOOR


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
