"""How the events of a project fold into what is known of it."""

from dataclasses import replace
from typing import assert_never

from learnt.core.events import Event, Kind, payload_of
from learnt.core.identifiers import ProjectId
from learnt.core.payloads.project_events import ProjectLinked, ProjectSeen
from learnt.core.projects import Project


def step(project: Project | None, event: Event) -> Project:
    """The project after one more event about it."""
    known = project or Project(id=ProjectId(event.subject.split(":", 1)[1]))
    match event.kind:
        case Kind.PROJECT_SEEN:
            seen = payload_of(ProjectSeen, event)
            return replace(
                known,
                paths=_added(known.paths, seen.path),
                stores=_added(known.stores, seen.git),
                remotes=_added(known.remotes, seen.remote),
                root_commits=_added(known.root_commits, seen.root_commit),
                label=known.label or seen.label,
            )
        case Kind.PROJECT_LINKED:
            linked = payload_of(ProjectLinked, event)
            if linked.verdict == "same":
                return replace(known, same_as=linked.other)
            return replace(known, apart_from=(*known.apart_from, linked.other))
        case Kind.PURGED:
            return Project(id=known.id)
        case (
            Kind.GATED | Kind.REMEMBERED | Kind.STAGED | Kind.REUSED | Kind.FEEDBACK
            | Kind.RECALLED | Kind.MISSED | Kind.NOT_DELIVERED | Kind.HARVESTED
            | Kind.SESSION_STARTED | Kind.SESSION_LINKED | Kind.SESSION_ENDED
            | Kind.EPISODE_CLOSED | Kind.PROPOSED | Kind.DECIDED | Kind.APPLIED
        ):  # fmt: skip
            return known
        case _:
            assert_never(event.kind)


def _added(known: tuple[str, ...], value: str) -> tuple[str, ...]:
    return known if not value or value in known else (*known, value)
