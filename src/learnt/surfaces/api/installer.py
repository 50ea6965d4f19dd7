"""Where programs find the installer, by seed 004's name of the module."""

from learnt.surfaces.api.skills import SkillInstaller

__all__ = ["SkillInstaller"]
