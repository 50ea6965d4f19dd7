"""The drawings that are generated: the house from its contracts, the recording from the demo."""

import re
import xml.etree.ElementTree as ElementTree

import pytest

from tools import house, recording
from tools.docs import DEMO, ROOT

IMAGES = ROOT / "docs" / "images"
SVG = "{http://www.w3.org/2000/svg}"
RED, RESET = "\x1b[31m", "\x1b[0m"


def drawn(text: str) -> list[str]:
    """The lines of a drawing, as a reader sees them."""
    root = ElementTree.fromstring(text)
    return ["".join(line.itertext()) for line in root.iter(f"{SVG}text")]


def test_the_house_is_that_of_the_contracts() -> None:
    """As it lies in the docs: every ring, floor by floor, and each other contract by its name."""
    kept = (IMAGES / "house.svg").read_text("utf-8")
    shown = "\n".join(drawn(kept))

    assert house.picture() == kept
    for rings in house.floors(house.contracts()):
        assert all(ring.replace("_", " ") in shown for ring in rings)
    assert all(f"· {c['name']}" in shown for c in house.contracts() if c["type"] != "layers")


def test_a_ring_of_which_nothing_is_told_is_an_error() -> None:
    """Whoever adds one says what it holds."""
    with pytest.raises(ValueError, match=r"the ring cellar: tell in tools/house\.py"):
        house.drawing([{"type": "layers", "name": "Rings", "layers": ["learnt.cellar"]}])


def test_the_recording_shows_what_the_page_of_the_demo_does() -> None:
    """Each of its rows, but for a new file's, of which both leave out lines; still unless asked."""
    text = (IMAGES / "demo.svg").read_text("utf-8")
    page = re.sub(r"\s+", "", DEMO.read_text("utf-8"))
    rows = [re.sub(r"\s+", "", row) for row in drawn(text)]
    file = next(at for at, row in enumerate(rows) if row.startswith("@@"))
    after = next(at for at, row in enumerate(rows) if at > file and row.startswith("…("))
    told = [row for row in rows[:file] + rows[after + 1 :] if not row.startswith("…(")]

    assert len(told) > 100 and [] == [row for row in told if row not in page]
    assert any("puts before the agent" in row for row in drawn(text))
    assert "prefers-color-scheme: dark" in text
    assert "animation" not in text.partition("@media (prefers-reduced-motion: no-preference)")[0]
    assert 1 == text.count('class="screen still"')


def test_a_style_lasts_until_it_is_taken_back() -> None:
    """Over the end of a line as well; what is no style is no part of it."""
    svg = recording.picture(recording.marked(f"a{RED}b\nc{RESET}d"))

    assert ["ab", "cd"] == drawn(svg)
    assert 'a<tspan class="red">b</tspan>' in svg and '<tspan class="red">c</tspan>d' in svg


def test_signs_of_markup_are_text() -> None:
    """A drawing is XML."""
    assert ["<learnt-recall> & more"] == drawn(recording.picture("<learnt-recall> & more"))


def test_a_long_line_goes_on_in_the_next_row() -> None:
    """From a whole word where it has one."""
    words = "words " * 30
    assert words == "".join(drawn(recording.picture(words)))
    assert all(row.startswith("words") for row in drawn(recording.picture(words)))
    assert ["x" * recording.COLUMNS, "x"] == drawn(recording.picture("x" * 101))


def test_a_chapter_begins_a_screen_and_titles_each_of_its_own() -> None:
    """What does not fit on a screen is cut, which it says."""
    block = "\n".join(f"row {number}" for number in range(40))
    rows = drawn(recording.picture(f"── One ──\n\nshort\n\n{block}\n\n── Two ──\n\nlast"))

    assert ["── One ──", "short", "── One ──", "row 0"] == rows[:4]
    assert ["… (19 more lines)", "── Two ──", "last"] == rows[-3:]
    assert "row 20" in rows and "row 21" not in rows
