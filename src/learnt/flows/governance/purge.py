"""Texts are erased: every copy Learnt made goes, the events stay with references to nothing.

A purge goes from the one thing that is named to every copy of its texts.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any, Final

from msgspec.structs import replace

from learnt.core import identifiers
from learnt.core.events import Actor, Event, Kind, NewEvent, Where, payload_of
from learnt.core.governance.proposals import Proposal, ProposalKind, Status, proposal_id, text_hash
from learnt.core.identifiers import (
    ContentRef,
    EntryId,
    EventId,
    ProjectId,
    ProposalId,
    Subject,
    entry_subject,
    project_subject,
    proposal_subject,
    session_subject,
    skill_subject,
)
from learnt.core.knowledge.entries import Entry
from learnt.core.payloads.entry_events import Remembered
from learnt.core.payloads.proposal_events import Proposed, TextsPurged
from learnt.core.payloads.skill_events import Distilled
from learnt.core.payloads.typed import typed
from learnt.core.records import JsonValue, Record
from learnt.core.safety import clean, owned
from learnt.core.skills.history import SkillHistory
from learnt.errors import EnvironmentTrouble, HomeUnusable, NotFound, Refused
from learnt.flows.governance.accept import SKILL_TEXTS
from learnt.flows.governance.decisions import recorded
from learnt.flows.governance.explain import of_call
from learnt.flows.governance.outdated import file_text
from learnt.flows.recall.search import note_of
from learnt.flows.sessions import past
from learnt.flows.skills.catalogue import PERSONAL, called
from learnt.flows.stored import all_stored, append, stored, text_behind, text_or_empty, texts_behind
from learnt.formats.answers import filled
from learnt.formats.draft_md import emptied
from learnt.formats.observations import LONGEST_NAME
from learnt.ports import Outside, Reader, Writer

_TELLING: Final = 20  # characters of a text that is not in many files by chance


class Target(Record):
    """What is to go: exactly one of these, or everything."""

    entry: EntryId | None = None
    session: str | None = None
    project: ProjectId | None = None
    text: str | None = None
    everything: bool = False


class Scope(Record, kw_only=True):
    """What goes: by name, and the texts of it."""

    entries: tuple[EntryId, ...] = ()
    sessions: tuple[tuple[str, str], ...] = ()  # agent and name
    observed: tuple[str, ...] = ()  # the same sessions' names as their agents gave them
    projects: tuple[ProjectId, ...] = ()
    proposals: tuple[ProposalId, ...] = ()
    skills: tuple[Subject, ...] = ()
    contents: tuple[ContentRef, ...] = ()
    texts: tuple[str, ...] = ()  # by which copies in files are known
    names: tuple[str, ...] = ()  # likewise, of the sessions that it was said in
    places: tuple[str, ...] = ()  # files of others that may hold copies, and projects' folders

    @property
    def forgotten(self) -> frozenset[str]:
        """The sessions' names that no event keeps."""
        return frozenset((*(name for _, name in self.sessions), *self.observed))

    def subjects(self) -> list[Subject]:
        """What the ledger keeps events about, of all this."""
        return [
            *map(entry_subject, self.entries),
            *(session_subject(agent, name) for agent, name in self.sessions),
            *map(project_subject, self.projects),
            *map(proposal_subject, self.proposals),
            *self.skills,
        ]


def _scope_of(outside: Outside, reader: Reader, target: Target) -> Scope:
    """All that a target takes along. Raises NotFound."""
    return _with_copies(outside, reader, target, _named(outside, reader, target))


def _named(outside: Outside, reader: Reader, target: Target) -> Scope:
    if target.entry is not None:
        if reader.view(entry_subject(target.entry)) is None:
            raise NotFound(f"There is no entry {target.entry}. Nothing was erased.")
        return _of_entries(reader, [target.entry])
    if target.session is not None:
        return _of_session(outside, reader, target.session)
    if target.project is not None:
        return _of_project(outside, reader, target.project)
    if target.text is not None:
        return _of_contents(reader, tuple(reader.contents_with(target.text)))
    return _everything(reader)


def _events_of(reader: Reader, entries: Iterable[EntryId]) -> Iterable[Event]:
    return chain.from_iterable(reader.events(subject=entry_subject(entry)) for entry in entries)


def _of_entries(reader: Reader, entries: Iterable[EntryId]) -> Scope:
    scope = Scope(entries=tuple(dict.fromkeys(entries)))
    return _completed(reader, scope, _events_of(reader, scope.entries))


def _completed(
    reader: Reader, scope: Scope, events: Iterable[Event], also: Iterable[Subject] = ()
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
            or not set(proposal.notes).isdisjoint(scope.entries)
        )

    more = True
    while more:
        taken = [proposal for proposal in left if goes(proposal)]
        for proposal in taken:
            names.append(proposal.id)
            going |= left.pop(proposal)
        more = bool(taken)
        for skill in list(unread):
            in_project = skill.split(":")[1] in scope.projects
            if in_project or not going.keys().isdisjoint(unread[skill]):
                skills.append(skill)
                going |= unread.pop(skill)
                more = True
    scope = replace(scope, proposals=tuple(names), skills=tuple(skills))
    subjects = {*scope.subjects(), *also, *(event.subject for event in asked)}
    only = (ref for ref in going if all(e.subject in subjects for e in reader.events_citing(ref)))
    return replace(scope, contents=tuple(only))


def _calls(reader: Reader, events: Iterable[Event]) -> Iterable[Event]:
    """The calls of a model that are among these events, or that a distillation of them took."""
    calls: dict[EventId, None] = {}
    for event in events:
        if event.subject.startswith(("distilled:", "model:")):
            payload = typed(event)
            taken = payload.calls if isinstance(payload, Distilled) else (event.id,)
            calls |= dict.fromkeys(taken)
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


def _refs(reader: Reader, events: Iterable[Event]) -> Iterable[ContentRef]:
    for event in events:
        for text in _spoken(event):
            if text and reader.text(ContentRef(text)) is not None:
                yield ContentRef(text)


def _observed(outside: Outside, reader: Reader, names: Iterable[str]) -> tuple[str, ...]:
    """The inbox's names for sessions that the ledger may know by a keyed hash only."""
    key, wanted = outside.ledger.key, set(names)
    known = reader.sessions_observed()
    return tuple(n for n in known if n in wanted or identifiers.plain_or_hashed(key, n) in wanted)


def _of_session(outside: Outside, reader: Reader, session: str) -> Scope:
    session = session[:LONGEST_NAME]  # as a report's own name of it was cut
    name = identifiers.plain_or_hashed(outside.ledger.key, session)
    prefixes = ("session:", "distilled:", "model:")
    # One that was purged before goes by its hash, and by its name if it went on since.
    names = sorted({name, identifiers.hashed_name(outside.ledger.key, session)})
    every = [event for each in names for event in reader.events(session=each)]
    events = [e for e in every if e.subject.startswith(prefixes)]
    observed = _observed(outside, reader, [name, session])
    if not events and not observed:
        raise NotFound(f"There is no session {session}. Nothing was erased.")
    # The entries whose words were harvested from the session go with it.
    remembered = (event for event in every if event.kind is Kind.REMEMBERED)
    taught = dict.fromkeys(_entry(e) for e in remembered if payload_of(Remembered, e).lesson)
    sessions = {(e.where.agent or "", e.where.session or "") for e in events}
    scope = Scope(entries=tuple(taught), sessions=tuple(sorted(sessions)), observed=observed)
    also = dict.fromkeys(e.subject for e in events if e.subject.startswith("distilled:"))
    return _completed(reader, scope, [*events, *_events_of(reader, taught)], also)


def _entry(event: Event) -> EntryId:
    return EntryId(event.subject.removeprefix("entry:"))


def _of_project(outside: Outside, reader: Reader, project: ProjectId) -> Scope:
    subject = project_subject(project)
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
    return _completed(reader, scope, events, [Subject("questions")])


def _of_contents(reader: Reader, refs: tuple[ContentRef, ...]) -> Scope:
    """Texts, and whole every entry that holds one: a solution with a hole in it is none."""
    events = chain.from_iterable(map(reader.events_citing, refs))
    holding = (e for e in events if not set(refs).isdisjoint(_spoken(e)))
    going = _of_entries(reader, [_entry(e) for e in holding if e.subject.startswith("entry:")])
    return replace(going, contents=tuple(dict.fromkeys([*refs, *going.contents])))


def _everything(reader: Reader) -> Scope:
    def names(prefix: str) -> list[str]:
        return [view.subject.removeprefix(prefix) for view in reader.views(prefix)]

    sessions = (name.split(":", 1) for name in names("session:"))
    return Scope(
        entries=tuple(map(EntryId, names("entry:"))),
        sessions=tuple((agent, name) for agent, name in sessions),
        projects=tuple(map(ProjectId, names("project:"))),
        proposals=tuple(map(ProposalId, names("proposal:"))),
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
    files |= {text_behind(reader, ContentRef(place)) for place in places}
    texts = filter(None, map(reader.text, scope.contents))
    telling = [text for text in texts if len(text) >= _TELLING and not text.startswith("/")]
    known = _observed(outside, reader, sessions)
    named = [
        *sessions.difference(map(partial(identifiers.plain_or_hashed, outside.ledger.key), known)),
        *known,
    ]
    return replace(
        scope,
        texts=(target.text,) if target.text else tuple(sorted(telling, key=len, reverse=True)),
        names=()
        if target.text
        else tuple(sorted(n for n in named if not identifiers.is_hashed(n))),
        places=tuple(sorted(filter(None, files))),
    )


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
        scope = _scope_of(outside, reader, target)
        waited = _waiting(reader, scope)
    count = len(scope.contents)
    return _purged(
        outside, scope, agents, contents=count, observations=0, files=(), proposals=waited
    )


def _waiting(reader: Reader, scope: Scope) -> tuple[ProposalId, ...]:
    """The proposals of a scope that wait for a person."""
    known = filter(None, (recorded(name, reader) for name in scope.proposals))
    return tuple(each.id for each in known if each.draft and each.status is Status.PENDING)


def _purged(outside: Outside, scope: Scope, agents: Sequence[str], **done: Any) -> Purged:
    """Looks at files: not to be called while the ledger is held."""
    copies = outside.traces.elsewhere([*scope.names, *scope.texts], [*scope.places, *agents])
    names = tuple(name for _, name in scope.sessions)
    return filled(Purged, scope, sessions=names, not_ours=copies.files, cut=copies.cut, **done)


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
        moment, scope = reader.moment(), _scope_of(outside, reader, target)
        whole = target.everything or target.project  # with all that is said of a skill
        bereft = [] if whole else list(_left(outside, reader, scope))
    outside.ledger.make_room_to_scrub()
    with outside.ledger.writing() as writer:
        if writer.moment() != moment:
            # What came in meanwhile must go as well: here completeness counts more than haste.
            scope = _scope_of(outside, writer, target)
        waited = _waiting(writer, scope)
        erased = TextsPurged(entries=len(scope.entries), contents=len(scope.contents))
        subjects = scope.subjects()
        if not (scope.entries or scope.sessions or scope.projects):
            subjects.append(Subject("contents"))
        for subject in subjects:
            writer.append(NewEvent(subject, actor, erased))
        contents = writer.erase(scope.contents)
        for proposal, path, text in bereft:
            file, draft = writer.keep("path", owned(path)), writer.keep("draft", clean(text))
            where = Where(project=proposal.scope)
            payload = filled(Proposed, proposal, target=file, draft=draft)
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
    done = {"contents": contents, "observations": observations, "files": tuple(files)}
    return _purged(outside, scope, agents, **done, proposals=waited)


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
        notes = dict.fromkeys(n for each in every for n in each.notes_used)
        project = every[-1].scope
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


def _forget_words(outside: Outside, target: Target, scope: Scope) -> None:
    if target.everything:
        past.forget(outside, (), [each.name for each in outside.past.known()], ())
    else:
        past.forget(outside, scope.texts, scope.forgotten, scope.projects)


def _erase_files(outside: Outside, target: Target, scope: Scope) -> Sequence[str]:
    # Of a session in which an entry was remembered other reports may wait.
    names = scope.forgotten.intersection(scope.names)
    beginnings = [words[:_BEGINNING] for words in scope.texts]
    return outside.traces.erase_with(None if target.everything else [*beginnings, *names])


_Step = Callable[[Outside, Target, Scope], Sequence[str] | None]
_AFTERWARDS: Final[Sequence[tuple[str, _Step]]] = (
    ("files of the home", _erase_files),
    ("the words of sessions", _forget_words),
    ("its caches", lambda outside, *_: outside.traces.drop_caches()),
    ("free pages of the ledger", lambda outside, *_: outside.ledger.scrub()),
)


def _erase_observations(writer: Writer, target: Target, scope: Scope) -> int:
    if target.everything:
        return writer.erase_observations()
    count = sum(writer.erase_observations(session=name) for name in scope.observed)
    beginnings = {words[:_BEGINNING] for words in scope.texts}
    return count + sum(writer.erase_observations(text=words) for words in beginnings)
