"""Sessions with real servers: what they read, what they refuse by themselves, how they fail."""

import resource
import signal
import socket
import time
from contextlib import closing
from pathlib import Path
from threading import Thread

import pytest

from learnt.domains.database.commands.query import QueryRows
from learnt.domains.database.servers.connections import (
    DbAddress,
    DbSession,
    address,
    in_the_open,
)
from learnt.errors import EnvironmentTrouble, StatementFailed
from tests.support.asking import ask, opened
from tests.support.cases import first
from tests.support.database_servers import PASSWORD, Server, free_port

WRITES = (
    "INSERT INTO {}.room VALUES (9, 'x', 1)",
    "UPDATE {}.room SET rate = 0",
    "DELETE FROM {}.booking",
    "CREATE TABLE {}.made (a INT)",
    "DROP TABLE {}.booking",
    "ALTER TABLE {}.room ADD COLUMN more INT",
    "TRUNCATE TABLE {}.booking",
)


def session(server: Server, user: str = "reader", *, seconds: float = 20) -> "closing[DbSession]":
    return opened(server.url(user), seconds=seconds)


def asked(one: DbSession, sql: str, limit: int = 100) -> QueryRows:
    found = ask(one, sql, limit=limit)
    assert isinstance(found, QueryRows), found
    return found


def state(server: Server) -> list[object]:
    return [server.run(f"SELECT * FROM {name} ORDER BY 1") for name in ("room", "booking")]


def peak() -> float:
    """The most megabytes that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024


def test_rows_come_as_they_are(server: Server) -> None:
    """Names of columns, texts of every script, numbers, nothing."""
    with session(server) as one:
        found = asked(one, "SELECT id, name, rate, NULL AS nothing FROM room ORDER BY id")
        assert ["id", "name", "rate", "nothing"] == found.columns
        assert [[1, "套房", "120.50", None], [2, "single", "80.00", None]] == found.rows
        assert (["id"], [], False) == (
            (empty := asked(one, "SELECT id FROM room WHERE id < 0")).columns,
            empty.rows,
            empty.truncated,
        )


def test_a_server_holds_to_reading_without_the_gate(server: Server) -> None:
    """Also for an account that may write: the second layer alone, and for that reason."""
    before = state(server)
    schema = "shop" if server.scheme == "mysql" else "public"
    with session(server, "writer") as one:
        for sql in WRITES:
            with (
                pytest.raises(StatementFailed, match=r"(?i)read[- ]only"),
                one.reading(sql.format(schema)) as found,
            ):
                list(found.rows)
    assert before == state(server)


def test_several_statements_are_no_statement(server: Server) -> None:
    """To the server itself, in one text."""
    several = "SELECT 1; SELECT 2"
    with (
        session(server, "writer") as one,
        pytest.raises(StatementFailed),
        one.reading(several) as found,
    ):
        list(found.rows)


def test_an_account_that_could_write_is_told(server: Server) -> None:
    """And one that could not is not."""
    anything = {"mysql": "ALL PRIVILEGES on *.*", "postgresql": "anything: a superuser"}
    with session(server, "writer") as one:
        assert one.could_write().startswith(anything[server.scheme])
        assert PASSWORD not in one.could_write()
    with session(server) as one:
        assert "" == one.could_write()


def test_what_an_account_could_write_is_told_in_words(elephant: Server) -> None:
    """A right in the database, a table, a role that the server has from the first."""
    elephant.run(
        "CREATE ROLE berta LOGIN PASSWORD '{}'".format(PASSWORD.replace("'", "''")),
        "GRANT pg_write_server_files TO berta", "GRANT CREATE ON DATABASE shop TO berta",
        "GRANT SELECT, INSERT ON room TO berta",
    )  # fmt: skip
    with session(elephant, "berta") as one:
        assert "use pg_write_server_files; create schemas; write public.room" == one.could_write()


def test_what_roles_may_do_is_told(maria: Server) -> None:
    """Of a role in use what it may do, of another that it is there."""
    maria.as_root(
        "CREATE ROLE clerk", "CREATE ROLE boss",
        "CREATE USER anna IDENTIFIED BY '{}'".format(PASSWORD.replace("'", "''")),
        "GRANT INSERT ON shop.* TO clerk", "GRANT SELECT ON shop.* TO anna",
        "GRANT clerk TO anna", "SET DEFAULT ROLE clerk FOR anna",
    )  # fmt: skip
    with session(maria, "anna") as one:
        assert "INSERT on `shop`.*" == one.could_write()
    maria.as_root("GRANT boss TO anna")
    with session(maria, "anna") as one:
        assert "what the role `boss` may do; INSERT on `shop`.*" == one.could_write()


def test_a_session_tells_whether_it_is_encrypted(server: Server) -> None:
    """These servers have no certificate."""
    with session(server) as one:
        assert not one.encrypted()


@pytest.mark.parametrize(
    ("url", "encrypted", "told"),
    [
        ("mysql://me@db.example/shop", False, True),
        ("mysql://me@10.0.0.9/shop", False, True),
        ("postgresql://me@[fd00::1]/shop", False, True),
        ("mysql://me@db.example/shop", True, False),
        ("mysql://me@LOCALHOST/shop", False, False),
        ("postgresql://me@127.1.2.3/shop", False, False),
        ("postgresql://me@[::1]/shop", False, False),
        ("mysql://me@db.example/shop?unix_socket=/run/my.sock", False, False),
        ("sqlite:///shop.db", True, False),
    ],
)
def test_what_travels_in_the_open_is_told(url: str, encrypted: bool, told: bool) -> None:
    """To another machine without encryption; on this one there is nobody between."""
    assert told == in_the_open(address(url), encrypted=encrypted)


def test_the_clock_ends_a_statement(server: Server) -> None:
    """The server's own, near its time; then the session goes on."""
    digits = "(SELECT 0 AS d" + "".join(f" UNION ALL SELECT {n}" for n in range(1, 10)) + ")"
    heavy = "SELECT SUM(a.d) FROM " + ", ".join(f"{digits} AS {name}" for name in "abcdefghij")
    with session(server, seconds=1) as one:
        begun_at = time.monotonic()
        with pytest.raises(StatementFailed, match="Stopped after 1 s"):
            ask(one, heavy)
        assert 5 > time.monotonic() - begun_at
        assert [[1]] == asked(one, "SELECT 1").rows


@pytest.mark.slow  # it waits as long as our own clock does
def test_a_server_that_falls_silent_is_given_up(maria: Server) -> None:
    """Where its own clock cannot end a statement, ours does; then the session goes on."""
    with session(maria, seconds=0.5) as one:
        maria.process.send_signal(signal.SIGSTOP)
        try:
            with pytest.raises(StatementFailed, match=r"Stopped after 0\.5 s"):
                ask(one, "SELECT 1")
        finally:
            maria.process.send_signal(signal.SIGCONT)
        assert [[1]] == asked(one, "SELECT 1").rows


def test_what_is_not_shown_is_not_fetched(server: Server) -> None:
    """Ten million rows: the first come at once, and the session goes on."""
    sql = (
        "SELECT seq FROM seq_1_to_10000000"
        if server.scheme == "mysql"
        else "SELECT * FROM generate_series(1, 10000000)"
    )
    with session(server) as one:
        before, begun_at = peak(), time.monotonic()
        found = asked(one, sql, limit=50)
        assert (50, True) == (len(found.rows), found.truncated)
        assert [[1]] == asked(one, "SELECT 1").rows
        assert 8 > time.monotonic() - begun_at
        assert 64 > peak() - before


def test_binary_values_are_measured(server: Server) -> None:
    """Their length and how they begin."""
    many = "REPEAT('a', 300)" if server.scheme == "mysql" else "repeat('a', 300)::bytea"
    binary = f"CAST({many} AS BINARY)" if server.scheme == "mysql" else many
    with session(server) as one:
        ((shown, nothing),) = asked(one, f"SELECT {binary}, {binary} IS NULL").rows
    assert f"300 bytes: {'61' * 16}…" == shown and nothing in {0}


def test_dates_of_no_calendar_are_texts(server: Server) -> None:
    """What Python has no date for comes as the server writes it."""
    sql = (
        "SELECT CAST('0000-00-00' AS DATE), CAST('900:00:00' AS TIME)"
        if server.scheme == "mysql"
        else "SELECT 'infinity'::date, '0044-03-15 BC'::date"
    )
    with session(server) as one:
        (row,) = asked(one, sql).rows
    dates = {"mysql": ["0000-00-00", "838:59:59"], "postgresql": ["infinity", "0044-03-15 BC"]}
    assert dates[server.scheme] == row


def test_arrays_are_lists(elephant: Server) -> None:
    """As JSON, and not as Python writes them."""
    with session(elephant) as one:
        (row,) = asked(one, "SELECT ARRAY['a', NULL, '中'], ARRAY[1.50, NULL], '{}'::int[]").rows
    assert ['["a", null, "中"]', '["1.50", null]', "[]"] == row


def test_a_wrong_password_is_not_repeated(server: Server) -> None:
    """Nor the right one; nothing is asked."""
    with pytest.raises(EnvironmentTrouble) as raised:
        opened(server.url(), "wrong-secret-9")
    assert "wrong-secret-9" not in str(raised.value) + repr(raised.value.__cause__)
    assert raised.value.__suppress_context__
    assert f"127.0.0.1:{server.port}" in str(raised.value)


def test_a_server_that_is_down_is_named(server: Server) -> None:
    """With what to look at."""
    url = server.url().replace(str(server.port), str(free_port()))
    with pytest.raises(EnvironmentTrouble, match="cannot be reached"):
        opened(url, connect_seconds=2)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", first(1, ["postgresql", "mysql"]))
def test_a_server_that_says_nothing_is_not_waited_for(scheme: str) -> None:
    """It takes the connection and is silent."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url, begun_at = f"{scheme}://me@127.0.0.1:{silent.getsockname()[1]}/shop", time.monotonic()
        with pytest.raises(EnvironmentTrouble, match="cannot be reached"):
            opened(url, seconds=0.5, connect_seconds=2)
        assert 10 > time.monotonic() - begun_at


def test_a_server_that_asks_for_a_file_gets_none(tmp_path: Path) -> None:
    """As MySQL may ask for one of this machine in answer to any statement."""
    (tmp_path / "key").write_text("the words of a private key", "utf-8")
    greeting = b"\n8.0.0\0" + bytes(4) + b"eight...\0\0\x82\x2d" + bytes(15) + b"and twelve..\0"
    replies = [greeting, fine := bytes(7), fine, b"\xfb" + bytes(tmp_path / "key")]
    came = bytearray()

    def serve(listening: socket.socket) -> None:
        with listening.accept()[0] as asker:
            for number, reply in zip((0, 2, 1, 1), replies, strict=True):
                asker.sendall(len(reply).to_bytes(3, "little") + bytes([number]) + reply)
                came[:] = asker.recv(4_096)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        serving = Thread(target=serve, args=(listening,))
        serving.start()
        url = f"mysql://me@127.0.0.1:{listening.getsockname()[1]}/shop"
        with pytest.raises(EnvironmentTrouble):
            opened(url, seconds=1, connect_seconds=1)
        serving.join()
    assert bytes(came) in {b"", bytes([1, 0, 0, 0, 1])}  # at most that it leaves


def test_a_database_that_is_gone_is_named(server: Server) -> None:
    """As after it was renamed."""
    with pytest.raises(EnvironmentTrouble, match="renamed"):
        opened(server.url(database="renamed"))


def killed(server: Server) -> None:
    if server.scheme == "postgresql":
        server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename='reader'")
        return
    for (number,) in server.run(
        "SELECT id FROM information_schema.processlist WHERE user='reader'"
    ):
        server.run(f"KILL CONNECTION {number}")


def test_an_answer_cut_off_is_no_answer(server: Server) -> None:
    """The connection breaks in the middle: an error, and the next question is asked anew."""
    sql = (
        "SELECT REPEAT('x', 1000) FROM seq_1_to_1000000"
        if server.scheme == "mysql"
        else "SELECT repeat('x', 1000) FROM generate_series(1, 1000000)"
    )
    with session(server) as one:
        with pytest.raises(EnvironmentTrouble, match="broke off"), one.reading(sql) as found:
            next(found.rows)
            killed(server)
            for _ in found.rows:
                pass
        assert [[1]] == asked(one, "SELECT 1").rows


def test_a_server_is_told_from_another(server: Server) -> None:
    """The same twice; another database of it is another."""
    with session(server) as one, session(server) as other:
        assert one.identity() == other.identity()
        assert all(one.identity().values()), one.identity()


def test_a_file_is_read_and_never_written(file: DbAddress) -> None:
    """Opened to be read: without the gate, and with its own guard taken away."""
    with opened(file.url, None) as one:
        assert [["套房"]] == asked(one, "SELECT name FROM room WHERE id = 1").rows
        orders = [order.format("main") for order in WRITES]
        for sql in (*orders[:-1], "ATTACH DATABASE '/tmp/x.db' AS x", "VACUUM"):
            with pytest.raises(StatementFailed), one.reading(sql) as found:
                list(found.rows)
        one.raw().execute("PRAGMA query_only = OFF")
        with pytest.raises(StatementFailed, match="readonly"), one.reading(orders[0]) as found:
            list(found.rows)
        assert "write the file" == one.could_write()


def test_a_file_answers_in_time_and_in_bounds(file: DbAddress) -> None:
    """Ten million rows and more, binary, and a statement that never ends."""
    count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n{}) SELECT {} FROM n"
    with opened(file.url, None, seconds=0.5) as one:
        before = peak()
        found = asked(one, count.format(" WHERE i < 10000000", "i"), limit=7)
        assert (7, True) == (len(found.rows), found.truncated)
        assert 64 > peak() - before
        with pytest.raises(StatementFailed, match="Stopped after"):
            ask(one, count.format("", "SUM(i)"))
        with pytest.raises(StatementFailed):
            ask(one, "SELECT zeroblob(1000000000)")
        assert [["3 bytes: 610062", 2**40]] == asked(one, "SELECT x'610062', 1 << 40").rows


def test_a_limit_holds_within_one_step_of_sqlite(file: DbAddress) -> None:
    """A long text is looked through for a long one: half a minute in which SQLite asks nobody."""
    text, words = "replace(hex(zeroblob(5000000)), '0', 'a')", f"%{'a' * 1_000}b%"
    with opened(file.url, None, seconds=1) as one:
        began = time.monotonic()
        late = pytest.raises(StatementFailed, match="Stopped after 1 s")
        with late, one.reading(f"SELECT {text} LIKE '{words}'") as found:
            list(found.rows)
        assert 5 > time.monotonic() - began
        assert [[1]] == asked(one, "SELECT 1").rows


def test_a_file_that_is_none_is_told(file: DbAddress) -> None:
    """Not there, or no database: none is made."""
    for content in (None, "no database, only text " * 99):
        path = file.database + ".other"
        if content:
            with open(path, "w", encoding="utf-8") as made:  # noqa: PTH123  # the path is a text
                made.write(content)
        with pytest.raises(EnvironmentTrouble, match=r"cannot be reached.* the file is there"):
            opened(f"sqlite:///{path}", None)
