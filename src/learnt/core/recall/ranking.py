"""Which of the entries that share words with a question come first: BM25, and how rare terms are.

Ordinary text stands behind every home, so that one entry in an empty home can be found.
"""

import math
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Final

from learnt.core.identifiers import EntryId
from learnt.core.records import Record
from learnt.core.tokens import is_unspaced

ORDINARY: Final = 200  # documents of ordinary text that every term's rarity is also judged by
# Both are low, since entries are short and of one kind.
SATURATION: Final = 0.9  # BM25's k1
LENGTH: Final = 0.4  # BM25's b
SUBJECT_TERM: Final = 1.3  # a term of the subject against one of the body


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
    """How often each asked term stands in a document; in the subject it counts for more."""
    counts: dict[str, float] = {}
    for terms, share in ((subject, SUBJECT_TERM), (body, 1.0)):
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


# `python -m train.recall` fits these on labelled prompts of two authors; rounded, and as far from
# the fit as leaving out one of the two moves it.
NOTHING: Final = -4.4  # the log odds where no word is shared
SUBJECT: Final = 0.85  # of each rare word shared with what an entry is about
BODY: Final = 0.7  # and with the rest of it
AHEAD: Final = 1.4  # of each by which it is ahead of the next best entry
OF_BODY: Final = 0.7  # of a word of the subject is one of the body, where entries are compared
PASTED: Final = 0.5  # of a word that was typed is one that was pasted
ALIKE: Final = 3  # terms of the subject that two entries share with a prompt alike
SURE: Final = 0.5  # from here on it answers a question
GIVEN: Final = 0.75  # from here on a hook gives it whole
NAMED: Final = 0.1  # and from here on, where the question names what a fact is about
LIKELY: Final = 0.035  # and from here on a line: the agent reads it and decides


def rarity(documents: int, total: int) -> float:
    """How much a word in `documents` of `total` entries tells: 1 where it is in one alone.

    >>> rarity(1, 5), rarity(1, 5_000), round(rarity(50, 5_000), 2)
    (1.0, 1.0, 0.57)
    """
    return weight(max(1, documents), total) / weight(1, total)


def mass(
    asked: Iterable[Sequence[str]], terms: Container[str], rarities: Mapping[str, float]
) -> float:
    """How many rare words of what was asked are among some terms.

    An identifier counts once, with its rarest spelling, however many of its parts are there. In a
    run without spaces two characters are a word, and each that goes on from them is half of one.

    >>> mass([("websocket", "web", "socket")], {"websocket", "socket"}, {"socket": 0.5})
    1.0
    >>> mass([("数据", "据库", "库死", "死锁")], {"数据", "据库", "死锁"}, {})
    2.5
    """
    counted, total = set[str](), 0.0
    for word in asked:
        if not (there := [term for term in word if term in terms]):
            continue
        new = [term for term in there if term not in counted]
        if new and is_unspaced(new[0]):
            for term in new:
                goes_on = any(other[-1] == term[0] and other != term for other in there)
                total += rarities.get(term, 1.0) * (0.5 if goes_on else 1.0)
        elif new and len(new) == len(there):
            total += max(rarities.get(term, 1.0) for term in new)
        counted.update(new)
    return total


class Share(Record):
    """What an entry shares with what is asked: masses, and the terms of its subject.

    `beside` are the others that say something else of the same: they are no rivals of `own`.
    """

    subject: float
    body: float
    terms: frozenset[str] = frozenset()
    own: str = ""
    beside: tuple[str, ...] = ()

    @property
    def both(self) -> float:
        """What it shares altogether, by which it is compared with others."""
        return self.subject + OF_BODY * self.body


def likelihood(share: Share, other: float) -> float:
    """How likely an entry bears on what is asked, 0 to 1; a rival shares so much altogether.

    >>> round(likelihood(Share(2.0, 0.0), 0.0), 2), round(likelihood(Share(2.0, 0.0), 2.0), 2)
    (0.52, 0.06)
    """
    ahead = share.both - other
    odds = NOTHING + SUBJECT * share.subject + BODY * share.body + AHEAD * ahead
    return 1 / (1 + math.exp(-odds))


def likelihoods(shares: Sequence[Share]) -> list[float]:
    """How likely each of some entries is, compared with the best of its rivals.

    What shares some of the same terms in its subject stands beside it and is no rival: of what was
    noted several times over, all may bear on a prompt.

    >>> [round(each, 2) for each in likelihoods([Share(3.0, 1.0), Share(1.0, 0.0)])]
    [0.93, 0.0]
    """
    return [likelihood(share, rival(share, shares)) for share in shares]


def rival(share: Share, shares: Iterable[Share]) -> float:
    """What the best rival of an entry shares altogether; nothing where it has none."""
    rivals = (other for other in shares if other is not share and other.own not in share.beside)
    return max(
        (other.both for other in rivals if len(other.terms & share.terms) < ALIKE), default=0.0
    )
