"""JSON as values: one text a value, and readers that never raise."""

import pytest

from learnt.core.records import JsonValue, canonical, holds, member, strings, text_of, whole


def test_equal_values_have_one_text() -> None:
    """The order in which an object was built does not show."""
    assert canonical({"a": 1, "b": [{"d": None, "c": 2.5}]}) == canonical({
        "b": [{"c": 2.5, "d": None}],
        "a": 1,
    })


def test_the_text_is_compact_and_readable() -> None:
    """No spaces, no escapes of other scripts."""
    assert '{"é":["死锁",true,null]}' == canonical({"é": ["死锁", True, None]})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_numbers_that_json_lacks_are_refused(value: float) -> None:
    """A value that no other reader would understand is not written."""
    with pytest.raises(ValueError, match="JSON"):
        canonical({"a": value})


ODD: list[JsonValue] = [None, True, 0, 1.5, "", "x", [], ["x"], {}, {"x": 1}]


@pytest.mark.parametrize("value", ODD)
def test_readers_take_anything(value: JsonValue) -> None:
    """A reader gives its default for what is not its type."""
    found = (text_of(value), whole(value, -1), strings(value), member(value, "x"))

    expected = (
        value if isinstance(value, str) else "",
        value if type(value) is int else -1,
        ("x",) if value == ["x"] else (),
        1 if value == {"x": 1} else None,
    )

    assert expected == found


def test_whole_is_zero_by_default() -> None:
    """Where nothing better is named, what is no whole number counts as none."""
    assert 0 == whole("7")


def test_strings_keep_their_order_and_drop_the_rest() -> None:
    """Only texts, in their order, from a list or a tuple."""
    assert ("b", "a") == strings(["b", 1, None, "a"])
    assert ("a",) == strings(("a",))


@pytest.mark.parametrize(
    ("held", "text", "expected"),
    [
        ("the Albatross migration", "albatross", True),
        ("the albatross migration", "ALBATROSS", True),
        ('{"said": "say \\"hi\\""}', 'Say "hi"', True),
        (r'{"said": "C:\\x"}', "c:\\x", True),
        (r"\u00e9t\u00e9", "Été", True),
        ("Straße", "STRASSE", True),
        ("数据库死锁", "据库", True),
        ("albatros", "albatross", False),
        ("", "x", False),
        ("x", "", True),
    ],
)
def test_a_text_is_found_however_it_was_written(held: str, text: str, expected: bool) -> None:
    """In any case, as it is and as JSON spells it."""
    assert expected == holds(held, text)
