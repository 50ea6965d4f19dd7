"""What a question to a database costs, and what the gate in front of it lets through.

    python -m benchmarks.database [--rounds 15] [--json]
    python -m benchmarks.database --statements dev|unseen|FILE [--effects] [--json]

The first asks a small table of a file, of MariaDB and of PostgreSQL where they are, each started in
a folder of its own: `learnt db query` as a command, against the start of a bare interpreter in
turn, and `ask` in a running process against the driver by itself. The second asks the gate for each
labelled statement, once for each dialect listed, and prints totals alone. With --effects all go
through `ask` to servers of its own and to a file, by accounts that may do all: what changed
(tables, sequences, objects, locks, settings, files), which refused statement the server heard of,
and how long the slowest took, those that are meant to be heavy aside.
"""

import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

from benchmarks.corpus import Place, throwaway
from benchmarks.report import DATA, load_now, quantile, run, spread, start_bare, timed, verdict
from learnt.domains.database.commands.query import QueryRows
from learnt.domains.database.gate.statements import judge
from learnt.domains.database.servers.connections import DbSession, Limits, address, begun
from tests.support.asking import ask
from tests.support.database_servers import PASSWORD, NotHere, mariadb, postgres
from tests.support.gate_proof import (
    SECONDS,
    WatchedFile,
    WatchedMariadb,
    WatchedPostgres,
    asked_by_writer,
    labelled,
    let_through,
    proof,
)

COMMAND_GOAL: Final = 45.0  # starts of a bare interpreter
OVER_DRIVER_GOAL: Final = 30.0  # milliseconds
ROWS: Final = 100
SQL: Final = f"SELECT id, name FROM room ORDER BY id LIMIT {ROWS}"
STATEMENTS: Final = DATA / "sql_statements"
TABLE: Final = (
    "CREATE TABLE room (id INTEGER PRIMARY KEY, name VARCHAR(40))",
    *(f"INSERT INTO room VALUES ({number}, 'room {number}')" for number in range(ROWS)),
)


def urls(stack: ExitStack) -> Iterator[tuple[str, str]]:
    """Each database that can be had here, by its name."""
    file = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "shop.db"
    with closing(sqlite3.connect(file)) as connection:
        for order in TABLE:
            connection.execute(order)
        connection.commit()
    yield "SQLite", f"sqlite:///{file}"
    for name, start in (("MariaDB", mariadb), ("PostgreSQL", postgres)):
        try:
            server = stack.enter_context(start())
        except NotHere as reason:
            print(f"{name}: {reason}", file=sys.stderr)
            continue
        server.run(*TABLE)
        yield name, server.url()


def command_ratio(place: Place, url: str, rounds: int) -> list[float]:
    """A question as a command, over a bare start just before it; for each round."""
    learnt = [str(Path(sys.executable).with_name("learnt")), "--home", str(place.home), "db"]
    subprocess.run(
        [*learnt, "setup", "--name", "it", "--url", url, "--password-stdin", "--yes"],
        input=PASSWORD,
        text=True,
        check=True,
        capture_output=True,
    )
    question = [*learnt, "query", "--name", "it", "--sql", SQL, "--json"]

    def asked() -> object:
        return subprocess.run(question, check=True, capture_output=True)

    asked()
    starts = (timed(start_bare) for _ in range(rounds))
    return [timed(asked) / start for start in starts]


def over_driver(session: DbSession, rounds: int) -> list[float]:
    """Seconds that a question takes more than the driver by itself, in a running process."""

    def driver() -> None:
        cursor = session.raw().cursor()
        cursor.execute(SQL)
        cursor.fetchall()
        cursor.close()

    def ours() -> None:
        found = ask(session, SQL)
        assert isinstance(found, QueryRows) and len(found.rows) == ROWS

    ours()
    return [timed(ours) - timed(driver) for _ in range(rounds)]


def measured(rounds: int) -> list[dict[str, object]]:
    """A row for each database."""
    rows: list[dict[str, object]] = []
    with ExitStack() as stack:
        place = stack.enter_context(throwaway())
        for name, url in urls(stack):
            ratios = command_ratio(place, url, rounds)
            with closing(begun(address(url), PASSWORD, Limits())) as session:
                over = spread(over_driver(session, 10 * rounds))
            middle = quantile(ratios, 0.5)
            rows.append({
                "database": name,
                "command / bare start": round(middle, 1),
                "from": round(min(ratios), 1),
                "to": round(max(ratios), 1),
                "command": verdict(middle, COMMAND_GOAL),
                "over driver p50 ms": over["p50"],
                "p95 ms": over["p95"],
                "in a process": verdict(over["p95"], OVER_DRIVER_GOAL),
            })
    return rows


def file_of(told: str) -> Path:
    """The set of statements that is meant: a half by its name, or a file."""
    return STATEMENTS / f"statements_{told}.jsonl" if told in {"dev", "unseen"} else Path(told)


def totals(file: Path) -> list[dict[str, object]]:
    """How many statements of each label the gate lets through, by server."""
    rows: list[dict[str, object]] = []
    statements = labelled(file)
    for dialect in ("mysql", "postgres", "sqlite", ""):
        counts = {"allow": [0, 0], "refuse": [0, 0]}
        slowest = 0.0
        for one in statements:
            for spoken in one["dialects"]:
                if dialect in {spoken, ""}:
                    start = time.perf_counter()
                    counts[one["label"]][0] += let_through(judge(one["sql"], spoken))
                    counts[one["label"]][1] += 1
                    slowest = max(slowest, time.perf_counter() - start)
        (allowed, allow), (through, refuse) = counts["allow"], counts["refuse"]
        rows.append({
            "server": dialect or "all",
            "let through of those to refuse": f"{through} of {refuse}",
            "let through of those to allow": f"{allowed} of {allow}",
            "share": round(allowed / allow, 3) if allow else None,
            "slowest ms": round(1_000 * slowest, 1),
        })
    return rows


def effects_of(file: Path) -> list[dict[str, object]]:
    """What all statements do to servers and to a file, asked by an account that may do all."""
    rows: list[dict[str, object]] = []
    statements = labelled(file)
    for name, start in (("MariaDB", mariadb), ("PostgreSQL", postgres)):
        with ExitStack() as stack:
            try:
                server = stack.enter_context(start())
            except NotHere as reason:
                print(f"{name}: {reason}", file=sys.stderr)
                continue
            made = WatchedMariadb if name == "MariaDB" else WatchedPostgres
            watched = stack.enter_context(closing(made(server)))
            session = stack.enter_context(asked_by_writer(server))
            told = proof(watched, session, statements)
            rows += [{"server": name, **one.row} for one in told]
    with tempfile.TemporaryDirectory() as folder:
        inside = WatchedFile(Path(folder) / "shop.db")
        at = address(f"sqlite:///{inside.file}")
        with closing(begun(at, None, Limits(seconds=SECONDS))) as session:
            rows += [
                {"server": "SQLite", **told.row} for told in proof(inside, session, statements)
            ]
    return rows


def main(*, rounds: int = 15, statements: str = "", effects: bool = False) -> dict[str, object]:
    """Measure questions, or what statements come to: of a half by its name, or of a file."""
    if not statements:
        rows = measured(rounds)
    else:
        rows = (effects_of if effects else totals)(file_of(statements))
    return {"load": load_now(), "rows": rows}


if __name__ == "__main__":
    run(main)
