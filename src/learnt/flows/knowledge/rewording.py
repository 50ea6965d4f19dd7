"""What a person writes again: an entry's text, or what a published topic says of entries."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from learnt.core.events import Actor, Kind, Stamp, natural_key, payload_of
from learnt.core.governance.actors import BY_EDIT
from learnt.core.governance.proposals import Proposal
from learnt.core.identifiers import EntryId, ProposalId, entry_subject, proposal_subject
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.knowledge.gates import REASONS
from learnt.core.payloads.proposal_events import Decided
from learnt.core.records import Record, shared
from learnt.errors import UsageError
from learnt.flows.governance.decisions import Decider, refuse_others
from learnt.flows.knowledge.capture import Offer, put_right
from learnt.flows.knowledge.feedback import live, stage
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.stored import text_or_empty, texts_behind
from learnt.formats import topic_md
from learnt.ports import Outside, Reader

EDITED, DELETED = "edited in its topic", "deleted from its topic"


class _Edit(Record):
    """One accepted edit of a topic: what the file was, and what it is since."""

    topic: ProposalId
    number: int
    stamp: Stamp
    before: str
    after: str


def take_in(
    outside: Outside, topics: Iterable[Proposal], everywhere: frozenset[EntryId]
) -> tuple[list[EntryId], list[str]]:
    """Correct the entries whose text an accepted edit changed, retire those it deleted.

    Each edit counts once, in order, and not against what was learnt since. `everywhere` are the
    entries that a published file names. Gives what changed, and why others did not. Raises
    Conflict.
    """
    changed: list[EntryId] = []
    findings: list[str] = []
    with outside.ledger.reading() as reader:
        edits = [edit for topic in topics for edit in _edits(reader, topic)]
    for edit in edits:
        was, now = topic_md.facts_in(edit.before), topic_md.facts_in(edit.after)
        for name, line in was.items():
            text = topic_md.fact_of(now.get(name, line))
            if name not in everywhere:
                why = _retired(outside, edit, name)
            elif text in {"", topic_md.fact_of(line)}:
                continue
            else:
                why = _put_right(outside, edit, name, text)
            if why:
                findings.append(f"the edit of {name} is not taken in: {REASONS.get(why, why)}")
            elif why is not None:
                changed.append(name)
    return changed, findings


def _retired(outside: Outside, edit: _Edit, name: EntryId) -> str | None:
    """Empty where the entry is retired now; None if it was, or something was learnt of it since."""
    with outside.ledger.reading() as reader:
        if _subject_to(reader, edit, name) is None:
            return None  # most edits were taken in before: that needs no lock
    with outside.ledger.writing() as writer:
        if _subject_to(writer, edit, name) is None:
            return None
        with outside.ledger.told(BY_EDIT):
            stage(writer, name, Actor.HUMAN, Stage.RETIRED, DELETED)
    return ""


def _subject_to(reader: Reader, edit: _Edit, name: EntryId) -> Entry | None:
    """An entry in use that came to its text before an edit, but for an edit taken in itself."""
    entry = entry_of(reader, name)
    if entry is None or not entry.live:
        return None
    remembered = reader.events(subject=entry_subject(name), kind=Kind.REMEMBERED)
    newer = any(event.stamp > edit.stamp and event.natural_key is None for event in remembered)
    return None if newer else entry


def _put_right(outside: Outside, edit: _Edit, name: EntryId, text: str) -> str | None:
    """Why no agent may see an edited text; empty where the entry says it now, None if it did."""
    key = natural_key(outside.ledger.key, "edit taken in", name, edit.topic, edit.number)
    with outside.ledger.reading() as reader:
        entry = _subject_to(reader, edit, name)
        if entry is None or reader.keyed(key) is not None:
            return None
        note = note_of(reader, entry)
    what = Draft(text=text, kind=entry.kind, entities=note.entities, tags=note.tags)
    with outside.ledger.told(BY_EDIT):
        return put_right(outside, entry, Offer(what=what, actor=Actor.HUMAN), EDITED, key)


def _edits(reader: Reader, topic: Proposal) -> Iterator[_Edit]:
    """The edits that were accepted of a topic's file since it was applied."""
    before = text_or_empty(reader, topic.agreed)
    applied = reader.events(subject=proposal_subject(topic.id), kind=Kind.APPLIED)
    for number, event in enumerate(applied):
        ref = payload_of(Decided, event).after
        after = reader.text(ref) if ref else None
        if after is not None:
            yield _Edit(topic.id, number, event.stamp, before, after)
            before = after


def sheet_of(outside: Outside, name: EntryId) -> Draft:
    """What an entry says. Raises NotFound where it is gone."""
    with outside.ledger.reading() as reader:
        note = note_of(reader, live(reader, name))
    return Draft(**shared(note, "text problem approach cautions"))


def reword(outside: Outside, name: EntryId, sheet: Draft, decider: Decider) -> str:
    """Have an entry say what a person wrote, validated; why no agent may see it, if so.

    Raises Refused, UsageError for a fact made a solution or the reverse, NotFound, Conflict.
    """
    refuse_others(decider, "learnt review")
    with outside.ledger.reading() as reader:
        entry = live(reader, name)
        note, files = note_of(reader, entry), texts_behind(reader, entry.files)
        language = text_or_empty(reader, entry.language) or None
    fits = not sheet.text and sheet.problem and sheet.approach
    if (note.text and not (sheet.text and sheet.is_fact)) or not (note.text or fits):
        shape = "one sentence" if note.text else "a problem and an approach"
        raise UsageError(f"{name} is {shape}, and stays so. Nothing was changed.")
    what = replace(
        sheet,
        kind=entry.kind,
        entities=note.entities,
        cautions=() if note.text else sheet.cautions,
        tags=note.tags,
        files=files,
        language=language,
    )
    key = natural_key(outside.ledger.key, "edited by hand", name, entry.corrected)
    offer = Offer(what=what, actor=Actor.HUMAN)
    return put_right(outside, entry, offer, "a person rewrote it", key)
