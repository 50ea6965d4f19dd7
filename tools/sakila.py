"""Sakila, the sample database of a film rental shop, in a MariaDB of one's own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from learnt.domains.database.servers.connections import address
from tests.support.database_servers import PASSWORD, NotHere, Server, mariadb
from tests.support.samples import CORPUS, load
from tools.investigation import Database

_FILES = ("datacharmer__sakila-mv-schema.sql.gz", "datacharmer__sakila-mv-data.sql.gz")
# What the catalog is asked before a question among it.
_HOUSEKEEPING = (
    "START TRANSACTION%",
    "ROLLBACK%",
    "COMMIT%",
    "SET %",
    "SELECT _engine_, engine FROM information_schema.tables %",
    "SELECT routine_name FROM information_schema.routines %",
    "SELECT function FROM information_schema.sql_functions",
)


@contextmanager
def sakila(corpus: Path = CORPUS) -> Iterator[Database]:
    """The whole of it; NotHere, with the reason, where it or a server can't be had."""
    missing = [name for name in _FILES if not (corpus / name).is_file()]
    if missing:
        raise NotHere("no Sakila here: ../shared/evaluation/corpus/sql is not there")
    with mariadb() as server:
        ((version,),) = server.run("SELECT VERSION()", database="")
        if not str(version).startswith("10.11."):
            raise NotHere(f"MariaDB {version} is here: what 10.11 says differs in words")
        # What the server samples in the background decides in which order it joins, and so answers.
        server.run(
            "SET GLOBAL innodb_stats_auto_recalc = OFF",
            "SET GLOBAL innodb_stats_persistent_sample_pages = 10000",
            database="",
        )
        load(server, [corpus / name for name in _FILES])
        tables = server.run("SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'", database="sakila")
        server.run(f"ANALYZE TABLE {', '.join(str(row[0]) for row in tables)}", database="sakila")
        server.run(
            "SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = ON", database="sakila"
        )
        yield Database(
            address=address(server.url("reader", "sakila")),
            looking=address(server.url("writer", "sakila")),
            password=PASSWORD,
            change=lambda orders: _change(server, orders),
            logged=lambda: _logged(server),
        )


def _change(server: Server, orders: Sequence[str]) -> None:
    if orders:
        server.run(*orders, database="sakila")


def _logged(server: Server) -> int:
    """The statements of the account that only reads, without what a session says around them."""
    around = " AND ".join(f"argument NOT LIKE '{one}'" for one in _HOUSEKEEPING)
    (count,) = server.run(
        "SELECT COUNT(*) FROM mysql.general_log WHERE command_type = 'Query'"
        f" AND user_host LIKE 'reader%' AND {around}",
        database="sakila",
    )
    return int(count[0])
