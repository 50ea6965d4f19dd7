"""What a purge takes along: from the one thing that is named to every copy of its texts."""

from collections.abc import Iterable
from functools import partial
from itertools import chain
from typing import Final

from msgspec.structs import replace

from learnt.core import identifiers
from learnt.core.events import Event, Kind, payload_of
from learnt.core.governance.proposals import Proposal, ProposalKind
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.entry_events import Remembered
from learnt.core.payloads.skill_events import Distilled
from learnt.core.payloads.typed import typed
from learnt.core.records import JsonValue, Record
from learnt.core.skills.history import SkillHistory
from learnt.errors import NotFound
from learnt.flows.governance.decisions import recorded
from learnt.flows.governance.explain import of_call
from learnt.flows.stored import all_stored, text_behind, texts_behind
from learnt.formats.observations import LONGEST_NAME
from learnt.ports import Outside, Reader

_TELLING: Final = 20  # characters of a text that is not in many files by chance


class Target(Record):
    """What is to go: exactly one of these, or everything."""

    entry: identifiers.EntryId | None = None
    session: str | None = None
    project: identifiers.ProjectId | None = None
    text: str | None = None
    everything: bool = False


class Scope(Record, kw_only=True):
    """What goes: by name, and the texts of it."""

    entries: tuple[identifiers.EntryId, ...] = ()
    sessions: tuple[tuple[str, str], ...] = ()  # agent and name
    observed: tuple[str, ...] = ()  # the same sessions' names as their agents gave them
    projects: tuple[identifiers.ProjectId, ...] = ()
    proposals: tuple[identifiers.ProposalId, ...] = ()
    skills: tuple[identifiers.Subject, ...] = ()
    contents: tuple[identifiers.ContentRef, ...] = ()
    texts: tuple[str, ...] = ()  # by which copies in files are known
    names: tuple[str, ...] = ()  # likewise, of the sessions that it was said in
    places: tuple[str, ...] = ()  # files of others that may hold copies, and projects' folders

    @property
    def forgotten(self) -> frozenset[str]:
        """The sessions' names that no event keeps."""
        return frozenset((*(name for _, name in self.sessions), *self.observed))

    def subjects(self) -> list[identifiers.Subject]:
        """What the ledger keeps events about, of all this."""
        return [
            *map(identifiers.entry_subject, self.entries),
            *(identifiers.session_subject(agent, name) for agent, name in self.sessions),
            *map(identifiers.project_subject, self.projects),
            *map(identifiers.proposal_subject, self.proposals),
            *self.skills,
        ]


def scope_of(outside: Outside, reader: Reader, target: Target) -> Scope:
    """All that a target takes along. Raises NotFound."""
    return _with_copies(outside, reader, target, _named(outside, reader, target))


def _named(outside: Outside, reader: Reader, target: Target) -> Scope:
    if target.entry is not None:
        if reader.view(identifiers.entry_subject(target.entry)) is None:
            raise NotFound(f"There is no entry {target.entry}. Nothing was erased.")
        return _of_entries(reader, [target.entry])
    if target.session is not None:
        return _of_session(outside, reader, target.session)
    if target.project is not None:
        return _of_project(outside, reader, target.project)
    if target.text is not None:
        return _of_contents(reader, reader.contents_with(target.text))
    return _everything(reader)


def _events_of(reader: Reader, entries: Iterable[identifiers.EntryId]) -> Iterable[Event]:
    return chain.from_iterable(
        reader.events(subject=identifiers.entry_subject(entry)) for entry in entries
    )


def _of_entries(reader: Reader, entries: Iterable[identifiers.EntryId]) -> Scope:
    scope = Scope(entries=tuple(dict.fromkeys(entries)))
    return _completed(reader, scope, _events_of(reader, scope.entries))


def _completed(
    reader: Reader, scope: Scope, events: Iterable[Event], also: Iterable[identifiers.Subject] = ()
) -> Scope:
    """The scope with the texts of these events, and with the proposals that hold copies of them.

    A text goes that nothing else speaks of, `also` aside. A draft goes with its entry, its prompts
    and its project, a topic with each of its entries, an edit with the proposal of its file, and
    all texts of a skill, with the proposals about it, go with any of them.
    """
    events = list(events)
    asked = list(_calls(reader, events))
    going = dict.fromkeys(_refs(reader, [*events, *asked]))
    left = {
        proposal: dict.fromkeys(
            _refs(reader, reader.events(subject=identifiers.proposal_subject(proposal.id)))
        )
        for proposal in all_stored(reader, Proposal)
    }
    unread = {
        view.subject: dict.fromkeys(_refs(reader, reader.events(subject=view.subject)))
        for view in reader.views(SkillHistory.prefix)
    }
    names: list[identifiers.ProposalId] = []
    skills: list[identifiers.Subject] = []

    def goes(proposal: Proposal) -> bool:
        texts = texts_behind(reader, left[proposal]) if proposal.kind is ProposalKind.TOPIC else ()
        return (
            bool(set(proposal.evidence.samples) & going.keys())
            or any(entry in text for entry in scope.entries for text in texts)
            or proposal.scope in scope.projects
            or proposal.about in {*scope.entries, *names, *skills}
            or not set(proposal.notes).isdisjoint(scope.entries)
        )

    def skill_goes(skill: identifiers.Subject) -> bool:
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


def _spoken(event: Event) -> Iterable[str]:
    """What an event names; not its traces, which it shares with whatever was typed beside it."""
    yield from _strings({**event.payload, "seen": None})
    yield event.where.place or ""


def _refs(reader: Reader, events: Iterable[Event]) -> Iterable[identifiers.ContentRef]:
    for event in events:
        for text in _spoken(event):
            if text and reader.text(identifiers.ContentRef(text)) is not None:
                yield identifiers.ContentRef(text)


def _observed(outside: Outside, reader: Reader, names: Iterable[str]) -> tuple[str, ...]:
    """The inbox's names for sessions that the ledger may know by a keyed hash only."""
    key, wanted = outside.ledger.key, set(names)
    given = reader.sessions_observed()
    return tuple(n for n in given if n in wanted or identifiers.plain_or_hashed(key, n) in wanted)


def _of_session(outside: Outside, reader: Reader, given: str) -> Scope:
    given = given[:LONGEST_NAME]  # as a report's own name of it was cut
    name = identifiers.plain_or_hashed(outside.ledger.key, given)
    own = ("session:", "distilled:", "model:")
    # One that was purged before goes by its hash, and by its name if it went on since.
    names = sorted({name, identifiers.hashed_name(outside.ledger.key, given)})
    every = [event for each in names for event in reader.events(session=each)]
    events = [e for e in every if e.subject.startswith(own)]
    observed = _observed(outside, reader, [name, given])
    if not events and not observed:
        raise NotFound(f"There is no session {given}. Nothing was erased.")
    # The entries whose words were harvested from the session go with it.
    remembered = (event for event in every if event.kind is Kind.REMEMBERED)
    taught = dict.fromkeys(_entry(e) for e in remembered if payload_of(Remembered, e).lesson)
    sessions = {(e.where.agent or "", e.where.session or "") for e in events}
    scope = Scope(entries=tuple(taught), sessions=tuple(sorted(sessions)), observed=observed)
    also = dict.fromkeys(e.subject for e in events if e.subject.startswith("distilled:"))
    return _completed(reader, scope, [*events, *_events_of(reader, taught)], also)


def _entry(event: Event) -> identifiers.EntryId:
    return identifiers.EntryId(event.subject.removeprefix("entry:"))


def _of_project(outside: Outside, reader: Reader, project: identifiers.ProjectId) -> Scope:
    subject = identifiers.project_subject(project)
    if reader.view(subject) is None:
        raise NotFound(f"There is no project {project}. Nothing was erased.")
    events = [e for e in reader.events() if e.where.project == project]
    sessions = {
        (e.where.agent or "", e.where.session or "")
        for e in events
        if e.subject.startswith("session:")
    }
    scope = Scope(
        entries=tuple(entry.id for entry in all_stored(reader, Entry) if entry.scope == project),
        sessions=tuple(sorted(sessions)),
        observed=_observed(outside, reader, [name for _, name in sessions]),
        projects=(project,),
    )
    events += reader.events(subject=subject)
    return _completed(reader, scope, events, [identifiers.Subject("questions")])


def _of_contents(reader: Reader, refs: Iterable[identifiers.ContentRef]) -> Scope:
    """Texts, and whole every entry that holds one: a solution with a hole in it is none."""
    refs = tuple(refs)
    events = chain.from_iterable(map(reader.events_citing, refs))
    holding = (e for e in events if not set(refs).isdisjoint(_spoken(e)))
    going = _of_entries(reader, [_entry(e) for e in holding if e.subject.startswith("entry:")])
    return replace(going, contents=tuple(dict.fromkeys([*refs, *going.contents])))


def _everything(reader: Reader) -> Scope:
    def names(prefix: str) -> list[str]:
        return [view.subject.removeprefix(prefix) for view in reader.views(prefix)]

    sessions = (name.split(":", 1) for name in names("session:"))
    return Scope(
        entries=tuple(map(identifiers.EntryId, names("entry:"))),
        sessions=tuple((agent, name) for agent, name in sessions),
        projects=tuple(map(identifiers.ProjectId, names("project:"))),
        proposals=tuple(map(identifiers.ProposalId, names("proposal:"))),
        skills=tuple(view.subject for view in reader.views(SkillHistory.prefix)),
        contents=tuple(reader.contents_with("")),
    )


def _with_copies(outside: Outside, reader: Reader, target: Target, scope: Scope) -> Scope:
    """The scope with what copies in files are known by, and where such files may be."""
    events = list(_events_of(reader, scope.entries))
    sessions = {*scope.forgotten, *(e.where.session for e in events if e.where.session)}
    for name in sorted(sessions):
        events += reader.events(session=name)
    files: set[str | None] = {
        observed.observation.transcript
        for name in _observed(outside, reader, sessions)
        for observed in reader.observed(name)
    }
    proposals = filter(None, (recorded(name, reader) for name in scope.proposals))
    files |= {text_behind(reader, proposal.path) for proposal in proposals}
    places = {e.where.place for e in events if e.where.place}
    files |= {text_behind(reader, identifiers.ContentRef(place)) for place in places}
    texts = filter(None, map(reader.text, scope.contents))
    telling = [text for text in texts if len(text) >= _TELLING and not text.startswith("/")]
    given = _observed(outside, reader, sessions)
    named = [
        *sessions.difference(map(partial(identifiers.plain_or_hashed, outside.ledger.key), given)),
        *given,
    ]
    return replace(
        scope,
        texts=(target.text,) if target.text else tuple(sorted(telling, key=len, reverse=True)),
        names=()
        if target.text
        else tuple(sorted(n for n in named if not identifiers.is_hashed(n))),
        places=tuple(sorted(filter(None, files))),
    )
