"""Cited tables, told by the structure that is kept: same, changed, gone, or nobody can tell."""

from collections.abc import Mapping

import pytest

from learnt.core.records import JsonObject, JsonValue
from learnt.domain_ports import DomainHome
from learnt.domains.database.schema.cache import Cache, KeptTables, looked_over
from learnt.domains.database.schema.objects import ObjectName
from tests.support.kept_structure import Kept

FILM: JsonObject = {
    "kind": "table",
    "name": "film",
    "columns": [{"name": "film_id", "type": "INTEGER", "nullable": False, "comment": "the key"}],
    "indexes": [{"name": "a", "columns": ["film_id"], "unique": True}],
}


def but(**changes: JsonValue) -> JsonObject:
    """The table of films, with something else about it."""
    changed: Mapping[str, JsonValue] = {**FILM, **changes}
    return changed


def test_a_table_is_as_it_was_until_its_structure_changes() -> None:
    """A remark or an index's name is none of it; a column, its type, a key, an index is."""
    kept = Kept()
    shop = kept.database("shop")
    kept.structure(shop, FILM)
    before = kept.digest("film")
    column: dict[str, JsonValue] = {"name": "film_id", "type": "INTEGER", "nullable": False}
    kept.structure(shop, but(comment="films", indexes=[{"columns": ["film_id"], "unique": True}],
                             columns=[column]))  # fmt: skip
    assert before
    assert before == kept.digest("film")
    for change in (
        but(columns=[{**column, "name": "id"}]),
        but(columns=[{**column, "type": "BIGINT"}]),
        but(columns=[column, {**column, "name": "x"}]),
        but(primary_key=["film_id"]),
        but(foreign_keys=[{"columns": ["a"], "to": "b", "to_columns": ["c"]}]),
        but(indexes=[]),
        but(definition="SELECT 1"),
    ):
        kept.structure(shop, change)
        assert before != kept.digest("film")


def test_a_table_that_was_dropped_is_gone() -> None:
    """Once the list of all was looked at again."""
    kept = Kept()
    shop = kept.database("shop")
    kept.structure(shop, FILM)
    kept.structure(shop, but(name="actor"))
    assert kept.digest("film") is None


def test_what_is_kept_of_nothing_tells_nothing() -> None:
    """No database, one that was never looked at, another server than before: nobody can tell."""
    kept = Kept()
    assert "" == kept.digest("film")
    shop = kept.database("shop")
    assert "" == kept.digest("film")
    kept.structure(shop, FILM)
    kept.database("shop", "another")
    assert "" == kept.digest("film")


def test_a_table_that_was_listed_alone_may_be_there() -> None:
    """`db index` keeps names: what they name was not seen."""
    kept = Kept()
    cache = Cache(kept.home, kept.database("shop"))
    cache.keep_list([ObjectName("table", "film")])
    assert "" == kept.digest("FILM")
    assert kept.digest("actor") is None


def test_a_table_of_several_databases_changes_with_any_and_may_be_named_by_one() -> None:
    """As `shop/film`; a name with the database before it is the same table."""
    kept = Kept()
    shop, till = kept.database("shop"), kept.database("till")
    kept.structure(shop, FILM)
    kept.structure(till, but(columns=[]))
    both, own = kept.digest("film"), kept.digest("shop/film")
    assert both and own and both != own
    assert own == kept.digest("shop_db.film") == kept.digest("shop/shop_db.Film")
    kept.structure(till, FILM)
    assert own == kept.digest("film")
    assert kept.digest("till/actor") is None


def test_doctor_tells_of_each_database() -> None:
    """How old what is kept is, or that nothing is; and that none is set up."""
    kept = Kept()
    (none,) = looked_over(kept.home)
    assert ("ok", "no database is set up") == (none.level, none.said)
    kept.structure(kept.database("shop"), FILM)
    kept.database("till")
    shop, till = looked_over(kept.home)
    assert ("ok", "shop: tables, views, routines and triggers: 1, seen less than a minute ago") == (
        shop.level,
        shop.said,
    )
    assert ("warning", "learnt db structure --name till") == (till.level, till.todo)


def test_a_long_list_is_read_once_until_it_changes() -> None:
    """A prompt may ask for many tables; a change is seen a second later at most."""
    kept, now = Kept(), [90_000_000]
    shop = kept.database("shop")
    kept.structure(shop, FILM, *({"kind": "table", "name": f"t_{n}"} for n in range(50)))
    home = DomainHome(folder=kept.home.folder, files=kept.home.files, now_ms=lambda: now[0])
    tables = KeptTables(home)
    before = tables.digest("FILM")
    assert before
    kept.structure(shop)
    now[0] += 1_000
    assert tables.digest("film") is None
    kept.structure(shop, FILM)
    now[0] += 1_000
    assert before == tables.digest("film")


@pytest.mark.parametrize(
    "name",
    ["../film", "shop/../../film", "shop/", "/", "film\0", "fil*", "\ud800", "x" * 1_000_000],
)
def test_a_name_is_no_path_and_no_pattern(name: str) -> None:
    """Whatever a citation says: there is no such table."""
    kept = Kept()
    kept.structure(kept.database("shop"), FILM)
    assert kept.digest(name) is None
