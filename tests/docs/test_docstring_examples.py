"""Every example in a docstring is true."""

import doctest
import importlib
import pkgutil

import pytest

import learnt

MODULES = sorted(module.name for module in pkgutil.walk_packages(learnt.__path__, prefix="learnt."))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    """As they stand, in a module of its own."""
    module = importlib.import_module(name)

    failures, _ = doctest.testmod(module, raise_on_error=False)

    assert 0 == failures


def test_every_formula_shows_an_example() -> None:
    """Each public function of the core that computes from plain values has one."""
    finder = doctest.DocTestFinder(exclude_empty=False)
    examples = {
        test.name
        for name in MODULES
        if name.startswith("learnt.core")
        for test in finder.find(importlib.import_module(name))
        if test.examples
    }

    assert {
        "learnt.core.identifiers.event_id",
        "learnt.core.events.next_stamp",
        "learnt.core.tokens.words",
        "learnt.core.recall.routing.should_recall",
        "learnt.core.recall.ranking.weight",
        "learnt.core.recall.eligibility.pack",
        "learnt.core.recall.eligibility.draw",
        "learnt.core.safety.redact",
        "learnt.core.knowledge.drafts.normalised",
    } <= examples
    assert 40 <= len(examples)
