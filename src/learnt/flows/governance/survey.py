"""What there is: counts from the views, the last recalls, questions for a person."""

from collections import Counter
from dataclasses import dataclass

from learnt.core import projects
from learnt.core.events import Actor, Draft, Event, Kind
from learnt.core.identifiers import ProjectId, project_subject
from learnt.core.knowledge import entries
from learnt.core.knowledge.maturity import Record
from learnt.core.natural_keys import natural_key
from learnt.core.projects import Project, twin
from learnt.core.sessions import sessions
from learnt.flows.knowledge.citing import Checker
from learnt.flows.knowledge.maturing import record
from learnt.flows.sessions.locate import find, look
from learnt.ports import Outside, Reader


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """The state of a home. `stages` counts entries; `here` those the folder's project sees."""

    project: ProjectId | None
    stages: dict[str, int]
    here: int
    sessions: int
    human_sessions: int
    recalls: int
    misses: int
    undelivered: int
    reuses: int
    episodes: int
    waiting: int
    record: Record
    last: tuple[Event, ...] = ()


def survey(outside: Outside, folder: str) -> Survey:
    """The state of the home, as seen from a folder."""
    with outside.ledger.reading() as reader:
        located = find(reader, look(outside, folder))
        household = located.household if located else ()
        known = [entries.from_state(view.state) for view in reader.views("entry:")]
        held = [sessions.from_state(view.state) for view in reader.views("session:")]
        seen = [e for e in known if e.live and (e.scope is None or e.scope in household)]
        checker = Checker(outside, reader, None, household)
        return Survey(
            project=located.project if located else None,
            stages=dict(Counter(str(entry.stage) for entry in known)),
            here=len(seen),
            sessions=len(held),
            human_sessions=_attended(reader),
            recalls=sum(session.recalls for session in held),
            misses=sum(session.misses for session in held),
            undelivered=sum(session.undelivered for session in held),
            reuses=sum(entry.reused for entry in known),
            episodes=sum(session.episodes for session in held),
            waiting=len(outside.spool.waiting(1_000)),
            record=record(reader, seen, household, outside.clock.now_ms(), checker),
            last=tuple(reader.events(kind=Kind.RECALLED, newest=3)),
        )


def _attended(reader: Reader) -> int:
    """How many sessions had a person at the keyboard, by the agent's own flags."""
    return len({
        event.where.session
        for event in reader.events(kind=Kind.SESSION_STARTED)
        if event.payload.get("attended") is True
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
        known = [projects.from_state(view.state) for view in reader.views("project:")]
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
    verdict = "same" if same else "apart"
    with outside.ledger.writing() as writer:
        writer.append(
            Draft(
                subject=project_subject(question.project),
                kind=Kind.PROJECT_LINKED,
                actor=actor,
                payload={"other": question.other, "verdict": verdict},
                natural_key=natural_key(
                    outside.ledger.key,
                    "project linked",
                    question.project,
                    question.other,
                    verdict,
                ),
            )
        )
