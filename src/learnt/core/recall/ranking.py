"""Which of the entries that share words with a question come first: BM25, and how rare terms are.

Ordinary text stands behind every home, so that one entry in an empty home can be found.
"""

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from learnt.core.identifiers import EntryId
from learnt.core.records import Record

ORDINARY: Final = 200  # documents of ordinary text that every term's rarity is also judged by
# Both are low, since entries are short and of one kind.
SATURATION: Final = 0.9  # BM25's k1
LENGTH: Final = 0.4  # BM25's b
SUBJECT: Final = 1.3  # a term of the subject against one of the body


class Match(Record):
    """An entry that shares terms with a query, as the search found it, best score first."""

    entry: EntryId
    score: float = 0.0
    # The terms that it shares in what it is about: its problem and tags; and those in the rest.
    subject: frozenset[str] = frozenset()
    body: frozenset[str] = frozenset()

    @property
    def shared(self) -> frozenset[str]:
        """The terms of the query that stand anywhere in it."""
        return self.subject | self.body


class Matches(Record):
    """What a search gave, best first, and in how many of the `entries` each asked term stands."""

    best: Sequence[Match]
    frequencies: Mapping[str, int]
    entries: int


def weight(documents: int, total: int) -> float:
    """How much a term in `documents` of `total` entries tells: 1 for a term in none of them.

    >>> weight(0, 9), round(weight(1, 1), 2), round(weight(5_000, 10_000), 2)
    (1.0, 0.82, 0.07)
    """
    corpus = total + ORDINARY
    unseen = math.log(1 + (corpus + 0.5) / 0.5)
    return math.log(1 + (corpus - documents + 0.5) / (documents + 0.5)) / unseen


def idf(documents: int, total: int) -> float:
    """BM25's inverse document frequency (Robertson and Zaragoza 2009), never negative.

    >>> round(idf(1, 3), 4)
    0.9808
    """
    return math.log(1 + (total - documents + 0.5) / (documents + 0.5))


def occurrences(
    asked: Container[str], subject: Iterable[str], body: Iterable[str]
) -> dict[str, float]:
    """How often each asked term stands in a document; in the subject it counts for more.

    >>> occurrences({"lock", "key"}, ["lock"], ["lock", "wait"])
    {'lock': 2.3}
    """
    counts: dict[str, float] = {}
    for terms, share in ((subject, SUBJECT), (body, 1.0)):
        for term in filter(asked.__contains__, terms):
            counts[term] = counts.get(term, 0.0) + share
    return counts


def bm25(
    asked: Mapping[str, float], counts: Mapping[str, float], length: int, average: float
) -> float:
    """BM25 of a document of `length` terms by its `occurrences` and the idf of each asked term.

    >>> bm25({"lock": 1.0}, {"lock": 1.3}, 1, 1.0) > bm25({"lock": 1.0}, {"lock": 1.0}, 1, 1.0) > 0
    True
    """
    damping = SATURATION * (1 - LENGTH + LENGTH * length / average)
    return math.fsum(
        asked[term] * count * (SATURATION + 1) / (count + damping) for term, count in counts.items()
    )


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
