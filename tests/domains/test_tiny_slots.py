"""The guide's domain, tested as its author would: values in, values out."""

from pathlib import Path

import pytest
from tiny_slots.domain import DOMAIN, pulled, spoken

from learnt.core.knowledge.signals import Measured, Worked
from learnt.domain_ports import NOTHING, About, DomainHome, Extracted, ToolCall
from learnt.domains.loader import load
from tests.support.in_memory_files import InMemoryPrivateFiles


def test_a_pull_measures_its_arm() -> None:
    """By the mean that the tool prints."""
    call = ToolCall(
        tool="mcp__slots__pull", input={"arm": "arm-3"}, response="200 pulls, mean 0.61"
    )
    measured = Measured(value=0.61, kinds=("payoff",))
    assert Extracted(entities=("arm-3",), signals=(measured,)) == pulled(call)


def test_a_pull_that_fails_speaks_against_its_arm() -> None:
    """There may be no such arm any more."""
    call = ToolCall(
        tool="mcp__slots__pull", input={"arm": "arm-9"}, response="no such arm", failed=True
    )
    failed = Worked(good=False, kinds=("payoff",))
    assert Extracted(entities=("arm-9",), signals=(failed,)) == pulled(call)


@pytest.mark.parametrize(
    ("tool", "given", "response"),
    [
        ("Bash", {"command": "echo mean 5"}, "mean 5"),
        ("mcp__slots__pull", {"arm": "arm-3"}, "no numbers here"),
        ("mcp__slots__pull", None, None),
    ],
)
def test_what_it_does_not_know_shows_nothing(tool: str, given: object, response: object) -> None:
    """Whatever another tool prints."""
    assert NOTHING == pulled(ToolCall(tool=tool, input=given, response=response))  # type: ignore[arg-type]  # JSON


def test_a_sentence_is_about_the_arms_that_it_names() -> None:
    """And tells a payoff where it says what they pay."""
    home = DomainHome(folder=Path(), files=lambda name: InMemoryPrivateFiles(), now_ms=lambda: 0)
    assert About(entities=("arm-3",), kind="payoff") == spoken("arm-3 pays 0.6 a pull", home)
    assert About() == spoken("the casino closes at six", home)


def test_it_loads() -> None:
    """By its name in the settings, with nothing to complain of."""
    loaded = load(["slots"])
    assert ([DOMAIN.name], ()) == ([domain.name for domain in loaded.domains], loaded.findings)
