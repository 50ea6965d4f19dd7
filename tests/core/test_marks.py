"""Marks: what two failures of one error have in common, and two errors have not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.core.recall.marks import (
    BEGINNING,
    END,
    MOST_MARKS,
    agree,
    lines_kept,
    most_telling,
    naming,
    of_error,
    parts,
)

MISSING = "ModuleNotFoundError: No module named 'orjson'"


@pytest.fixture(autouse=True)
def _read_again() -> None:
    """A line that another test read is read once more."""
    parts.cache_clear()


def same(one: str, other: str) -> bool:
    """Whether two results have a mark in common."""
    return bool(agree(other, lines_kept([one], "")))


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
        ("The lock is stale. Run `frob lock --all` again.",) * 2,
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
    """A line with its name stands in them; of the name alone nothing follows."""
    assert agree(f"E  {MISSING}", [f"Since Monday the CI says {MISSING} on arm"])
    assert not agree(f"E  {MISSING}", ["Since Monday the CI says 'orjson' is slow"])


LIKE_IT = [
    ("E   KeyError: 'GEOIP_DB'", "    raise KeyError(key)\nE   KeyError: 'SECRET'"),
    ("error: failed to run a command for `alsa-sys v0.3.1`\nThe PKG_PATH variable is not set.",
     "error: failed to run a command for `udev-sys v0.1.4`\nThe PKG_PATH variable is not set."),
    ("Caused by: PSQLException: Connection to localhost:5433 refused.",
     "Caused by: PSQLException: Connection to db.acme.internal:5432 refused."),
    ("APPLICATION FAILED TO START\nA bean of type 'a.Mail' could not be found.",
     "APPLICATION FAILED TO START\nA bean of type 'a.Clock' could not be found."),
    ("Web server failed to start. Port 8080 was already in use.",
     "Web server failed to start. Port 9090 was already in use."),
    ("Error: no repository definition for https://a.io/x. Add it via 'helm repo add'",
     "Error: no repository definition for https://b.io/y. Add it via 'helm repo add'"),
    ("Could not find artifact io.acme:dto:jar:3.2 in central (https://repo.org/m2)",
     "Could not find artifact io.acme:audit:jar:1.0 in central (https://repo.org/m2)"),
    ('fatal: [db1]: FAILED! => {"changed": false, "msg": "No package matching \'redis7\'"}',
     'fatal: [db1]: FAILED! => {"changed": false, "msg": "No package matching \'nginx\'"}'),
    ("/bin/sh: 1: protoc: not found", "/bin/sh: 1: buf: not found"),
    ("E  Error: [Errno 111] Connection refused: ('127.0.0.1', 5432)",
     "E  Error: [Errno 111] Connection refused: ('127.0.0.1', 6379)"),
    ("    raise LookupError(not_found)\nResource 'punkt' not found.",
     "    raise LookupError(not_found)\nResource 'words' not found."),
    ("python setup.py egg_info did not run\nError: pg_config executable not found.",
     "python setup.py egg_info did not run\nError: sdl_config executable not found."),
    ("x.hs:1:1: error:\n    Could not load module 'Data.Text'",
     "x.hs:2:1: error:\n    Could not load module 'Data.Map'"),
    ("BUILD FAILURE\nFailed to execute goal: Could not find artifact a.b:c:1",
     "BUILD FAILURE\nFailed to execute goal: Could not find artifact a.b:d:1"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), LIKE_IT)
def test_a_failure_that_reads_alike_and_has_another_name_is_another(one: str, other: str) -> None:
    """Whatever banners, hints and places the two share; the same one is found again."""
    assert same(one, one) and not same(one, other) and not same(other, one)


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("ImportError while importing 'a/test_x.py'\nE  No module named 'moto'",
         "ImportError while importing 'b/test_y.py'\nE  No module named 'moto'"),
        ("ERROR: No matching distribution found for acme-metrics==2.4.0",
         "ERROR: No matching distribution found for acme-metrics==2.5.1"),
        ("> Could not resolve files for ':charts:classpath'.\n> Could not find a.b:plot:1.4.2.",
         "> Could not resolve files for ':viewer:classpath'.\n> Could not find a.b:plot:1.4.3."),
        ("store_test.go:19: open: sql: unknown driver 'sqlite3' (forgotten import?)",
         "copy_test.go:52: opening copy: sql: unknown driver 'sqlite3' (forgotten import?)"),
        ("/bin/sh: 1: protoc: not found", "bash: line 3: protoc: command not found"),
        ("An input variable with the name 'days' has not been\ndeclared.",
         "An input variable with the name 'days' has not been declared."),
        ("archive.c: undefined reference to `deflate'\nb.c: undefined reference to `inflate'",
         "archive.c: undefined reference to `deflate'"),
    ],
)  # fmt: skip
def test_the_same_name_makes_it_the_same_failure(first: str, again: str) -> None:
    """In another file, of another version, wrapped otherwise, or with one error of several."""
    assert same(first, again)


def test_the_line_that_decides_is_told_first() -> None:
    """A banner and a sum say less than the line with the name."""
    result = "ERROR collecting\n1 error in 0.2s\nE   No module named 'x'\nFound 1 error.\nfailed"
    assert "E   No module named 'x'" == most_telling(result)[0]


@given(st.text(max_size=400))
def test_any_text_has_marks_or_none(text: str) -> None:
    """Never an error, never too many, and the same each time."""
    assert of_error(text) == of_error(text)
    assert len(of_error(text)) <= MOST_MARKS
    assert all(part.key and part.tells > 0 for line in naming(text) for part in parts(line))


def test_of_a_long_text_the_beginning_and_the_end_are_looked_at() -> None:
    """A megabyte costs no more; what stands in its middle is not seen."""
    flood = "line of output\n" * (BEGINNING + END)

    assert same(f"{MISSING}\n{flood}", MISSING) and same(f"{flood}{MISSING}", MISSING)
    assert not same(f"{flood}{MISSING}\n{flood}", MISSING)
    assert of_error("x" * 1_000_000) == of_error("x" * 500) == frozenset()
