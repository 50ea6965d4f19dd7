"""An excerpt is never longer than asked, and can be written to any file."""

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.safety import excerpt
from learnt.core.visible_text import visible
from tests.laws.strategies import texts


@given(texts, st.integers(0, 80))
def test_an_excerpt_is_never_longer_than_asked(text: str, characters: int) -> None:
    """Marks of what was taken out included."""
    cut = excerpt(text, characters)

    assert len(cut) <= characters
    assert cut == visible(cut)
    assert cut == cut.encode("utf-8").decode()
    assert cut == excerpt(text, 10_000)[:characters]
