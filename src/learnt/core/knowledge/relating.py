"""How two notes stand to each other: what rules suspect of them, and what an agent's answer does.

Rules suspect two sentences by what they share and in what they differ, and never decide; only one
shape corrects: a person who says "X, not Y" of the thing that a note says Y of. An agent reads, and
what its answer may change is proved.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import takewhile
from typing import Final

from learnt.core.events import Origin
from learnt.core.knowledge.entries import Clash, Entry, Relation, Stage, Suspected
from learnt.core.knowledge.kinds import RULE
from learnt.core.records import Record, Row
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


MOST_ANSWERS: Final = 8  # of a session, beside those that a batch asked for


class RelateOutcome(StrEnum):
    """What an answer did."""

    SUPERSEDED = "superseded"  # the older note is retired
    MERGED = "merged"  # one of them is hidden as the other's alias
    DISPUTED = "disputed"
    ASKED = "asked"  # two rules: the person is asked whether to merge them
    LINKED = "linked"
    CLEARED = "cleared"  # they have nothing to do with each other
    KNOWN = "known"  # it was answered so before


class Side(Record):
    """One of two notes, and how its text came in.

    `typed`: its person typed it in this session; `marked`: behind a marker, or on a terminal;
    `brought`: this session brought it, and it is not its person's.
    """

    entry: Entry
    text: str
    typed: bool = False
    marked: bool = False
    brought: bool = False

    @property
    def weight(self) -> tuple[bool, bool]:
        """What decides which of two that say the same is shown."""
        return self.entry.stage is Stage.VALIDATED, self.entry.origin is Origin.USER


# What an answer did, in words.
SAID: Final[Mapping[RelateOutcome, str]] = {
    RelateOutcome.SUPERSEDED: "{newer} replaces {older}, which is retired",
    RelateOutcome.MERGED: "they are shown as one: {gone} is hidden",
    RelateOutcome.DISPUTED: "{newer} and {older} are in dispute: `learnt review` asks the user "
    "which one holds",
    RelateOutcome.ASKED: "both are the user's rules: `learnt review` asks them to merge the two",
    RelateOutcome.LINKED: "{newer} and {older} are linked: one narrows the other",
    RelateOutcome.CLEARED: "{newer} and {older} have nothing to do with each other",
    RelateOutcome.KNOWN: "it was already answered so; `learnt review` has what waits for the user",
}
# Why an answer is refused, in words.
REFUSED: Final[Mapping[str, str]] = {
    "dispute": "they are in dispute, which only the user ends: `learnt review`",
    "rule": "one of them is the user's rule, and only what the user typed in this session can "
    "contradict it. Ask the user",
    "hides a rule": "{gone} is a rule of the user's, and no other note takes its place",
    "other form": "one is a fact and the other a solution",
    "elsewhere": "they hold in different places",
    "gone disputed": "{gone} is in dispute, which the user settles first: `learnt review`",
    "values": "they differ in a number or a negation, so they do not say the same",
    "own words": "{gone} is the user's own and the other looks different: only the user merges it",
    "own": "this session itself brought {own}: another session or the user has to say so",
    "circle": "the older one already narrows the newer, directly or through others",
}


def outcome_of(
    newer: Side, older: Side, relation: Relation, stem: Stem, *, by_person: bool = False
) -> RelateOutcome | str:
    """What the first answer on two notes in use does, or the name of the reason to refuse it.

    `newer` is the one that was remembered later.
    """
    if older.entry.id in newer.entry.disputes and newer.entry.id in older.entry.disputes:
        return RelateOutcome.KNOWN if relation is Relation.CONTRADICTS else "dispute"
    match relation:
        case Relation.SAME:
            return _same(newer, older, stem, by_person=by_person)
        case Relation.CONTRADICTS:
            return _contradicts(newer, older, stem, by_person=by_person)
        case Relation.NARROWS:
            return RelateOutcome.LINKED
        case Relation.DIFFERENT:
            brought = (newer.brought or older.brought) and not by_person
            return "own" if brought else RelateOutcome.CLEARED


def hidden_of(newer: Side, older: Side) -> Side:
    """Which of two that say the same is hidden: the newer one, unless more speaks for it."""
    return older if newer.weight > older.weight else newer


def _contradicts(newer: Side, older: Side, stem: Stem, *, by_person: bool) -> RelateOutcome | str:
    one, other = newer.entry, older.entry
    if by_person and one.origin is Origin.USER:
        return RelateOutcome.SUPERSEDED
    if RULE in {one.kind, other.kind} and not newer.typed:
        return "rule"
    facts = one.text is not None and other.text is not None and one.scope == other.scope
    sure = newer.typed and (newer.marked or not older.marked) and other.kind != RULE
    surely = sure and facts and two_values(older.text, newer.text, stem)
    return RelateOutcome.SUPERSEDED if surely else RelateOutcome.DISPUTED


def _same(newer: Side, older: Side, stem: Stem, *, by_person: bool) -> RelateOutcome | str:
    """Nothing of the one that is hidden counts for the one that is shown."""
    gone = hidden_of(newer, older)
    stays = older if gone is newer else newer
    if (stays.entry.text is None) is not (gone.entry.text is None):
        return "other form"
    if gone.entry.kind == RULE and stays.entry.kind != RULE:
        return "hides a rule"
    if stays.entry.scope not in {None, gone.entry.scope}:
        return "elsewhere"
    if gone.entry.disputes:
        return "gone disputed"
    comparison = compare(older.text, newer.text, stem)
    if comparison.clash in {"number", "negation"}:
        return "values"
    if gone.entry.kind == RULE and not by_person:
        return RelateOutcome.ASKED
    doubted = not comparison.likeness or two_values(older.text, newer.text, stem)
    if doubted and all(gone.weight) and not by_person:
        return "own words"
    return RelateOutcome.MERGED
