"""Today: what Learnt is, what it knows, what waits; and what was shown, used and ended of late."""

from dataclasses import dataclass
from typing import Final

from learnt.flows.governance import recent
from learnt.flows.governance.survey import Holdings, Week, holdings, week
from learnt.flows.health.report import last_episodes
from learnt.surfaces.answers.episodes import EpisodeAnswer, as_episode
from learnt.surfaces.web.pages import Page, Visit
from learnt.surfaces.web.review_page import SortCount, sorts_of

MOMENTS: Final = 8
EPISODES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """The first screen, and what is below it."""

    known: Holdings
    waits: tuple[SortCount, ...]
    week: Week
    moments: list[recent.SeenMoment]
    episodes: list[EpisodeAnswer]


def today(visit: Visit) -> Today:
    """What there is, of the last seven days."""
    outside = visit.outside
    return Today(
        known=holdings(outside, visit.folder),
        waits=sorts_of(visit.waiting.items(outside, visit.folder)),
        week=week(outside),
        moments=recent.recent(outside, MOMENTS),
        episodes=[as_episode(each) for each in last_episodes(outside, EPISODES)],
    )


PAGE: Final = Page(path="/", title="Today", place="Today", template="today.html", look=today)
