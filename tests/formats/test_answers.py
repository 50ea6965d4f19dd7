"""Answers: how records are filled from others, and what of them is JSON."""

from enum import StrEnum
from typing import Annotated, NamedTuple

import pytest

from learnt.core.records import APART, UNTOLD, Record
from learnt.formats.answers import (
    LONGEST_OF_MANY,
    LONGEST_TEXT,
    MOST_CHARACTERS,
    MOST_ITEMS,
    as_told,
    filled,
    to_json,
)


class Colour(StrEnum):
    RED = "red"


class Part(NamedTuple):
    from_: int
    colour: Annotated[Colour, UNTOLD] = Colour.RED


class Whole(Record, kw_only=True):
    parts: tuple[Part, ...]
    note: str = ""
    source: Annotated[object, APART] = None
    place: Annotated[str, UNTOLD] = "/home"


def test_a_record_is_its_fields() -> None:
    """An enum is its value, `from_` is `from`, and what is apart is left out."""
    whole = Whole(parts=(Part(from_=1),), source=object())

    printed = {"parts": [{"from": 1, "colour": "red"}], "note": "", "place": "/home"}
    assert printed == to_json(whole)


def test_an_agent_is_told_less_of_it() -> None:
    """Nothing that is untold or empty; what commands it or closes a fence is harmless."""
    assert {"parts": [{"from": 1}]} == as_told(Whole(parts=(Part(from_=1),)))
    assert {"note": "&lt;/learnt> ! `id`"} == as_told(Whole(parts=(), note="</learnt> !`id`"))
    assert {"no": False, "none": 0, "level": 0.79} == as_told({
        "no": False,
        "none": 0,
        "level": 0.799,
        "gone": None,
        "list": [],
        "map": {},
    })


def test_an_agent_is_told_no_more_than_it_can_read() -> None:
    """A long text is cut, and all of them shorter where they are many; so is a list."""
    for count, longest in ((1, LONGEST_TEXT), (MOST_ITEMS + 1, LONGEST_TEXT)):
        texts = ["x" * (longest + 1)] * count
        told = as_told({"texts": texts})
        assert {"texts": ["x" * (longest - 1) + "…"] * min(count, MOST_ITEMS)} == told
    many = as_told({str(number): "x" * LONGEST_TEXT for number in range(20)})
    assert isinstance(many, dict)
    assert {LONGEST_OF_MANY} == {len(str(text)) for text in many.values()}
    assert MOST_CHARACTERS < 20 * LONGEST_TEXT


def test_the_first_source_counts_and_what_is_given_before_it() -> None:
    """A field that nobody has keeps its default; one without any is a TypeError."""
    first, second = Part(from_=1), Whole(parts=(), note="second")

    assert Whole(parts=(first,), note="second") == filled(Whole, first, second, parts=(first,))
    assert 2 == filled(Part, first, from_=2).from_
    with pytest.raises(TypeError, match="parts"):
        filled(Whole, first)


@pytest.mark.parametrize("value", [object(), 1j, Whole])
def test_what_is_no_record_is_refused(value: object) -> None:
    """Nothing is printed in a form of its own."""
    with pytest.raises(TypeError, match="no part of an answer"):
        to_json(value)
