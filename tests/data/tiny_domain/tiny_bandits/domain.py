"""Slot machines with many arms: what each pays, and a skill for choosing one."""

import re

from learnt.core.json_values import member, text_of
from learnt.core.knowledge.placement import Layer
from learnt.core.knowledge.signals import Measured, Worked
from learnt.domain_ports import NOTHING, Domain, DomainKind, Extracted, SeedSkill, ToolCall

_MEAN = re.compile(r"mean (-?\d{1,9}(?:\.\d{1,9})?)")
_PAYOFF = ("payoff",)


def pulled(call: ToolCall) -> Extracted:
    """What a call of the `pull` tool shows of its arm; of any other call nothing."""
    arm = text_of(member(call.input, "arm"))
    if not call.tool.endswith("__pull") or not arm:
        return NOTHING
    if call.failed:
        return Extracted(entities=(arm,), signals=(Worked(good=False, kinds=_PAYOFF),))
    found = _MEAN.search(str(call.response))
    if found is None:
        return NOTHING
    return Extracted(entities=(arm,), signals=(Measured(value=float(found[1]), kinds=_PAYOFF),))


DOMAIN = Domain(
    name="bandits",
    kinds={"payoff": DomainKind(rate=0.02, layer=Layer.RULES)},
    extractors=(pulled,),
    skills=(SeedSkill(name="pick-an-arm", package="tiny_bandits", folder="skills/pick-an-arm"),),
)
