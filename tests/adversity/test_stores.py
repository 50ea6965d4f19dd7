"""Every file of a home that used every feature is in the table of stores; a purge empties it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.recall.vectors import VectorPlace
from learnt.domains.database.servers.connections import PASSWORDS
from learnt.settings import Settings
from learnt.stores.private_files import DiskPrivateFiles
from learnt.stores.sqlite_vectors import SqliteVectors
from learnt.stores.traces import STORES, VECTORS, Purging
from tests.adversity.test_canary import PLACES, WORD, purge
from tests.golden.script import ACTS, ended
from tests.golden.stage import Stage
from tests.support.homes import Home, wait_until
from tests.support.left_behind import holding

OTHER = "kestrel7301"


def files(home: Home) -> set[str]:
    """Every file of the home, by its path below it."""
    found = (path for path in home.path.rglob("*") if not path.is_dir())
    return {str(path.relative_to(home.path)) for path in found}


def stays(name: str) -> bool:
    """Whether the table says that a purge of everything leaves the file."""
    purging = STORES[Path(name).parts[0]][1] if Path(name).parts[0] in STORES else None
    return purging in {Purging.INSIDE, Purging.NAMED, Purging.NOTHING}


def test_no_file_of_a_home_is_outside_of_the_table(home: Home) -> None:
    """Every command was called: what no row covers and no domain erases would be left behind."""
    stage = Stage(home, as_json=True)
    for act in ACTS:
        if act is not ended:
            act(stage)
    for put in PLACES.values():
        put(home, WORD)
    home.here("worker", "stop")
    wait_until(lambda: not home.processes(), "its jobs, which read the skills again")
    in_vectors(home)
    mine = home.path / "skills" / "mine.md"
    mine.parent.mkdir()
    mine.write_text(f"# Mind the {WORD}", encoding="utf-8")
    with opened(Settings(home=home.path)):  # SQLite's own files are there as long as it is open
        assert {name for name in STORES if (home.path / name).exists()} == set(STORES)
    assert any(name.startswith("database/") for name in files(home))
    told = home.purge("--text", WORD, "--json")
    assert told.json["not_ours"] == [str(mine)]
    assert holding(home, WORD) == ["skills/mine.md"]
    assert home.purge("--everything").exit_code == 0

    assert {name for name in files(home) if not stays(name)} == set()
    home.verify()


def in_vectors(home: Home) -> None:
    """A vector, as the search by meaning keeps it."""
    placed = VectorPlace("e-1", "a digest", "", "validated")
    SqliteVectors(home.path / VECTORS, "a model").put([(placed, [0.6, 0.8])])


def database(home: Home, name: str) -> None:
    """A database of that name with a table of that name, set up, its structure looked at."""
    path = home.folder / "shop.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE IF NOT EXISTS t_{name} (id INTEGER)")
    home.here("db", "setup", "--name", name, "--url", f"sqlite:///{path}")
    assert home.here("db", "structure", "--name", name).exit_code == 0
    passwords = DiskPrivateFiles(home.path / PASSWORDS)
    passwords.write(name, "of nobody's concern")
    assert len(holding(home, name)) >= 3, "a connection, the list, the table"


@pytest.mark.parametrize("words", [("--everything",), ("--text", WORD)])
def test_what_a_domain_keeps_is_purged_also_where_it_is_not_enabled(
    home: Home, words: tuple[str, ...]
) -> None:
    """Connections with their passwords, and the structure; by words another database's stays."""
    database(home, OTHER)
    (home.folder / "shop.db").unlink()
    database(home, WORD)
    (home.path / "config.toml").unlink(missing_ok=True)
    purge(home, *words)

    everything = words == ("--everything",)
    assert holding(home, WORD) == []
    assert (holding(home, OTHER) == []) == everything
    passwords = DiskPrivateFiles(home.path / PASSWORDS)
    assert (passwords.read(WORD), passwords.read(OTHER) is None) == (None, everything)


SESSION = "7f1c3a52-1d0e-4c8e-9b1a-2f6d5c0b7e11"


def in_sessions(home: Home) -> None:
    """An entry that the session showed, another that goes on from it, its end in the spool."""
    home.remember()
    home.start_worker()
    home.answered(session=SESSION)
    home.fire("SessionStart", home.payload("SessionStart", SESSION, source="startup"))
    home.fire("SessionEnd", home.payload("SessionEnd", SESSION, reason="clear"))
    home.fire("SessionStart", home.payload("SessionStart", "after", source="clear"))
    home.drained()
    home.here("worker", "stop")
    home.fire("SessionEnd", home.payload("SessionEnd", SESSION, reason="other"))
    assert holding(home, SESSION)


@pytest.mark.parametrize("words", [("--everything",), ("--session", SESSION)])
def test_a_purged_sessions_name_is_nowhere(home: Home, words: tuple[str, ...]) -> None:
    """A keyed hash stands in its place, all adds up, and the same purge may be called again."""
    in_sessions(home)
    purge(home, *words)

    assert holding(home, SESSION) == []
    home.verify()
    purge(home, *words)
    assert holding(home, SESSION) == []
    home.fire("Stop", home.payload("Stop", SESSION))
    home.take_in()
    purge(home, *words)
    assert holding(home, SESSION) == []
    home.verify()
