"""What is looked for in a text: its words by how they stand there."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.recall.closeness import ASIDE, END, MOST_QUESTIONS, WeighedQuery, weighed
from learnt.core.tokens import words


def looked_for(text: str) -> WeighedQuery:
    """What a text asks for, by its words."""
    return weighed(text, words)


def test_the_seeds_tokens() -> None:
    """Oracle 41: stop words are left out, case is passed over."""
    text = "The Stripe webhook signature failed in production"
    expected = ["stripe", "webhook", "signature", "failed", "production"]
    assert expected == words(text) == list(looked_for(text).whole)


def test_a_word_that_repeats_weighs_more_by_the_logarithm() -> None:
    """Not in proportion: a pasted log would ask for nothing else."""
    assert {"lock": 1 + math.log(3), "queue": 1.0} == looked_for("lock queue lock lock").whole


@pytest.mark.parametrize(
    "aside",
    [
        "```\ntraceback\n```",
        "```\ntraceback",
        f'"traceback {"o" * 40}"',
        f"“traceback {'o' * 40}”",
        f"「traceback {'锁' * 40}」",
    ],
)
def test_what_is_fenced_or_quoted_at_length_weighs_less(aside: str) -> None:
    """It is pasted; a short quotation is the person's own words."""
    weights = looked_for(f"deadlock in the pool\n{aside}").whole
    assert (1.0, ASIDE) == (weights["deadlock"], weights["traceback"])
    assert 1.0 == looked_for('deadlock "traceback" now').whole["traceback"]


def test_a_word_that_is_said_and_quoted_counts_as_said() -> None:
    """Both times it stands there."""
    assert 1 + math.log(2) == looked_for("the traceback\n```\ntraceback\n```").whole["traceback"]


def test_identifiers_are_split_and_kept_whole() -> None:
    """Each spelling finds the others."""
    assert {"createuser", "create", "user"} == looked_for("create_user createUser").whole.keys()


def test_pairs_with_a_particle_weigh_less() -> None:
    """What asks, points or links in Chinese is part of nearly every message."""
    weights = looked_for("数据库的端口").whole
    assert {"数据": 1.0, "据库": 1.0, "库的": ASIDE, "的端": ASIDE, "端口": 1.0} == weights


def test_each_question_is_looked_for_by_itself() -> None:
    """Besides the whole; a text that asks nothing is its own question."""
    found = looked_for("The pool hangs. Which port is open? And who restarts workers?")
    assert [{"port", "open"}, {"restarts", "workers"}] == [set(q) for q in found.questions]
    assert {"pool", "hangs", "port", "open", "restarts", "workers"} == found.whole.keys()
    calm = looked_for("The pool hangs.")
    assert (calm.whole,) == calm.questions


def test_many_questions_are_the_last_ones() -> None:
    """What is asked last is what is wanted."""
    found = looked_for(" ".join(f"is{n} ok{n}?" for n in range(9)))
    assert MOST_QUESTIONS == len(found.questions)
    assert {"is8", "ok8"} <= {word.replace(" ", "") for word in found.questions[-1]}


def test_of_a_very_long_text_both_ends_are_looked_for() -> None:
    """A question at the end of a paste is found, and the middle costs nothing."""
    found = looked_for("begins " + "x " * END + "middle " + "x " * END + "which port?").whole
    assert {"begins", "port"} <= found.keys()
    assert "middle" not in found


@given(st.text(max_size=300))
def test_any_text_may_be_asked_for(text: str) -> None:
    """Each word has a weight above 0, and no question asks for what the text does not hold."""
    found = looked_for(text)
    assert set(words(text)) >= found.whole.keys()
    assert all(weight > 0 for weight in found.whole.values())
    assert found.questions
    assert all(set(weights) <= set(found.whole) for weights in found.questions)
