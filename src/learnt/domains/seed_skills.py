"""The skills that come with Learnt, in its own domains' folders, and with domains of others."""

from collections.abc import Iterable, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path

from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.domain_ports import Domain, SeedSkill
from learnt.domains.guarded import attempt

_HERE = Path(__file__).parent


def sources(enabled: Sequence[Domain]) -> list[SkillSource]:
    """The folders of the seed skills of enabled domains; of the others no skill is seen."""
    names = {domain.name for domain in enabled}
    own = [folder for folder in _own() if folder.parent.name in names]
    return [SkillSource(str(folder), SkillLayer.SEED) for folder in own] + _of_others(enabled)


def installable(enabled: Sequence[Domain], only: str = "") -> list[SkillSource]:
    """The folders of seed skills that may be installed: Learnt's own whatever is enabled.

    `only`: those of one domain.
    """
    own = [folder for folder in _own() if only in {"", folder.parent.name}]
    others = _of_others([each for each in enabled if only in {"", each.name}])
    return [SkillSource(str(folder), SkillLayer.SEED) for folder in own] + others


def _own() -> list[Path]:
    return sorted(folder for folder in _HERE.glob("*/skills") if folder.is_dir())


def _of_others(enabled: Iterable[Domain]) -> list[SkillSource]:
    places = (
        attempt(domain.name, partial(_folder, skill), None)
        for domain in enabled
        for skill in domain.skills
    )
    return [
        SkillSource(str(place), SkillLayer.DOMAIN)
        for place in places
        if place is not None and not place.is_relative_to(_HERE)
    ]


def _folder(skill: SeedSkill) -> Path:
    return Path(str(files(skill.package) / skill.folder))
