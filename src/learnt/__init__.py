"""Learnt: what a coding agent learnt once, recalled where it helps, under its user's control."""

TYPE_CHECKING = False  # as type checkers know it; `typing` itself takes as long as all the rest
if TYPE_CHECKING:
    from learnt.errors import LearntError
    from learnt.surfaces.api.agents_home import Home
    from learnt.surfaces.api.evolver import ContinualLearningLoop
    from learnt.surfaces.api.skills import (
        SkillInjector,
        SkillInstaller,
        SkillMeta,
        SkillRecord,
        SkillRegistry,
        Task,
    )

__version__ = "0.1.0"
__all__ = [
    "ContinualLearningLoop",
    "Home",
    "LearntError",
    "SkillInjector",
    "SkillInstaller",
    "SkillMeta",
    "SkillRecord",
    "SkillRegistry",
    "Task",
    "__version__",
]

_PLACES = {
    "ContinualLearningLoop": "surfaces.api.evolver",
    "Home": "surfaces.api.agents_home",
    "LearntError": "errors",
}


if not TYPE_CHECKING:  # a type checker is to find names that there are not

    def __getattr__(name: str) -> object:
        """A public name, loaded when it is first asked for: `import learnt` loads nothing else."""
        if name not in __all__:
            raise AttributeError(f"module 'learnt' has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"learnt.{_PLACES.get(name, 'surfaces.api.skills')}"), name)


def __dir__() -> list[str]:
    return __all__
