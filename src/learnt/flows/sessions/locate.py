"""Where a session is: its folder's project, found again or made."""

from dataclasses import dataclass

from learnt.core.events import Actor, Draft
from learnt.core.identifiers import ProjectId, keyed_hash, project_id, project_subject
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.project_events import ProjectSeen
from learnt.core.projects import Folder, Project, household, resolve
from learnt.file_ports import Claims, FolderFacts
from learnt.ports import Outside, Reader, Writer


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A folder's project, the projects that share its knowledge, and the place within it."""

    project: ProjectId
    household: tuple[ProjectId, ...]
    place: str = ""


def _folder(key: bytes, facts: FolderFacts, claims: Claims) -> Folder:
    def hashed(kind: str, value: object) -> str | None:
        return None if value is None else keyed_hash(key, kind, str(value))

    return Folder(
        path=keyed_hash(key, "path", str(facts.root)),
        git=hashed("store", facts.store),
        remote=hashed("remote", claims.remote),
        root_commit=hashed("root commit", claims.root_commit),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A folder as the file system has it, and by the keys that projects are found by."""

    facts: FolderFacts
    folder: Folder


def look(outside: Outside, folder: str, claims: Claims | None = None) -> Place:
    """What can be said of a folder without the ledger."""
    facts = outside.folders.facts(folder)
    return Place(facts=facts, folder=_folder(outside.ledger.key, facts, claims or Claims()))


def _known(reader: Reader, folder: Folder) -> Project | None:
    aliases = [alias for alias in (folder.path, folder.git) if alias is not None]
    return resolve(folder, reader.projects_knowing(aliases))


def _at(reader: Reader, project: Project, facts: FolderFacts) -> Located:
    sharing = household(project.id, reader.same_projects())
    return Located(project=project.id, household=tuple(sorted(sharing)), place=facts.place)


def find(reader: Reader, place: Place) -> Located | None:
    """Where a folder is, if its project is known."""
    project = _known(reader, place.folder)
    return None if project is None else _at(reader, project, place.facts)


def located_at(outside: Outside, place: Place) -> Located:
    """Where a folder is, as `locate` says; the lock is taken where there is something to record."""
    with outside.ledger.reading() as reader:
        project = _known(reader, place.folder)
        if project is not None and project.knows(place.folder):
            return _at(reader, project, place.facts)
    with outside.ledger.writing() as writer:
        return locate(outside, writer, place)


def locate(outside: Outside, writer: Writer, place: Place) -> Located:
    """Where a folder is; a project new or changed in what is known of it is recorded as seen."""
    facts, found = place.facts, place.folder
    known = _known(writer, found)
    project = known or Project(id=project_id(outside.random.bytes(7)))
    if not project.knows(found):
        writer.append(
            Draft(
                subject=project_subject(project.id),
                actor=Actor.LEARNT,
                payload=ProjectSeen(
                    label=writer.keep("folder", facts.root.name),
                    path=found.path,
                    git=found.git or "",
                    remote=found.remote or "",
                    root_commit=found.root_commit or "",
                ),
                natural_key=natural_key(
                    outside.ledger.key,
                    "project seen",
                    project.id,
                    found.path,
                    found.git,
                    found.remote,
                    found.root_commit,
                ),
            )
        )
    return _at(writer, project, facts)
