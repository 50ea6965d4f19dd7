"""The codec: what each type of field is stored as, and how leniently it is read."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Literal, NewType

import pytest
from msgspec import field

from learnt.core.records import (
    ALWAYS,
    INLINE,
    ROWS,
    JsonObject,
    JsonValue,
    Record,
    Row,
    Unreadable,
    canonical,
    decode,
    encode,
    named,
)

Name = NewType("Name", str)


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


class Point(Row):
    x: int
    y: int


class Inner(Record, kw_only=True):
    size: int = 0
    label: str = ""


class Seal(Record, kw_only=True):
    digest: str
    wax: int = 0


class Kept(Record, kw_only=True):
    id: Name
    colour: Colour = Colour.RED
    loud: Annotated[bool, ALWAYS] = False
    note: Name | None = None
    word: Literal["yes", "no"] | None = None
    names: tuple[Name, ...] = ()
    pair: tuple[int, int] = (0, 0)
    points: Annotated[tuple[Point, ...], ROWS] = ()
    corner: Point | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    sizes: Mapping[str, Inner] = field(default_factory=dict)
    anything: Mapping[str, JsonValue] = field(default_factory=dict)
    inner: Inner = Inner()
    others: tuple[Inner, ...] = ()
    start: Annotated[int, named("from")] = 0
    seal: Annotated[Seal | None, INLINE] = None


PLAIN = Kept(id=Name("r"))
FULL = Kept(
    id=Name("r"),
    colour=Colour.BLUE,
    loud=True,
    note=Name("n"),
    word="no",
    names=(Name("a"), Name("b")),
    pair=(1, 2),
    points=(Point(3, 4),),
    corner=Point(5, 6),
    counts={"a": 1},
    sizes={"a": Inner(size=1)},
    anything={"x": [None, {"y": 1.5}]},
    inner=Inner(size=7),
    others=(Inner(), Inner(label="l")),
    start=9,
    seal=Seal(digest="d"),
)


def test_what_equals_its_default_is_left_out() -> None:
    """But for what has none, and what is always written."""
    assert {"id": "r", "loud": False} == encode(PLAIN)


def test_each_type_is_stored_as_json() -> None:
    """Records as objects, or as lists; a field may have another name, or stand inline."""
    assert {
        "id": "r",
        "colour": "blue",
        "loud": True,
        "note": "n",
        "word": "no",
        "names": ["a", "b"],
        "pair": [1, 2],
        "points": [[3, 4]],
        "corner": {"x": 5, "y": 6},
        "counts": {"a": 1},
        "sizes": {"a": {"size": 1}},
        "anything": {"x": [None, {"y": 1.5}]},
        "inner": {"size": 7},
        "others": [{}, {"label": "l"}],
        "from": 9,
        "digest": "d",
    } == encode(FULL)


@pytest.mark.parametrize("record", [PLAIN, FULL])
def test_what_was_stored_is_read_back(record: Kept) -> None:
    """And stored again it is the same text."""
    stored = encode(record)

    assert record == decode(Kept, stored)
    assert canonical(stored) == canonical(encode(decode(Kept, stored)))


@pytest.mark.parametrize(
    "odd",
    [
        {"newer": 1},
        {"colour": "green"},
        {"colour": ["red"]},
        {"note": None},
        {"note": 3},
        {"word": "perhaps"},
        {"loud": 1},
        {"names": "ab"},
        {"names": [1, None]},
        {"pair": [1]},
        {"pair": [1, "2"]},
        {"counts": [1]},
        {"counts": {"a": "1", "b": True}},
        {"inner": 3},
        {"others": ["x", 1]},
        {"from": "1"},
        {"start": 4},
    ],
)
def test_what_makes_no_sense_counts_as_missing(odd: JsonObject) -> None:
    """Members that no field has, values of a wrong type, members of an enum that are unknown."""
    assert PLAIN == decode(Kept, {"id": "r", **odd})


def test_what_is_readable_of_a_list_is_kept() -> None:
    """The rest of it is dropped."""
    assert ("a", "b") == decode(Kept, {"id": "r", "names": ["a", 1, "b"]}).names


@pytest.mark.parametrize("stored", [None, [], "r", 1])
def test_what_is_no_object_is_no_record(stored: JsonValue) -> None:
    """The error names the record."""
    with pytest.raises(Unreadable, match="a stored kept is"):
        decode(Kept, stored)


@pytest.mark.parametrize(
    ("stored", "told"),
    [
        ({}, "a stored kept has None for its id"),
        ({"id": 3}, "a stored kept 3 has 3 for its id"),
        ({"id": "r", "points": [[1]]}, r"a stored point is \[1\]"),
        ({"id": "r", "wax": 1}, "a stored seal r has None for its digest"),
    ],
)
def test_a_record_that_lacks_what_it_cannot_be_without_is_told(
    stored: JsonObject, told: str
) -> None:
    """With the record, its id, and the member."""
    with pytest.raises(Unreadable, match=told):
        decode(Kept, stored)
