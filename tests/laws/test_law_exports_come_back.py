"""Whatever an export says is read back as it stood, and any file is read or refused."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from learnt.core.knowledge.brought import Brought, Bundle, EarlierMiss, Quoted, TurnedDown
from learnt.core.knowledge.entries import Stage, Standing
from learnt.formats import memories
from tests.laws.strategies import storable_text

SAID = storable_text.filter(str.strip)
LISTS = st.lists(storable_text, max_size=3).map(tuple)
NUMBERS = st.integers(0, 10**12)
COMMON = {
    "tags": LISTS,
    "id": storable_text,
    "project": storable_text,
    "everywhere": st.booleans(),
    "stage": st.sampled_from([Stage.VALIDATED, Stage.CANDIDATE]),
    "standing": st.none() | st.builds(Standing, confirmed_ms=NUMBERS, alpha=NUMBERS, beta=NUMBERS),
    "sessions": LISTS,
    "disputes": LISTS,
    "source": st.builds(Quoted, session=st.none() | SAID, position=st.none() | NUMBERS),
}
FACTS = st.builds(Brought, text=SAID, kind=storable_text, entities=LISTS, **COMMON)
SOLUTIONS = st.builds(
    Brought, problem=SAID, approach=storable_text, cautions=LISTS, language=st.none() | SAID,
    **COMMON,
)  # fmt: skip
BUNDLES = st.builds(
    Bundle,
    pieces=st.lists(FACTS | SOLUTIONS, max_size=4).map(tuple),
    misses=st.lists(st.builds(EarlierMiss, SAID, storable_text), max_size=2).map(tuple),
    turned_down=st.lists(st.builds(TurnedDown, SAID, storable_text), max_size=2).map(tuple),
)
NAMES = st.sampled_from(
    ["CLAUDE.md", "a.md", "memories.jsonl", "reuse.json", "proposals.jsonl", "x.json", "x.jsonl",
     "improvement-queue.json", "LEARNINGS.md", "rules/a.mdc", "experience-library/a/b.json"]
)  # fmt: skip


@given(BUNDLES)
def test_what_is_written_is_read_back(bundle: Bundle) -> None:
    """Each piece, miss and rejection; the place alone is the file's."""
    read = memories.parse_lines("all.jsonl", memories.rendered(bundle))
    assert [memories.rendered(Bundle(pieces=(one,))) for one in read.pieces] == [
        memories.rendered(Bundle(pieces=(one,))) for one in bundle.pieces
    ]
    assert (read.misses, read.turned_down) == (bundle.misses, bundle.turned_down)


@given(st.dictionaries(NAMES, storable_text | BUNDLES.map(memories.rendered), max_size=4))
def test_any_files_of_a_folder_are_read(files: dict[str, str]) -> None:
    """One that nobody knows is told, and breaks nothing."""
    memories.read(files, date(2026, 1, 1))
