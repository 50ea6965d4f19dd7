"""The page of figures: its generated tables are found, made again and compared."""

import pytest

from benchmarks import figures


def test_the_page_shows_every_figure_once() -> None:
    """Each function that gives a table has its place on the page, and no place is without one."""
    places = [name for _, name in figures.BLOCK.findall(figures.PAGE.read_text("utf-8"))]
    assert sorted(figures.FIGURES) == sorted(places)


def test_a_table_that_differs_is_put_in_anew() -> None:
    """The named one alone; what stands around it stays."""
    page = "before\n<!-- figures: tables -->\nold\n<!-- end -->\nbetween\n<!-- figures: worth -->\n"
    fresh = figures.renewed(page + "old\n<!-- end -->\n", ["tables"])
    assert fresh.startswith("before\n<!-- figures: tables -->\n| what is there |")
    assert fresh.endswith("|\n<!-- end -->\nbetween\n<!-- figures: worth -->\nold\n<!-- end -->\n")


def test_a_figure_that_nothing_gives_is_an_error() -> None:
    """So that no table is left behind when its function is gone."""
    with pytest.raises(KeyError, match="gossip"):
        figures.renewed("<!-- figures: gossip -->\n<!-- end -->\n")


def test_the_page_begins_with_ten_figures_of_its_own_tables() -> None:
    """They are what the tables say; a cell that is gone is an error."""
    page = figures.PAGE.read_text("utf-8")
    beginning = page.partition("\n## ")[0]
    assert page == figures._with_first_lines(page)
    assert [f"{number}. " for number in range(1, 11)] == [
        line[: line.index(" ") + 1] for line in beginning.splitlines() if line[:1].isdigit()
    ]
    with pytest.raises(LookupError, match="gossip"):
        figures.filled("{gossip: unseen: found}", page)
