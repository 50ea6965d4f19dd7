"""Recorded prompts, each with the skills that were used for it or called by name after it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.identifiers import ContentRef
from learnt.core.skills.skills import key_of


@dataclass(slots=True, kw_only=True)
class AskedPrompt:
    """A distinct prompt, and in which session it was typed first.

    `used` are the keys of skills that were used for it or right after it, `well` those that the
    agent used for it and that were not found bad, `called` those that a person called by name: with
    it, or next where they objected to what came of it. Whether one that is called after other work
    was wanted for it nobody knows: `/commit` follows any. `over`: what became of it is known.
    """

    text: str
    session: str = ""
    over: bool = False
    used: set[str] = field(default_factory=set)
    well: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)


_OBJECTED: Final = frozenset(map(Trouble, ("interrupt", "revert", "correction", "negative")))


def joined(
    prompts: Iterable[tuple[AskedPrompt, str]],
    episodes: Iterable[Episode],
    name_of: Callable[[ContentRef], str],
) -> list[AskedPrompt]:
    """The prompts, each once, with what became of them; one typed again adds to the first.

    `prompts` and `episodes` are the oldest first, each prompt with the id that its episode has.
    """
    distinct: dict[str, AskedPrompt] = {}
    by_episode: dict[tuple[str, str], AskedPrompt] = {}
    for prompt, episode in prompts:
        by_episode[prompt.session, episode] = distinct.setdefault(prompt.text, prompt)
    last: dict[str, tuple[AskedPrompt | None, bool]] = {}
    for closed in episodes:
        own = by_episode.get((closed.session, closed.prompt)) if closed.prompt else None
        if own is not None:
            own.over = True
        for use in closed.executions:
            key, grade = key_of(name_of(use.skill)), use.outcome.grade
            if use.by == "user":
                before, objected = (own, True) if own else last.get(closed.session, (None, False))
                if before is not None and key not in before.used:
                    (before.called if objected else before.used).add(key)
            elif own is not None and use.launched:
                own.used.add(key)
                if grade is None or 2 * grade >= MILLION:
                    own.well.add(key)
        last[closed.session] = own, closed.outcome.trouble in _OBJECTED
    return list(distinct.values())
