"""`learnt db setup` begins knowledge: the ledger, the domain in config.toml, the kept structure."""

import json
import shutil
import sqlite3
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.bootstrap import domain_home
from learnt.domains.database.schema.cache import MOST, first_look, source_of
from learnt.domains.database.servers.connections import named
from learnt.settings import load
from tests.support.answers import Said
from tests.support.homes import Home

CONFIG = "# mine\r\n[effects]\r\nshare = 0.25   # a quarter\r\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return made(tmp_path / "shop.db", "CREATE TABLE room (id INT)", "CREATE TABLE booking (id INT)")


def made(path: Path, *orders: str) -> Path:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for order in ("BEGIN", *orders, "COMMIT"):
            connection.execute(order)
    return path


def set_up(home: Home, file: Path) -> Said:
    return home.here("db", "setup", "--name", "shop", "--url", f"sqlite:///{file}")


def everything(home: Home) -> dict[str, bytes]:
    """Every file of the home."""
    return {
        str(path.relative_to(home.path)): path.read_bytes()
        for path in home.path.rglob("*")
        if path.is_file()
    }


def settings(home: Home, text: str) -> Path:
    home.path.mkdir(exist_ok=True)
    path = home.path / "config.toml"
    path.write_bytes(text.encode())
    return path


def test_a_new_home_has_all_that_it_takes(home: Home, file: Path) -> None:
    """The ledger, the domain and the structure, each said in a line; offline it is there."""
    said = set_up(home, file)
    assert 0 == said.exit_code, said
    for words in ("Kept as shop", "What is learnt", "database is enabled", "Its structure", "Try:"):
        assert words in said.output
    assert (home.path / "ledger.db").is_file()
    assert ("database",) == load({}, str(home.path)).domains
    assert 0o600 == (home.path / "config.toml").stat().st_mode & 0o777
    offline = home.here("db", "structure", "--offline", "--json")
    assert ["booking", "room"] == sorted(one["name"] for one in offline.json["objects"])
    assert "domain database" in home.here("doctor").output
    home.verify()


def test_what_is_in_the_settings_stays(home: Home, file: Path) -> None:
    """Byte for byte, with its comments and line ends; the file's mode as well."""
    path = settings(home, CONFIG)
    path.chmod(0o640)
    set_up(home, file)
    after = path.read_bytes().decode()
    assert CONFIG + '\r\n[domains]\r\nenabled = ["database"]\r\n' == after
    assert (0.25, ("database",)) == (
        load({}, str(home.path)).share,
        load({}, str(home.path)).domains,
    )
    assert 0o640 == path.stat().st_mode & 0o777


def test_a_second_time_there_is_nothing_to_do(home: Home, file: Path) -> None:
    """No file is touched, and it says so in one line."""
    set_up(home, file)
    before = everything(home)
    said = set_up(home, file)
    assert (0, True) == (said.exit_code, "shop is set up already, as it was" in said.output)
    assert "Try:" not in said.output
    assert before == everything(home)


def test_what_is_missing_of_an_older_set_up_is_added(home: Home, file: Path) -> None:
    """Each part by itself, with the others as they were."""
    set_up(home, file)
    (home.path / "config.toml").unlink()
    assert "database is enabled" in set_up(home, file).output
    shutil.rmtree(home.path / "database" / "structure")
    said = set_up(home, file)
    assert ("Its structure" in said.output, "enabled" in said.output) == (True, False)
    (home.path / "ledger.db").unlink()
    assert "What is learnt" in set_up(home, file).output
    assert "as it was" in set_up(home, file).output


@pytest.mark.parametrize("text", ["[domains\n", "[domains]\nenabled = 1\n", "domains = 1\n"])
def test_settings_that_cannot_be_read_stop_it(home: Home, file: Path, text: str) -> None:
    """Before anything is asked or kept, with the line that would be right where one is wrong."""
    path = settings(home, text)
    before = everything(home)
    said = set_up(home, file)
    assert 2 == said.exit_code
    assert str(path) in said.errors
    assert 'enabled must be a list like ["NAME"]' in said.errors or "[domains\n" == text
    assert before == everything(home)


def test_settings_that_cannot_be_added_to_are_left_with_the_line(home: Home, file: Path) -> None:
    """A layout that is not understood, and a file that cannot be written; the rest is set up."""
    text = "[domains]\nenabled = [\n  'slots'\n  # end\n]\n"
    path = settings(home, text)
    said = set_up(home, file)
    assert (0, text) == (said.exit_code, path.read_text("utf-8"))
    assert f"{path} was left as it is" in said.errors
    assert 'enabled = ["slots", "database"]' in said.errors
    path.unlink()
    path.symlink_to(file / "no folder" / "config.toml")
    said = set_up(home, file)
    assert (0, True) == (said.exit_code, path.is_symlink())
    assert 'below [domains]: enabled = ["database"]' in said.errors
    assert 0 == home.here("db", "query", "--sql", "SELECT 1").exit_code


def test_a_structure_that_cannot_be_kept_is_no_failure(home: Home, file: Path) -> None:
    """The database is set up all the same, and how to look later is said."""
    (home.path / "database").mkdir(parents=True)
    (home.path / "database" / "structure").write_text("in the way", "utf-8")
    said = set_up(home, file)
    assert (0, True) == (said.exit_code, "Kept as shop" in said.output)
    assert "shop is set up all the same" in said.errors
    assert "learnt db structure --name shop --fresh" in said.errors
    (home.path / "database" / "structure").unlink()
    assert "Its structure" in set_up(home, file).output


def test_of_very_many_tables_not_all_are_described(home: Home, tmp_path: Path) -> None:
    """All are known by name; what is not told yet is told when it is asked for."""
    orders = [f"CREATE TABLE t{number:04} (id INT)" for number in range(MOST + 20)]
    file = made(tmp_path / "large.db", *orders, "CREATE VIEW a AS SELECT id FROM t0000")
    said = set_up(home, file)
    assert f"kept by name ({MOST + 21})" in said.output
    index = home.here("db", "index", "--offline", "--json")
    assert MOST + 21 == len(index.json["objects"])
    offline = home.here("db", "structure", "--tables", "t0000,t0499", "--offline", "--json")
    assert (0, 2) == (offline.exit_code, len(offline.json["objects"]))
    assert 3 == home.here("db", "structure", "--tables", f"t{MOST:04}", "--offline").exit_code
    assert 0 == home.here("db", "structure", "--tables", f"t{MOST:04}").exit_code


def test_the_first_look_ends_after_ten_seconds(home: Home, tmp_path: Path) -> None:
    """A server that is far away is not waited for: the rest is known by name alone."""
    orders = [f"CREATE TABLE t{number:04} (id INT)" for number in range(250)]
    set_up(home, made(tmp_path / "far.db", *orders))
    ticks, here = count(0, 3_000), domain_home(load({}, str(home.path)))
    slow = replace(here, now_ms=lambda: next(ticks))
    for seen in (slow, here):
        shutil.rmtree(home.path / "database" / "structure")
        there, described = first_look(source_of(seen, named(seen, "shop"), 10)) or (0, 0)
        assert (250, seen is here) == (there, described == 250)


def test_a_view_on_what_is_gone_does_not_hide_the_rest(home: Home, file: Path) -> None:
    """It is told by its definition, without columns."""
    made(file, "CREATE VIEW dear AS SELECT gone FROM elsewhere")
    said = set_up(home, file)
    assert "Its structure" in said.output, said
    found = home.here("db", "structure", "--offline", "--json").json["objects"]
    told = {one["name"]: one for one in found}
    assert {"room", "booking", "dear"} == set(told)
    assert ([], True) == (told["dear"]["columns"], "elsewhere" in json.dumps(told["dear"]))
