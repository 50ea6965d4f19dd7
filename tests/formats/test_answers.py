"""Answers: how records are filled from others, and what of them is JSON."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

import pytest

from learnt.formats.answers import APART, filled, to_json


class Colour(StrEnum):
    RED = "red"


class Part(NamedTuple):
    from_: int
    colour: Colour = Colour.RED


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    parts: tuple[Part, ...]
    note: str = ""
    source: object = field(default=None, metadata=APART)


def test_a_record_is_its_fields() -> None:
    """An enum is its value, `from_` is `from`, and what is apart is left out."""
    whole = Whole(parts=(Part(from_=1),), source=object())

    assert {"parts": [{"from": 1, "colour": "red"}], "note": ""} == to_json(whole)
    assert {"parts": [{"from": 1, "colour": "red"}]} == to_json(whole, sparse=True)


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
