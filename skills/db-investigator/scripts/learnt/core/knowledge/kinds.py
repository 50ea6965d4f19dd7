"""The kinds of entries and how fast each fades while nobody confirms it.

Rates a day; but for procedures and solutions they are seed 000's. Domains add kinds of their own.
This file goes along with an exported folder and runs on Python 3.8.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class Policy(NamedTuple):
    """How entries of a kind fade: `rate` a day, and a `short` name for narrow columns."""

    rate: float
    short: str


KINDS: Final[Mapping[str, Policy]] = MappingProxyType({
    "schema": Policy(0.003, "schema"),
    "tool_experience": Policy(0.005, "tool_exp"),
    "business_rule": Policy(0.008, "biz_rule"),
    "rule": Policy(0.008, "rule"),
    "procedure": Policy(0.008, "procedure"),
    "solution": Policy(0.010, "solution"),
    "query_pattern": Policy(0.015, "qry_pat"),
    "data_range": Policy(0.035, "data_rng"),
    "data_snapshot": Policy(0.050, "data_snap"),
})
RULE: Final = "rule"  # of how work is done; a person's alone
# Of a kind whose domain is not enabled: as a solution, since nothing can check it meanwhile.
UNKNOWN_RATE: Final = 0.010


def policy(kind: str, kinds: Mapping[str, Policy] = KINDS) -> Policy:
    """A kind's policy; one that is not known fades as solutions do and keeps its name.

    >>> policy("schema"), policy("payoff")
    (Policy(rate=0.003, short='schema'), Policy(rate=0.01, short='payoff'))
    """
    return kinds.get(kind) or Policy(UNKNOWN_RATE, kind)
