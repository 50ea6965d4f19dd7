"""Texts are erased: every copy Learnt made goes, the events stay with references to nothing."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from learnt.core.events import Actor, Draft, Where
from learnt.core.governance.proposals import Proposal, ProposalKind, Status, proposal_id, text_hash
from learnt.core.identifiers import (
    EntryId,
    ProposalId,
    Subject,
    entry_subject,
    proposal_subject,
    skill_subject,
)
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.proposal_events import Proposed, TextsPurged
from learnt.core.records import Record
from learnt.core.safety import clean, owned
from learnt.errors import EnvironmentTrouble, HomeUnusable, Refused
from learnt.flows.governance.accept import SKILL_TEXTS
from learnt.flows.governance.decisions import recorded
from learnt.flows.governance.outdated import file_text
from learnt.flows.governance.purge_scope import Scope, Target, scope_of
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.past import forget
from learnt.flows.skills.catalogue import PERSONAL, called
from learnt.flows.stored import append, stored, text_behind, text_or_empty
from learnt.formats.answers import filled
from learnt.formats.draft_md import emptied
from learnt.ports import Outside, Reader, Writer


class Purged(Record, kw_only=True):
    """What went, and files of others that hold copies (`cut`: not all could be looked through).

    `proposals`: what waited for a person and was made of what went.
    """

    entries: tuple[EntryId, ...]
    sessions: tuple[str, ...]
    contents: int
    observations: int
    files: tuple[str, ...]
    not_ours: tuple[str, ...]
    cut: bool
    proposals: tuple[ProposalId, ...] = ()


def plan(outside: Outside, target: Target, agents: Sequence[str] = ()) -> Purged:
    """What a purge would take; `agents` are folders that may hold copies. Raises NotFound."""
    with outside.ledger.reading() as reader:
        scope = scope_of(outside, reader, target)
        waited = _waiting(reader, scope)
    return _told(outside, scope, agents, waited, contents=len(scope.contents))


def _waiting(reader: Reader, scope: Scope) -> tuple[ProposalId, ...]:
    """The proposals of a scope that wait for a person."""
    known = filter(None, (recorded(name, reader) for name in scope.proposals))
    return tuple(each.id for each in known if each.draft and each.status is Status.PENDING)


def _told(
    outside: Outside,
    scope: Scope,
    agents: Sequence[str],
    waited: tuple[ProposalId, ...],
    *,
    contents: int,
    observations: int = 0,
    files: tuple[str, ...] = (),
) -> Purged:
    """Looks at files: not to be called while the ledger is held."""
    held = outside.traces.elsewhere([*scope.names, *scope.texts], [*scope.places, *agents])
    return Purged(
        entries=scope.entries,
        sessions=tuple(name for _, name in scope.sessions),
        contents=contents,
        observations=observations,
        files=files,
        not_ours=held.files,
        cut=held.cut,
        proposals=waited,
    )


def refuse_others(actor: Actor, doubt: str = "") -> None:
    """Raise Refused for anybody but a person; `doubt` says why a call is not taken for one's."""
    if actor is not Actor.HUMAN:
        why = f" This call is not taken for a person's: {doubt}." if doubt else ""
        raise Refused(
            "Only a person may purge: ask them to run this on a terminal of their own."
            f"{why} Nothing was erased."
        )


def purge(outside: Outside, target: Target, actor: Actor, agents: Sequence[str] = ()) -> Purged:
    """Erase it from every file of the home.

    Raises Refused for anybody but a person, NotFound; HomeUnusable where the disk has no room for
    what erasing takes, or where something failed after the texts were erased: it says which.
    """
    refuse_others(actor)
    with outside.ledger.reading() as reader:
        moment, scope = reader.moment(), scope_of(outside, reader, target)
        whole = target.everything or target.project  # with all that is said of a skill
        bereft = [] if whole else list(_left(outside, reader, scope))
    outside.ledger.make_room_to_scrub()
    with outside.ledger.writing() as writer:
        if writer.moment() != moment:
            # What came in meanwhile must go as well: here completeness counts more than haste.
            scope = scope_of(outside, writer, target)
        waited = _waiting(writer, scope)
        erased = TextsPurged(entries=len(scope.entries), contents=len(scope.contents))
        subjects = scope.subjects()
        if not (scope.entries or scope.sessions or scope.projects):
            subjects.append(Subject("contents"))
        for subject in subjects:
            writer.append(Draft(subject, actor, erased))
        contents = writer.erase(scope.contents)
        for proposal, path, text in bereft:
            kept = {
                "target": writer.keep("path", owned(path)),
                "draft": writer.keep("draft", clean(text)),
            }
            where = Where(project=proposal.scope)
            payload = filled(Proposed, proposal, **kept)
            append(writer, proposal_subject(proposal.id), Actor.LEARNT, payload, where=where)
        observations = _erase_observations(writer, target, scope)
        writer.forget_sessions(scope.forgotten)
    files: list[str] = []
    wrong: list[str] = []
    # Each is tried whatever became of the one before.
    for left, step in _AFTERWARDS:
        try:
            files += step(outside, target, scope) or ()
        except (EnvironmentTrouble, OSError) as error:
            wrong.append(f"{left} ({error.__cause__ or error})")
    if wrong:
        raise HomeUnusable(
            f"{contents} text(s) and {observations} reports are erased from the ledger, but copies "
            f"may be left in {' and in '.join(wrong)}. Mend that, then call the same purge again."
        )
    told = {"contents": contents, "observations": observations}
    return _told(outside, scope, agents, waited, **told, files=tuple(files))


def _left(outside: Outside, reader: Reader, scope: Scope) -> Iterator[tuple[Proposal, str, str]]:
    """What to propose for each skill that was made of what goes, its file, and a text without it.

    The text has what its other notes say, and the lines that no accepted text had.
    """
    going = filter(None, (recorded(name, reader) for name in scope.proposals))
    by_path: defaultdict[str, list[Proposal]] = defaultdict(list)
    for each in going:
        path = text_behind(reader, each.path)
        if path and each.status is Status.APPLIED and each.kind in SKILL_TEXTS and each.notes_used:
            by_path[path].append(each)
    for file, every in by_path.items():
        name = file.rpartition("/")[0].rpartition("/")[2]
        others = (words for words in scope.texts if words != name and not file.endswith(words))
        text = file_text(outside, file)
        if not text or any(words.casefold() in file.casefold() for words in others):
            continue  # its name would tell what goes
        agreed = {line for e in every for line in text_or_empty(reader, e.agreed).split("\n")}
        own = "\n".join(
            line
            for line in text.split("\n")
            if not line or not (line in agreed or any(words in line for words in scope.texts))
        )
        notes, project = (
            dict.fromkeys(n for each in every for n in each.notes_used),
            every[-1].scope,
        )
        kept = (stored(reader, Entry, entry_subject(n)) for n in notes if n not in scope.entries)
        known = [note_of(reader, each).said for each in kept if each and each.live]
        about, base = skill_subject(project or PERSONAL, called(outside, name)), text_hash(text)
        proposed = Proposal(
            id=proposal_id(outside.ledger.key, ProposalKind.NEW_VERSION, about, f"{file} {base}"),
            kind=ProposalKind.NEW_VERSION,
            about=about,
            scope=project,
            notes=tuple(notes),
            base=base,
        )
        erased = [each for each in notes if each in scope.entries]
        mine = re.sub(r"\n{3,}", "\n\n", own).strip()
        yield proposed, file, emptied(name, proposed.id, erased, known, mine)


# Characters of a text by which its copies are known: of a long prompt only a part may be kept.
_BEGINNING: Final = 200


def _erase_files(outside: Outside, target: Target, scope: Scope) -> Sequence[str]:
    # Of a session in which an entry was remembered other reports may wait.
    names = scope.forgotten.intersection(scope.names)
    beginnings = [words[:_BEGINNING] for words in scope.texts]
    return outside.traces.erase_with(None if target.everything else [*beginnings, *names])


_Step = Callable[[Outside, Target, Scope], Sequence[str] | None]
_AFTERWARDS: Final[Sequence[tuple[str, _Step]]] = (
    ("files of the home", _erase_files),
    ("the words of sessions", forget),
    ("its caches", lambda outside, *_: outside.traces.drop_caches()),
    ("free pages of the ledger", lambda outside, *_: outside.ledger.scrub()),
)


def _erase_observations(writer: Writer, target: Target, scope: Scope) -> int:
    if target.everything:
        return writer.erase_observations()
    count = sum(writer.erase_observations(session=name) for name in scope.observed)
    beginnings = {words[:_BEGINNING] for words in scope.texts}
    return count + sum(writer.erase_observations(text=words) for words in beginnings)
