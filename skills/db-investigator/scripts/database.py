"""Ask a MySQL or MariaDB database, reading only: database.py setup|query|structure|index.

For where Learnt is not installed. Python 3.8, the standard library and PyMySQL.
"""

from __future__ import annotations

import argparse
import configparser
import getpass
import json
import os
import re
import sys
from typing import Any, Dict, List, Optional, Tuple

HERE = os.path.dirname(os.path.abspath(__file__))
CONFIG = os.path.join(HERE, "db_config.ini")
SECONDS = 30
WIDEST = 60

_SPACE = re.compile(
    r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`(?:[^`]|``)*`|"
    r"--[ \t][^\n]*|#[^\n]*|/\*.*?\*/",
    re.DOTALL,
)
_FIRST = {"SELECT", "SHOW", "DESCRIBE", "DESC", "EXPLAIN", "WITH"}
_WRITING = re.compile(
    r"\b(?:ALTER|CALL|CREATE|DELETE|DROP|GRANT|INSERT|INTO|LOAD|LOCK|MERGE|RENAME|REVOKE|TRUNCATE|"
    r"UPDATE)\b|\bREPLACE\b(?!\s*\()"
)
_CALLS = re.compile(
    r"\b(?:SLEEP|BENCHMARK|LOAD_FILE|GET_LOCK|RELEASE_LOCK|RELEASE_ALL_LOCKS|MASTER_POS_WAIT|"
    r"SOURCE_POS_WAIT|WAIT_FOR_EXECUTED_GTID_SET|NEXTVAL|SETVAL)\s*\("
)


def refused(sql: str) -> str:
    """Why a statement is not run; empty where it only reads.

    The server holds it to reading besides: it runs in a read-only transaction.
    """
    if re.search(r"/\*[!M]", sql):
        return "a comment that the server runs"
    plain = _SPACE.sub(lambda found: " " if found[0][:1] in "-#/" else " x ", sql).upper().strip()
    plain = plain[:-1].rstrip() if plain.endswith(";") else plain
    if re.search(r"[;'\"`\\]|/\*|\*/", plain):
        return "more than one statement, or a quote or comment that does not end"
    first = re.match(r"[(\s]*([A-Z]+)\b", plain)
    if first is None or first[1] not in _FIRST or re.match(r"[(\s]*[A-Z]+[0-9_$]", plain):
        return "it does not begin like a question: SELECT, SHOW, DESCRIBE, EXPLAIN, WITH"
    found = first[1] != "SHOW" and _WRITING.search(plain)
    if found:
        return "it may change something: " + found[0]
    if found := _CALLS.search(plain):
        return "it calls what does more than read: " + found[0].rstrip("( ")
    return ""


def configured() -> Dict[str, str]:
    """The connection's settings; ends the program where none are there."""
    parser = configparser.ConfigParser(interpolation=None)
    if not parser.read(CONFIG, encoding="utf-8") or not parser.has_section("database"):
        sys.exit("No database is set up yet: have the user run `python3 %s setup`." % sys.argv[0])
    return dict(parser["database"])


def connected(settings: Dict[str, str]) -> Tuple[Any, Any]:
    """A connection that only reads; ends the program where none can be had."""
    try:
        import pymysql
    except ImportError:
        sys.exit("PyMySQL is missing: ask the user to run `pip install pymysql`.")
    try:
        server = pymysql.connect(
            host=settings["host"],
            port=int(settings["port"]),
            user=settings["user"],
            password=settings["password"],
            database=settings["database"],
            charset="utf8mb4",
            connect_timeout=10,
            read_timeout=SECONDS,
            local_infile=False,
        )
        with server.cursor() as cursor:
            cursor.execute("SET SESSION TRANSACTION READ ONLY")
            cursor.execute("START TRANSACTION READ ONLY")
        return server, pymysql.MySQLError
    except (pymysql.MySQLError, OSError, ValueError) as error:
        sys.exit("The database cannot be reached: %s" % error)


def setup() -> int:
    """Ask for the connection, keep it for this user alone, and try it."""
    asked = [("host", "localhost"), ("port", "3306"), ("user", "root"), ("database", "")]
    settings = {}
    if os.path.exists(CONFIG) and input("Overwrite %s? [y/N] " % CONFIG).strip().lower() != "y":
        return 0
    for name, default in asked:
        settings[name] = input("%s [%s]: " % (name.capitalize(), default)).strip() or default
    if not settings["database"] or not settings["port"].isdigit():
        sys.exit("A database and a port that is a number are needed. Nothing was kept.")
    settings["password"] = getpass.getpass("Password: ")
    parser = configparser.ConfigParser(interpolation=None)
    parser["database"] = settings
    new = CONFIG + ".new"
    made = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(made, "w", encoding="utf-8") as out:
        parser.write(out)
    os.replace(new, CONFIG)
    connected(settings)[0].close()
    print("Connected. The password is in %s: keep that file out of git." % CONFIG)
    return 0


def asked(sql: str, values: Tuple[str, ...] = (), limit: int = 100) -> int:
    """Print what a statement gives, as JSON; the exit code."""
    server, trouble = connected(configured())
    try:
        with server.cursor() as cursor:
            cursor.execute(sql, values or None)
            names = [column[0] for column in cursor.description or ()]
            rows = cursor.fetchmany(limit + 1)
    except (trouble, OSError) as error:
        print(json.dumps({"failed": str(error)}, ensure_ascii=False))
        return 1
    finally:
        server.close()
    told = [dict(zip(names, map(_shown, row))) for row in rows[:limit]]
    print(json.dumps({"rows": told, "more": len(rows) > limit}, ensure_ascii=False, indent=1))
    return 0


def _shown(value: Any) -> Any:
    if value is None or isinstance(value, (int, float)):
        return value
    text = value.hex() if isinstance(value, (bytes, bytearray)) else str(value)
    return text if len(text) <= WIDEST * 10 else text[: WIDEST * 10] + "…"


STRUCTURE = (
    "SELECT table_name, column_name, column_type, is_nullable, column_key, column_default, "
    "column_comment FROM information_schema.columns WHERE table_schema = DATABASE() "
    "AND FIND_IN_SET(table_name, %s) ORDER BY table_name, ordinal_position"
)
INDEX = (
    "SELECT table_name AS name, table_type AS kind, table_comment AS comment "
    "FROM information_schema.tables WHERE table_schema = DATABASE() UNION ALL "
    "SELECT routine_name, routine_type, routine_comment FROM information_schema.routines "
    "WHERE routine_schema = DATABASE() ORDER BY 2, 1"
)


def main(words: Optional[List[str]] = None) -> int:
    """Run the command that the words name."""
    parser = argparse.ArgumentParser(prog="database.py", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("setup", help="ask for the connection; for a person")
    query = commands.add_parser("query", help="run one statement that only reads")
    query.add_argument("sql")
    query.add_argument("--limit", type=int, default=100)
    structure = commands.add_parser("structure", help="the columns of tables")
    structure.add_argument("--tables", required=True, metavar="A,B")
    commands.add_parser("index", help="which tables, views and routines there are")
    given = parser.parse_args(words)
    if given.command == "setup":
        return setup()
    if given.command == "structure":
        return asked(STRUCTURE, (given.tables.replace(" ", ""),), 1000)
    if given.command == "index":
        return asked(INDEX, (), 1000)
    if why := refused(given.sql):
        print(json.dumps({"refused": why}, ensure_ascii=False))
        return 1
    return asked(given.sql, (), max(1, given.limit))


if __name__ == "__main__":
    sys.exit(main())
