"""What episodes say of the skills that ran in them, as events tell it."""

from typing import Any

import pytest

from learnt.core.events import Event, Kind
from learnt.core.health.executions import episodes, interval, uses
from learnt.core.health.outcomes import Cause, Outcome, Trouble
from learnt.core.identifiers import ContentRef, session_subject
from learnt.core.payloads.session_events import EpisodeClosed, SkillUse
from learnt.core.records import encode
from tests.core.happenings import happened

SESSION = session_subject("claude-code", "s1")
SKILL, OTHER = ContentRef("skill"), ContentRef("other")
FAILED = Outcome(trouble=Trouble.TEST, cause=Cause.SKILL, grade=250_000)
OWN = Outcome(trouble=Trouble.COMMAND, cause=Cause.ENVIRONMENT, grade=0)


def closed(at: int, *used: SkillUse, where: dict[str, Any] | None = None, **more: Any) -> Event:
    """An episode that ended, in a session and of a prompt where these are named."""
    told = EpisodeClosed(outcome=FAILED, skills=used, took_ms=90, tokens=70, tools=3, **more)
    return happened(SESSION, Kind.EPISODE_CLOSED, encode(told), at=at, **(where or {}))


def test_each_use_is_told_with_its_episode() -> None:
    """Its own outcome, or the episode's; of a prompt in a session by the prompt's id."""
    here = {"session": "s1", "episode": "p1", "agent": "claude-code"}
    event = closed(
        2_000,
        SkillUse(skill=SKILL, by="user"),
        SkillUse(skill=OTHER, by="subagent", launched=False, outcome=OWN),
        where=here,
    )
    first, second = uses([event])

    assert (SKILL, 2_000, event.id, SESSION, "p1", "user", True) == first[:7]
    assert (Trouble.TEST, Cause.SKILL, 250_000, 90, 70, False) == first[7:]
    assert (OTHER, 2_000, event.id, SESSION, "p1", "subagent", False) == second[:7]
    assert (Trouble.COMMAND, Cause.ENVIRONMENT, 0, 90, 70, False) == second[7:]
    assert (250_000, None) == (first.own_grade, second.own_grade)


def test_an_episode_without_a_prompt_has_the_name_of_its_event() -> None:
    """And what a log tells has the log's time."""
    alone = closed(3_000, SkillUse(skill=SKILL, by="agent"), where={"session": "s1"})
    logged = closed(4_000, SkillUse(skill=SKILL, by="agent"), ended_by="import", at_ms=17)
    found = uses([alone, logged])

    assert [(alone.id, 3_000, False), (logged.id, 17, True)] == [
        (use.episode, use.wall_ms, use.imported) for use in found
    ]


def test_the_last_word_on_an_episode_counts() -> None:
    """Closed again it is one episode still; its figures are those of the last time."""
    here = {"session": "s1", "episode": "p1"}
    first, last = (closed(at, where=here, failed=at // 1_000) for at in (1_000, 5_000))
    (episode,) = episodes([first, last])

    assert (5_000, 5, 3, last.id) == (
        episode.wall_ms, episode.failed, episode.tools, episode.event
    )  # fmt: skip
    assert ("s1", "p1", FAILED, None) == (
        episode.session, episode.prompt, episode.outcome, episode.project
    )  # fmt: skip


@pytest.mark.parametrize(
    ("mean", "count", "low", "high"),
    [
        (0.5, 4, 0.1500390, 0.8499610),
        (1.0, 3, 0.4385030, 1.0),
        (0.0, 3, 0.0, 0.5614970),
        (0.9, 10, 0.5958500, 0.9821237),
        (0.3, 0, 0.0, 1.0),
    ],
)
def test_the_interval_of_a_mean(mean: float, count: int, low: float, high: float) -> None:
    """Wilson's, within 0 and 1; of nothing all is possible."""
    assert (low, high) == pytest.approx(interval(mean, count), abs=1e-7)
