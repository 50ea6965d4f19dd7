"""The room that an agent has for the names and descriptions of its skills, and who gives way."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from learnt.core.json_values import JsonObject, whole

# Claude Code lists skills in 1 % of 200,000 tokens of four characters, a description in 1,536.
_WINDOW: Final = 200_000 * 4
_SHARE: Final = 0.01
_LONGEST: Final = 1_536
_BESIDE: Final = len("- : \n")
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


def room(settings: JsonObject, own: str = "") -> tuple[int, int]:
    """The characters that Claude Code has for the list, and for one description.

    By its settings, or by what its variable says (`own`).

    >>> room({}), room({"skillListingBudgetFraction": 0.02}, ""), room({}, "500")
    ((8000, 1536), (16000, 1536), (500, 1536))
    """
    share = settings.get("skillListingBudgetFraction")
    if not isinstance(share, int | float) or not 0 < share <= 1:
        share = _SHARE
    given = int(own) if own.isascii() and own.isdigit() else 0
    return given or round(_WINDOW * share), whole(
        settings.get("skillListingMaxDescChars")
    ) or _LONGEST


def cut_off(skills: Iterable[Listed], budget: int, longest: int = _LONGEST) -> Cut:
    """Which descriptions an agent leaves out of its list: those of the least used skills first.

    >>> cut_off([Listed("a", "x" * 20, uses=3), Listed("b", "y" * 20)], budget=45)
    Cut(names=('b',), characters=52, over=7)
    """
    by_use = sorted(skills, key=lambda skill: (skill.uses, skill.name))
    whole = sum(len(s.name) + _BESIDE + min(len(s.description), longest) for s in by_use)
    left, names = whole, []
    for skill in by_use:
        if left > budget and skill.description:
            left -= min(len(skill.description), longest)
            names.append(skill.name)
    return Cut(tuple(names), whole, max(0, whole - budget))


def disused(age_ms: int, sessions: int) -> bool:
    """Whether a skill that was never used has had its chance: so many days and sessions.

    >>> disused(60 * 86_400_000, 20), disused(60 * 86_400_000, 19), disused(1, 400)
    (True, False, False)
    """
    return age_ms >= _DAYS * _DAY_MS and sessions >= _SESSIONS
