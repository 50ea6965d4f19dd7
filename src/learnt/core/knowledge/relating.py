"""What follows from an agent's answer on two notes: it reads, and what it may change is proved."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from learnt.core.events import Origin
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.comparing import compare, two_values
from learnt.core.knowledge.entries import Entry, Relation, Stage
from learnt.core.knowledge.kinds import RULE
from learnt.core.records import Record
from learnt.core.tokens import Stem

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


class RelateEffect(Record):
    """What an answer does: `gone` is the note that it retires, in favour of `stays`."""

    outcome: RelateOutcome
    gone: EntryId | None = None
    stays: EntryId | None = None


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


def effect_of(
    newer: Side, older: Side, relation: Relation, stem: Stem, *, by_person: bool = False
) -> RelateEffect | str:
    """What the first answer on two notes in use does, or the name of the reason to refuse it.

    `newer` is the one that was remembered later.
    """
    if older.entry.id in newer.entry.disputes and newer.entry.id in older.entry.disputes:
        known = relation is Relation.CONTRADICTS
        return RelateEffect(outcome=RelateOutcome.KNOWN) if known else "dispute"
    match relation:
        case Relation.SAME:
            return _same(newer, older, stem, by_person=by_person)
        case Relation.CONTRADICTS:
            return _contradicts(newer, older, stem, by_person=by_person)
        case Relation.NARROWS:
            return RelateEffect(outcome=RelateOutcome.LINKED)
        case Relation.DIFFERENT:
            own = (newer.brought or older.brought) and not by_person
            return "own" if own else RelateEffect(outcome=RelateOutcome.CLEARED)


def _contradicts(newer: Side, older: Side, stem: Stem, *, by_person: bool) -> RelateEffect | str:
    one, other = newer.entry, older.entry
    if by_person and one.origin is Origin.USER:
        return RelateEffect(outcome=RelateOutcome.SUPERSEDED, gone=other.id, stays=one.id)
    if RULE in {one.kind, other.kind} and not newer.typed:
        return "rule"
    facts = one.text is not None and other.text is not None and one.scope == other.scope
    sure = newer.typed and (newer.marked or not older.marked) and other.kind != RULE
    if sure and facts and two_values(older.text, newer.text, stem):
        return RelateEffect(outcome=RelateOutcome.SUPERSEDED, gone=other.id, stays=one.id)
    return RelateEffect(outcome=RelateOutcome.DISPUTED)


def _same(newer: Side, older: Side, stem: Stem, *, by_person: bool) -> RelateEffect | str:
    """The older is shown, unless more speaks for the newer; nothing of the other counts for it."""
    stays, gone = (newer, older) if newer.weight > older.weight else (older, newer)
    if (stays.entry.text is None) is not (gone.entry.text is None):
        return "other form"
    if gone.entry.kind == RULE and stays.entry.kind != RULE:
        return "hides a rule"
    if stays.entry.scope not in {None, gone.entry.scope}:
        return "elsewhere"
    if gone.entry.disputes:
        return "gone disputed"
    seen = compare(older.text, newer.text, stem)
    if seen.clash in {"number", "negation"}:
        return "values"
    if gone.entry.kind == RULE and not by_person:
        return RelateEffect(outcome=RelateOutcome.ASKED)
    doubted = not seen.likeness or two_values(older.text, newer.text, stem)
    if doubted and all(gone.weight) and not by_person:
        return "own words"
    return RelateEffect(outcome=RelateOutcome.MERGED, gone=gone.entry.id, stays=stays.entry.id)
