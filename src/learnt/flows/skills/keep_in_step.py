"""A skill gets another text by a proposal: a note of it changed, or an agent writes it again.

What a note says otherwise now is replaced in the skill's text, or quoted there.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from itertools import zip_longest
from typing import Final

from learnt.core.events import Actor
from learnt.core.governance.in_step import NoteChange
from learnt.core.governance.proposals import OF_SKILLS, Proposal, ProposalKind, Status, text_hash
from learnt.core.governance.skill_drafts import SkillDraft, tidied, unfit
from learnt.core.identifiers import EntryId, ProposalId, handle, skill_subject
from learnt.core.records import Record
from learnt.core.skills.skills import LONGEST_DESCRIPTION, Skill
from learnt.core.tokens import UNSPACED
from learnt.errors import LearntError, Refused
from learnt.flows.governance.decisions import proposal_of, proposals, withdraw
from learnt.flows.governance.draft_skill import Drafted
from learnt.flows.governance.outdated import ChangedNote, OutdatedSkill, changes, outdated
from learnt.flows.recall.search import entry_of, note_of
from learnt.flows.skills.catalogue import PERSONAL, OpenShelf, called, subject_of
from learnt.flows.skills.packing import refuse_threats
from learnt.flows.skills.versions import Revision, propose
from learnt.flows.stored import text_or_empty
from learnt.formats import skill_text
from learnt.formats.front_matter import edited
from learnt.formats.injection import Note, one_line
from learnt.ports import Outside, Reader

_WRONG: Final = {NoteChange.RETIRED, NoteChange.INVALID}

_MARK: Final = "> **Out of date.**"
_WARNING: Final = re.compile(rf"^{re.escape(_MARK)}.*\n\n?", re.MULTILINE)
_EMPTIED: Final = re.compile(r"^[-*][ \t]*\n", re.MULTILINE)  # an item without its words
_PIECE: Final = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+|\s+|.")
_LEAST: Final = 4  # characters that are looked for
_LONGEST: Final = 600  # of a note that is quoted


class NewsOfNote(Record):
    """What became of a note that a skill was made of; `now` is the note that holds, if one does."""

    then: Note
    change: NoteChange
    now: Note | None


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


def revise(shelf: OpenShelf, skill: Skill, draft: SkillDraft) -> Drafted:
    """Propose another description and body of a skill. Raises Refused, NotFound."""
    draft, redacted = tidied(draft)
    if reason := unfit(draft):
        raise Refused(f"Not drafted: {reason}. Nothing was kept.")
    outside, text = shelf.outside, shelf.text(skill)
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
    subject = subject_of(outside, skill, shelf.project)
    own = propose(outside, skill.file, subject, revision, Actor.AGENT, (skill,))
    with outside.ledger.reading() as reader:
        proposal = proposal_of(reader, own)
    return Drafted(proposal=proposal, new=own not in before, redacted=redacted)


def brought_up(text: str, news: Sequence[NewsOfNote]) -> str:
    """The text as it should be after what became of its notes; earlier warnings go.

    Where the words that a note no longer says do not stand in it, a warning quotes the new ones.
    """
    text = _WARNING.sub("", text)
    read = skill_text.read(text, "")
    body, described = read.body, read.description
    front, warnings = text.removesuffix(body), []
    for each in news:
        swaps = list(_swaps(each))
        if swapped := _swapped(body, swaps):
            body, described = swapped, _swapped(described, swaps, some=True)
        elif each.change is not NoteChange.HOLDS:
            warnings.append(_warning(each))
    if read.front and described != read.description:
        front = edited(front, "description", described[:LONGEST_DESCRIPTION])
    if not warnings:
        return front + body
    title, line, rest = body.partition("\n") if body.startswith("# ") else ("", "", body)
    return f"{front}{title}{line}{line}{''.join(warnings)}\n{rest.lstrip(chr(10))}"


def _swaps(news: NewsOfNote) -> Iterator[tuple[str, str]]:
    """The words that a note said and no longer says, each with those in its place."""
    then, now = news.then, news.now
    if now is None or news.change not in {NoteChange.CORRECTED, NoteChange.REPLACED}:
        return
    parts = [(then.text, now.text), (then.problem, now.problem), (then.approach, now.approach)]
    parts += zip_longest(then.cautions, now.cautions, fillvalue="")
    alike = bool(then.text) is bool(now.text)
    for was, said in parts if alike else [(then.said, now.said)]:
        yield from _other_words(was, said)


def _other_words(was: str, said: str) -> Iterator[tuple[str, str]]:
    old, new = _PIECE.findall(was), _PIECE.findall(said)
    for tag, start, end, first, last in SequenceMatcher(None, old, new, False).get_opcodes():
        if tag == "equal":
            continue
        # What is too short to be told from other words is looked for with those around it.
        while len("".join(old[start:end]).strip()) < _LEAST and (start > 0 or end < len(old)):
            back, on = min(1, start), min(1, len(old) - end)
            start, end, first, last = start - back, end + on, first - back, last + on
        yield "".join(old[start:end]), "".join(new[max(0, first) : last])


def _swapped(text: str, swaps: Sequence[tuple[str, str]], *, some: bool = False) -> str:
    """The text with words replaced; empty where it lacks any of them, unless `some` will do."""
    for was, now in swaps:
        edges = [r"\b" if one.isascii() and one.isalnum() else "" for one in (was[:1], was[-1:])]
        looked_for = r"\s+".join(map(re.escape, was.split()))
        there = re.compile(looked_for.join(edges)).split(text) if looked_for else [text]
        if len(there) == 1 and not some:
            return ""
        text = now.strip().join(there)
        if not now.strip():
            text = _EMPTIED.sub("", text)
    return text if swaps else ""


def _warning(news: NewsOfNote) -> str:
    now = news.now
    told = f"The note {handle(news.then.id)} that this was made of {news.change}."
    said = f' It says now: "{one_line(now.said)[:_LONGEST]}".' if now else ""
    if news.change is NoteChange.DISPUTED and now:
        said = f' Another note says: "{one_line(now.said)[:_LONGEST]}".'
    return f"{_MARK} {told}{said} Check what rests on it before you follow it.\n"
