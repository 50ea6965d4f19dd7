"""Which project a folder belongs to: an id made once, found again by paths, never by claims.

| what is seen | what it is |
|---|---|
| a known path | that path's project, whatever lies there now |
| a new path whose git store is known (a worktree) | the store's project |
| a new path, a known project's remote and root commit | a new project, and a twin to ask about |
| a new path, nothing known | a new project |
| no git | the path alone |
| a `.git` that points at a store which does not point back | the path alone |
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from learnt.core.events import Event, Kind
from learnt.core.identifiers import ContentRef, ProjectId
from learnt.core.json_values import JsonObject, member, strings, text_of, without_defaults


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder as found, its names already keyed hashes: the project's path, and its git store."""

    path: str
    git: str | None = None
    remote: str | None = None
    root_commit: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """What is known of a project. `same_as` is the project a human said it is."""

    id: ProjectId
    paths: tuple[str, ...] = ()
    stores: tuple[str, ...] = ()
    remotes: tuple[str, ...] = ()
    root_commits: tuple[str, ...] = ()
    label: ContentRef | None = None
    same_as: ProjectId | None = None
    apart_from: tuple[ProjectId, ...] = ()

    def knows(self, folder: Folder) -> bool:
        """Whether nothing about the folder is new to the project."""
        return (
            folder.path in self.paths
            and (folder.git is None or folder.git in self.stores)
            and (folder.remote is None or folder.remote in self.remotes)
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

    Both the remote and the root commit must match: either alone is easily claimed.
    """
    if project.same_as is not None:
        return None
    for other in sorted(projects, key=lambda known: known.id):
        unasked = other.id != project.id and other.id not in project.apart_from
        settled = other.same_as == project.id or project.id in other.apart_from
        if (
            unasked
            and not settled
            and set(project.remotes) & set(other.remotes)
            and set(project.root_commits) & set(other.root_commits)
        ):
            return other
    return None


def household(project: ProjectId, projects: Iterable[Project]) -> frozenset[ProjectId]:
    """The projects that share knowledge with this one: all that a human declared the same."""
    links = [(p.id, p.same_as) for p in projects if p.same_as is not None]
    found, before = {project}, 0
    while len(found) != before:
        before = len(found)
        for one, other in links:
            if one in found or other in found:
                found |= {one, other}
    return frozenset(found)


def _added(known: tuple[str, ...], value: str) -> tuple[str, ...]:
    return known if not value or value in known else (*known, value)


def step(project: Project | None, event: Event) -> Project:
    """The project after one more event about it."""
    known = project or Project(id=ProjectId(event.subject.split(":", 1)[1]))
    payload = event.payload
    match event.kind:
        case Kind.PROJECT_SEEN:
            label = text_of(member(payload, "label"))
            return replace(
                known,
                paths=_added(known.paths, text_of(member(payload, "path"))),
                stores=_added(known.stores, text_of(member(payload, "git"))),
                remotes=_added(known.remotes, text_of(member(payload, "remote"))),
                root_commits=_added(known.root_commits, text_of(member(payload, "root_commit"))),
                label=known.label or (ContentRef(label) if label else None),
            )
        case Kind.PROJECT_LINKED:
            other = ProjectId(text_of(member(payload, "other")))
            if member(payload, "verdict") == "same":
                return replace(known, same_as=other)
            return replace(known, apart_from=(*known.apart_from, other))
        case Kind.PURGED:
            return Project(id=known.id)
        case _:
            return known


def to_state(project: Project) -> JsonObject:
    """The project as a view stores it: no default is written."""
    state: dict[str, object] = {
        "id": project.id,
        "paths": list(project.paths),
        "stores": list(project.stores),
        "remotes": list(project.remotes),
        "root_commits": list(project.root_commits),
        "label": project.label,
        "same_as": project.same_as,
        "apart_from": list(project.apart_from),
    }
    return without_defaults(state, "id")


def from_state(state: JsonObject) -> Project:
    """The project that a view's state stands for."""
    label, same_as = text_of(state.get("label")), text_of(state.get("same_as"))
    return Project(
        id=ProjectId(text_of(state["id"])),
        paths=strings(state.get("paths")),
        stores=strings(state.get("stores")),
        remotes=strings(state.get("remotes")),
        root_commits=strings(state.get("root_commits")),
        label=ContentRef(label) if label else None,
        same_as=ProjectId(same_as) if same_as else None,
        apart_from=tuple(ProjectId(p) for p in strings(state.get("apart_from"))),
    )
