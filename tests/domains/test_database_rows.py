"""The number of all rows: held against a text that says as such how many there are."""

import pytest

from learnt.core.knowledge.signals import Measured, Spoken, Vote, vote
from learnt.domains.database.observed.spoken import all_rows

KINDS = ("data_snapshot",)
FOR, AGAINST = Vote(good=True, hard=True), Vote(good=False, hard=True)


def of(text: str, *names: str) -> Spoken:
    """An entry that says so."""
    return Spoken(kind="data_snapshot", text=text, names=names)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("film has 1000 rows", AGAINST),
        ("film表有1000行", AGAINST),
        ("film: 178 are rated G", None),
        ("film grows by 50 rows a day", None),
        ("film_id goes up to 1200", None),
        ("film has over 1000 rows", None),
        ("film has 1000 rows per store", None),
        ("on 2024-05-01 film had 1000 rows", None),
        ("film has 1000 rows in 2005", None),
        ("film has 1000 rows, at least", None),
        ("film does not have 1000 rows", None),
        ("film no longer has 1000 rows", None),
        ("film is archived once it has 1000 rows", None),
    ],
)
def test_the_number_of_all_rows_is_compared_with_no_other_number(
    text: str, expected: Vote | None
) -> None:
    """A text says as such how many rows there are; of a day gone by it is history."""
    counted = Measured(value=2_000, kinds=KINDS, entities=("film",), reads=all_rows)
    assert expected == vote(counted, of(text, "film"), [], [])
