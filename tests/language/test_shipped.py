"""The language room as flows have it: each question is answered by a module that is there."""

import inspect

import pytest

from learnt.language.shipped import ShippedLanguage
from learnt.ports import Language

QUESTIONS = sorted(
    name
    for name, _ in inspect.getmembers(Language, inspect.isfunction)
    if not name.startswith("_") and name != "warm_up"
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_is_answered(question: str) -> None:
    """Its function is named as a text, which no checker of types reads."""
    answer = getattr(ShippedLanguage(), question)
    assert answer("the port is 8443") == answer("the port is 8443")
