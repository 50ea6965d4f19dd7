"""`db list`, `db remove`, and a statement without an option's name."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.homes import Home


@pytest.fixture
def shop(home: Home, tmp_path: Path) -> Home:
    """A home with two databases in files."""
    for name in ("shop", "stock"):
        with closing(sqlite3.connect(tmp_path / f"{name}.db")) as connection:
            connection.execute(f"CREATE TABLE {name} (id INTEGER PRIMARY KEY)")
        url = f"sqlite:///{tmp_path / name}.db"
        assert 0 == home.here("db", "setup", "--name", name, "--url", url).exit_code
    return home


def test_a_statement_is_a_word(shop: Home) -> None:
    """As with --sql; both at once are refused, and what writes as well."""
    asked = ("db", "query", "--name", "shop")
    assert [[0]] == shop.here(*asked, "SELECT count(*) FROM shop", "--json").json["rows"]

    both = shop.here(*asked, "SELECT 1", "--sql", "SELECT 2")
    assert (2, True) == (both.exit_code, "Give the statement once" in both.errors)
    assert 1 == shop.here(*asked, "DELETE FROM shop").exit_code
    assert 2 == shop.here(*asked).exit_code


def test_what_is_set_up_is_listed(shop: Home, tmp_path: Path) -> None:
    """Each with where it is and what its account could do."""
    found = shop.here("db", "list", "--json").json["databases"]

    assert ["shop", "stock"] == [each["name"] for each in found]
    assert ("sqlite", f"{tmp_path}/shop.db") == (
        found[0]["address"]["dialect"],
        found[0]["address"]["database"],
    )
    assert f"sqlite:///{tmp_path}/stock.db" in shop.here("db", "list").output


def test_one_is_forgotten(shop: Home, tmp_path: Path) -> None:
    """With its structure; the others and the file stay."""
    said = shop.here("db", "remove", "shop", typed="y\n")

    assert (0, True) == (said.exit_code, "shop is forgotten" in said.output), said
    assert ["stock"] == [d["name"] for d in shop.here("db", "list", "--json").json["databases"]]
    assert (tmp_path / "shop.db").exists()
    held = [p.read_text("utf-8") for p in (shop.path / "database").rglob("*") if p.is_file()]
    assert held and not any("shop" in text for text in held)


def test_nothing_is_forgotten_unasked(shop: Home) -> None:
    """By a no, by a program without --yes, and by a name that there is not."""
    refused = [shop.here("db", "remove", "shop"), shop.here("db", "remove", "shop", typed="n\n")]
    unknown = shop.here("db", "remove", "shpo", "--yes")

    assert [1, 1, 3] == [*(said.exit_code for said in refused), unknown.exit_code]
    assert "shop stays set up" in refused[0].errors
    assert "there are: shop, stock" in unknown.errors
    assert 2 == len(shop.here("db", "list", "--json").json["databases"])


def test_nothing_set_up_is_told(home: Home) -> None:
    """With the command that does it; no home is made for the answer."""
    home.begin_anew()
    said = home.here("db", "list", home=home.folder / "none")

    assert (0, True) == (said.exit_code, "learnt db setup" in said.output)
    assert not (home.folder / "none").exists()
