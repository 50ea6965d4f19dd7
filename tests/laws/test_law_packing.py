"""What is put into a prompt never exceeds the budget."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Stage
from learnt.core.recall.eligibility import MOST_CHARACTERS, MOST_TOKENS, fits, pack
from learnt.core.tokens import estimate
from learnt.formats.injection import Note, render

_texts = st.builds(
    lambda piece, times: piece * times,
    st.sampled_from(["x", "word ", "锁", "<b>", "é\n"]),
    st.integers(0, 4_000),
)


def note(text: str) -> Note:
    """An entry with a text."""
    return Note(
        id=EntryId("e-1"),
        stage=Stage.VALIDATED,
        actor=Actor.HUMAN,
        kept_ms=0,
        problem="p",
        approach=text,
    )


@given(st.lists(_texts.map(note), max_size=6), st.integers(0, 4))
def test_a_packed_block_fits(notes: list[Note], most: int) -> None:
    """With its fence, its head and what escaping added."""
    shown = pack(notes, render, most)
    text = render(shown)

    assert len(shown) <= most
    assert len(text) <= MOST_CHARACTERS and estimate(text) <= MOST_TOKENS
    assert shown == [item for item in notes if any(item is kept for kept in shown)][: len(shown)]


@given(st.lists(st.text(max_size=3), max_size=6), st.integers(0, 6))
def test_nothing_that_fits_is_left_out(items: list[str], most: int) -> None:
    """While there is room, the first ones are taken as they come."""

    def joined(texts: Sequence[str]) -> str:
        return "".join(texts)

    assert items[:most] == pack(items, joined, most)


@given(st.text(max_size=50), st.text(max_size=50))
def test_a_longer_text_is_no_fewer_tokens(one: str, other: str) -> None:
    """Nor can two that do not fit apart fit together."""
    assert max(estimate(one), estimate(other)) <= estimate(one + other)
    assert fits(one + other)
