"""Where a session is: its folder's project, found again or made, and which session it is by now."""

from typing import Final

from learnt.core.events import NOWHERE, Actor, Kind, Where, natural_key, payload_of
from learnt.core.identifiers import (
    ProjectId,
    keyed_hash,
    plain_or_hashed,
    project_id,
    project_subject,
)
from learnt.core.payloads.session_events import ProjectSeen, SessionStarted
from learnt.core.projects import Folder, Project, household, resolve
from learnt.core.records import Record
from learnt.core.safety import clean, owned
from learnt.errors import Refused
from learnt.file_ports import Claims, FolderFacts
from learnt.flows.stored import all_stored, append, kept, text_behind
from learnt.ports import Outside, Reader, Writer

LOOKED_AT: Final = 200  # starts of sessions, the newest


class Located(Record):
    """A folder's project, those that share its knowledge, its place; `off` by a person's word."""

    project: ProjectId
    household: tuple[ProjectId, ...]
    place: str = ""
    off: bool = False


class Place(Record):
    """A folder as the file system has it, and by the keys that projects are found by."""

    facts: FolderFacts
    folder: Folder

    @property
    def root(self) -> str:
        """Where its project lies."""
        return str(self.facts.root)


def look(outside: Outside, folder: str, claims: Claims | None = None) -> Place:
    """What can be said of a folder without the ledger."""
    facts, claims = outside.folders.facts(folder), claims or Claims()

    def hashed(kind: str, value: object) -> str | None:
        return None if value is None else keyed_hash(outside.ledger.key, kind, str(value))

    keys = Folder(
        path=keyed_hash(outside.ledger.key, "path", str(facts.root)),
        git=hashed("store", facts.store),
        remotes=tuple(keyed_hash(outside.ledger.key, "remote", url) for url in claims.remotes),
        root_commit=hashed("root commit", claims.root_commit),
    )
    return Place(facts=facts, folder=keys)


def _project_of(reader: Reader, folder: Folder) -> Project | None:
    aliases = [alias for alias in (folder.path, folder.git) if alias is not None]
    return resolve(folder, reader.projects_knowing(aliases))


def _at(reader: Reader, project: Project, facts: FolderFacts) -> Located:
    sharing = household(project.id, reader.same_projects())
    together = tuple(sorted(sharing))
    return Located(project=project.id, household=together, place=facts.place, off=project.off)


def find(reader: Reader, place: Place) -> Located | None:
    """Where a folder is, if its project is known."""
    project = _project_of(reader, place.folder)
    return None if project is None else _at(reader, project, place.facts)


def refuse_off(located: Located | None) -> None:
    """Raise Refused where a person turned Learnt off."""
    if located is not None and located.off:
        raise Refused(
            "Learnt is off in this project, so nothing was recalled or saved. `learnt project on` "
            "turns it on."
        )


def is_off(outside: Outside, folder: str) -> bool:
    """Whether a person turned Learnt off in a folder's project."""
    with outside.ledger.reading() as reader:
        if not any(off for _, off in reader.columns(Project.prefix, "off")):
            return False
        located = find(reader, look(outside, folder))
    return located is not None and located.off


def projects_but_for(outside: Outside, folder: str) -> list[str] | None:
    """The names of all known projects where a folder's is none of them; None where it is one."""
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        if find(reader, place) is not None:
            return None
        every = all_stored(reader, Project)
        return sorted({text_behind(reader, project.label) or project.id for project in every})


def located_at(outside: Outside, place: Place) -> Located:
    """Where a folder is, as `locate` says; the lock is taken where there is something to record."""
    with outside.ledger.reading() as reader:
        project = _project_of(reader, place.folder)
        if project is not None and project.knows(place.folder):
            return _at(reader, project, place.facts)
    with outside.ledger.writing() as writer:
        return locate(outside, writer, place)


def locate(outside: Outside, writer: Writer, place: Place) -> Located:
    """Where a folder is; a project new or changed in what is known of it is recorded as seen."""
    folder = place.folder
    project = _project_of(writer, folder) or Project(id=project_id(outside.random.bytes(7)))
    if not project.knows(folder):
        for remote in folder.remotes or (None,):
            payload = ProjectSeen(
                label=writer.keep("folder", clean(place.facts.root.name)),
                path=folder.path,
                git=folder.git or "",
                remote=remote or "",
                root_commit=folder.root_commit or "",
            )
            names = (folder.path, folder.git, remote, folder.root_commit)
            key = natural_key(outside.ledger.key, "project seen", project.id, *names)
            append(writer, project_subject(project.id), Actor.LEARNT, payload, key=key)
    return _at(writer, project, place.facts)


def where_at(outside: Outside, writer: Writer, place: Place | None) -> Where:
    """A folder as events name it: its project, which is made if it is new, and the place in it."""
    if place is None:
        return NOWHERE
    located = locate(outside, writer, place)
    return Where(project=located.project, place=kept(writer, "place", owned(located.place)))


def current_session(outside: Outside, named: str) -> str:
    """The session that the process of a named one is in by now, after /clear or /resume."""
    if not named:
        return ""
    plain = plain_or_hashed(outside.ledger.key, named)
    with outside.ledger.reading() as reader:
        latest_first = list(reader.events(kind=Kind.SESSION_STARTED, newest=LOOKED_AT))
        place = next((n for n, e in enumerate(latest_first) if e.where.session == plain), None)
        process = "" if place is None else payload_of(SessionStarted, latest_first[place]).process
        if not process:
            return named
        current: str | None = plain
        for event in reversed(latest_first[:place]):
            started = payload_of(SessionStarted, event)
            if started.process == process:
                if started.source == "startup":
                    break  # another process by now, with the number of the first
                current = event.where.session
        names = reader.sessions_observed()
        return next((n for n in names if plain_or_hashed(outside.ledger.key, n) == current), named)
