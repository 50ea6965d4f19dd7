"""A turn's score rises with the words of any turn near it, and of no other."""

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.recall.conversation import REACH, HitSession, impact, score

LENGTH = 12
SCORES = st.dictionaries(st.integers(0, LENGTH - 1), st.floats(0, 2), max_size=LENGTH)
ASKS = st.binary(min_size=LENGTH, max_size=LENGTH).map(lambda raw: bytes(b & 1 for b in raw))


def hit(own: dict[int, float], asks: bytes) -> HitSession:
    return HitSession(asks, (0, 0), own=own)


@given(SCORES, ASKS, st.integers(0, LENGTH - 1), st.integers(0, LENGTH - 1), st.floats(0.1, 1))
def test_more_words_near_it_raise_a_turn(
    own: dict[int, float], asks: bytes, number: int, other: int, more: float
) -> None:
    """Strictly within reach, not at all beyond; in a session without words every score is 0."""
    richer = own | {other: own.get(other, 0.0) + more}
    before, after = score(hit(own, asks), number), score(hit(richer, asks), number)

    assert (after > before) == (abs(number - other) <= REACH)
    assert score(hit({}, asks), number) == 0.0


@given(st.integers(1, 500), st.integers(1, 5_000))
def test_what_a_term_counts_fits_a_byte(count: int, more: int) -> None:
    """It rises with how often it stands there and falls with the length."""
    length = count + more
    assert 1 <= impact(count, length) <= impact(count + 1, length + 1) <= 255
    assert impact(count, length + 100) <= impact(count, length)
