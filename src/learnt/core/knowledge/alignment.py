"""How two statements stand to each other: the same, against each other, or apart.

No model reads them: each becomes tokens with a sign (`statements.readings`), what answers to what
is matched, the signs by which the two agree or clash are counted, and a few fitted weights turn
these into how probable each relation is. Where none is probable, the comparison isn't certain.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Final

from learnt.core.knowledge.relations import Comparison, Relation
from learnt.core.knowledge.statements.matching import Matching, match
from learnt.core.knowledge.statements.readings import read
from learnt.core.knowledge.statements.reasons import reason
from learnt.core.knowledge.statements.scoring import Scores, score
from learnt.core.knowledge.statements.signs import Signs, signs
from learnt.core.knowledge.statements.slots import weight_of

_LACKING: Final = re.compile(r"\b\w+ without\b", re.IGNORECASE)
_DENIAL: Final = re.compile(r"\b(?:no|not|never|cannot|none|nobody)\b|n't\b", re.IGNORECASE)
_VERBATIM: Final = 0.75
_SLIGHT: Final = 1.0
_LETTERS: Final = 0.65
_NOTHING: Final = 0.45
_MOVED, _IN_PLACE = 0.2, 0.05


SURE: Final = {Relation.SAME: 0.8, Relation.CONTRADICTS: 0.9, Relation.APART: 0.75}
"""From this probability on no judge is asked."""


def compare(known: str, new: str, stem: Callable[[str], str]) -> Comparison:
    """How a new statement stands to a known one; `stem` brings an English word to its stem.

    >>> compare("CI waits 30 s for the lock", "CI waits 60 s for the lock", str).reason
    '60 s, not 30 s'
    >>> str(compare("Builds run on `ci-2`", "Builds run on ci-2.", str).relation)
    'same'
    """
    if _plain(known) == _plain(new):
        return Comparison(Relation.SAME, "", 1.0)
    return _compared(known, new, stem)


@lru_cache(maxsize=512)
def _compared(known: str, new: str, stem: Callable[[str], str]) -> Comparison:
    matching = match(read(known, stem), read(new, stem))
    if not matching.pairs:
        return Comparison(Relation.APART)
    found = signs(matching)
    scores = score(found)
    plain = plainly(matching, found)
    relation, certain = judged(scores, found) if plain is None else (plain, True)
    if relation is Relation.CONTRADICTS and from_the_other_side(known, new):
        certain = False
    why = reason(matching) if relation is Relation.CONTRADICTS else ""
    return Comparison(relation, why, scores.likeness, certain)


def plainly(matching: Matching, found: Signs) -> Relation | None:
    """SAME or CONTRADICTS where no weighing is needed: next to nothing is left to tell them apart.

    They contradict where one is the other, word for word, but for a negation or an order; they are
    the same where all is answered, nothing clashes, and no words have merely changed places.
    """
    heaviest = max(weight_of(side) for side in (matching.left_one(), matching.left_other()))
    if _flatly(matching, found, heaviest):
        return Relation.CONTRADICTS
    clash = (
        found.number_clash, found.opposed, found.values, found.scopes, found.order_reversed,
        found.stances.mismatch, found.slots.names_moved,
    )  # fmt: skip
    moved, alike = found.wording.moved, found.wording.ratio
    swapped = moved > _MOVED or (alike > _VERBATIM and moved > _IN_PLACE)
    return None if heaviest > _NOTHING or any(clash) or swapped else Relation.SAME


def _flatly(matching: Matching, found: Signs, heaviest: float) -> bool:
    if found.cover_low < _VERBATIM or found.number_clash or heaviest > _SLIGHT:
        return False
    if bool(matching.one.denied) is not bool(matching.other.denied):
        return found.bigrams > _LETTERS
    return found.order_reversed == 1.0


def judged(scores: Scores, found: Signs) -> tuple[Relation, bool]:
    """The most probable relation, and whether it is probable enough for rules alone to decide.

    What speaks of two stages or two platforms contradicts nothing for certain.
    """
    likely = {
        Relation.SAME: scores.same,
        Relation.CONTRADICTS: scores.contradicts,
        Relation.APART: scores.apart,
    }
    best = max(likely, key=likely.__getitem__)
    elsewhere = best is Relation.CONTRADICTS and found.scopes > 0
    return best, likely[best] >= SURE[best] and not elsewhere


def from_the_other_side(one: str, other: str) -> bool:
    """Whether one of two statements says of what lacks something that it is not so either.

    That may be the other statement turned round, and is no denial of it for certain.

    >>> from_the_other_side("a row is a copy of a film", "a film without a row has no copy")
    True
    >>> from_the_other_side("deploys need a ticket", "deploys go without a ticket")
    False
    """
    return any(
        _LACKING.search(said) is not None
        and _DENIAL.search(_LACKING.sub(" ", said)) is not None
        and _LACKING.search(against) is None
        for said, against in ((one, other), (other, one))
    )


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("`", "").split()).rstrip(".。")
