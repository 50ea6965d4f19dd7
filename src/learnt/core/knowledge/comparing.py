"""What two sentences share and in what they differ: rules suspect by it, and never decide.

Only one shape corrects: a person who says "X, not Y" of the thing that a note says Y of.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import Final

from learnt.core.knowledge.entries import Clash, Suspected
from learnt.core.records import Row
from learnt.core.tokens import Stem, is_unspaced, names, pieces
from learnt.core.words import SIGNS

NEAR: Final = 0.33  # likeness from which two sentences may say something of one thing
FEW: Final = 4  # words of a value
_MOST: Final = 900  # characters of a sentence that are read
_NEGATES: Final = re.compile(SIGNS["negates"], re.IGNORECASE)
_INSTEAD: Final = re.compile(SIGNS["instead"], re.IGNORECASE)
_CLAUSE_ENDS: Final = re.compile(r"[;,，；。！？!?\n()（）]|\.(?=\s|$)|\s[-–—]")
_INTERJECTION: Final = re.compile(r"^\W*\w{1,8}(?:[,.!]\s+|[，。！]\s*)")  # "no, "
_NUMBER: Final = "#"


class Comparison(Row):
    """How like two sentences are, 0 to 1, what is suspected of them, and what speaks for it."""

    likeness: float = 0.0
    sort: Suspected | None = None
    clash: Clash = ""


def compare(one: str, other: str, stem: Stem) -> Comparison:
    """What may be suspected of two sentences, if they are near, by that in which they differ.

    >>> compare("CI waits 30 s for the lock", "CI waits 60 s for the lock", str)[1:]
    ('contradicts', 'number')
    >>> compare("CI waits 60 s for the lock", "CI waits 1 min for the lock", str).sort
    'same'
    """
    left, right = _keys(one, stem), _keys(other, stem)
    mine, others = Counter(left) - Counter(right), Counter(right) - Counter(left)
    shared = (Counter(left) & Counter(right)).total()
    likeness = 2 * shared / max(1, len(left) + len(right))
    if likeness < NEAR:
        return Comparison(likeness)
    denies = (len(_NEGATES.findall(text[:_MOST])) % 2 for text in (one, other))
    if all(any(key.startswith(_NUMBER) for key in rest) for rest in (mine, others)):
        return Comparison(likeness, "contradicts", "number")
    if len(set(denies)) > 1:
        return Comparison(likeness, "contradicts", "negation")
    if mine and others:
        few = max(mine.total(), others.total()) <= FEW
        return Comparison(likeness, "contradicts" if few else "same", "words")
    moved = not mine and not others and left != right
    return Comparison(likeness, "contradicts" if moved else "same", "order" if moved else "")


def two_values(one: str, other: str, stem: Stem) -> bool:
    """Whether two sentences give one thing two values: they differ in one place, by few words.

    What stands before that place names the thing, or both mention the same names.

    >>> two_values("The port is 8443", "The port is 9443", str)
    True
    >>> two_values("The exporter reads UTF-8", "The importer reads UTF-8", str)
    False
    """
    left, right = _keys(one, stem), _keys(other, stem)
    start = _alike(left, right)
    end = _alike(left[start:][::-1], right[start:][::-1])
    values = [set(keys[start : len(keys) - end]) for keys in (left, right)]
    # Where words differ beside a number, as in "at least 5" and "at most 40", these are two things.
    sorts = {key.startswith(_NUMBER) for value in values for key in value}
    differ = all(0 < len(value) <= FEW for value in values) and len(sorts) == 1
    if differ and all(is_unspaced(key[0]) for value in values for key in value):
        one_has, other_has = (set("".join(value)) for value in values)
        differ = not (one_has <= other_has or other_has <= one_has)  # a character more
    named, others = ({name for name in names(text) if not name.isupper()} for text in (one, other))
    return differ and (start > 0 or (bool(named) and named == others))


def corrects(new: str, old: str, stem: Stem) -> bool:
    """Whether a person's sentence says "X, not Y" about what a note says Y of.

    >>> corrects("no, the gateway listens on 9443, not 8443", "The gateway listens on 8443", str)
    True
    >>> corrects("the importer reads Latin-1, not UTF-8", "The exporter reads UTF-8", str)
    False
    """
    known, new = set(_keys(old, stem)), new[:_MOST]
    for instead in _INSTEAD.finditer(new):
        end = _CLAUSE_ENDS.search(new, instead.end())
        said = _keys(_INTERJECTION.sub("", new[: instead.start()]), stem)
        phrase = {*_keys(new[instead.end() : end.start() if end else len(new)], stem)}
        thing = list(takewhile(known.__contains__, said))
        value = {*said[len(thing) :]}
        wrong, right = phrase - {*said}, value - known
        # Behind the name of the thing stands nothing but its value, and no condition beside it.
        few = 0 < len(wrong) == len(right) <= FEW
        rest = known - wrong
        same = len(rest & {*said}) > len(rest - {*said})
        if not (thing and few and same and value - right <= phrase):
            continue
        numbers = ({key[0] == _NUMBER for key in value} for value in (wrong, right))
        alike = len({True in kinds for kinds in numbers}) == 1
        if alike and wrong <= known:
            return True
    return False


def _alike(left: Sequence[str], right: Sequence[str]) -> int:
    """How many keys are the same from the beginning on."""
    pairs = zip(left, right, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _keys(text: str, stem: Stem) -> list[str]:
    """What a sentence says, in order: its words' stems, and its numbers by their value."""
    from learnt.core.knowledge.numbers import quantities  # its patterns take long to compile

    plain, at, keys = unicodedata.normalize("NFKC", text[:_MOST]), 0, list[str]()
    for quantity in quantities(plain):
        keys += _words(plain[at : quantity.start], stem)
        keys.append(f"{_NUMBER}{quantity.value!r}")
        at = max(at, quantity.end)
    return keys + list(_words(plain[at:], stem))


def _words(text: str, stem: Stem) -> Iterator[str]:
    for piece in pieces(text):
        # An identifier as it is, not its parts once more.
        several = bool(piece) and is_unspaced(piece[0])
        yield from piece if several else map(stem, piece[:1])
