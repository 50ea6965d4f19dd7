"""Where a fact belongs: its layer, the topic that stands for it, and what it may lead up to.

Seed 000's four layers. Experience with tools has none of its own: it annotates the queries or the
flows that it is about.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from learnt.core.words import SIGNS


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
_QUERIES: Final = re.compile(SIGNS["queries"], re.IGNORECASE)
# A finished investigation distils upward: from what is there, to what to ask, to how to proceed.
_UPWARD: Final = ((Layer.STRUCTURE, Layer.QUERIES), (Layer.QUERIES, Layer.FLOWS))
_ENOUGH_TO_RISE: Final = 2
KIND_ABOVE: Final[Mapping[Layer, str]] = {
    Layer.QUERIES: "query_pattern",
    Layer.FLOWS: "procedure",
}


NONE_ADDED: Final[Mapping[str, Layer]] = {}


def layer(kind: str, text: str, added: Mapping[str, Layer] = NONE_ADDED) -> Layer:
    """The layer of a fact; a kind that nobody named belongs to the flows.

    `added` are the layers of the kinds that domains add.

    >>> str(layer("schema", "")), str(layer("tool_experience", "EXPLAIN lies on views"))
    ('schema_map', 'query_patterns')
    """
    if kind == "tool_experience":
        return Layer.QUERIES if _QUERIES.search(text) else Layer.FLOWS
    return _OF_KIND.get(kind) or added.get(kind, Layer.FLOWS)


def upward(counts: Mapping[Layer, int]) -> Layer | None:
    """The layer that a session's facts about one thing may lead to next; None where there is none.

    Two of one layer and none of the next are a reason to ask for it.

    >>> upward({Layer.STRUCTURE: 2}), upward({Layer.STRUCTURE: 2, Layer.QUERIES: 1})
    (<Layer.QUERIES: 'query_patterns'>, None)
    """
    for below, above in _UPWARD:
        if counts.get(below, 0) >= _ENOUGH_TO_RISE and not counts.get(above, 0):
            return above
    return None
