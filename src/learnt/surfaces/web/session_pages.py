"""Sessions: searched, listed, and one with its moments and episodes; what found nothing."""

from typing import Final

from learnt.errors import LearntError, NotFound
from learnt.flows.governance.listing import missed_of_late
from learnt.flows.governance.signals import recent_in
from learnt.flows.health.report import episodes_of, quoted
from learnt.flows.recall.conversations import SaidTurn, said_in, search_sessions
from learnt.flows.sessions.told import latest_sessions, session_named
from learnt.surfaces.answers.home import as_episode
from learnt.surfaces.web.pages import Answer, Page, Visit, part_of

FOUND: Final = 20  # turns of earlier sessions
MISSES: Final = 400  # prompts that are looked at for what they share


def sessions(visit: Visit) -> Answer:
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
    return dict(words=words, found=found, trouble=trouble, part=part)


def session(visit: Visit) -> Answer:
    """A session: what was looked for, how its episodes ended, what was said. Raises NotFound."""
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
    return dict(
        session=found,
        moments=part_of(moments, visit.number("moments")),
        episodes=part_of(episodes, visit.number("episodes")),
        said=part_of(turns, visit.number("said")),
        unsaid=unsaid,
    )


def misses(visit: Visit) -> Answer:
    """Prompts that found nothing: how many, and the groups of those that belong together."""
    found = missed_of_late(visit.outside, MISSES)
    return dict(misses=found, newest=MISSES, clusters=found.clusters)


LIST: Final = Page("/sessions", "Sessions", "Sessions", "sessions.html", sessions)
ONE: Final = Page("/sessions/{name}", "Session", "Sessions", "session.html", session)
MISSED: Final = Page("/misses", "Misses", "Sessions", "misses.html", misses, slow=True)
