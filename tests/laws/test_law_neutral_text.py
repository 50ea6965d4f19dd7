"""Nothing that stands inside a fence can close it, open another or run anything."""

import re

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Stage
from learnt.core.safety import neutralise
from learnt.core.visible_text import visible
from learnt.formats.injection import FENCE, Note, day, render
from tests.laws.strategies import texts

_DANGER = re.compile(r"<[/!?]?[A-Za-z]|!`|```!|\$ARGUMENTS")


@given(texts)
def test_neutral_text_holds_no_tag_no_command_and_no_slot(text: str) -> None:
    """Whatever the text, and nothing hidden either."""
    neutral = neutralise(text)

    assert _DANGER.search(neutral) is None
    assert FENCE not in neutral or f"<{FENCE}" not in neutral
    assert neutral == visible(neutral)
    assert neutral == neutralise(neutral)


_notes = st.builds(
    Note,
    id=st.just(EntryId("e-065wzsb8000000")),
    stage=st.sampled_from(Stage),
    actor=st.sampled_from(Actor),
    kept_ms=st.integers(0, 4_102_444_800_000),
    problem=texts,
    approach=texts,
    cautions=st.lists(texts, max_size=2).map(tuple),
    tags=st.lists(texts, max_size=2).map(tuple),
)


@given(st.lists(_notes, min_size=1, max_size=3))
def test_a_block_opens_once_and_closes_once(notes: list[Note]) -> None:
    """Each note begins one line, and every other line of it is indented."""
    lines = render(notes).split("\n")
    begun = [line for line in lines[2:-1] if not line.startswith("   ")]

    assert (f"<{FENCE}>", f"</{FENCE}>") == (lines[0], lines[-1])
    assert _DANGER.search("\n".join(lines[1:-1])) is None
    heads = [f"00000 {note.trust} {day(note.kept_ms)}" for note in notes]
    assert heads == [line.partition(": ")[0] for line in begun]
