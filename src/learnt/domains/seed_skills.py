"""The skills that come with Learnt, in its own domains' folders, and with domains of others."""

from collections.abc import Iterable
from functools import partial
from importlib.resources import files
from pathlib import Path

from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.domain_ports import Domain, SeedSkill
from learnt.domains.guarded import attempt

_HERE = Path(__file__).parent


def sources(enabled: Iterable[Domain], only: str = "") -> list[SkillSource]:
    """The folders of seed skills: Learnt's own are there whatever is enabled.

    `only`: those of one domain.
    """
    own = [folder / "skills" for folder in sorted(_HERE.iterdir()) if only in {"", folder.name}]
    found = [SkillSource(str(folder), SkillLayer.SEED) for folder in own if folder.is_dir()]
    for domain in (each for each in enabled if only in {"", each.name}):
        places = (attempt(domain.name, partial(_folder, skill), None) for skill in domain.skills)
        found += [
            SkillSource(str(place), SkillLayer.DOMAIN)
            for place in places
            if place is not None and not place.is_relative_to(_HERE)
        ]
    return found


def _folder(skill: SeedSkill) -> Path:
    return Path(str(files(skill.package) / skill.folder))
