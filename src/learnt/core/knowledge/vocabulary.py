"""The kinds that are known in a home: Learnt's own, and those of the domains that are enabled."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from learnt.core.knowledge.kinds import KINDS, Policy, policy
from learnt.core.knowledge.placement import NONE_ADDED, Layer, layer


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Each kind's policy, and the layers of the kinds that domains add."""

    policies: Mapping[str, Policy]
    layers: Mapping[str, Layer]

    def knows(self, kind: str) -> bool:
        """Whether entries of a kind may be captured."""
        return kind in self.policies

    def short(self, kind: str) -> str:
        """A kind's name for narrow columns; that of one that is not known is its own."""
        return policy(kind, self.policies).short

    def layer(self, kind: str, text: str) -> Layer:
        """The layer of a fact."""
        return layer(kind, text, self.layers)


OWN: Final = Vocabulary(policies=KINDS, layers=NONE_ADDED)


def widened(by: Mapping[str, tuple[Policy, Layer]]) -> Vocabulary:
    """Learnt's own kinds, and those of domains; what is Learnt's own stays as it is.

    >>> known = widened({"payoff": (Policy(0.02, "payoff"), Layer.RULES)})
    >>> known.knows("payoff"), OWN.knows("payoff"), str(known.layer("payoff", ""))
    (True, False, 'business_rules')
    """
    policies = {kind: one for kind, (one, _) in by.items()}
    return Vocabulary(
        policies=MappingProxyType({**policies, **KINDS}),
        layers=MappingProxyType({kind: at for kind, (_, at) in by.items()}),
    )
