"""What became of episodes and of the skills used in them; and a person's own word on one."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from learnt.core.events import Actor, Draft, Kind
from learnt.core.health.executions import Episode, Execution, episodes, interval, success
from learnt.core.health.outcomes import Quote
from learnt.core.identifiers import ContentRef, EventId
from learnt.core.safety import excerpt
from learnt.errors import NotFound
from learnt.ports import Outside, Reader

VERDICTS = ("good", "bad", "partly")
_NOTE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillHealth:
    """One skill's executions. `graded` are those whose grade is its own; the rest is unknown.

    `success_rate` is their mean grade, 0 to 1, and `interval` its 95 % interval; `imported` of the
    executions come from another system's log.
    """

    skill: str
    executions: int
    graded: int
    success_rate: float | None
    interval: tuple[float, float]
    imported: int
    last: Episode
    last_use: Execution

    @property
    def unknown(self) -> int:
        """Executions of which nothing can be held for or against the skill."""
        return self.executions - self.graded


def skills(outside: Outside, named: str = "") -> list[SkillHealth]:
    """Every skill that was used, or the one of that name, most executions first."""
    with outside.ledger.reading() as reader:
        used: defaultdict[ContentRef, list[tuple[Episode, Execution]]] = defaultdict(list)
        for episode in _episodes(reader):
            for execution in episode.executions:
                used[execution.skill].append((episode, execution))
        names = {skill: reader.text(skill) or "(erased)" for skill in used}
        found = [
            _health(reader, names[skill], uses)
            for skill, uses in used.items()
            if named in {"", names[skill]}
        ]
    return sorted(found, key=lambda one: (-one.executions, one.skill))


def _episodes(reader: Reader) -> list[Episode]:
    closed = reader.events(kind=Kind.EPISODE_CLOSED)
    told = reader.events(kind=Kind.FEEDBACK)
    return episodes([*closed, *told])


def _health(reader: Reader, name: str, uses: Sequence[tuple[Episode, Execution]]) -> SkillHealth:
    graded, rate = success(execution.outcome for _, execution in uses)
    episode, execution = max(uses, key=lambda use: (use[0].wall_ms, use[0].event))
    return SkillHealth(
        skill=name,
        executions=len(uses),
        graded=graded,
        success_rate=rate,
        interval=interval(rate or 0.0, graded),
        imported=sum(one.imported for one, _ in uses),
        last=_told(reader, episode),
        last_use=execution,
    )


def _told(reader: Reader, episode: Episode) -> Episode:
    """The episode with the words of its evidence in the place of references."""
    quotes = tuple(
        Quote(what=quote.what, words=reader.text(ContentRef(quote.words)) or "(erased)")
        for quote in episode.outcome.quotes
    )
    return replace(episode, outcome=replace(episode.outcome, quotes=quotes))


def last_episodes(outside: Outside, most: int = 3) -> list[Episode]:
    """The episodes that were closed last, latest first, with the words of their evidence."""
    with outside.ledger.reading() as reader:
        closed = list(reader.events(kind=Kind.EPISODE_CLOSED, newest=4 * most))
        told = list(reader.events(kind=Kind.FEEDBACK, newest=40 * most))
        found = episodes([*reversed(closed), *reversed(told)])
        own = [one for one in found if not one.imported]
        return [_told(reader, episode) for episode in reversed(own[-most:])]


def feedback(outside: Outside, name: str, verdict: str, note: str, actor: Actor) -> Episode:
    """Record somebody's word on an episode, by the id of its closing or of its prompt."""
    with outside.ledger.writing() as writer:
        event = writer.event(EventId(name))
        if event is None or event.kind is not Kind.EPISODE_CLOSED:
            closed = writer.events(kind=Kind.EPISODE_CLOSED)
            event = next((one for one in closed if one.where.episode == name), None)
        if event is None:
            raise NotFound(f"There is no closed episode {name}. `learnt status` shows the last.")
        writer.append(
            Draft(
                subject=event.subject,
                kind=Kind.FEEDBACK,
                actor=actor,
                where=event.where,
                payload={
                    "episode": event.id,
                    "source": "person" if actor is Actor.HUMAN else "agent",
                    "verdict": verdict,
                    "note": writer.keep("note", excerpt(note, _NOTE)) if note else None,
                },
            )
        )
        told = [e for e in writer.events(subject=event.subject, kind=Kind.FEEDBACK)]
        (found,) = [e for e in episodes([event, *told]) if e.event == event.id]
        return _told(writer, found)
