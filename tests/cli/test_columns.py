"""Tables on a terminal: columns below each other, whatever stands in them."""

import sqlite3
from contextlib import closing
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from learnt.surfaces.cli.screen import fitting, table
from tests.support.homes import Home

# Characters by the places that terminals give them, from the tables of what is wide.
PLACES = {"a": 1, "é": 1, "·": 1, "…": 1, "я": 1, " ": 1, "ｱ": 1}
PLACES |= dict.fromkeys("套房間カ한！Ａ😀", 2) | dict.fromkeys("\u0301\u0308\u20dd\ufe0f\u0e31", 0)
TEXTS = st.text(st.sampled_from(sorted(PLACES)), max_size=12)


def places(text: str) -> int:
    return sum(PLACES[character] for character in text)


@given(st.integers(1, 5).flatmap(lambda n: st.lists(st.lists(TEXTS, min_size=n, max_size=n))))
def test_all_lines_take_the_same_places(rows: list[list[str]]) -> None:
    """Each is as wide as its columns' widest cells and what is between them."""
    lines = table(rows)
    assert len(rows) == len(lines)
    widest = [max(map(places, column)) for column in zip(*rows, strict=True)]
    assert {sum(widest) + 2 * (len(widest) - 1)} >= set(map(places, lines))


@given(TEXTS, st.integers(1, 20))
def test_what_is_cut_fits(text: str, room: int) -> None:
    """And begins as it did; what fits is left as it is."""
    cut = fitting(text, room)
    assert places(cut) <= room
    assert text == cut if places(text) <= room else text.startswith(cut.removesuffix("…"))


def test_an_answer_stands_in_columns(home: Home, tmp_path: Path) -> None:
    """Also where a long cell is cut."""
    file = tmp_path / "shop.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE room (name TEXT, rate TEXT)")
        connection.executemany(
            "INSERT INTO room VALUES (?, 'x')", [("套房",), ("single",), ("é",), ("房" * 50,)]
        )
        connection.commit()
    home.here("db", "setup", "--name", "shop", "--url", f"sqlite:///{file}")
    lines = home.here("db", "query", "--sql", "SELECT name, rate FROM room").output.splitlines()
    assert ["name" + " " * 57 + "rate", "套房" + " " * 57 + "x"] == lines[:2]
    assert {61} == {places(line[:-1]) for line in lines[1:5] if set(line) <= set(PLACES) | {"x"}}
