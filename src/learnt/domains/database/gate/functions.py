"""Which functions a question may call: those that are known by name to only compute or look.

The names are in `function_names`, by server, each put in by hand. Gone through were MariaDB's help,
MySQL 8's manual, PostgreSQL's `pg_proc` and SQLite's `function_list`. Left out is what writes,
waits, locks, sends, reads files or a sequence, runs a text as a statement, or changes the session,
and whatever is in doubt.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import Final

from sqlglot import exp

from learnt.domains.database.gate.function_names import mysql, postgres, sqlite
from learnt.domains.database.servers.dialects import Dialect

_OF_SERVER: Final[Mapping[Dialect, ModuleType]] = {
    "mysql": mysql,
    "postgres": postgres,
    "sqlite": sqlite,
}
_OWN_SCHEMA: Final = "pg_catalog"


def unknown(node: exp.Expr, dialect: Dialect) -> str | None:
    """The name of a call that is not known to only compute; None for every other node.

    A name in quotes or of a schema is somebody's own function, whatever it is called.
    """
    if not isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        return None
    name, known = node.name.lower(), _OF_SERVER[dialect]
    if not isinstance(node.this, str) or not _of_server(node, dialect):
        return node.sql(dialect=dialect)[:60]
    if isinstance(node.parent, exp.Hint):
        return None if name in known.HINTS else name[:60]
    if name in known.NAMES or (name in known.BARE and not node.expressions):
        return None
    return name[:60]


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
    odd = dialect == "sqlite" and name.startswith("pragma_") and name not in sqlite.NAMES
    return name[:60] if odd or name in _OF_SERVER[dialect].FILES else None
