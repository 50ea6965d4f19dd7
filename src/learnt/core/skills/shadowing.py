"""What a skill would displace: recorded prompts are ranked with it and without it."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from learnt.core.skills.asked import AskedPrompt

PLACES: Final = 5  # skills that an agent is offered for a prompt, unless it asks for more
EXAMPLES: Final = 2


class Replay(NamedTuple):
    """A prompt, and the keys of the skills that it is offered now and would be, best first."""

    prompt: AskedPrompt
    before: Sequence[str]
    after: Sequence[str]


class Displaced(NamedTuple):
    """A skill that would be offered less: no longer at all, or no longer first.

    `used` counts the prompts among these for which it was used, and not found bad.
    """

    name: str
    pushed_out: int
    off_first: int
    used: int
    examples: tuple[str, ...]


class Shadowing(NamedTuple):
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
    """What the skill of a key displaces.

    >>> locks = Replay(AskedPrompt(text="a lock", well={"locks"}), ["locks"], ["queues", "locks"])
    >>> shadowing("queues", [locks]).displaced[0][:4]
    ('locks', 0, 1, 1)
    """
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
