"""Recorded prompts, each with the skills that were used for it or called by name after it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION
from learnt.core.identifiers import ContentRef
from learnt.core.skills.skills import key_of

SOON_MS: Final = 30 * 60_000  # in which a call by name still answers the prompt before it


@dataclass(slots=True, kw_only=True)
class Asked:
    """A distinct prompt, when and in which session it was typed first.

    `used` are the keys of skills that the agent used for it, `well` those of them that were not
    found bad, `called` those that a person called by name, with it or soon after it. `over`: what
    became of it is known.
    """

    text: str
    session: str = ""
    ms: int = 0
    over: bool = False
    used: set[str] = field(default_factory=set)
    well: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)


def joined(
    prompts: Iterable[tuple[Asked, str]],
    episodes: Iterable[Episode],
    name_of: Callable[[ContentRef], str],
) -> list[Asked]:
    """The prompts, each once, with what became of them; one typed again adds to the first.

    `prompts` are the oldest first, each with the id that its episode has.
    """
    distinct: dict[str, Asked] = {}
    by_episode: dict[tuple[str, str], Asked] = {}
    by_session: dict[str, list[tuple[int, Asked]]] = {}
    for prompt, episode in prompts:
        first = distinct.setdefault(prompt.text, prompt)
        by_episode[prompt.session, episode] = first
        by_session.setdefault(prompt.session, []).append((prompt.ms, first))
    for closed in episodes:
        own = by_episode.get((closed.session, closed.prompt)) if closed.prompt else None
        if own is not None:
            own.over = True
        for use in closed.executions:
            key, outcome = key_of(name_of(use.skill)), use.outcome
            if use.by != "user" and own is not None and use.launched:
                own.used.add(key)
                if outcome.grade is None or 2 * outcome.grade >= MILLION:
                    own.well.add(key)
            elif use.by == "user":
                since = closed.wall_ms - (closed.took_ms or 0) - SOON_MS
                soon = (
                    prompt
                    for ms, prompt in reversed(by_session.get(closed.session, []))
                    if since <= ms <= closed.wall_ms
                )
                before = own or next(soon, None)
                if before is not None and key not in before.used:
                    before.called.add(key)
    return list(distinct.values())
