"""The coin that decides who is shown an item."""

from learnt.core.coin import coin, propensity, uniform

UNITS = [f"s-{number}" for number in range(4_000)]


def test_it_falls_the_same_way_again() -> None:
    """For the same key and unit; under another key it is another coin."""
    once = [coin(b"key", "e-1", unit) for unit in UNITS]
    assert once == [coin(b"key", "e-1", unit) for unit in UNITS]
    others = [coin(b"other", "e-1", unit) for unit in UNITS]
    items = [coin(b"key", "e-2", unit) for unit in UNITS]
    for other in (others, items):
        alike = sum(a == b for a, b in zip(once, other, strict=True)) / len(UNITS)
        assert 0.47 < alike < 0.53


def test_it_falls_as_often_as_its_chance_says() -> None:
    """Half of the units, nine in ten, none, all; who is shown at a half is shown at nine in ten."""
    for chance in (0.0, 0.5, 0.9, 1.0):
        share = sum(coin(b"key", unit, chance=chance) for unit in UNITS) / len(UNITS)
        assert abs(share - chance) < 0.025
    half = {unit for unit in UNITS if coin(b"key", unit)}
    assert half <= {unit for unit in UNITS if coin(b"key", unit, chance=0.9)}


def test_it_falls_as_it_fell_last_year() -> None:
    """What was drawn for a unit must be drawn again: the words, their order, the mark between."""
    assert 0.07976914314181194 == uniform(b"key", "arm", "e-1", "s-1")
    assert coin(b"key", "e-1", "s-1", chance=0.0798) and not coin(
        b"key", "e-1", "s-1", chance=0.0797
    )
    assert uniform(b"key", "\ud800") == uniform(b"key", "?")


def test_words_are_not_run_together() -> None:
    """An item and a unit are two words."""
    assert uniform(b"key", "ab", "c") != uniform(b"key", "a", "bc")


def test_the_first_forty_units_are_even() -> None:
    """Then nine in ten are shown it; and at once, where it is decided."""
    assert [0.5] * 40 + [0.9] * 10 == [propensity(units) for units in range(50)]
    assert 0.9 == propensity(0, decided=True)
