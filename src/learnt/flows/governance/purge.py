"""Texts are erased: every copy Learnt made goes, the events stay with references to nothing."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from learnt.core.events import Actor, Draft, Event, Kind, payload_of
from learnt.core.governance.proposals import Proposal, ProposalKind
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    ProjectId,
    ProposalId,
    Subject,
    entry_subject,
    plain_or_hashed,
    proposal_subject,
    session_subject,
)
from learnt.core.json_values import JsonValue
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.entry_events import Remembered
from learnt.core.payloads.proposal_events import TextsPurged
from learnt.errors import NotFound
from learnt.flows.stored import all_stored, stored
from learnt.formats.observations import LONGEST_NAME
from learnt.ports import Outside, Reader, Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is to go: exactly one of these, or everything."""

    entry: EntryId | None = None
    session: str | None = None
    project: ProjectId | None = None
    text: str | None = None
    everything: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Purged:
    """What went, and what is left to others to erase."""

    entries: tuple[EntryId, ...]
    sessions: tuple[str, ...]
    contents: int
    observations: int
    files: tuple[str, ...]
    not_ours: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Scope:
    entries: tuple[EntryId, ...] = ()
    sessions: tuple[tuple[str, str], ...] = ()  # agent and name
    observed: tuple[str, ...] = ()  # the same sessions' names as their agents gave them
    projects: tuple[ProjectId, ...] = ()
    proposals: tuple[ProposalId, ...] = ()
    contents: tuple[ContentRef, ...] = ()


def plan(outside: Outside, target: Target) -> Purged:
    """What a purge would take, touching nothing; NotFound where there is nothing of the name."""
    with outside.ledger.reading() as reader:
        scope = _scope(outside, reader, target)
        return Purged(
            entries=scope.entries,
            sessions=tuple(name for _, name in scope.sessions),
            contents=len(scope.contents),
            observations=0,
            files=(),
            not_ours=_not_ours(outside, reader, scope),
        )


def purge(outside: Outside, target: Target, actor: Actor) -> Purged:
    """Erase it; when this returns no file of the home holds the texts any more."""
    with outside.ledger.reading() as reader:
        moment, scope = reader.moment(), _scope(outside, reader, target)
        not_ours = _not_ours(outside, reader, scope)
    with outside.ledger.writing() as writer:
        if writer.moment() != moment:
            # What came in meanwhile must go as well: here completeness counts more than haste.
            scope = _scope(outside, writer, target)
            not_ours = _not_ours(outside, writer, scope)
        for subject in _subjects(scope):
            erased = TextsPurged(entries=len(scope.entries), contents=len(scope.contents))
            writer.append(Draft(subject=subject, actor=actor, payload=erased))
        contents = writer.erase(scope.contents)
        observations = _erase_observations(writer, target, scope)
    files = outside.traces.erase_with(target.text) if target.text or target.everything else ()
    outside.ledger.scrub()
    return Purged(
        entries=scope.entries,
        sessions=tuple(name for _, name in scope.sessions),
        contents=contents,
        observations=observations,
        files=tuple(files),
        not_ours=not_ours,
    )


def _subjects(scope: _Scope) -> Iterable[Subject]:
    yield from (entry_subject(entry) for entry in scope.entries)
    yield from (session_subject(agent, name) for agent, name in scope.sessions)
    yield from (Subject(f"project:{project}") for project in scope.projects)
    yield from map(proposal_subject, scope.proposals)
    if not (scope.entries or scope.sessions or scope.projects):
        yield Subject("contents")


def _erase_observations(writer: Writer, target: Target, scope: _Scope) -> int:
    if target.everything:
        return writer.erase_observations()
    count = sum(writer.erase_observations(session=name) for name in scope.observed)
    return count + (writer.erase_observations(text=target.text) if target.text else 0)


def _scope(outside: Outside, reader: Reader, target: Target) -> _Scope:
    if target.entry is not None:
        if reader.view(entry_subject(target.entry)) is None:
            raise NotFound(f"There is no entry {target.entry}. Nothing was erased.")
        return _of_entries(reader, [target.entry])
    if target.session is not None:
        return _of_session(outside, reader, target.session)
    if target.project is not None:
        return _of_project(outside, reader, target.project)
    if target.text is not None:
        return _of_contents(reader, reader.contents_with(target.text))
    return _everything(outside, reader)


def _of_entries(reader: Reader, ids: Iterable[EntryId]) -> _Scope:
    """Entries, with those of their texts that nothing else in the ledger still speaks of."""
    going = tuple(dict.fromkeys(ids))
    subjects = {entry_subject(entry) for entry in going}
    refs: dict[ContentRef, None] = {}
    for subject in subjects:
        for event in reader.events(subject=subject):
            refs |= dict.fromkeys(_refs(reader, event))
    return _with_proposals(reader, _Scope(entries=going), refs, subjects)


def _with_proposals(
    reader: Reader, scope: _Scope, refs: Iterable[ContentRef], subjects: set[Subject]
) -> _Scope:
    """The scope with the proposals that hold copies of its texts, and all texts that go with it.

    A draft quotes its entry and the prompts that recalled it: it goes with any of them, and each
    with its project. A topic goes with each of its entries; an edit of a proposal's file goes with
    the proposal.
    """
    going = dict.fromkeys(refs)
    taken = set(subjects)
    names: dict[ProposalId, None] = {}
    left = list(all_stored(reader, Proposal))
    more = True
    while more:
        more = False
        for proposal in [p for p in left if p.id not in names]:
            events = list(reader.events(subject=proposal_subject(proposal.id)))
            held = dict.fromkeys(ref for event in events for ref in _refs(reader, event))
            quoted = set(proposal.evidence.samples) & going.keys()
            published = proposal.kind is ProposalKind.TOPIC and _names(reader, held, scope.entries)
            own = proposal.scope in scope.projects or proposal.about in {*scope.entries, *names}
            if quoted or published or own:
                more = True
                names[proposal.id] = None
                going |= held
                taken.add(proposal_subject(proposal.id))
    contents = _only_of(reader, going, taken)
    return replace(scope, proposals=tuple(names), contents=contents)


def _names(reader: Reader, held: Iterable[ContentRef], entries: Iterable[EntryId]) -> bool:
    """Whether a topic's texts hold any of these entries."""
    texts = [reader.text(ref) or "" for ref in held]
    return any(entry in text for entry in entries for text in texts)


def _only_of(
    reader: Reader, refs: Iterable[ContentRef], subjects: set[Subject]
) -> tuple[ContentRef, ...]:
    return tuple(
        ref for ref in refs if all(event.subject in subjects for event in reader.events_citing(ref))
    )


def _strings(value: JsonValue) -> Iterable[str]:
    match value:
        case str():
            yield value
        case dict():
            for held in value.values():
                yield from _strings(held)
        case list() | tuple():
            for held in value:
                yield from _strings(held)
        case _:
            return


def _refs(reader: Reader, event: Event) -> Iterable[ContentRef]:
    held = [*_strings(event.payload), *([event.where.place] if event.where.place else [])]
    for text in held:
        ref = ContentRef(text)
        if reader.text(ref) is not None:
            yield ref


def _observed(outside: Outside, reader: Reader, names: Iterable[str]) -> tuple[str, ...]:
    """The inbox's names for sessions that the ledger may know by a keyed hash only."""
    key, known = outside.ledger.key, set(names)
    given = reader.sessions_observed()
    return tuple(name for name in given if name in known or plain_or_hashed(key, name) in known)


def _of_session(outside: Outside, reader: Reader, given: str) -> _Scope:
    given = given[:LONGEST_NAME]  # as a report's own name of it was cut
    name = plain_or_hashed(outside.ledger.key, given)
    events = [e for e in reader.events(session=name) if e.subject.startswith("session:")]
    observed = _observed(outside, reader, [name, given])
    if not events and not observed:
        raise NotFound(f"There is no session {given}. Nothing was erased.")
    sessions = {(e.where.agent or "", name) for e in events}
    taught = _taught(reader, name)
    subjects = {*map(entry_subject, taught), *(session_subject(*one) for one in sessions)}
    own = [*events, *(e for entry in taught for e in reader.events(subject=entry_subject(entry)))]
    refs = dict.fromkeys(ref for e in own if e.subject in subjects for ref in _refs(reader, e))
    scope = _Scope(entries=taught, sessions=tuple(sorted(sessions)), observed=observed)
    return _with_proposals(reader, scope, refs, subjects)


def _taught(reader: Reader, session: str) -> tuple[EntryId, ...]:
    """The entries whose words were harvested from a session."""
    remembered = reader.events(kind=Kind.REMEMBERED, session=session)
    found = (e.subject for e in remembered if payload_of(Remembered, e).lesson)
    return tuple(dict.fromkeys(EntryId(one.removeprefix("entry:")) for one in found))


def _of_project(outside: Outside, reader: Reader, project: ProjectId) -> _Scope:
    if reader.view(Subject(f"project:{project}")) is None:
        raise NotFound(f"There is no project {project}. Nothing was erased.")
    going = [entry.id for entry in all_stored(reader, Entry) if entry.scope == project]
    events = [e for e in reader.events() if e.where.project == project]
    sessions = {
        (e.where.agent or "", e.where.session or "")
        for e in events
        if e.subject.startswith("session:")
    }
    own = list(reader.events(subject=Subject(f"project:{project}")))
    subjects = {
        *(entry_subject(entry) for entry in going),
        *(session_subject(*session) for session in sessions),
        Subject(f"project:{project}"),
        Subject("questions"),
    }
    refs = dict.fromkeys(ref for event in [*events, *own] for ref in _refs(reader, event))
    scope = _Scope(
        entries=tuple(going),
        sessions=tuple(sorted(sessions)),
        observed=_observed(outside, reader, [name for _, name in sessions]),
        projects=(project,),
    )
    return _with_proposals(reader, scope, refs, subjects)


def _of_contents(reader: Reader, refs: Iterable[ContentRef]) -> _Scope:
    """Texts, and whole every entry that holds one: a solution with a hole in it is none."""
    found = tuple(refs)
    holders = [
        EntryId(event.subject.removeprefix("entry:"))
        for ref in found
        for event in reader.events_citing(ref)
        if event.subject.startswith("entry:")
    ]
    going = _of_entries(reader, holders)
    contents = tuple(dict.fromkeys([*found, *going.contents]))
    return replace(going, contents=contents)


def _everything(outside: Outside, reader: Reader) -> _Scope:
    sessions = (view.subject.split(":", 2) for view in reader.views("session:"))
    return _Scope(
        entries=tuple(
            EntryId(view.subject.removeprefix("entry:")) for view in reader.views("entry:")
        ),
        sessions=tuple((agent, name) for _, agent, name in sessions),
        projects=tuple(
            ProjectId(v.subject.removeprefix("project:")) for v in reader.views("project:")
        ),
        proposals=tuple(
            ProposalId(v.subject.removeprefix("proposal:")) for v in reader.views("proposal:")
        ),
        contents=tuple(reader.contents_with("")),
    )


def _not_ours(outside: Outside, reader: Reader, scope: _Scope) -> tuple[str, ...]:
    """The agent's transcripts that may hold the same, as far as the inbox knows, and skills."""
    named = {name for _, name in scope.sessions} | set(scope.observed)
    for entry in scope.entries:
        for event in reader.events(subject=entry_subject(entry)):
            if event.where.session:
                named.add(event.where.session)
    found = {
        held.observation.transcript
        for name in named
        for given in _observed(outside, reader, [name])
        for held in reader.observed(given)
        if held.observation.transcript
    }
    accepted = filter(outside.documents.there, _applied(reader, scope))
    return tuple(sorted(found.union(accepted)))


def _applied(reader: Reader, scope: _Scope) -> set[str]:
    """The files that a person accepted drafts into: theirs since."""
    held = (stored(reader, Proposal, proposal_subject(name)) for name in scope.proposals)
    paths = (proposal.path for proposal in held if proposal is not None)
    return {text for path in paths if path is not None and (text := reader.text(path))}
