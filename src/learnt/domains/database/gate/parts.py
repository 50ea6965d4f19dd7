"""The parts of a statement that only read: every node of a parsed question is one of these.

By the parser's own names for them. A sort that a later parser brings is not among them, and what it
is in is refused. Functions that are called by name are told by `functions`.
"""

import re
from typing import Final

from sqlglot import exp

from learnt.domains.database.lists import words
from learnt.domains.database.servers.addresses import Dialect

_OF_CATALOG: Final = re.compile(r"(?:pg_catalog\s*\.\s*)?[-+*/<>=~!@#%^&|`?]{1,8}", re.IGNORECASE)
_SAMPLES: Final = frozenset({"", "BERNOULLI", "SYSTEM"})


def reads(node: exp.Expr) -> bool:
    """Whether a node is of a sort that only reads.

    >>> from sqlglot import parse_one
    >>> reads(parse_one("SELECT 1")), reads(parse_one("DELETE FROM t"))
    (True, False)
    """
    return type(node).__name__ in words("parts", "names")


def foreign(node: exp.Expr, dialect: Dialect) -> str | None:
    """What of somebody's own schema a node would run code of; None for every other node.

    Conversions to a type, operators and ways to sample may be defined by anybody in PostgreSQL.
    """
    if dialect != "postgres":
        return None
    if isinstance(node, exp.DataType) and node.this == exp.DType.USERDEFINED:
        return None if _own_type(node) else node.sql(dialect="postgres")[:60]
    if isinstance(node, exp.Operator) and not _OF_CATALOG.fullmatch(str(node.args["operator"])):
        return f"OPERATOR({node.args['operator']})"[:60]
    if isinstance(node, exp.TableSample):
        method = str(node.args.get("method") or "").upper()
        return None if method in _SAMPLES else f"TABLESAMPLE {method}"[:60]
    return None


def _own_type(node: exp.DataType) -> bool:
    kind = node.args.get("kind")
    if isinstance(kind, exp.Dot) and isinstance(kind.this, exp.Identifier):
        if kind.this.name != "pg_catalog":
            return False
        kind = kind.expression
    if isinstance(kind, exp.Identifier):
        return (kind.name if kind.args.get("quoted") else kind.name.lower()) in words(
            "postgres", "types"
        )
    return isinstance(kind, str) and kind.lower() in words("postgres", "types")
