"""Which project a folder belongs to: an id made once, found again by paths, never by claims.

| what is seen | what it is |
|---|---|
| a known path | that path's project, whatever lies there now |
| a new path whose git store is known (a worktree) | the store's project |
| a new path, a known project's root commit | a new project, and a twin to ask about |
| a new path, nothing known | a new project |
| no git | the path alone |
| a `.git` that points at a store which does not point back | the path alone |
"""

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from learnt.core.events import Event, Kind, payload_of
from learnt.core.identifiers import ContentRef, ProjectId
from learnt.core.payloads import session_events
from learnt.core.records import Record


class Folder(Record):
    """A folder as found, its names already keyed hashes: the project's path, and its git store."""

    path: str
    git: str | None = None
    remotes: tuple[str, ...] = ()  # its remote without the protocol, and as git spells it
    root_commit: str | None = None


class Project(Record, kw_only=True):
    """What is known of a project. `same_as` is the project a human said it is.

    `off`: a person turned Learnt off there, so that nothing is recalled or saved.
    """

    prefix: ClassVar[str] = "project:"  # of the subjects of its events

    id: ProjectId
    paths: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    root_commits: tuple[str, ...] = ()
    label: ContentRef | None = None
    same_as: ProjectId | None = None
    apart_from: tuple[ProjectId, ...] = ()
    off: bool = False

    def knows(self, folder: Folder) -> bool:
        """Whether nothing about the folder is new to the project."""
        return (
            folder.path in self.paths
            and (folder.git is None or folder.git in self.stores)
            and set(folder.remotes) <= set(self.remotes)
            and (folder.root_commit is None or folder.root_commit in self.root_commits)
        )


def resolve(folder: Folder, projects: Iterable[Project]) -> Project | None:
    """The project a folder belongs to, or None for a new one: its path first, then its store."""
    by_store = None
    for project in projects:
        if folder.path in project.paths:
            return project
        if folder.git is not None and folder.git in project.stores:
            by_store = by_store or project
    return by_store


def twin(project: Project, projects: Iterable[Project]) -> Project | None:
    """The older project this one may be a copy of, if nobody has answered that yet.

    The root commit must match. That is easily claimed, so that a person is asked.
    """
    if project.same_as is not None:
        return None
    for other in sorted(projects, key=lambda project: project.id):
        unasked = other.id != project.id and other.id not in project.apart_from
        settled = other.same_as == project.id or project.id in other.apart_from
        if unasked and not settled and set(project.root_commits) & set(other.root_commits):
            return other
    return None


def household(project: ProjectId, projects: Iterable[Project]) -> frozenset[ProjectId]:
    """The projects that share knowledge with this one: all that a human declared the same."""
    links = [(p.id, p.same_as) for p in projects if p.same_as is not None]
    members, before = {project}, 0
    while len(members) != before:
        before = len(members)
        for link in links:
            if members.intersection(link):
                members.update(link)
    return frozenset(members)


def step(project: Project | None, event: Event) -> Project:
    """The project after one more event about it."""
    project = project or Project(id=ProjectId(event.subject.split(":", 1)[1]))
    match event.kind:
        case Kind.PROJECT_SEEN:
            seen = payload_of(session_events.ProjectSeen, event)
            return replace(
                project,
                paths=_added(project.paths, seen.path),
                stores=_added(project.stores, seen.git),
                remotes=_added(project.remotes, seen.remote),
                root_commits=_added(project.root_commits, seen.root_commit),
                label=project.label or seen.label,
            )
        case Kind.PROJECT_LINKED:
            linked = payload_of(session_events.ProjectLinked, event)
            if linked.verdict == "same":
                apart = tuple(each for each in project.apart_from if each != linked.other)
                return replace(project, same_as=linked.other, apart_from=apart)
            same = None if project.same_as == linked.other else project.same_as
            return replace(project, same_as=same, apart_from=(*project.apart_from, linked.other))
        case Kind.PROJECT_NAMED:
            return replace(project, label=payload_of(session_events.ProjectNamed, event).label)
        case Kind.PROJECT_SWITCHED:
            turned = payload_of(session_events.ProjectSwitched, event).turned
            return replace(project, off=turned == "off")
        case Kind.PURGED:
            return Project(id=project.id)
        case _:
            return project


def _added(values: tuple[str, ...], value: str) -> tuple[str, ...]:
    return values if not value or value in values else (*values, value)
