"""Marks: what two failures of one error have in common, and two errors have not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.recall.marks import (
    BEGINNING,
    END,
    MOST_MARKS,
    keys_of,
    lines_kept,
    naming,
    of_error,
    quoted,
)

MISSING = "ModuleNotFoundError: No module named 'orjson'"


def same(one: str, other: str) -> bool:
    """Whether two results have a mark in common."""
    return not of_error(one).keys().isdisjoint(of_error(other))


@pytest.mark.parametrize(
    ("first", "again"),
    [
        (f"a.py:3: in f\nE   {MISSING}", f"/tmp/x9/b.py:41: in g\n2026-01-02 10:11:12 {MISSING}"),
        (
            "src/a.ts(3,5): error TS2339: Property 'size' does not exist on type 'Box'.",
            "lib/b.ts:88:1 - error TS2339: Property 'size' does not exist on type 'Box'.",
        ),
        (
            "a.o:a.c:(.text+0x1a): undefined reference to `deflate'",
            "/usr/bin/ld: in `pack':\nb.c:(.text.pack+0x7f): undefined reference to `deflate'",
        ),
        (
            "Error: worker-7 (pid 4211) cannot reach 'queue.internal' after 31.2s",
            "Error: worker-12 (pid 99) cannot reach 'queue.internal' after 4s",
        ),
        (
            'relation mapping failed for "crow": no matches for kind "Route" in "v1beta1"',
            'relation mapping failed for "wren": no matches for kind "Route" in "v1beta1"',
        ),
        ("\x1b[31merror\x1b[0m: unknown flag `--frob` given", "error: unknown flag `--frob` given"),
        ("The lock is stale. Run `frob lock --all` anew.",) * 2,
    ],
)
def test_an_error_that_comes_again_has_its_mark(first: str, again: str) -> None:
    """Places, numbers, times, addresses and what stands before it differ."""
    assert same(first, again)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (MISSING, MISSING.replace("orjson", "attrs")),
        ("KeyError: 'price'", "KeyError: 'weight'"),
        ("no such table: lending_desk", "no such table: reading_room"),
        ("error TS2345: 'Box' is not a 'Crate'", "error TS2345: 'Box' is not a 'Barrel'"),
        ("E  assert 3 == 4", "E  assert 5 == 6"),
        ("AssertionError: expected 3 to equal 4", "AssertionError: expected 5 to equal 6"),
        (
            "expect(received).toBe(expected) // Object.is equality\nExpected: 3",
            "expect(received).toBe(expected) // Object.is equality\nExpected: 5",
        ),
        ("make: *** [Makefile:9: all] Error 1", "make: *** [Makefile:12: all] Error 1"),
        ("FAILED tests/test_a.py::test_b - Valu...", "FAILED tests/test_a.py::test_b - KeyE..."),
        ("error: build failed\n3 failed, 2 passed", "error: build failed\n1 failed, 9 passed"),
    ],
)
def test_another_error_has_other_marks(one: str, other: str) -> None:
    """Names tell errors of a class apart; what sums a run up tells nothing."""
    assert not same(one, other)


def test_what_passes_as_well_is_no_sign() -> None:
    """A warning that is printed either way names no failure; one line is kept of each error."""
    noise = "warning: the option `frob-mode` is not supported any more"
    failed = [f"{noise}\n{MISSING}", f"at 3: {MISSING}\n{MISSING}"]

    assert (MISSING,) == lines_kept(failed[:1], noise)
    assert 2 >= len(lines_kept(failed, noise))
    assert () == lines_kept([], "")


def test_a_persons_words_may_quote_an_error() -> None:
    """All words of a telling line stand in them; of half of them nothing follows."""
    assert quoted(f"E  {MISSING}", f"Since Monday the CI says {MISSING.lower()} on arm")
    assert not quoted(f"E  {MISSING}", "Since Monday the CI says orjson is slow")


@given(st.text(max_size=400))
def test_any_text_has_marks_or_none(text: str) -> None:
    """Never an error, never too many, and the same each time."""
    assert of_error(text) == of_error(text)
    assert len(of_error(text)) <= MOST_MARKS
    assert all(key and tells > 0 for line in naming(text) for key, tells in keys_of(line))


def test_of_a_long_text_the_beginning_and_the_end_are_looked_at() -> None:
    """A megabyte costs no more; what stands in its middle is not seen."""
    flood = "line of output\n" * (BEGINNING + END)

    assert same(f"{MISSING}\n{flood}", MISSING) and same(f"{flood}{MISSING}", MISSING)
    assert not same(f"{flood}{MISSING}\n{flood}", MISSING)
    assert of_error("x" * 1_000_000) == of_error("x" * 500)
