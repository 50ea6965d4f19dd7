"""What was said in sessions is found by its meaning as well."""

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from learnt.flows.recall.meaning import said_in_project, vectorise
from learnt.ports import Dense
from tests.flows.test_past_sessions import ASKED, ORDERS, found, read
from tests.support.in_memory_vectors import InMemoryVectors, ScriptedEmbedder
from tests.support.sessions_told import Home

SAID, OTHER = "It listens on 8443.", "Done counting."
QUESTION = "where does traffic come in?"
SCRIPT = {ASKED["prompt"]: [0.7, 0.3], SAID: [1.0, 0.0], OTHER: [0.0, 1.0], QUESTION: [1.0, 0.1],
          ORDERS["prompt"]: [0.1, 0.9]}  # fmt: skip


@pytest.fixture
def home() -> Home:
    """A home with an embedder, and a session that was read in."""
    home = Home()
    home.session("s1", [ASKED, ORDERS])
    read(home)
    store = InMemoryVectors()
    home.outside = replace(home.outside, dense=Dense(ScriptedEmbedder(SCRIPT), lambda model: store))
    return home


def test_a_turn_is_found_that_shares_no_word_with_the_question(home: Home) -> None:
    """What was said nearest to it first; nothing before it has a vector."""
    assert home.outside.dense is not None
    assert [] == found(home, QUESTION)
    assert (4, 0, 0) == vectorise(home.outside, home.outside.dense)
    assert SAID == found(home, QUESTION)[0].text
    assert [] == found(home, QUESTION, "/projects/elsewhere")


def test_a_turn_that_is_searched_no_more_loses_its_vector(home: Home) -> None:
    """Erased while vectors are made, it has none; later it loses the one that it has."""
    dense = home.outside.dense
    assert dense is not None
    vectorise(home.outside, dense)
    project = home.outside.past.known()[0].project
    assert {said_in_project(project)} == {held.scope for held in dense.vectors("").held()}
    home.outside.past.erase(["s1"], {})
    vectorise(home.outside, dense)
    assert frozenset() == dense.vectors("").held()

    class Slow(ScriptedEmbedder):
        def embed(self, texts: Sequence[str], *, question: bool = False) -> list[list[float]]:
            home.outside.past.erase(["s2"], {})
            return [[1.0, 0.0] for _ in texts]

    home.session("s2", [ASKED, ORDERS])
    read(home)
    dense.embedder = Slow()
    vectorise(home.outside, dense)
    assert frozenset() == dense.vectors("").held()
