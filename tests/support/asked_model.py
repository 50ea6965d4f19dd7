"""A scripted model that was asked, for tests of what is left of that."""

from learnt.bootstrap import opened
from learnt.core.governance.model_calls import Budget, Question
from learnt.flows.governance.ask_model import ask
from learnt.settings import Settings
from tests.support.homes import Home
from tests.support.in_memory_model import ScriptedModel


def in_a_models_question(home: Home, word: str) -> None:
    """A word in what a model was asked and in what it answered."""
    said = Question("Be brief.", f"Why does the parser break on {word} again?")
    with opened(Settings(home=home.path)) as outside:
        ask(outside, ScriptedModel([f"Quote {word} twice"]), Budget(9_000, 0), said, "distil")
