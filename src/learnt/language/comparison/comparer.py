"""How two statements stand to each other: duplicate, contradiction or distinct.

Each statement becomes tokens with a sign (`readings`), what answers to what is matched, and a few
features of the matching are weighed by a classifier. Where its verdict is not probable enough, the
comparison is not certain.
"""

from collections.abc import Callable
from dataclasses import astuple, dataclass
from functools import lru_cache
from typing import Final

from learnt.core.knowledge.relations import Comparison, Relation
from learnt.language.comparison.clashes import Clash, plainest
from learnt.language.comparison.classifier import Probabilities, model
from learnt.language.comparison.definitions import (
    named_apart,
    of_one_name,
    of_one_subject,
    redefines,
)
from learnt.language.comparison.features import Features, features
from learnt.language.comparison.matching import Matching, match, weight_of
from learnt.language.comparison.readings import read

_FEW_WORDS: Final = 1.05  # the weight of one word that is replaced
_MOST_SHARED: Final = 0.6
_NEXT_TO_NOTHING: Final = 0.45  # less than the weight of a word
_ALIKE: Final = 0.65
_MOST_MOVED, _IN_PLACE, _MOVED_IN_PLACE = 0.25, 0.7, 0.05
_REDEFINED: Final = 0.5  # how probable a contradiction is where one thing has two meanings
_LETTERS, _COVER, _PROBABLE = 0.5, 0.35, 0.1  # what likeness is made of

PLAIN: Final[Probabilities] = {
    Relation.DUPLICATE: 1.0, Relation.CONTRADICTION: 0.0, Relation.DISTINCT: 0.0,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedPair:
    """Two statements as the classifier sees them: features, the plainest clash, their script.

    `listed`: both are in languages of which there are word lists. `plain`: next to nothing tells
    them apart, so that nothing is to be weighed.
    """

    features: Features
    clash: Clash
    unspaced: bool
    listed: bool
    plain: bool

    def probabilities(self) -> Probabilities:
        """How probable each relation is."""
        return PLAIN if self.plain else model().probabilities(self.features.values)

    def basis(self, relation: Relation) -> str:
        """What a verdict rests on; its threshold is that of this basis.

        Of a contradiction: whether little else differs. Of a duplicate: whether anything speaks of
        a clash, and the script. In a language without lists negations and opposites are not seen.
        """
        if self.plain:
            return "plain"
        if not self.listed:
            alone = self.clash.evidence == "number" and self.features.rest_words == 0
            return "unlisted number" if alone else "unlisted"
        if relation is Relation.DISTINCT:
            return ""
        values, clashing = self.features.values, self.clash.evidence != "wording"
        if relation is Relation.CONTRADICTION:
            few = self.features.rest_words <= _FEW_WORDS and self.features.cover >= _MOST_SHARED
            replaced = self.features.rest_words > _NEXT_TO_NOTHING
            differs = clashing or replaced or values["words_moved"] > _MOVED_IN_PLACE
            return "narrow" if few and differs else "wide"
        clashing = clashing or values["number_on_one_side"] > 0
        script = "unspaced" if self.unspaced else "spaced"
        return f"{'clashing' if clashing else 'agreeing'} {script}"


def compare(existing: str, new: str, stem: Callable[[str], str]) -> Comparison:
    """How a new statement stands to an existing one; `stem` brings a Latin word to its stem.

    >>> compare("CI waits 30 s for the lock", "CI waits 60 s for the lock", str).reason
    '60 s, not 30 s'
    >>> compare("Builds run on `ci-2`", "Builds run on ci-2.", str).relation.name
    'DUPLICATE'
    """
    if _plain(existing) == _plain(new):
        return Comparison(Relation.DUPLICATE, "", 1.0)
    return _compared(existing, new, stem)


@lru_cache(maxsize=512)
def _compared(existing: str, new: str, stem: Callable[[str], str]) -> Comparison:
    looked_at = look_at(existing, new, stem)
    if looked_at is None:
        listed = read(existing, stem).listed and read(new, stem).listed
        return Comparison(Relation.DISTINCT, certain=listed)
    probable = looked_at.probabilities()
    relation = max(probable, key=probable.__getitem__)
    certain = model().is_sure(relation, looked_at.basis(relation), probable[relation])
    doubt, likeness = probable[Relation.CONTRADICTION], _likeness(looked_at.features, probable)
    redefined = relation is not Relation.DUPLICATE and (
        redefines(existing, new, stem)
        or (not certain and of_one_subject(existing, new))
        or (looked_at.clash.evidence == "value" and of_one_name(existing, new))
    )
    if redefined:
        doubt, likeness = max(doubt, _REDEFINED), max(likeness, _REDEFINED)
    elif likeness < _REDEFINED and named_apart(existing, new):
        doubt = 0.0
    return Comparison(
        relation,
        looked_at.clash.reason if relation is Relation.CONTRADICTION else "",
        likeness,
        certain and not redefined,
        doubt=doubt,
        clash="value" if redefined else looked_at.clash.evidence,
    )


def look_at(existing: str, new: str, stem: Callable[[str], str]) -> ComparedPair | None:
    """What is measured of two statements; None where they share nothing."""
    matching = match(read(existing, stem), read(new, stem))
    if not matching.pairs:
        return None
    measured = features(matching)
    return ComparedPair(
        features=measured,
        clash=plainest(matching, measured.clashes),
        unspaced=matching.left.unspaced or matching.right.unspaced,
        listed=matching.left.listed and matching.right.listed,
        plain=_is_plain(matching, measured),
    )


def _is_plain(matching: Matching, measured: Features) -> bool:
    """Whether all is answered, nothing clashes, and no words have changed places."""
    rest = max(weight_of(matching.rest_left), weight_of(matching.rest_right))
    moved, alike = measured.values["words_moved"], measured.values["words_ratio"]
    swapped = moved > _MOST_MOVED or (alike > _IN_PLACE and moved > _MOVED_IN_PLACE)
    apart = (
        rest > _NEXT_TO_NOTHING
        or measured.values["bigrams"] <= _ALIKE
        or swapped
        or measured.names_moved
        or matching.left.contrasts != matching.right.contrasts
        or measured.values["number_on_one_side"] > 0
    )
    return not apart and not any(astuple(measured.clashes))


def _likeness(measured: Features, probable: Probabilities) -> float:
    """How alike two statements are, 0 to 1: by letters and by words, less where they clash."""
    bigrams = measured.values["bigrams"]
    letters = bigrams / (2 - bigrams)  # what both have of what either has
    verdict = probable[Relation.DUPLICATE] - probable[Relation.CONTRADICTION]
    alike = _LETTERS * letters + _COVER * measured.cover + _PROBABLE * verdict
    return min(1.0, max(0.0, alike))


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("`", "").split()).rstrip(".。")
