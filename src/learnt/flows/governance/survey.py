"""What there is: counts from the views, the last recalls, questions for a person."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from learnt.core.events import Actor, Draft, Event, Kind, payload_of
from learnt.core.identifiers import ProjectId, project_subject
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.maturity import Record
from learnt.core.natural_keys import natural_key
from learnt.core.payloads.project_events import ProjectLinked
from learnt.core.payloads.session_events import SessionStarted
from learnt.core.projects import Project, twin
from learnt.core.sessions.sessions import Session
from learnt.flows.knowledge.citing import Checker
from learnt.flows.knowledge.maturing import record
from learnt.flows.sessions.locate import find, look
from learnt.flows.stored import all_stored
from learnt.formats.answers import APART
from learnt.ports import Outside, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The state of a home. `entries` counts them by stage, `entries_here` those of the project.

    `not_delivered` counts answers that came too late, `spool_waiting` reports not taken in yet.
    """

    project: ProjectId | None
    entries: dict[str, int]
    entries_here: int
    sessions: int
    sessions_attended: int
    episodes: int
    recalls: int
    misses: int
    not_delivered: int
    reuses: int
    spool_waiting: int
    record: Record = field(metadata=APART)
    last: tuple[Event, ...] = field(default=(), metadata=APART)


def survey(outside: Outside, folder: str) -> Survey:
    """The state of the home, as seen from a folder."""
    with outside.ledger.reading() as reader:
        located = find(reader, look(outside, folder))
        household = located.household if located else ()
        known = list(all_stored(reader, Entry))
        held = list(all_stored(reader, Session))
        seen = [e for e in known if e.live and (e.scope is None or e.scope in household)]
        checker = Checker(outside, reader, None, household)
        return Survey(
            project=located.project if located else None,
            entries=dict(Counter(str(entry.stage) for entry in known)),
            entries_here=len(seen),
            sessions=len(held),
            sessions_attended=_attended(reader),
            recalls=sum(session.recalls for session in held),
            misses=sum(session.misses for session in held),
            not_delivered=sum(session.undelivered for session in held),
            reuses=sum(entry.reused for entry in known),
            episodes=sum(session.episodes for session in held),
            spool_waiting=len(outside.spool.waiting(1_000)),
            record=record(reader, seen, household, outside.clock.now_ms(), checker),
            last=tuple(reader.events(kind=Kind.RECALLED, newest=3)),
        )


def _attended(reader: Reader) -> int:
    """How many sessions had a person at the keyboard, by the agent's own flags."""
    return len({
        event.where.session
        for event in reader.events(kind=Kind.SESSION_STARTED)
        if payload_of(SessionStarted, event).attended
    })


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Two projects that look like copies of one, and their folders' names."""

    project: ProjectId
    name: str
    other: ProjectId
    other_name: str


def open_questions(outside: Outside) -> list[Question]:
    """The copies that nobody was asked about yet, each pair once."""
    with outside.ledger.reading() as reader:
        known = list(all_stored(reader, Project))
        names = {p.id: (reader.text(p.label) if p.label else None) or p.id for p in known}
        found: dict[frozenset[ProjectId], Question] = {}
        for project in sorted(known, key=lambda p: p.id):
            other = twin(project, known)
            if other is not None and frozenset({project.id, other.id}) not in found:
                found[frozenset({project.id, other.id})] = _question(project, other, names)
        return list(found.values())


def _question(project: Project, other: Project, names: dict[ProjectId, str]) -> Question:
    return Question(
        project=project.id,
        name=names[project.id],
        other=other.id,
        other_name=names[other.id],
    )


def settle(outside: Outside, question: Question, *, same: bool, actor: Actor) -> None:
    """Record a person's answer."""
    verdict: Literal["same", "apart"] = "same" if same else "apart"
    with outside.ledger.writing() as writer:
        writer.append(
            Draft(
                subject=project_subject(question.project),
                actor=actor,
                payload=ProjectLinked(other=question.other, verdict=verdict),
                natural_key=natural_key(
                    outside.ledger.key,
                    "project linked",
                    question.project,
                    question.other,
                    verdict,
                ),
            )
        )
