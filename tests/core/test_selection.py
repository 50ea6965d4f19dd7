"""Which skills go into a prompt: none that only its user starts, whatever asks for it."""

from collections.abc import Collection, Mapping

import pytest

from learnt.core.skills.selection import Strategy, select
from learnt.core.skills.skills import GUARDED, Finding, Severity, Skill, SkillLayer

GUARD = (Finding(rule=GUARDED, severity=Severity.WARNING, message=""),)


def skill(name: str, *, guard: tuple[Finding, ...] = (), withheld: str = "") -> Skill:
    """A skill of a role, which fits the text and is used, the more so if it is not offered."""
    often = 9 if guard or withheld else 1
    return Skill(
        name, "", f"/s/{name}", "", SkillLayer.USER, roles=("writer",), findings=guard,
        usage_count=often, withheld=withheld,
    )  # fmt: skip


def scores(files: Collection[str] | None) -> Mapping[str, float]:
    """What is not offered fits best."""
    return {"/s/free": 1.0, "/s/guarded": 9.0, "/s/withheld": 9.0}


@pytest.mark.parametrize("pinned", [(), ("guarded", "withheld")])
@pytest.mark.parametrize("strategy", ["tag", "semantic", "hybrid"])
def test_what_is_guarded_or_withheld_is_never_chosen(
    strategy: Strategy, pinned: tuple[str, ...]
) -> None:
    """By tags, by the text, by both, and where a skill is pinned by name."""
    skills = [skill("free"), skill("guarded", guard=GUARD), skill("withheld", withheld="changed")]
    known = {each.name: each for each in skills}
    chosen = select(known, pinned, ("writer", ""), scores, k=3, strategy=strategy)

    assert ["free"] == [each.name for each in chosen.skills]
