"""A question that nobody waits for any more: what its server does then, and what is said."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from learnt.domains.database.gate.statements import judge
from learnt.domains.database.gate.verdicts import Allowed
from learnt.domains.database.servers.connections import DbAddress
from learnt.errors import StatementFailed
from tests.support.asking import opened
from tests.support.database_servers import PASSWORD, Server
from tests.support.homes import LEARNT, Home, wait_until

_MANY = ", ".join(f"({number})" for number in range(1, 301))
# The cross join of a table with itself, for hours; its letters are not all in every server's list.
_CROSS = ", ".join(f"many AS {name}" for name in "abcde")
_MARK = "never_seen"
_SLOW = f"AS {_MARK} FROM {_CROSS} WHERE a.n + b.n + c.n + d.n + e.n < 0"
_QUESTION = f"SELECT '套房 🛏' {_SLOW}"


@pytest.fixture
def slow(server: Server) -> Iterator[Server]:
    """A server with a table to ask for long; no question goes on after the test."""
    server.run(
        "DROP TABLE IF EXISTS many",
        "CREATE TABLE many (n INTEGER)",
        f"INSERT INTO many VALUES {_MANY}",
    )
    yield server
    end = "KILL {}" if server.scheme == "mysql" else "SELECT pg_terminate_backend({})"
    for session in working(server):
        server.run(end.format(session))


def working(server: Server) -> list[int]:
    """The sessions of the reader's whose statement the server works on."""
    listed = (
        "SELECT id, info FROM information_schema.processlist WHERE user = 'reader'"
        if server.scheme == "mysql"
        else "SELECT pid, query FROM pg_stat_activity WHERE usename = 'reader' AND state = 'active'"
    )
    return [session for session, sql in server.run(listed) if _MARK in (sql or "")]


@contextmanager
def started(home: Home, *words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """`learnt db query` in a process of its own, with the slow question; killed if it goes on.

    What a script starts in the background ignores Ctrl-C, and so would all that it starts.
    """
    with subprocess.Popen(
        [str(LEARNT), "db", "query", "--sql", _QUESTION, *words],
        env=home.environment,
        cwd=home.project,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def interrupted(process: "subprocess.Popen[bytes]") -> tuple[int, bytes, bytes]:
    """What it says to Ctrl-C, which it may not think about for long."""
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=10)
    return process.returncode, output, errors


STOPPED = (1, b"", b"\nlearnt: stopped; nothing more was done.\n")


@pytest.mark.parametrize("words", [pytest.param((), marks=pytest.mark.slow), ("--json",)])
def test_ctrl_c_ends_the_statement_at_the_server(
    home: Home, slow: Server, words: tuple[str, ...]
) -> None:
    """Long before its clock would, and it is an interrupt and no answer."""
    home.cli(
        *("db", "setup", "--name", "slow", "--url", slow.url(), "--password-stdin"),
        stdin=f"{PASSWORD}\n",
    )
    with started(home, "--timeout", "120", *words) as process:
        wait_until(lambda: len(working(slow)) == 1, "the statement runs")
        assert STOPPED == interrupted(process)
    wait_until(lambda: not working(slow), "the statement has ended", seconds=5)


@pytest.mark.parametrize("words", [pytest.param((), marks=pytest.mark.slow), ("--json",)])
def test_ctrl_c_is_an_interrupt_for_a_file_as_well(
    home: Home, file: DbAddress, words: tuple[str, ...]
) -> None:
    """Whatever SQLite calls it."""
    with closing(sqlite3.connect(file.database)) as connection:
        connection.execute("CREATE TABLE many (n INTEGER)")
        connection.execute(f"INSERT INTO many VALUES {_MANY}")
        connection.commit()
    home.here("db", "setup", "--name", "slow", "--url", file.url)
    with started(home, "--timeout", "120", *words) as process:
        wait_until(lambda: computes(process.pid), "the statement runs")
        assert STOPPED == interrupted(process)


def computes(process: int) -> bool:
    """Whether what it started has worked for longer than a start takes."""
    seconds = 0.0
    for child in Path(f"/proc/{process}/task/{process}/children").read_text("utf-8").split():
        told = Path(f"/proc/{child}/stat").read_text("utf-8").rpartition(")")[2].split()
        seconds += int(told[11]) / os.sysconf("SC_CLK_TCK")
    return seconds > 0.5


@pytest.mark.slow
def test_what_our_own_clock_gave_up_does_not_go_on(maria: Server, slow: Server) -> None:
    """Where the server's was set back, as an old server has none."""
    if slow is not maria:
        return
    with opened(maria.url(), seconds=0.5) as one:
        one.raw().query("SET SESSION max_statement_time = 0")
        with pytest.raises(StatementFailed, match="Stopped after"), one.reading(_QUESTION):
            pass
        wait_until(lambda: not working(maria), "the statement has ended", seconds=5)
        with one.reading("SELECT 1") as found:
            assert [(1,)] == list(found.rows)


def test_what_is_left_unread_does_not_go_on(slow: Server) -> None:
    """The first rows come at once, and the next one would be hours away."""
    sql = f"SELECT REPEAT('x', 200) AS x FROM many UNION ALL SELECT 'y' {_SLOW}"
    judged = judge(sql, "mysql" if slow.scheme == "mysql" else "postgres")
    assert isinstance(judged, Allowed)
    with opened(slow.url(), seconds=30) as one:
        run = judged.placed(*one.schemas(judged.uses)) if judged.placed else judged.sql
        started_at = time.monotonic()
        with one.reading(run):
            assert len(working(slow)) == 1
        wait_until(lambda: not working(slow), "the statement has ended", seconds=5)
        assert 10 > time.monotonic() - started_at


def test_a_statement_of_another_is_left_alone(maria: Server) -> None:
    """The number alone says nothing where several servers stand behind one name."""
    with (
        opened(maria.url(), seconds=20) as one,
        opened(maria.url(), seconds=20) as other,
        other.reading("SELECT seq FROM seq_1_to_10000000") as found,
    ):
        first = next(found.rows)
        one._stop(other.raw().thread_id(), _QUESTION)  # type: ignore[attr-defined]  # its own
        assert (first, (2,)) == ((1,), next(found.rows))
