"""The room that an agent has for the names and descriptions of its skills, and who gives way."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from learnt.core.json_values import JsonObject, whole

# Claude Code 2.1.330 takes a window of a million tokens for so many characters, and one of 200,000
# for the second; it lists skills in 1 % of them, its own first, a description in 1,536.
WINDOWS: Final = {1_000_000: 3_000_000, 200_000: 800_000}
_ITS_OWN: Final = 6_200
_SHARE: Final = 0.01
_LONGEST: Final = 1_536
_DAY_MS: Final = 86_400_000
_DAYS: Final = 60
_SESSIONS: Final = 20


class Listed(NamedTuple):
    """A skill as it is listed, and how often it was used."""

    name: str
    description: str
    uses: int = 0


class Cut(NamedTuple):
    """What does not fit: the names whose descriptions are left out, and characters too many."""

    names: tuple[str, ...]
    characters: int
    over: int


def room(settings: JsonObject, window: int, told: str = "") -> tuple[int, int]:
    """The characters that Claude Code has for the skills of others, and for one description.

    By its settings, by a window in tokens, and by what its variable says (`told`).

    >>> room({}, 1_000_000), room({"skillListingBudgetFraction": 0.02}, 200_000)
    ((23800, 1536), (9800, 1536))
    """
    share = settings.get("skillListingBudgetFraction")
    if not isinstance(share, int | float) or not 0 < share <= 1:
        share = _SHARE
    given = int(told) if told.isascii() and told.isdigit() else 0
    budget = given or round(WINDOWS[window] * share)
    return max(0, budget - _ITS_OWN), whole(settings.get("skillListingMaxDescChars")) or _LONGEST


def cut_off(skills: Iterable[Listed], budget: int, longest: int = _LONGEST) -> Cut:
    """Which descriptions an agent leaves out of its list: those of the least used skills first.

    Of equal ones the later name's.

    >>> cut_off([Listed("a", "x" * 20, uses=3), Listed("b", "y" * 20)], budget=50)
    Cut(names=('b',), characters=52, over=2)
    """
    by_use = sorted(sorted(skills, reverse=True), key=lambda skill: skill.uses)
    sizes = [len(f": {skill.description[:longest]}") for skill in by_use]
    whole_list = sum(len(f"- {skill.name}\n") for skill in by_use) + sum(sizes)
    left, names = whole_list, []
    for skill, size in zip(by_use, sizes, strict=True):
        if left > budget:
            left -= size
            names.append(skill.name)
    return Cut(tuple(names), whole_list, max(0, whole_list - budget))


def disused(age_ms: int, sessions: int) -> bool:
    """Whether a skill that was never used has had its chance: so many days and sessions.

    >>> disused(60 * 86_400_000, 20), disused(60 * 86_400_000, 19), disused(1, 400)
    (True, False, False)
    """
    return age_ms >= _DAYS * _DAY_MS and sessions >= _SESSIONS
