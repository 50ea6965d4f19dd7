"""The bandits domain: four seed skills about regret, one with a simulation."""

from typing import Final

from learnt.domain_ports import Domain, SeedSkill

DOMAIN: Final = Domain(
    name="bandits",
    skills=tuple(
        SeedSkill(name=name, package="learnt.domains.bandits", folder=f"skills/{name}")
        for name in (
            "bandit-simulation",
            "lower-bound-construction",
            "thompson-sampling-analysis",
            "ucb-regret-analysis",
        )
    ),
)
