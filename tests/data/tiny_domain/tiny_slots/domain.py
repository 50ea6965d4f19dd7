"""Slot machines with many arms: what each pays, and a skill for choosing one."""

import re
from collections.abc import Sequence

import click

from learnt.core.knowledge.signals import Measured, Worked
from learnt.core.knowledge.topics import Layer
from learnt.core.records import member, text_of
from learnt.domain_ports import (
    NOTHING,
    About,
    Command,
    Domain,
    DomainHome,
    DomainKind,
    Extracted,
    SeedSkill,
    ToolCall,
)

_MEAN = re.compile(r"mean (-?\d{1,9}(?:\.\d{1,9})?)")
_PAYOFF = ("payoff",)
_ARM = re.compile(r"\barm-\d{1,4}\b")


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


def spoken(text: str, home: DomainHome) -> About:
    """Which arms a sentence is about; one that says what they pay is a payoff."""
    return About(entities=tuple(_ARM.findall(text)), kind="payoff" if "pays" in text else "")


@click.command()
@click.argument("arms", nargs=-1)
def ordered(arms: Sequence[str]) -> None:
    """Print the arms in order."""
    click.echo(" ".join(sorted(arms)))


DOMAIN = Domain(
    name="slots",
    kinds={"payoff": DomainKind(rate=0.02, layer=Layer.RULES)},
    extractors=(pulled,),
    text_extractors=(spoken,),
    commands={"arms": Command(summary="Arms in order.", load=lambda: ordered)},
    skills=(SeedSkill(name="pick-an-arm", package="tiny_slots", folder="skills/pick-an-arm"),),
)
