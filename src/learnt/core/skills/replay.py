"""Recorded prompts tried on skills: which were used for them, and what another text displaces."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from learnt.core.health.executions import Episode
from learnt.core.health.outcomes import MILLION
from learnt.core.identifiers import ContentRef
from learnt.core.records import Row
from learnt.core.skills.skills import key_of


@dataclass(slots=True, kw_only=True)
class AskedPrompt:
    """A distinct prompt, and in which session it was typed first.

    `well` are the keys of skills that the agent used for it and that were not found bad.
    """

    text: str
    session: str = ""
    well: set[str] = field(default_factory=set)


def joined(
    prompts: Iterable[tuple[AskedPrompt, str]],
    episodes: Iterable[Episode],
    name_of: Callable[[ContentRef], str],
) -> list[AskedPrompt]:
    """The prompts, each once, with what became of them; one typed again adds to the first.

    `prompts` are the oldest first, each with the id that its episode has.
    """
    distinct: dict[str, AskedPrompt] = {}
    by_episode: dict[tuple[str, str], AskedPrompt] = {}
    for prompt, episode in prompts:
        by_episode[prompt.session, episode] = distinct.setdefault(prompt.text, prompt)
    for closed in episodes:
        own = by_episode.get((closed.session, closed.prompt)) if closed.prompt else None
        for use in closed.executions if own is not None else ():
            bad = use.outcome.grade is not None and 2 * use.outcome.grade < MILLION
            if own and use.by != "user" and use.launched and not bad:
                own.well.add(key_of(name_of(use.skill)))
    return list(distinct.values())


PLACES: Final = 5  # skills that an agent is offered for a prompt, unless it asks for more
EXAMPLES: Final = 2


class Replay(Row):
    """A prompt, and the keys of the skills that it is offered now and would be, best first."""

    prompt: AskedPrompt
    before: Sequence[str]
    after: Sequence[str]


class Displaced(Row):
    """A skill that would be offered less: no longer at all, or no longer first.

    `used` counts the prompts among these for which it was used, and not found bad.
    """

    name: str
    pushed_out: int
    off_first: int
    used: int
    examples: tuple[str, ...]


class Shadowing(Row):
    """What becomes of so many recorded prompts.

    The skill is offered for `enters` more of them, and no longer for `leaves`. Of the skills that
    it displaces those come first that were used.
    """

    prompts: int
    enters: int
    leaves: int
    displaced: tuple[Displaced, ...]

    @property
    def used(self) -> tuple[str, ...]:
        """The names of those that were used for a prompt for which they are displaced."""
        return tuple(skill.name for skill in self.displaced if skill.used)


def shadowing(key: str, replays: Iterable[Replay]) -> Shadowing:
    """What the skill of a key displaces."""
    prompts = enters = leaves = 0
    hurt: dict[str, list[tuple[AskedPrompt, bool]]] = {}  # and whether it is out altogether
    for prompt, before, after in replays:
        prompts += 1
        enters += key in after and key not in before
        leaves += key in before and key not in after
        if key not in after:
            continue
        for name in before:
            if name != key and name not in after:
                hurt.setdefault(name, []).append((prompt, True))
        if after[0] == key and before and before[0] in after and before[0] != key:
            hurt.setdefault(before[0], []).append((prompt, False))
    displaced = []
    for name, seen in hurt.items():
        seen.sort(key=lambda row: name not in row[0].well)
        pushed_out = sum(out for _, out in seen)
        used = sum(name in prompt.well for prompt, _ in seen)
        examples = tuple(prompt.text for prompt, _ in seen[:EXAMPLES])
        displaced.append(Displaced(name, pushed_out, len(seen) - pushed_out, used, examples))
    displaced.sort(key=lambda d: (-d.used, -d.pushed_out, -d.off_first, d.name))
    return Shadowing(prompts, enters, leaves, tuple(displaced))
