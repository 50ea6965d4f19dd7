"""Texts are erased: every copy Learnt made goes, the events stay with references to nothing."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

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
    project_subject,
    proposal_subject,
    session_subject,
)
from learnt.core.json_values import JsonValue
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.distil_events import Distilled
from learnt.core.payloads.entry_events import Remembered
from learnt.core.payloads.proposal_events import TextsPurged
from learnt.core.payloads.typed import typed
from learnt.core.skills.history import SkillHistory
from learnt.errors import EnvironmentTrouble, HomeUnusable, NotFound, Refused
from learnt.flows.governance.decisions import recorded
from learnt.flows.governance.explain import of_call
from learnt.flows.stored import all_stored, text_behind, texts_behind
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
    skills: tuple[Subject, ...] = ()
    contents: tuple[ContentRef, ...] = ()
    transcripts: tuple[str, ...] = ()  # files of others that may hold the same
    accepted: tuple[str, ...] = ()  # what drafts were accepted into, if it is still there

    def subjects(self) -> list[Subject]:
        return [
            *map(entry_subject, self.entries),
            *(session_subject(agent, name) for agent, name in self.sessions),
            *map(project_subject, self.projects),
            *map(proposal_subject, self.proposals),
            *self.skills,
        ]


def plan(outside: Outside, target: Target) -> Purged:
    """What a purge would take, touching nothing. Raises NotFound."""
    with outside.ledger.reading() as reader:
        scope = _scope(outside, reader, target)
    return _told(outside, scope, contents=len(scope.contents))


def _told(
    outside: Outside,
    scope: _Scope,
    *,
    contents: int,
    observations: int = 0,
    files: tuple[str, ...] = (),
) -> Purged:
    """Looks at files: not to be called while the ledger is held."""
    there = {path for path in scope.accepted if outside.documents.there(path)}
    return Purged(
        entries=scope.entries,
        sessions=tuple(name for _, name in scope.sessions),
        contents=contents,
        observations=observations,
        files=files,
        not_ours=tuple(sorted({*scope.transcripts, *there})),
    )


def refuse_others(actor: Actor, doubt: str = "") -> None:
    """Raise Refused for anybody but a person; `doubt` says why a call is not taken for one's."""
    if actor is not Actor.HUMAN:
        why = f" This call is not taken for a person's: {doubt}." if doubt else ""
        raise Refused(
            "Only a person may purge: ask them to run this on a terminal of their own."
            f"{why} Nothing was erased."
        )


def purge(outside: Outside, target: Target, actor: Actor) -> Purged:
    """Erase it; when this returns no file of the home holds the texts any more.

    Raises Refused for anybody but a person, NotFound; HomeUnusable where there is no room for
    what erasing takes, or where something failed once the texts were erased: it says which.
    """
    refuse_others(actor)
    with outside.ledger.reading() as reader:
        moment, scope = reader.moment(), _scope(outside, reader, target)
    outside.ledger.make_room_to_scrub()
    with outside.ledger.writing() as writer:
        if writer.moment() != moment:
            # What came in meanwhile must go as well: here completeness counts more than haste.
            scope = _scope(outside, writer, target)
        erased = TextsPurged(entries=len(scope.entries), contents=len(scope.contents))
        subjects = scope.subjects()
        if not (scope.entries or scope.sessions or scope.projects):
            subjects.append(Subject("contents"))
        for subject in subjects:
            writer.append(Draft(subject, actor, erased))
        contents = writer.erase(scope.contents)
        observations = _erase_observations(writer, target, scope)
    files: list[str] = []
    wrong: list[str] = []
    # Each is tried whatever became of the one before.
    for left, step in _AFTERWARDS:
        try:
            files += step(outside, target) or ()
        except (EnvironmentTrouble, OSError) as error:
            wrong.append(f"{left} ({error.__cause__ or error})")
    if wrong:
        raise HomeUnusable(
            f"{contents} text(s) and {observations} reports are erased from the ledger, but copies "
            f"may be left in {' and in '.join(wrong)}. Mend that, then call the same purge again."
        )
    return _told(outside, scope, contents=contents, observations=observations, files=tuple(files))


def _erase_files(outside: Outside, target: Target) -> Sequence[str]:
    wanted = target.text or target.everything
    return outside.traces.erase_with(target.text) if wanted else ()


_AFTERWARDS: Final[Sequence[tuple[str, Callable[[Outside, Target], Sequence[str] | None]]]] = (
    ("files of the home", _erase_files),
    ("its caches", lambda outside, _: outside.traces.drop_caches()),
    ("free pages of the ledger", lambda outside, _: outside.ledger.scrub()),
)


def _erase_observations(writer: Writer, target: Target, scope: _Scope) -> int:
    if target.everything:
        return writer.erase_observations()
    count = sum(writer.erase_observations(session=name) for name in scope.observed)
    return count + (writer.erase_observations(text=target.text) if target.text else 0)


def _scope(outside: Outside, reader: Reader, target: Target) -> _Scope:
    return _with_copies(outside, reader, _named(outside, reader, target))


def _named(outside: Outside, reader: Reader, target: Target) -> _Scope:
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
    return _everything(reader)


def _events_of(reader: Reader, entries: Iterable[EntryId]) -> Iterable[Event]:
    return chain.from_iterable(reader.events(subject=entry_subject(entry)) for entry in entries)


def _of_entries(reader: Reader, entries: Iterable[EntryId]) -> _Scope:
    scope = _Scope(entries=tuple(dict.fromkeys(entries)))
    return _completed(reader, scope, _events_of(reader, scope.entries))


def _completed(
    reader: Reader, scope: _Scope, events: Iterable[Event], also: Iterable[Subject] = ()
) -> _Scope:
    """The scope with the texts of these events, and with the proposals that hold copies of them.

    A text goes that nothing else in the ledger speaks of; `also` are more subjects that may. A
    draft quotes its entry and the prompts that recalled it: it goes with any of them, and each
    with its project. A topic goes with each of its entries; an edit of a proposal's file goes with
    the proposal. All texts of a skill go with any of them, and the proposals about it.
    """
    events = list(events)
    asked = list(_calls(reader, events))
    going = dict.fromkeys(_refs(reader, [*events, *asked]))
    left = {
        proposal: dict.fromkeys(_refs(reader, reader.events(subject=proposal_subject(proposal.id))))
        for proposal in all_stored(reader, Proposal)
    }
    unread = {
        view.subject: dict.fromkeys(_refs(reader, reader.events(subject=view.subject)))
        for view in reader.views(SkillHistory.prefix)
    }
    names: list[ProposalId] = []
    skills: list[Subject] = []

    def goes(proposal: Proposal) -> bool:
        texts = texts_behind(reader, left[proposal]) if proposal.kind is ProposalKind.TOPIC else ()
        return (
            bool(set(proposal.evidence.samples) & going.keys())
            or any(entry in text for entry in scope.entries for text in texts)
            or proposal.scope in scope.projects
            or proposal.about in {*scope.entries, *names, *skills}
        )

    def skill_goes(skill: Subject) -> bool:
        project = skill.split(":")[1] in scope.projects
        return project or not going.keys().isdisjoint(unread[skill])

    while True:
        more = [proposal for proposal in left if goes(proposal)]
        for proposal in more:
            names.append(proposal.id)
            going |= left.pop(proposal)
        taken = [skill for skill in unread if skill_goes(skill)]
        for skill in taken:
            skills.append(skill)
            going |= unread.pop(skill)
        if not more and not taken:
            break
    scope = replace(scope, proposals=tuple(names), skills=tuple(skills))
    own = {*scope.subjects(), *also, *(event.subject for event in asked)}
    only = (ref for ref in going if all(e.subject in own for e in reader.events_citing(ref)))
    return replace(scope, contents=tuple(only))


def _calls(reader: Reader, events: Iterable[Event]) -> Iterable[Event]:
    """The calls of a model that are among these events, or that a distillation of them took."""
    about = (each for each in events if each.subject.startswith(("distilled:", "model:")))
    told = ((each.id, typed(each)) for each in about)
    calls = dict.fromkeys(
        call
        for own, each in told
        for call in (each.calls if isinstance(each, Distilled) else (own,))
    )
    return chain.from_iterable(of_call(reader, call) for call in calls)


def _strings(value: JsonValue) -> Iterable[str]:
    match value:
        case str():
            yield value
        case dict():
            yield from chain.from_iterable(map(_strings, value.values()))
        case list() | tuple():
            yield from chain.from_iterable(map(_strings, value))
        case _:
            return


def _refs(reader: Reader, events: Iterable[Event]) -> Iterable[ContentRef]:
    for event in events:
        for text in (*_strings(event.payload), event.where.place):
            if text and reader.text(ContentRef(text)) is not None:
                yield ContentRef(text)


def _observed(outside: Outside, reader: Reader, names: Iterable[str]) -> tuple[str, ...]:
    """The inbox's names for sessions that the ledger may know by a keyed hash only."""
    key, wanted = outside.ledger.key, set(names)
    given = reader.sessions_observed()
    return tuple(n for n in given if n in wanted or plain_or_hashed(key, n) in wanted)


def _of_session(outside: Outside, reader: Reader, given: str) -> _Scope:
    given = given[:LONGEST_NAME]  # as a report's own name of it was cut
    name = plain_or_hashed(outside.ledger.key, given)
    own = ("session:", "distilled:", "model:")
    events = [e for e in reader.events(session=name) if e.subject.startswith(own)]
    observed = _observed(outside, reader, [name, given])
    if not events and not observed:
        raise NotFound(f"There is no session {given}. Nothing was erased.")
    # The entries whose words were harvested from the session go with it.
    remembered = reader.events(kind=Kind.REMEMBERED, session=name)
    taught = dict.fromkeys(_entry(e) for e in remembered if payload_of(Remembered, e).lesson)
    sessions = {(e.where.agent or "", name) for e in events}
    scope = _Scope(entries=tuple(taught), sessions=tuple(sorted(sessions)), observed=observed)
    return _completed(reader, scope, [*events, *_events_of(reader, taught)])


def _entry(event: Event) -> EntryId:
    return EntryId(event.subject.removeprefix("entry:"))


def _of_project(outside: Outside, reader: Reader, project: ProjectId) -> _Scope:
    subject = project_subject(project)
    if reader.view(subject) is None:
        raise NotFound(f"There is no project {project}. Nothing was erased.")
    events = [e for e in reader.events() if e.where.project == project]
    sessions = {
        (e.where.agent or "", e.where.session or "")
        for e in events
        if e.subject.startswith("session:")
    }
    scope = _Scope(
        entries=tuple(entry.id for entry in all_stored(reader, Entry) if entry.scope == project),
        sessions=tuple(sorted(sessions)),
        observed=_observed(outside, reader, [name for _, name in sessions]),
        projects=(project,),
    )
    events += reader.events(subject=subject)
    return _completed(reader, scope, events, [Subject("questions")])


def _of_contents(reader: Reader, refs: Iterable[ContentRef]) -> _Scope:
    """Texts, and whole every entry that holds one: a solution with a hole in it is none."""
    refs = tuple(refs)
    events = chain.from_iterable(map(reader.events_citing, refs))
    going = _of_entries(reader, [_entry(e) for e in events if e.subject.startswith("entry:")])
    return replace(going, contents=tuple(dict.fromkeys([*refs, *going.contents])))


def _everything(reader: Reader) -> _Scope:
    def names(prefix: str) -> list[str]:
        return [view.subject.removeprefix(prefix) for view in reader.views(prefix)]

    sessions = (name.split(":", 1) for name in names("session:"))
    return _Scope(
        entries=tuple(map(EntryId, names("entry:"))),
        sessions=tuple((agent, name) for agent, name in sessions),
        projects=tuple(map(ProjectId, names("project:"))),
        proposals=tuple(map(ProposalId, names("proposal:"))),
        skills=tuple(view.subject for view in reader.views(SkillHistory.prefix)),
        contents=tuple(reader.contents_with("")),
    )


def _with_copies(outside: Outside, reader: Reader, scope: _Scope) -> _Scope:
    """The scope with the files of others that may hold the same, as the ledger names them."""
    sessions = {name for _, name in scope.sessions} | set(scope.observed)
    sessions.update(e.where.session for e in _events_of(reader, scope.entries) if e.where.session)
    transcripts = {
        observed.observation.transcript
        for name in _observed(outside, reader, sessions)
        for observed in reader.observed(name)
    }
    proposals = filter(None, (recorded(name, reader) for name in scope.proposals))
    accepted = {text_behind(reader, proposal.path) for proposal in proposals}
    return replace(
        scope, transcripts=tuple(filter(None, transcripts)), accepted=tuple(filter(None, accepted))
    )
