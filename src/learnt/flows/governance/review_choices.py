"""What a person decides on what waits, and how it is taken back: the same for every sort."""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final, cast

from msgspec.structs import replace

from learnt.core.events import Actor, Where
from learnt.core.governance.review import ReviewChoice, ReviewSort
from learnt.core.governance.skill_drafts import SkillDraft
from learnt.core.identifiers import EntryId, entry_subject
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import TAKEN_BACK, Content, Entry, Stage
from learnt.core.knowledge.gates import REASONS
from learnt.core.knowledge.kinds import RULE
from learnt.core.payloads.entry_events import (
    Classed,
    EntryFeedback,
    Related,
    Remembered,
    Staged,
    SuspectedPair,
)
from learnt.core.records import Record, shared
from learnt.errors import Conflict, NotFound, Refused, UsageError
from learnt.flows.governance import accept as accepting
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.governance.draft_skill import rewrite
from learnt.flows.governance.listing import ProposalTexts
from learnt.flows.governance.review import ReviewItem, may_be_rule
from learnt.flows.health import evaluate as evaluating
from learnt.flows.health.evaluate import Choice, WindowComparison
from learnt.flows.knowledge.feedback import Word, live, tell
from learnt.flows.knowledge.relating import settle
from learnt.flows.knowledge.rewording import reword
from learnt.flows.knowledge.standing import join_by_hand, stage_by_hand
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import append
from learnt.formats.answers import filled
from learnt.ports import Outside, Reader, Writer

BATCH: Final = 20  # entries in one transaction: prompts wait for it
_CONTENT: Final = " ".join(Content.__struct_fields__)


class ReviewAnswer(Record):
    """What a person decides on an item."""

    choice: ReviewChoice
    entry: EntryId | None = None  # which of two holds, is edited, or stays in a merge
    other: EntryId | None = None  # what it is merged with, where that is no side of the item
    sheet: Draft | None = None  # what an entry is to say
    text: str = ""  # a draft's new text, or why a proposal is turned down


class ReviewDone(Record):
    """A decision, what was done in words, and the entries as they were before and after it."""

    item: ReviewItem
    said: str
    before: tuple[Entry, ...] = ()
    after: tuple[Entry, ...] = ()
    choice: ReviewChoice = ReviewChoice.ACCEPT


def choose(
    outside: Outside, item: ReviewItem, answer: ReviewAnswer, decider: Decider, folder: str
) -> ReviewDone:
    """Do what a person decides; accepting a proposal is done elsewhere.

    Raises Refused, UsageError for no such choice, NotFound and Conflict where others decided.
    """
    refuse_others(decider, "learnt review")
    if answer.choice not in item.choices:
        raise UsageError(f"{item.id}: {answer.choice} is no choice here. Nothing was changed.")
    names = [*(part.id for part in item.parts), *filter(None, (answer.entry, answer.other))]
    before = _entries(outside, names)
    match item.found:
        case ProposalTexts():
            done = _of_proposal(outside, item, answer, decider)
        case WindowComparison() as shown:
            choice = cast("Choice", answer.choice.value)
            done = evaluating.decide(outside, shown, choice, decider)
        case _ if item.sort is ReviewSort.IMPORT:
            done = _of_import(outside, item, answer.choice, decider)
        case _ if item.sort is ReviewSort.RULES:
            done = _of_rules(outside, item, answer.choice, decider)
        case _:
            done = _of_entries(outside, item, answer, decider, folder)
    return ReviewDone(item, done, before, _entries(outside, names), answer.choice)


def _entries(outside: Outside, names: Iterable[EntryId]) -> tuple[Entry, ...]:
    with outside.ledger.reading() as reader:
        entries = (entry_of(reader, name) for name in dict.fromkeys(names))
        return tuple(entry for entry in entries if entry is not None)


def _of_proposal(outside: Outside, item: ReviewItem, answer: ReviewAnswer, decider: Decider) -> str:
    match answer.choice:
        case ReviewChoice.REJECT:
            accepting.reject(outside, item.id, answer.text, decider)
            return f"{item.id} is rejected"
        case ReviewChoice.EDIT:
            _redraft(outside, item.id, answer.text, decider)
            return f"{item.id} has your text, and waits on"
        case _:
            raise UsageError(f"`learnt evolve accept {item.id}` writes its file.")


def _redraft(outside: Outside, name: str, text: str, decider: Decider) -> None:
    from learnt.formats import skill_text  # yaml takes long to load

    read = skill_text.read(text, "")
    draft = SkillDraft(name=read.name, description=read.description, body=read.body)
    rewrite(outside, name, draft, decider.actor)


def _of_import(outside: Outside, item: ReviewItem, choice: ReviewChoice, decider: Decider) -> str:
    to = Stage.VALIDATED if choice is ReviewChoice.ACCEPT else Stage.RETIRED
    done = 0
    for part in item.parts:
        with suppress(NotFound, Refused):  # decided on meanwhile
            stage_by_hand(outside, part.id, decider.actor, to)
            done += 1
    return f"{_some(item, done)} pieces are {to}"


def _some(item: ReviewItem, done: int) -> str:
    """How many of its parts were decided on. Raises Conflict where others decided on all."""
    if not done:
        raise Conflict(f"{item.id}: all of it was decided on meanwhile. Nothing was changed.")
    return f"{done} of {len(item.parts)}"


def _of_rules(outside: Outside, item: ReviewItem, choice: ReviewChoice, decider: Decider) -> str:
    """Notes become rules, or stay what they are and are not asked about again."""
    done = 0
    for at in range(0, len(item.parts), BATCH):
        with outside.ledger.durably_writing() as writer:
            for part in item.parts[at : at + BATCH]:
                entry = entry_of(writer, part.id)
                if entry and may_be_rule(entry):  # else it was decided on meanwhile
                    kind = RULE if choice is ReviewChoice.ACCEPT else entry.kind
                    classed = Classed(kind=kind, by_word=True)
                    append(writer, entry_subject(part.id), decider.actor, classed)
                    done += 1
    now = "are rules now" if choice is ReviewChoice.ACCEPT else "stay as they are"
    return f"{_some(item, done)} notes {now}"


def _of_entries(
    outside: Outside, item: ReviewItem, answer: ReviewAnswer, decider: Decider, folder: str
) -> str:
    """What was decided on an entry, or on the two sides of a dispute."""
    names = [part.id for part in item.parts]
    disputed = item.sort is ReviewSort.DISPUTE
    one = answer.entry or names[0]
    other = answer.other or next((name for name in names if name != one), one)
    both = answer.choice is ReviewChoice.BOTH
    unnamed = disputed and not both and answer.entry is None
    if unnamed or not {*names} <= {one, other}:
        raise UsageError(f"Name a side: {' or '.join(names)}. Nothing was changed.")
    match answer.choice:
        case ReviewChoice.EDIT:
            return _edited(outside, one, answer.sheet, decider)
        case ReviewChoice.MERGE if one != other:
            if answer.sheet is not None:
                with outside.ledger.reading() as reader:
                    live(reader, other)
                _edited(outside, one, answer.sheet, decider)
            join_by_hand(outside, other, one, decider)
            return f"{other} is part of {one} now, which is validated"
        case ReviewChoice.MERGE:
            raise UsageError(f"Say what {one} is merged with. Nothing was changed.")
        case _ if disputed:
            return settle(outside, one, other, decider, both=both)
        case ReviewChoice.ACCEPT if item.sort is not ReviewSort.CANDIDATE:
            tell(outside, one, Word(result="reset", actor=decider.actor, folder=folder))
            return f"{one} holds, as new"
        case choice:
            to = Stage.VALIDATED if choice is ReviewChoice.ACCEPT else Stage.RETIRED
            return f"{one} is {stage_by_hand(outside, one, decider.actor, to).stage}"


def _edited(outside: Outside, name: EntryId, sheet: Draft | None, decider: Decider) -> str:
    if sheet is None or not sheet.texts:
        raise UsageError(f"{name} is left as it was: nothing was written.")
    if why := reword(outside, name, sheet, decider):
        raise Refused(f"{name} is left as it was: {REASONS.get(why, why)}.")
    return f"{name} says what you wrote, and is validated"


def undo(outside: Outside, done: ReviewDone, decider: Decider) -> str:
    """Take a decision back, so that it waits again; what was done, in words.

    Raises Refused for anybody but a person and for a comparison of skills; Conflict where it
    changed since: then nothing is changed, but the rest of an import is.
    """
    refuse_others(decider, "learnt review")
    item, found = done.item, done.item.found
    if isinstance(found, WindowComparison):
        raise Refused(f"What was decided on {item.id} stays: `learnt skills history` tells.")
    if isinstance(found, ProposalTexts):
        if done.choice is not ReviewChoice.EDIT:
            return accepting.undo(outside, item.id, decider)
        _redraft(outside, item.id, found.draft, decider)
        return f"{item.id} has the text that it had"
    whole = item.sort not in {ReviewSort.IMPORT, ReviewSort.RULES}
    pairs = list(zip(done.before, done.after, strict=True))
    changed = 0
    for at in range(0, len(pairs), BATCH):
        with outside.ledger.durably_writing() as writer:
            batch = pairs[at : at + BATCH]
            same = [pair for pair in batch if _undecided_since(writer, pair[1])]
            if whole and len(same) < len(batch):
                raise Conflict(
                    f"{item.id} was changed since, or erased. Nothing was taken back; "
                    "`learnt why ID` tells what became of an entry."
                )
            for before, after in same:
                _restore(writer, before, after, decider.actor)
            changed += len(batch) - len(same)
    left = f"; {changed} of it changed since and stay(s) as it is" if changed else ""
    return f"{item.id} waits for a decision again{left}"


def _undecided_since(reader: Reader, after: Entry) -> bool:
    """Whether an entry is what a decision made of it."""
    now = entry_of(reader, after.id)
    return now is not None and _decided_on(now) == _decided_on(after)


def _decided_on(entry: Entry) -> Entry:
    """An entry but for how often it was used."""
    return replace(entry, reused=0, units=0, masked=False, restarts=0, skill="")


def _restore(writer: Writer, before: Entry, after: Entry, actor: Actor) -> None:
    """Have an entry say and be what it was before a decision."""
    subject, stood = entry_subject(before.id), before.disputes
    if _decided_on(before) == _decided_on(after):
        return
    if before.classed != after.classed:
        append(writer, subject, actor, Classed(kind=before.kind, by_word=before.classed))
        return
    if before.corrected != after.corrected:  # its text was rewritten
        content = Content(**shared(before, _CONTENT))
        remembered = Remembered(stage=before.stage, content=content, told=before.standing)
        where, origin = Where(project=before.scope), before.origin
        append(writer, subject, before.actor, remembered, where=where, origin=origin)
        for pair in before.suspects:
            append(writer, subject, actor, filled(SuspectedPair, pair))
        for answer in before.related:
            append(writer, subject, actor, filled(Related, answer))
    else:
        stood = tuple(name for name in stood if name not in after.disputes)
    staged = Staged(stage=before.stage, reason=TAKEN_BACK, told=before.standing, doubt=before.doubt)
    append(writer, subject, actor, staged)
    if before.cites != after.cites:
        append(writer, subject, actor, EntryFeedback(source=TAKEN_BACK, cites=before.cites))
    for name in stood:
        disputed = EntryFeedback(result="disputed", source=TAKEN_BACK, other=name)
        append(writer, subject, actor, disputed)
    for said_for in before.arguments if before.arguments != after.arguments else ():
        argued = EntryFeedback(result="argued", source=TAKEN_BACK, argument=said_for)
        append(writer, subject, actor, argued)
