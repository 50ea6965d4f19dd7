"""The parts of a statement that only read: every node of a parsed question is one of these.

Nodes are known by the parser's own names for them. A sort that a later parser brings is not among
them, and what it is in is refused.

Functions are known by name to only compute or look. The names are in `data`, by server, each put in
by hand. Gone through were MariaDB's help, MySQL 8's manual, PostgreSQL's `pg_proc` and SQLite's
`function_list`. Left out is what writes, waits, locks, sends, reads files or a sequence, runs a
text as a statement, or changes the session, and whatever is in doubt.
"""

import re
from typing import Final

from sqlglot import exp

from learnt.domains.database.gate import tables
from learnt.domains.database.gate.verdicts import Denied
from learnt.domains.database.lists import words
from learnt.domains.database.servers.connections import Dialect

_FORBIDDEN: Final = (
    exp.DML, exp.DDL, exp.Command, exp.Into, exp.Lock, exp.Parameter, exp.PropertyEQ, exp.Set,
    exp.SetItem, exp.Drop, exp.Alter, exp.TruncateTable, exp.Kill, exp.Transaction, exp.Commit,
    exp.Rollback, exp.Use, exp.LoadData, exp.Copy, exp.Attach, exp.Detach, exp.Analyze,
    exp.NextValueFor, exp.Grant, exp.Cache, exp.Uncache, exp.Refresh, exp.Merge,
    exp.Placeholder,
)  # fmt: skip
_SYSTEM_SCHEMA: Final = "pg_catalog"
_OF_CATALOG: Final = re.compile(r"(?:pg_catalog\s*\.\s*)?[-+*/<>=~!@#%^&|`?]{1,8}", re.IGNORECASE)
_SAMPLES: Final = frozenset({"", "BERNOULLI", "SYSTEM"})


def refusal(node: exp.Expr, dialect: Dialect) -> Denied | None:
    """Why a node of a tree may not run; None where it is known to only read.

    >>> refusal(exp.Select(), "mysql"), refusal(exp.Delete(), "mysql")
    (None, Denied(reason='writes', what='DELETE'))
    """
    sort = type(node).__name__
    if isinstance(node, _FORBIDDEN):
        return Denied("writes", sort.upper())
    if sort not in words("parts", "names"):
        return Denied("not-understood", sort.upper())
    for reason, look in (("function", _function), ("file", _file_table), ("foreign", _foreign)):
        if (what := look(node, dialect)) is not None:
            return Denied(reason, what[:60])
    return None


def _function(node: exp.Expr, dialect: Dialect) -> str | None:
    """The name of a call that is not known to only compute; None for every other node.

    A name in quotes or of a schema is somebody's own function, whatever it is called.
    """
    if not isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        return None
    name = node.name.lower()
    if not isinstance(node.this, str) or not _of_server(node, dialect):
        return node.sql(dialect=dialect)
    if isinstance(node.parent, exp.Hint):
        return None if name in words(dialect, "hints") else name
    bare = name in words(dialect, "bare") and not node.expressions
    return None if bare or _is_known(name, dialect) else name


def _is_known(name: str, dialect: Dialect) -> bool:
    """Whether a name, in lower case, is that of a function of the server's own.

    >>> _is_known("pragma_table_info", "sqlite"), _is_known("load_file", "mysql")
    (True, False)
    """
    pragma = name.removeprefix("pragma_") if dialect == "sqlite" else name
    return name in words(dialect, "names") or (
        pragma != name and pragma in words(dialect, "looking") | words(dialect, "telling")
    )


def _of_server(node: exp.Expr, dialect: Dialect) -> bool:
    """Whether a call names no schema, or the server's own."""
    parent, schema = node.parent, None
    if isinstance(parent, exp.Dot) and node is parent.expression:
        schema = parent.this
    elif isinstance(parent, exp.Table):
        if parent.args.get("catalog"):
            return False
        schema = parent.args.get("db")
    if not schema:
        return True
    system = isinstance(schema, exp.Identifier) and schema.name == _SYSTEM_SCHEMA
    return dialect == "postgres" and system


def _file_table(node: exp.Expr, dialect: Dialect) -> str | None:
    """The name of a table that is none, but reads files; None for every other node."""
    if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
        return None
    name = node.name.lower()
    odd = dialect == "sqlite" and name.startswith("pragma_") and not _is_known(name, dialect)
    return name if odd or name in words(dialect, "files") else None


def _foreign(node: exp.Expr, dialect: Dialect) -> str | None:
    """What of somebody's own schema a node would run code of; None for every other node.

    Conversions to a type, operators and ways to sample may be defined by anybody in PostgreSQL.
    """
    if dialect != "postgres":
        return None
    if isinstance(node, exp.DataType) and node.this == exp.DType.USERDEFINED:
        # Which of somebody's own run code is asked of the server, by their names.
        return None if tables.nameable(node) else node.sql(dialect="postgres")
    if isinstance(node, exp.Operator) and not _OF_CATALOG.fullmatch(str(node.args["operator"])):
        return f"OPERATOR({node.args['operator']})"
    if isinstance(node, exp.TableSample):
        method = str(node.args.get("method") or "").upper()
        return None if method in _SAMPLES else f"TABLESAMPLE {method}"
    return None
