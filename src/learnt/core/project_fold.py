"""How the events of a project fold into what is project of it."""

from dataclasses import replace
from typing import assert_never

from learnt.core.events import Event, Kind, payload_of
from learnt.core.identifiers import ProjectId
from learnt.core.payloads.project_events import ProjectLinked, ProjectSeen
from learnt.core.projects import Project


def step(project: Project | None, event: Event) -> Project:
    """The project after one more event about it."""
    project = project or Project(id=ProjectId(event.subject.split(":", 1)[1]))
    match event.kind:
        case Kind.PROJECT_SEEN:
            seen = payload_of(ProjectSeen, event)
            return replace(
                project,
                paths=_added(project.paths, seen.path),
                stores=_added(project.stores, seen.git),
                remotes=_added(project.remotes, seen.remote),
                root_commits=_added(project.root_commits, seen.root_commit),
                label=project.label or seen.label,
            )
        case Kind.PROJECT_LINKED:
            linked = payload_of(ProjectLinked, event)
            if linked.verdict == "same":
                return replace(project, same_as=linked.other)
            return replace(project, apart_from=(*project.apart_from, linked.other))
        case Kind.PURGED:
            return Project(id=project.id)
        case (
            Kind.GATED | Kind.REMEMBERED | Kind.STAGED | Kind.REUSED | Kind.FEEDBACK
            | Kind.RECALLED | Kind.MISSED | Kind.NOT_DELIVERED | Kind.HARVESTED
            | Kind.SESSION_STARTED | Kind.SESSION_LINKED | Kind.SESSION_ENDED
            | Kind.EPISODE_CLOSED | Kind.PROPOSED | Kind.DECIDED | Kind.APPLIED
        ):  # fmt: skip
            return project
        case _:
            assert_never(event.kind)


def _added(project: tuple[str, ...], value: str) -> tuple[str, ...]:
    return project if not value or value in project else (*project, value)
