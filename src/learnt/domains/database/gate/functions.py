"""Which functions a question may call: those that are known by name to only compute or look.

The names are in `data`, by server, each put in by hand. Gone through were MariaDB's help,
MySQL 8's manual, PostgreSQL's `pg_proc` and SQLite's `function_list`. Left out is what writes,
waits, locks, sends, reads files or a sequence, runs a text as a statement, or changes the session,
and whatever is in doubt.
"""

from typing import Final

from sqlglot import exp

from learnt.domains.database.lists import words
from learnt.domains.database.servers.addresses import Dialect

_OWN_SCHEMA: Final = "pg_catalog"


def unknown(node: exp.Expr, dialect: Dialect) -> str | None:
    """The name of a call that is not known to only compute; None for every other node.

    A name in quotes or of a schema is somebody's own function, whatever it is called.
    """
    if not isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        return None
    name = node.name.lower()
    if not isinstance(node.this, str) or not _of_server(node, dialect):
        return node.sql(dialect=dialect)[:60]
    if isinstance(node.parent, exp.Hint):
        return None if name in words(dialect, "hints") else name[:60]
    if is_known(name, dialect) or (name in words(dialect, "bare") and not node.expressions):
        return None
    return name[:60]


def is_known(name: str, dialect: Dialect) -> bool:
    """Whether a name, in lower case, is that of a function of the server's own.

    >>> is_known("pragma_table_info", "sqlite"), is_known("load_file", "mysql")
    (True, False)
    """
    pragma = name.removeprefix("pragma_") if dialect == "sqlite" else name
    return name in words(dialect, "names") or (
        pragma != name and pragma in words(dialect, "looking") | words(dialect, "telling")
    )


def _of_server(node: exp.Expr, dialect: Dialect) -> bool:
    """Whether a call names no schema, or the server's own."""
    parent = node.parent
    if isinstance(parent, exp.Dot) and node is parent.expression:
        schema: object = parent.this
    elif isinstance(parent, exp.Table):
        if parent.args.get("catalog"):
            return False
        schema = parent.args.get("db")
    else:
        schema = None
    if not schema:
        return True
    return (
        dialect == "postgres"
        and isinstance(schema, exp.Identifier)
        and schema.name == _OWN_SCHEMA
        and isinstance(node.this, str)
    )


def file_table(node: exp.Expr, dialect: Dialect) -> str | None:
    """The name of a table that is none, but reads files; None for every other node."""
    if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
        return None
    name = node.name.lower()
    odd = dialect == "sqlite" and name.startswith("pragma_") and not is_known(name, dialect)
    return name[:60] if odd or name in words(dialect, "files") else None
