"""A home in which nothing can be written: databases are asked all the same."""

import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.answers import Said
from tests.support.disks import small_disk
from tests.support.homes import Home


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE room (id INTEGER PRIMARY KEY)")
    return path


@pytest.fixture
def read_only(home: Home, file: Path, tmp_path: Path) -> Iterator[Home]:
    """A home on a disk that was made read-only after a set-up; its list of tables is not there."""
    with small_disk(tmp_path, 4_000) as disk:
        home.path = disk / "home"
        set_up(home, file)
        for one in (home.path / "database" / "structure").iterdir():
            one.unlink()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        yield home


def set_up(home: Home, file: Path) -> None:
    said = home.here("db", "setup", "--name", "shop", "--url", f"sqlite:///{file}")
    assert 0 == said.exit_code, said


def names(said: Said) -> list[str]:
    return [one["name"] for one in said.json["objects"]]


def test_what_the_server_says_is_shown(read_only: Home) -> None:
    """As JSON and for people; that it could not be kept, and why, is said beside it."""
    for words in (("structure",), ("structure", "--fresh", "--tables", "ROOM"), ("index",)):
        said = read_only.cli("db", *words, "--json")
        assert (0, ["room"]) == (said.exit_code, names(said)), said
        for part in ("could not be kept", str(read_only.path), "Read-only file system"):
            assert part in said.errors
        assert 1 == len(said.errors.splitlines())
    said = read_only.cli("db", "structure")
    assert (0, True) == (said.exit_code, said.output.startswith("table room\n"))
    assert "could not be kept" in said.errors


def test_a_question_is_answered(read_only: Home) -> None:
    """Or fails as ever; nothing is said of what cannot be kept, since nobody asked for that."""
    said = read_only.cli("db", "query", "--sql", "SELECT count(*) AS n FROM room", "--json")
    assert (0, [[0]], "") == (said.exit_code, said.json["rows"], said.errors)
    said = read_only.cli("db", "query", "--sql", "SELECT rate FROM room", "--json")
    assert (1, ["failed"], "") == (said.exit_code, list(said.json), said.errors)


def test_a_name_that_nothing_has_is_still_missing(read_only: Home) -> None:
    """With its own exit code."""
    said = read_only.cli("db", "structure", "--tables", "gone", "--json")
    assert (1, ["gone"]) == (said.exit_code, said.json["missing"])


def test_what_is_kept_of_a_dropped_table_and_cannot_be_forgotten(home: Home, file: Path) -> None:
    """The server says that it is gone, whatever is kept."""
    set_up(home, file)
    folder = home.path / "database" / "structure"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("DROP TABLE room")
    for one in folder.iterdir():
        text = one.read_text("utf-8")
        one.unlink()
        if '"name": "room"' in text and '"objects"' not in text:
            one.mkdir()
    said = home.here("db", "structure", "--tables", "room", "--fresh", "--json")
    assert (1, ["room"]) == (said.exit_code, said.json["missing"])
    assert "could not be kept" in said.errors
