"""Which skills are out of date: a note that their accepted text was made of changed since.

Nothing of it is stored: the proposals say which notes a text was made of and when, the notes' own
events what became of them since.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated

from learnt.core.events import Kind
from learnt.core.governance.in_step import NoteChange, may_have_changed, note_change
from learnt.core.governance.proposals import OF_SKILLS, Proposal, ProposalKind, Status, text_hash
from learnt.core.identifiers import (
    EntryId,
    ProjectId,
    ProposalId,
    entry_subject,
    handle,
    proposal_subject,
)
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.entry_fold import step
from learnt.core.records import APART, Record, Row, decode
from learnt.errors import LearntError
from learnt.flows.governance.decisions import proposal_of, proposals, recorded
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.stored import text_behind
from learnt.ports import Outside, Reader

_MOST_STEPS = 20  # from a note to the one that took its place
_Made = Mapping[EntryId, ProposalId]  # by each note the proposal that was written by it


class ChangedNote(Record):
    """A note that a skill's text was made of, as it was `then`, and the notes that hold now."""

    entry: EntryId
    change: NoteChange
    newer: tuple[EntryId, ...]
    then: Annotated[Entry, APART]


class OutdatedSkill(Row):
    """A skill older than a note it was made of; `scope` is its project (None: everywhere)."""

    name: str
    path: str
    scope: ProjectId | None
    notes: tuple[EntryId, ...]
    changed: tuple[ChangedNote, ...]

    @property
    def summary(self) -> str:
        """What became of its notes, in words."""
        notes = (f"note {handle(each.entry)} {each.change}" for each in self.changed)
        return f"the skill {self.name} is out of date: {', '.join(notes)}"


def outdated(outside: Outside, reader: Reader) -> list[OutdatedSkill]:
    """The skills that are out of date, by name; those alone whose files are there."""
    skills = []
    for path, (scope, made) in _accepted(reader).items():
        changed = tuple(changes(reader, made))
        if any(note.change is NoteChange.ERASED for note in changed):
            base = text_hash(file_text(outside, path))  # a purge proposed what follows it
            if not any(p.base == base and erased_notes(reader, p) for p in proposals(reader)):
                continue  # its person wrote it again since
        if changed and outside.documents.there(path):
            name = path.rpartition("/")[0].rpartition("/")[2]
            skills.append(OutdatedSkill(name, path, scope, tuple(made), changed))
    return sorted(skills)


def file_text(outside: Outside, path: str) -> str:
    """A file's text; empty where it is gone or cannot be read."""
    try:
        return outside.documents.read(path) or ""
    except LearntError:
        return ""


def erased_notes(reader: Reader, proposal: Proposal) -> list[Entry]:
    """The notes of a proposal's text that were erased."""
    notes = (entry_of(reader, name) for name in proposal.notes)
    return [note for note in notes if note and note.about is None]


def left_behind(skills: Iterable[OutdatedSkill]) -> dict[EntryId, str]:
    """By each note that holds now the skill that it leaves behind."""
    return {
        name: skill.name for skill in skills for change in skill.changed for name in change.newer
    }


def changes(reader: Reader, made: _Made) -> Iterator[ChangedNote]:
    """What became of the notes since texts were made of them."""
    for name, proposal in made.items():
        now, revised = entry_of(reader, name), False
        if now is None:
            continue
        revised = proposal_of(reader, proposal).kind is not ProposalKind.NEW_SKILL
        if not (revised or may_have_changed(now)):
            continue
        then = _then(reader, name, proposal)
        rivals = tuple(rival.id for rival in note_of(reader, now).rivals)
        if then and (change := note_change(then, now, rivals, revised=revised)):
            newer = () if change is NoteChange.INVALID else _newer(reader, now, rivals)
            yield ChangedNote(name, change, newer, then)


def _accepted(reader: Reader) -> dict[str, tuple[ProjectId | None, _Made]]:
    """By each skill's file its project, and what the text that was accepted last was made of."""
    decided = [decode(Proposal, view.state) for view in reader.views(Proposal.prefix, '"path":')]
    order: dict[str, int] = {}
    for number, event in enumerate(reader.events(kind=Kind.APPLIED) if decided else ()):
        order.setdefault(event.subject, number)
    texts: dict[str, tuple[ProjectId | None, _Made]] = {}
    written: dict[tuple[str, str], tuple[ProjectId | None, _Made]] = {}
    for each in sorted(decided, key=lambda one: order.get(proposal_subject(one.id), len(order))):
        path, gone = text_behind(reader, each.path), text_behind(reader, each.gone)
        if path is None or each.status not in {Status.ACCEPTED, Status.APPLIED}:
            continue
        scope, made = texts.get(path, (each.scope, {}))
        if each.kind is ProposalKind.OUTSIDE_EDIT:  # who edited it knew the notes of that day
            made = dict.fromkeys(made, each.id)
        elif each.notes_used:
            made = dict.fromkeys(each.notes_used, each.id)
        elif (path, each.written) in written:  # it has a text again that it had before
            scope, made = written[path, each.written]
        if gone:
            made = {**texts.pop(gone, (None, {}))[1], **made}
        if path in texts or each.kind in OF_SKILLS or made:
            texts[path] = written[path, each.written] = scope, made
    return {path: found for path, found in texts.items() if found[1]}


def _then(reader: Reader, name: EntryId, proposal: ProposalId) -> Entry | None:
    """A note as it was when a proposal's text was written."""
    draft = getattr(recorded(proposal, reader), "draft", None)
    events = list(reader.events(subject=proposal_subject(proposal), kind=Kind.PROPOSED))
    written = next((e for e in events if e.payload.get("draft") == draft), events[0])
    entry = None
    for event in reader.events(subject=entry_subject(name)):
        if event.stamp > written.stamp:
            break
        entry = step(entry, event)
    return entry


def _newer(reader: Reader, now: Entry, rivals: tuple[EntryId, ...]) -> tuple[EntryId, ...]:
    """The notes that say what holds now, or one of whose sides does."""
    entry: Entry | None = now
    for _ in range(_MOST_STEPS):
        if entry is None or entry.live or entry.into is None:
            break
        entry = entry_of(reader, entry.into)
    return (entry.id, *rivals) if entry is not None and entry.live else ()
