"""Today, the doctor and the ledger: what Learnt is, how its parts are, what happened of late."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from learnt.core.identifiers import Subject
from learnt.flows.governance import signals
from learnt.flows.governance.explain import Step, Story, chapter, latest
from learnt.flows.governance.survey import Holdings, Week, holdings, week
from learnt.flows.health.report import last_episodes
from learnt.surfaces.answers.home import EpisodeAnswer, as_episode
from learnt.surfaces.model_probes import Probe
from learnt.surfaces.probes import probes
from learnt.surfaces.web.pages import A_PART, ListPart, Page, Visit
from learnt.surfaces.web.review_page import SortCount, sorts_of

MOMENTS: Final = 8
EPISODES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """The first screen, and what is below it."""

    known: Holdings
    waits: tuple[SortCount, ...]
    week: Week
    moments: list[signals.SeenMoment]
    episodes: list[EpisodeAnswer]


def today(visit: Visit) -> Today:
    """What there is, of the last seven days."""
    outside = visit.outside
    return Today(
        known=holdings(outside, visit.folder),
        waits=sorts_of(visit.waiting.items(outside, visit.folder)),
        week=week(outside),
        moments=signals.recent(outside, MOMENTS),
        episodes=[as_episode(each) for each in last_episodes(outside, EPISODES)],
    )


TODAY: Final = Page(path="/", title="Today", place="Today", template="today.html", look=today)


_ORDER: Final = ("problem", "warning", "ok")


def doctor(visit: Visit) -> list[Probe]:
    """Every part, the worst first."""
    found = probes(visit.settings, Path(visit.folder), looks=True)
    return sorted(found, key=lambda probe: _ORDER.index(probe.level))


DOCTOR: Final = Page(
    path="/doctor", title="Doctor", place="Doctor", template="doctor.html", look=doctor, slow=True
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LatestEvents:
    """Events, the latest first, each with whose it is; `before_ms` is where those before begin."""

    events: list[tuple[Step, Subject]]
    before_ms: int | None
    older_than: int | None  # what was asked


def ledger(visit: Visit) -> LatestEvents:
    """The latest events, or those before a moment."""
    text = visit.asked.get("before", "")
    asked = int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None
    events, more = latest(visit.outside, A_PART, asked)
    return LatestEvents(events=events, before_ms=more, older_than=asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class OneStory:
    """A part of a story."""

    name: str
    story: Story
    part: ListPart[int]


def story(visit: Visit) -> OneStory:
    """Why something is as it is, by any id. Raises NotFound."""
    name = visit.named.get("name") or visit.asked.get("id", "").strip()
    told, steps = chapter(visit.outside, name, visit.number("part"), A_PART)
    total = len(steps) + told.left_out
    number, parts = steps.start // A_PART + 1, max(1, -(-total // A_PART))
    return OneStory(
        name=name, story=told, part=ListPart(rows=steps, number=number, parts=parts, total=total)
    )


LEDGER: Final = Page(
    path="/ledger", title="Ledger", place="Ledger", template="ledger.html", look=ledger
)
ASKED_WHY: Final = Page(path="/why", title="Why", place="Ledger", template="why.html", look=story)
WHY: Final = Page(
    path="/ledger/{name:path}", title="Why", place="Ledger", template="why.html", look=story
)
