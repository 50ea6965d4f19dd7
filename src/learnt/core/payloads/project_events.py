"""What is recorded of projects. Paths and what git says are keyed hashes."""

from typing import Literal, NamedTuple

from learnt.core.events import Kind
from learnt.core.identifiers import ContentRef, ProjectId


class ProjectSeen(NamedTuple):
    """A project was seen in a folder, or with a git store, a remote or a root commit, first."""

    event: Literal[Kind.PROJECT_SEEN] = Kind.PROJECT_SEEN
    label: ContentRef | None = None
    path: str = ""
    git: str = ""
    remote: str = ""
    root_commit: str = ""


class ProjectLinked(NamedTuple):
    """A person said that a project is the same as another, or that it is not."""

    other: ProjectId
    event: Literal[Kind.PROJECT_LINKED] = Kind.PROJECT_LINKED
    verdict: Literal["same", "apart"] | None = None
