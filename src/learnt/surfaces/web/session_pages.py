"""Sessions: searched, listed, and one with its moments and episodes; what found nothing."""

from dataclasses import dataclass
from typing import Final

from learnt.core.sessions.sessions import Session
from learnt.errors import LearntError, NotFound
from learnt.flows.governance.listing import MissCluster, Misses, missed_of_late
from learnt.flows.governance.signals import SeenMoment, recent_in
from learnt.flows.health.report import episodes_of, quoted
from learnt.flows.recall.conversations import SaidTurn, said_in, search_sessions
from learnt.flows.sessions.told import SessionRow, latest_sessions, session_named
from learnt.surfaces.answers.home import EpisodeAnswer, as_episode
from learnt.surfaces.web.pages import ListPart, Page, Visit, part_of

FOUND: Final = 20  # turns of earlier sessions
MISSES: Final = 400  # prompts that are looked at for what they share


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionsList:
    """The latest sessions; where words are asked for, what was said with them."""

    words: str
    found: tuple[SaidTurn, ...]
    trouble: str  # why sessions could not be searched
    part: ListPart[SessionRow]


def sessions(visit: Visit) -> SessionsList:
    """Sessions, the latest first, and what was said in them."""
    words, trouble = visit.asked.get("words", "").strip(), ""
    found: tuple[SaidTurn, ...] = ()
    if words:
        try:
            asked = search_sessions(visit.outside, words, folder=visit.folder, most=FOUND)
            found = asked.turns
        except LearntError as error:
            trouble = str(error)
    part = part_of(latest_sessions(visit.outside), visit.number("part"))
    return SessionsList(words=words, found=found, trouble=trouble, part=part)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneSession:
    """A session: what was looked for in it, how its episodes ended, what was said."""

    session: Session
    moments: ListPart[SeenMoment]
    episodes: ListPart[EpisodeAnswer]
    said: ListPart[SaidTurn]
    unsaid: str  # why there is nothing of that


def session(visit: Visit) -> OneSession:
    """A session by its name. Raises NotFound."""
    outside, name = visit.outside, visit.named["name"]
    with outside.ledger.reading() as reader:
        found = session_named(reader, name)
        if found is None:
            raise NotFound(f"No session {name} was reported. Sessions lists those that were.")
        moments = recent_in(reader, found.id)
        episodes = [as_episode(quoted(reader, e)) for e in episodes_of(reader, found.id)]
    turns: tuple[SaidTurn, ...] = ()
    unsaid = ""
    try:
        turns = said_in(outside, name, folder=visit.folder).turns
    except LearntError as error:
        unsaid = str(error)
    return OneSession(
        session=found,
        moments=part_of(moments, visit.number("moments")),
        episodes=part_of(episodes, visit.number("episodes")),
        said=part_of(turns, visit.number("said")),
        unsaid=unsaid,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class MissesList:
    """Prompts that found nothing: how many, and the groups of those that belong together."""

    misses: Misses
    newest: int
    clusters: tuple[MissCluster, ...]


def misses(visit: Visit) -> MissesList:
    """What was asked for and is not known."""
    found = missed_of_late(visit.outside, MISSES)
    return MissesList(misses=found, newest=MISSES, clusters=found.clusters)


LIST: Final = Page("/sessions", "Sessions", "Sessions", "sessions.html", sessions)
ONE: Final = Page("/sessions/{name}", "Session", "Sessions", "session.html", session)
MISSED: Final = Page("/misses", "Misses", "Sessions", "misses.html", misses, slow=True)
