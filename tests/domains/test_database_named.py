"""Which tables and columns a sentence names, where a database's structure is kept."""

import pytest

from learnt.core.records import JsonObject
from learnt.domain_ports import About
from learnt.domains.database.domain import DOMAIN
from learnt.domains.database.schema.cache import named
from tests.support.kept_structure import Kept, table

FILM = table("film", "film_id", "title", "rating", "for")
STAFF = table("staff", "staff_id", "store_id")
CUSTOMER = table("customer", "customer_id", "store_id", "active")
ADDRESS = table("address", "address_id", "phone")
STAY = table("hotel.stay", "stay_id", "paid")
VIEW: JsonObject = {**table("v_sales", "total"), "kind": "view"}
COUNT: JsonObject = {"kind": "function", "name": "film_count"}


@pytest.fixture
def kept() -> Kept:
    made = Kept()
    made.structure(made.database("shop"), FILM, STAFF, CUSTOMER, ADDRESS, STAY, VIEW, COUNT)
    return made


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("in film, rating is stored as text", "film rating"),
        ("store_id in staff is not store_id in customer", "staff customer store_id"),
        ("film.rating is never NULL", "film.rating"),
        ("FILM has a Title for each", "FILM Title"),
        ("rows of address are never deleted", "address"),
        ("`address` is kept for ten years", "address"),
        ("shop_db.film has no series", "shop_db.film"),
        ("hotel.stay holds guests; stay.paid is a date", "hotel.stay stay.paid"),
        ("v_sales 里的 total 含税", "v_sales total"),
        ("customer 有 active 字段", "customer active"),
        ("film rows with rating 'A_1' are in src/film_rows.py", "film rating"),
    ],
)
def test_they_are_found_by_their_names(kept: Kept, text: str, names: str) -> None:
    """However plain, once it is sure that a table is meant; its columns as well."""
    assert tuple(names.split()) == named(text, kept.home)


@pytest.mark.parametrize(
    "text",
    [
        "address the comments of the review first",
        "the film was long",
        "film_count is slow",
        "see docs/film/rating for that",
        "staging listens on 8443",
        "",
    ],
)
def test_a_word_of_everybodys_is_no_table(kept: Kept, text: str) -> None:
    """Nor is a function, a path, or what no database has."""
    assert () == named(text, kept.home)


def test_without_a_structure_nothing_is_known() -> None:
    """Of no database, and of one that was never looked at."""
    kept = Kept()
    assert () == named("film.rating is text", kept.home)
    kept.database("shop")
    assert () == named("film.rating is text", kept.home)


def test_the_database_that_has_them_tells(kept: Kept) -> None:
    """Whichever of those that are set up."""
    kept.structure(kept.database("a_bank"), table("acct_txn", "amt"))
    assert ("acct_txn", "amt") == named("acct_txn: amt is in cents", kept.home)
    assert ("film", "rating") == named("film: rating is text", kept.home)


def test_only_what_is_kept_is_named(kept: Kept) -> None:
    """Of any other table nothing is said; the kind only where a rule tells none."""
    (read,) = DOMAIN.text_extractors
    told = {text: read(text, kept.home) for text in (
        "film: rating is text", "the till table's cash column is in cents", "lunch is at noon",
        "film has 1,000 rows", "film rows must never be deleted",
    )}  # fmt: skip
    assert [
        About(entities=("film", "rating"), kind="schema"),
        About(),
        About(),
        About(entities=("film",), kind="data_snapshot"),
        About(entities=("film",)),
    ] == list(told.values())
