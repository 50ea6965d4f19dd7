"""Labelled statements asked of databases in which objects lie in wait, and what they did there.

Each case has a database of its own, made by an administrator. Its statement is asked as `learnt db
query` asks it: by the account that reads and by one that may do all. The case's own query tells,
while the session is still open, whether something happened.
"""

import gzip
import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from learnt.domains.database.gate.verdicts import Denied
from learnt.domains.database.servers.connections import DbSession, Limits, address, begun
from learnt.errors import LearntError
from tests.support.asking import ask
from tests.support.database_servers import PASSWORD, Server

FOLDER: Final = Path(__file__).parents[1] / "data" / "sql_effects"
ENGINES: Final = ("postgresql", "mariadb", "sqlite")
_DATABASE: Final = "trial"
_LIMITS: Final = Limits(seconds=5.0)


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a case for one account: refused, failed or ran; and whether it had an effect."""

    case: Mapping[str, Any]
    account: str
    how: str
    effect: bool
    told: str = ""


def cases(half: str) -> list[dict[str, Any]]:
    """The cases of a half, by the beginning of its file's name."""
    (file,) = FOLDER.glob(f"{half}_*.jsonl.gz")
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def tried(server: Server | None, every: Sequence[Mapping[str, Any]]) -> Iterator[Came]:
    """What comes of each case of a server's engine, or of SQLite's where there is no server."""
    for case in every:
        with _prepared(server, case["setup"]) as (urls, run):
            for account, url in urls.items():
                yield _asked(case, account, url, run)


@contextmanager
def _prepared(server: Server | None, setup: Sequence[str]) -> Iterator[tuple[dict[str, str], Any]]:
    """A database after its set-up: its URL by account, and what runs a query as its owner."""
    if server is None:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "trial.db"
            with closing(sqlite3.connect(file, isolation_level=None)) as connection:
                for order in setup:
                    connection.execute(order)
                yield (
                    {"reader": f"sqlite:///{file}"},
                    lambda sql: connection.execute(sql).fetchall(),
                )
        return
    with server.another(_DATABASE) as own, closing(own.owned()) as connection:

        def run(sql: str) -> list[tuple[Any, ...]]:
            with connection.cursor() as cursor:
                cursor.execute(sql)
                return list(cursor.fetchall()) if cursor.description else []

        for order in setup:
            run(order)
        yield {account: own.url(account) for account in ("reader", "writer")}, run


def _asked(case: Mapping[str, Any], account: str, url: str, run: Any) -> Came:
    password = None if url.startswith("sqlite") else PASSWORD
    with closing(begun(address(url), password, _LIMITS)) as session:
        before, told = _effect(case, session, run), ""
        try:
            found = ask(session, case["statement"])
            how = "refused" if isinstance(found, Denied) else "ran"
            told = found.in_words if isinstance(found, Denied) else ""
        except LearntError as error:
            how, told = "failed", str(error)
        after = _effect(case, session, run)
        happened = how == "ran" if case["effect"] is None else after > before
        return Came(case, account, how, happened and not case["honest"], told)


def _effect(case: Mapping[str, Any], session: DbSession, run: Any) -> float:
    """What the case's query gives to the owner or to the session itself, whichever is more."""
    if case["effect"] is None:
        return 0
    found = [0.0]
    with suppress(Exception):  # a table that only the owner may see
        found.append(float(run(case["effect"])[0][0] or 0))
    with suppress(Exception), session.reading(case["effect"]) as answer:
        found.append(float(str(next(iter(answer.rows))[0] or 0)))
    return max(found)
