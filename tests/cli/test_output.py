"""Standard output that is full, closed, or read by nobody: told in one line, or not at all."""

import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.cases import first
from tests.support.homes import APPROACH, LEARNT, PROBLEM, Home

FULL, CLOSED, HEAD = "> /dev/full", ">&-", "| head -c 1"
REMEMBER = ("remember", "--problem", PROBLEM, "--approach", APPROACH)
MANY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'a' FROM n"
QUERY = ("db", "query", "--limit", "9000", "--sql", MANY)
COMMANDS = (("status",), (*QUERY, "--json"), ("--help",), ("recall", "gradle", "--json"), QUERY)


def commands(*more: tuple[str, ...]) -> pytest.MarkDecorator:
    """A test for each of the commands; the last ones in `make test-all` alone."""
    cases = first(2 + len(more), [(words,) for words in (*more, *COMMANDS)])
    return pytest.mark.parametrize("words", cases)


@pytest.fixture
def shop(home: Home, tmp_path: Path) -> Home:
    """A home with something to tell, and a database."""
    home.remember()
    file = tmp_path / "shop.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("CREATE TABLE room (id INTEGER)")
    said = home.here("db", "setup", "--name", "shop", "--url", f"sqlite:///{file}")
    assert 0 == said.exit_code, said
    file.chmod(0o400)
    return home


def run(
    home: Home, words: Sequence[str], where: str, environment: dict[str, str] | None = None
) -> tuple[int, list[str]]:
    """A command whose output goes there, as a shell has it; exit code and lines of its errors."""
    done = subprocess.run(
        ["bash", "-c", f'"$@" {where}; exit "${{PIPESTATUS[0]}}"', "bash", str(LEARNT), *words],
        env={**home.environment, **(environment or {})},
        cwd=home.project,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, [
        line for line in done.stderr.decode().splitlines() if "Learnt only reads" not in line
    ]


@commands()
def test_a_full_disk_is_told_in_one_line(shop: Home, words: Sequence[str]) -> None:
    """Exit 5, however long the answer is, also without a buffer."""
    for environment in ({}, {"PYTHONUNBUFFERED": "1"}):
        code, (line,) = run(shop, words, FULL, environment)
        assert (5, True) == (code, "No space left" in line and "not whole" in line), line


@commands(REMEMBER)
def test_a_closed_output_is_told_before_anything_is_done(shop: Home, words: Sequence[str]) -> None:
    """Exit 5, and nothing is remembered."""
    before = shop.rows("SELECT COUNT(*) FROM events")
    code, (line,) = run(shop, words, CLOSED)
    assert (5, True) == (code, "is closed. Nothing was done" in line), line
    assert before == shop.rows("SELECT COUNT(*) FROM events")


@commands()
def test_a_closed_pipe_is_no_trouble(shop: Home, words: Sequence[str]) -> None:
    """Nothing is said of it."""
    assert [] == run(shop, words, HEAD)[1]


def test_what_was_kept_is_not_denied(home: Home) -> None:
    """What is remembered stays so, though the answer did not get through."""
    code, (line,) = run(home, REMEMBER, FULL)
    assert (5, True, False) == (code, "is kept" in line, "othing" in line)
    assert PROBLEM in home.here("recall", "gradle", "--json").output


def test_folder_mode_keeps_its_one_code_for_errors(home: Home) -> None:
    """Scripts rely on it; the line is the same."""
    for where in (FULL, CLOSED):
        code, (line,) = run(home, ("knowledge", "init"), where)
        assert (1, True) == (code, line.startswith("learnt: Standard output"))
    assert (0, []) == run(home, ("knowledge", "scan", "--path", "references"), "> /dev/null")


@pytest.mark.parametrize("words", first(1, [(("hook", "--inline", "Stop"),), (("hook", "Stop"),)]))
def test_a_hook_says_nothing_of_it(home: Home, words: Sequence[str]) -> None:
    """A prompt goes through, whatever becomes of the answer."""
    home.install()
    for where in (FULL, CLOSED, HEAD):
        assert (0, []) == run(home, words, where)


def test_a_closed_input_is_an_empty_one(shop: Home) -> None:
    """No person is at it: what only they may do is refused as for any agent."""
    assert (0, []) == run(shop, ("status",), "<&-")
    assert (0, []) == run(shop, ("hook", "Stop", "--inline"), "<&-")
    code, errors = run(shop, ("evolve", "accept", "x", "--yes"), "<&-")
    assert code and not any("Traceback" in line for line in errors), errors
