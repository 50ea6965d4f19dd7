"""What a question to a database costs, and what the gate in front of it lets through.

    python -m benchmarks.database [--rounds 15] [--json]
    python -m benchmarks.database --statements dev|unseen [--effects]

The first asks a small table of a file, of MariaDB and of PostgreSQL where they are, each started in
a folder of its own: `learnt db query` as a command, against the start of a bare interpreter in
turn, and `ask` in a running process against the driver by itself. The second asks the gate for each
labelled statement, once for each dialect listed, and prints totals alone; with --effects it runs
what got through of those to refuse, on servers of its own, by accounts that may do all.
"""

import argparse
import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from pathlib import Path
from typing import Final

from benchmarks.corpus import Place, load_now, quantile, spread, table, throwaway, verdict
from learnt.domains.database.addresses import address
from learnt.domains.database.answers import Answer, answer, ask
from learnt.domains.database.dialects import Dialect
from learnt.domains.database.sessions import Limits, Session, begun
from learnt.domains.database.statements import judge
from learnt.domains.database.verdicts import Allowed
from learnt.errors import StatementFailed
from learnt.stores.hook_files import interpreter
from tests.support.database_servers import PASSWORD, NotHere, Server, mariadb, postgres

COMMAND_GOAL: Final = 45.0  # starts of a bare interpreter
OVER_DRIVER_GOAL: Final = 30.0  # milliseconds
ROWS: Final = 100
SQL: Final = f"SELECT id, name FROM room ORDER BY id LIMIT {ROWS}"
STATEMENTS: Final = Path(__file__).resolve().parent.parent / "tests" / "data" / "sql_statements"
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


def seconds(act: Callable[[], object]) -> float:
    """How long it takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


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

    def bare() -> object:
        return subprocess.run([interpreter(), "-I", "-S", "-c", "pass"], check=True)

    asked()
    found = []
    for _ in range(rounds):
        alone = seconds(bare)
        found.append(seconds(asked) / alone)
    return found


def over_driver(session: Session, rounds: int) -> list[float]:
    """Seconds that a question takes more than the driver by itself, in a running process."""

    def driver() -> None:
        cursor = session.raw().cursor()
        cursor.execute(SQL)
        cursor.fetchall()
        cursor.close()

    def ours() -> None:
        found = ask(session, SQL)
        assert isinstance(found, Answer) and len(found.rows) == ROWS

    ours()
    return [seconds(ours) - seconds(driver) for _ in range(rounds)]


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


def totals(half: str) -> dict[str, object]:
    """How many statements of each label the gate lets through."""
    asked = {"allow": 0, "refuse": 0}
    through = dict(asked)
    file = STATEMENTS / f"statements_{half}.jsonl"
    for line in file.read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        for dialect in one["dialects"]:
            asked[one["label"]] += 1
            through[one["label"]] += isinstance(judge(one["sql"], dialect), Allowed)
    return {
        "half": half,
        "let through of those to refuse": f"{through['refuse']} of {asked['refuse']}",
        "let through of those to allow": f"{through['allow']} of {asked['allow']}",
        "share": round(through["allow"] / asked["allow"], 3),
    }


def effects(half: str) -> list[dict[str, object]]:
    """What the statements to refuse did that the gate let through, asked by an account that may."""
    lines = (STATEMENTS / f"statements_{half}.jsonl").read_text(encoding="utf-8").splitlines()
    refuse = [one for one in map(json.loads, lines) if one["label"] == "refuse"]
    rows: list[dict[str, object]] = []
    servers: tuple[tuple[Dialect, Callable[[], AbstractContextManager[Server]]], ...] = (
        ("mysql", mariadb),
        ("postgres", postgres),
    )
    for dialect, start in servers:
        counts = dict.fromkeys(("through", "answered", "failed", "over a second", "changed"), 0)
        with start() as server:
            server.run(*TABLE, "CREATE TABLE film (film_id INTEGER, title VARCHAR(99))")
            server.run("INSERT INTO film VALUES (1, 'one')")
            held = (
                "SELECT * FROM film", "SELECT * FROM room",
                "SELECT table_schema, table_name FROM information_schema.tables ORDER BY 1, 2",
            )  # fmt: skip
            before = [server.run(sql) for sql in held]
            with closing(begun(address(server.url("writer")), PASSWORD, Limits(seconds=5))) as one:
                for told in refuse:
                    judged = judge(told["sql"], dialect)
                    if dialect not in told["dialects"] or not isinstance(judged, Allowed):
                        continue
                    counts["through"] += 1
                    start_at = time.perf_counter()
                    try:
                        answer(one, judged)
                        counts["answered"] += 1
                    except StatementFailed:
                        counts["failed"] += 1
                    counts["over a second"] += time.perf_counter() - start_at > 1
                    counts["changed"] += before != [server.run(sql) for sql in held]
        rows.append({"server": dialect, **counts})
    return rows


def main() -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--statements", choices=["dev", "unseen"])
    parser.add_argument("--effects", action="store_true", help="what got through did, on servers")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    asked = parser.parse_args()
    if asked.statements and asked.effects:
        rows = effects(asked.statements)
    else:
        rows = [totals(asked.statements)] if asked.statements else measured(asked.rounds)
    if asked.json:
        print(json.dumps({"load": load_now(), "rows": rows}, indent=2))
    else:
        table("Databases", rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
