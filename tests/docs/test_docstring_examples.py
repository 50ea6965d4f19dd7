"""Every example in a docstring is true."""

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import learnt

MODULES = sorted(module.name for module in pkgutil.walk_packages(learnt.__path__, prefix="learnt."))
PACKAGE = Path(learnt.__file__).parent


def shows_an_example(name: str) -> bool:
    """Whether a prompt stands in a module's source."""
    path = PACKAGE.joinpath(*name.split(".")[1:])
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ">>> " in file.read_text(encoding="utf-8")


def test_every_module_can_be_imported() -> None:
    """Those without an example, too."""
    for name in MODULES:
        importlib.import_module(name)


@pytest.mark.parametrize("name", [name for name in MODULES if shows_an_example(name)])
def test_the_examples_of_a_module_run(name: str) -> None:
    """As they stand, in a module of its own."""
    module = importlib.import_module(name)

    failures, _ = doctest.testmod(module, raise_on_error=False)

    assert 0 == failures


def test_every_formula_shows_an_example() -> None:
    """Each public function of the core that computes from plain values has one."""
    finder = doctest.DocTestFinder()
    examples = {
        test.name
        for name in MODULES
        if name.startswith("learnt.core") and shows_an_example(name)
        for test in finder.find(importlib.import_module(name))
        if test.examples
    }

    assert {
        "learnt.core.identifiers.event_id",
        "learnt.core.events.next_stamp",
        "learnt.core.tokens.words",
        "learnt.core.recall.asking.should_recall",
        "learnt.core.recall.ranking.weight",
        "learnt.core.recall.eligibility.pack",
        "learnt.core.recall.eligibility.draw",
        "learnt.core.safety.redact",
        "learnt.core.knowledge.drafts.normalised",
    } <= examples
    assert 40 <= len(examples)
