"""A skill gets another text by a proposal: a note of it changed, or an agent writes it again."""

from collections.abc import Iterator
from contextlib import suppress

from learnt.core.events import Actor
from learnt.core.governance.in_step import NoteChange
from learnt.core.governance.proposals import OF_SKILLS, Proposal, ProposalKind, Status, text_hash
from learnt.core.governance.skill_drafts import SkillDraft, tidied, unfit
from learnt.core.identifiers import EntryId, ProjectId, ProposalId, skill_subject
from learnt.core.skills.skills import Skill
from learnt.errors import LearntError, NotFound, Refused
from learnt.file_ports import SkillLibrary
from learnt.flows.governance.decisions import proposal_of, proposals, withdraw
from learnt.flows.governance.draft_skill import Drafted
from learnt.flows.governance.outdated import ChangedNote, OutdatedSkill, changes, outdated
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.skills.catalogue import PERSONAL, called, subject_of
from learnt.flows.skills.packing import refuse_threats
from learnt.flows.skills.versions import Revision, propose
from learnt.flows.stored import text_or_empty
from learnt.formats import skill_text
from learnt.formats.brought_up import NewsOfNote, brought_up
from learnt.formats.front_matter import edited
from learnt.ports import Outside, Reader

_WRONG = {NoteChange.RETIRED, NoteChange.INVALID}


def keep_in_step(outside: Outside) -> list[ProposalId]:
    """Propose revisions of outdated skills, withdraw those that no longer fit; the new ones."""
    with outside.ledger.reading() as reader:
        behind = outdated(outside, reader)
        waiting = list(_waiting(reader))
    made, held = [], set[str]()
    for proposal, path, fits in waiting:
        text = outside.documents.read(path)
        if fits and text_hash(text) == proposal.base and any(path == one.path for one in behind):
            held.add(path)
        else:
            withdraw(outside, proposal)
    for skill in behind:
        erased = any(each.change is NoteChange.ERASED for each in skill.changed)
        if skill.path not in held and not erased:  # a purge proposed what there is to propose
            with suppress(LearntError):  # one broken file, or one that a person turned down
                made += _proposed(outside, skill)
    return made


def _waiting(reader: Reader) -> Iterator[tuple[Proposal, str, bool]]:
    """The revisions for changed notes that wait, their files, and whether the notes are as then."""
    for each in proposals(reader):
        if each.kind in OF_SKILLS and each.status is Status.PENDING and each.notes and each.draft:
            newer = any(changes(reader, dict.fromkeys(each.notes, each.id)))
            yield each, text_or_empty(reader, each.target), not newer


def _notes(skill: OutdatedSkill) -> tuple[EntryId, ...]:
    newer = (name for change in skill.changed for name in change.newer[:1])  # none of its rivals
    return tuple(dict.fromkeys([*skill.notes, *newer]))


def _proposed(outside: Outside, skill: OutdatedSkill) -> list[ProposalId]:
    text = outside.documents.read(skill.path) or ""
    with outside.ledger.reading() as reader:
        news = [_news(reader, change) for change in skill.changed]
        before = {each.id for each in proposals(reader) if each.draft}
    wrong = {each.entry for each in skill.changed if each.change in _WRONG}
    if wrong.issuperset(skill.notes):
        kind, new = ProposalKind.RETIRE, text
    else:
        kind, new = ProposalKind.NEW_VERSION, brought_up(text, news)
    revision = Revision(kind, new, notes=_notes(skill))
    subject = skill_subject(skill.scope or PERSONAL, called(outside, skill.name))
    own = propose(outside, skill.path, subject, revision, Actor.LEARNT, ())
    return [] if own in before else [own]


def _news(reader: Reader, change: ChangedNote) -> NewsOfNote:
    rival = change.change is NoteChange.DISPUTED
    found = filter(None, (entry_of(reader, name) for name in change.newer[rival:]))
    now = next((note_of(reader, entry) for entry in found), None)
    return NewsOfNote(note_of(reader, change.then), change.change, now)


def revise(
    outside: Outside,
    library: SkillLibrary,
    skill: Skill,
    draft: SkillDraft,
    project: ProjectId | None,
) -> Drafted:
    """Propose another description and body of a skill. Raises Refused, NotFound."""
    draft, redacted = tidied(draft)
    if reason := unfit(draft):
        raise Refused(f"Not drafted: {reason}. Nothing was kept.")
    text = library.text(skill.file)
    if text is None:
        raise NotFound(f"{skill.file} was deleted a moment ago. Nothing was changed.")
    body = skill_text.read(text, skill.name).body
    front = edited(text.removesuffix(body), "description", draft.description)
    new = f"{front.rstrip()}\n\n{draft.body}\n"
    refuse_threats(outside, new, skill.name)
    # Whoever writes a skill again that is out of date knows its notes as they are.
    real = outside.shelf.real
    with outside.ledger.reading() as reader:
        behind = [each for each in outdated(outside, reader) if real(each.path) == real(skill.file)]
        before = {each.id for each in proposals(reader)}
    notes = _notes(behind[0]) if behind else ()
    revision = Revision(ProposalKind.NEW_VERSION, new, notes=notes)
    subject = subject_of(outside, skill, project)
    own = propose(outside, skill.file, subject, revision, Actor.AGENT, (skill,))
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, own)
    return Drafted(proposal=proposal, new=own not in before, redacted=redacted)
