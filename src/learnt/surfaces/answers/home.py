"""What there is: the answer of `status`, the command and the tool."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from learnt.core.knowledge.maturity import Maturity, Sign, maturity, signs
from learnt.core.records import UNTOLD
from learnt.flows.governance import listing
from learnt.flows.governance.review import waits
from learnt.flows.governance.survey import Survey, Week, open_questions, survey
from learnt.flows.health.report import last_episodes
from learnt.flows.recall.contents import OwnNotes, own_notes
from learnt.formats.answers import filled
from learnt.ports import Outside
from learnt.stores.hook_files import edited, kept_aside
from learnt.surfaces.answers.episodes import EpisodeAnswer, as_episode
from learnt.surfaces.worker_client import Card, ping

MATURITY_SAID: Final = {
    Maturity.NASCENT: "most of what is worked on gives new knowledge",
    Maturity.GROWING: "what matters is there, less and less comes in",
    Maturity.MATURE: "it changes only where what it is about changes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeStatus(Survey):
    """What a home holds, how it is used, and what waits for a person.

    `waiting` counts what waits for `learnt review` by its sort, `proposals_waiting` the proposals
    among it; `open_questions` wait for `learnt status`.
    `hook_edited` hook files were edited, are so now or were replaced: `learnt doctor` names them.
    """

    home: str
    maturity: Maturity
    signs: tuple[Sign, ...]
    worker: Card | None
    hook_edited: int
    open_questions: int
    proposals_waiting: int
    waiting: Mapping[str, int]
    own: Annotated[OwnNotes, UNTOLD]
    last_episodes: Annotated[tuple[EpisodeAnswer, ...], UNTOLD]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekStatus(Week):
    """What a week brought, and what waits for a person now, as `HomeStatus` counts it."""

    disputes_here: int
    proposals_waiting: int
    candidates_here: int
    waiting: Mapping[str, int]


def home_status(outside: Outside, folder: str, home: Path | None = None) -> HomeStatus:
    """The state of a home, as seen from a folder; without `home` nothing of this machine."""
    surveyed = survey(outside, folder)
    return filled(
        HomeStatus,
        surveyed,
        home=str(home or ""),
        maturity=maturity(surveyed.record),
        signs=signs(surveyed.record),
        worker=home and ping(home),
        hook_edited=len([*edited(home), *kept_aside(home)]) if home else 0,
        open_questions=len(open_questions(outside)),
        proposals_waiting=listing.waiting(outside),
        waiting=waits(outside, folder),
        own=own_notes(outside, folder),
        last_episodes=tuple(map(as_episode, last_episodes(outside))),
    )
