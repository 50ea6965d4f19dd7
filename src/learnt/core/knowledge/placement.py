"""Where a fact belongs: its layer, the topic that stands for it, and what it may lead up to.

Seed 000's four layers. Experience with tools has none of its own: it annotates the queries or the
flows that it is about.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from learnt.core.knowledge.kinds import KINDS, Policy, policy


class Layer(StrEnum):
    """Where facts are kept together; the name of the topic."""

    STRUCTURE = "schema_map"
    RULES = "business_rules"
    QUERIES = "query_patterns"
    FLOWS = "investigation_flows"


_OF_KIND: Final[Mapping[str, Layer]] = {
    "schema": Layer.STRUCTURE,
    "data_range": Layer.STRUCTURE,
    "data_snapshot": Layer.STRUCTURE,
    "business_rule": Layer.RULES,
    "query_pattern": Layer.QUERIES,
    "procedure": Layer.FLOWS,
    "solution": Layer.FLOWS,
}
# A finished investigation distils upward: from what is there, to what to ask, to how to proceed.
_UPWARD: Final = ((Layer.STRUCTURE, Layer.QUERIES), (Layer.QUERIES, Layer.FLOWS))
_ENOUGH_TO_RISE: Final = 2
KIND_ABOVE: Final = {Layer.QUERIES: "query_pattern", Layer.FLOWS: "procedure"}


def upward(counts: Mapping[Layer, int]) -> Layer | None:
    """The layer that comes next after two facts of the one below; None where it has facts.

    >>> upward({Layer.STRUCTURE: 2}), upward({Layer.STRUCTURE: 2, Layer.QUERIES: 1})
    (<Layer.QUERIES: 'query_patterns'>, None)
    """
    for below, above in _UPWARD:
        if counts.get(below, 0) >= _ENOUGH_TO_RISE and not counts.get(above, 0):
            return above
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Each kind's policy, and the layers of the kinds that domains add.

    `asks`: by which domains tell that a text speaks of queries.
    """

    policies: Mapping[str, Policy]
    layers: Mapping[str, Layer]
    asks: tuple[Callable[[str], bool], ...] = ()

    def knows(self, kind: str) -> bool:
        """Whether entries of a kind may be captured."""
        return kind in self.policies

    def short(self, kind: str) -> str:
        """A kind's name for narrow columns; that of one that is not known is its own."""
        return policy(kind, self.policies).short

    def layer(self, kind: str, text: str) -> Layer:
        """The layer of a fact; a kind that nobody named belongs to the flows.

        >>> str(OWN.layer("schema", "")), str(OWN.layer("tool_experience", "mvn hangs"))
        ('schema_map', 'investigation_flows')
        """
        if kind == "tool_experience":
            return Layer.QUERIES if any(asks(text) for asks in self.asks) else Layer.FLOWS
        return _OF_KIND.get(kind) or self.layers.get(kind, Layer.FLOWS)


OWN: Final = Vocabulary(policies=KINDS, layers={})


def widened(
    by: Mapping[str, tuple[Policy, Layer]], asks: Iterable[Callable[[str], bool]] = ()
) -> Vocabulary:
    """Learnt's own kinds, and those of domains; what is Learnt's own stays as it is.

    >>> known = widened({"payoff": (Policy(0.02, "payoff"), Layer.RULES)})
    >>> known.knows("payoff"), OWN.knows("payoff"), str(known.layer("payoff", ""))
    (True, False, 'business_rules')
    """
    policies = {kind: added for kind, (added, _) in by.items()}
    return Vocabulary(
        policies=MappingProxyType({**policies, **KINDS}),
        layers=MappingProxyType({kind: at for kind, (_, at) in by.items()}),
        asks=tuple(asks),
    )
