"""Which words of a prompt are searched for: of a long one not the first alone."""

import time

import pytest

from learnt.core.recall.asking import END, MOST_TERMS, SHORT, sought

QUESTION = "why does the kafka consumer rebalance after the constructor timeout"
LOG = "\n".join(f"07:00:{n:02} INFO tick{n} tock{n} drained{n} cheerfully" for n in range(330))
TELLING = {"kafka", "consumer", "rebalance", "constructor", "timeout"}


def test_all_of_a_short_prompt_is_searched_for() -> None:
    """Each word with its parts; stop words are not."""
    what = sought("the WebSocket closed", str)

    assert (("websocket", "web", "socket"), ("closed",)) == what.words
    assert ["websocket", "web", "socket", "closed"] == what.terms
    assert frozenset() == what.pasted


@pytest.mark.parametrize(
    "prompt",
    [
        f"{QUESTION}\n{LOG}",
        f"{LOG}\n{QUESTION}",
        f"{LOG}\n{QUESTION}?\n{LOG}",
        f"{LOG}\nFATAL: {QUESTION}\n{LOG}",
    ],
)
def test_of_a_long_one_beginning_end_questions_and_errors_are(prompt: str) -> None:
    """Wherever what matters stands among 20,000 characters of a paste."""
    what = sought(prompt, str)

    assert set(what.terms) >= TELLING
    assert len(what.terms) <= MOST_TERMS


@pytest.mark.parametrize("prompt", [f"{QUESTION}\n{LOG}", f"{LOG}\n{QUESTION}"])
def test_what_was_pasted_is_told_apart(prompt: str) -> None:
    """What was typed at the beginning or the end is not; the paste's own words are."""
    what = sought(prompt, str)

    assert not what.pasted & TELLING
    assert any(term.startswith("tick") for term in what.pasted)


@pytest.mark.parametrize(
    "prompt",
    ["", "?", "\n\n", "😀", "x" * 1_000_000, "?\n" * 200_000, "锁" * 400_000, "العربية " * 50_000],
)
def test_any_prompt_is_read_soon(prompt: str) -> None:
    """A million characters take no longer than a few thousand."""
    began = time.process_time()

    assert len(sought(prompt, str).terms) <= MOST_TERMS
    assert time.process_time() - began < 1.0


def test_the_parts_are_these() -> None:
    """Measured on the labelled prompts; a change needs its benchmark run again."""
    assert (64, 800, 300) == (MOST_TERMS, SHORT, END)
