"""Which statements may reach a database: those that read, and nothing that is not understood.

A statement is parsed, and what runs is written anew from the tree, without comments: where a server
would read the same characters otherwise, it never gets them. Every node of the tree has to be of a
known sort, and every function one that only computes.
"""

import re
from collections.abc import Mapping
from typing import Final

from sqlglot import TokenType, exp
from sqlglot.errors import SqlglotError

from learnt.domains.database.gate import functions, grammar, parts, spelling, tables
from learnt.domains.database.gate.commands import command
from learnt.domains.database.gate.slips import slip
from learnt.domains.database.gate.verdicts import LONGEST, Allowed, Refused
from learnt.domains.database.servers.addresses import Dialect

DEEPEST: Final = 400  # nested nodes; no question needs more

_STYLED: Final = re.compile(r"\x1b\[[0-9;]*m")
_READS: Final = (exp.Select, exp.SetOperation, exp.Values, exp.Subquery)
_FORBIDDEN: Final = (
    exp.DML, exp.DDL, exp.Command, exp.Into, exp.Lock, exp.Parameter, exp.PropertyEQ, exp.Set,
    exp.SetItem, exp.Drop, exp.Alter, exp.TruncateTable, exp.Kill, exp.Transaction, exp.Commit,
    exp.Rollback, exp.Use, exp.LoadData, exp.Copy, exp.Attach, exp.Detach, exp.Analyze,
    exp.NextValueFor, exp.Grant, exp.Cache, exp.Uncache, exp.Refresh, exp.Merge,
    exp.Placeholder,
)  # fmt: skip
_GAP: Final = r"(?:\s|/\*(?![Mm]?!)(?:[^*]|\*(?!/))*+\*/|--[^\n]*\n)"
_OPTION: Final = (
    r"(?:ANALYZE|VERBOSE|COSTS|SETTINGS|GENERIC_PLAN|BUFFERS|SERIALIZE|WAL|TIMING|SUMMARY|MEMORY|"
    r"FORMAT)(?:\s+(?:\w+|'\w+'))?"
)
_PLANS: Final[Mapping[Dialect, tuple[str, str]]] = {
    "mysql": (
        rf"EXPLAIN|DESC(?:RIBE)?|ANALYZE(?!{_GAP}++TABLE\b)",
        r"EXTENDED|PARTITIONS|ANALYZE|FORMAT\s*=\s*\w+",
    ),
    "postgres": ("EXPLAIN", rf"ANALYZE|VERBOSE|\(\s*{_OPTION}(?:\s*,\s*{_OPTION}){{0,12}}\s*\)"),
    "sqlite": ("EXPLAIN", r"QUERY\s+PLAN"),
}
_EXPLAIN: Final = {
    dialect: re.compile(
        rf"{_GAP}*+(?P<word>{words})(?P<how>(?:(?:{_GAP}++|(?=\()){_GAP}*+(?:{how})(?=\W))*){_GAP}*+"
        r"(?P<rest>(?:\b(?:SELECT|WITH|VALUES|TABLE)\b|\().*)",
        re.IGNORECASE | re.DOTALL,
    )
    for dialect, (words, how) in _PLANS.items()
}
# MariaDB's bound on the rows a server looks at, which the parser does not know.
_EXAMINED: Final = re.compile(
    r"(?P<rest>.*\S)\s+(?P<limit>LIMIT\s+(?:\d{1,12}\s+(?:OFFSET\s+\d{1,12}\s+)?)?)"
    r"ROWS\s+EXAMINED\s+(?P<examined>\d{1,12})",
    re.IGNORECASE | re.DOTALL,
)


def judge(sql: str, dialect: Dialect) -> Allowed | Refused:
    """Whether a statement may run, and what would be run for it.

    >>> judge("select 1 -- one", "mysql").sql
    'SELECT 1'
    >>> judge("SELECT 1;DELETE FROM t", "mysql").reason, judge("SELECT SLEEP(9)", "mysql").reason
    ('several', 'function')
    """
    text = sql.strip().rstrip(";").strip()
    if not text:
        return Refused("empty")
    if len(text) > LONGEST:
        return Refused("too-long")
    if (odd := spelling.odd(text, dialect)) is not None:
        return odd
    text = _closed(text, dialect)
    found = command(text, dialect, lambda inner: _parsed(inner, dialect))
    return _parsed(text, dialect) if found is None else found


def _closed(text: str, dialect: Dialect) -> str:
    """A statement without the semicolon that ends it, and the comments behind that."""
    try:
        signs = grammar.tokens(text, dialect)
    except (SqlglotError, ValueError):
        return text
    end = len(text)
    while signs and signs[-1].token_type == TokenType.SEMICOLON:
        end = signs.pop().start
    return text[:end].rstrip()


def _parsed(text: str, dialect: Dialect) -> Allowed | Refused:
    explained = _EXPLAIN[dialect].fullmatch(text)
    if explained is not None:
        inner = _query(explained["rest"], dialect)
        how = " ".join(re.sub(r"/\*.*?\*/|--[^\n]*\n", " ", explained["how"]).split())
        if isinstance(inner, Refused):
            return inner
        word = "ANALYZE" if explained["word"].upper() == "ANALYZE" else "EXPLAIN"
        return _behind(" ".join(filter(None, (word, how))), inner)
    return _query(text, dialect)


def _behind(words: str, inner: Allowed) -> Allowed:
    """A statement with words before it."""
    write = inner.placed
    return Allowed(
        f"{words} {inner.sql}",
        inner.tables,
        write and (lambda schemas: f"{words} {write(schemas)}"),
    )


def _query(text: str, dialect: Dialect) -> Allowed | Refused:
    if dialect == "mysql" and (bounded := _EXAMINED.fullmatch(text)) is not None:
        return _bounded(bounded)
    try:
        found = grammar.parsed(text, dialect)
        statements = [one for one in found if one is not None]
        if not statements:
            return Refused("empty")
        if len(found) > 1:
            return Refused("several")
        if (wrong := slip(grammar.tokens(text, dialect), statements[0])) is not None:
            return Refused("not-understood", wrong)
        return _looked_through(statements[0], dialect)
    except RecursionError:
        return Refused("too-deep")
    except (SqlglotError, ValueError) as error:
        return Refused("not-understood", _first_line(error))


def _bounded(found: re.Match[str]) -> Allowed | Refused:
    inner = _query(found["rest"], "mysql")
    if isinstance(inner, Refused):
        return inner
    limit = " ".join(found["limit"].split())
    return Allowed(f"{inner.sql} {limit} ROWS EXAMINED {found['examined']}")


def _first_line(error: Exception) -> str:
    return _STYLED.sub("", str(error)).partition("\n")[0][:120]


def _looked_through(tree: exp.Expr, dialect: Dialect) -> Allowed | Refused:
    if not isinstance(tree, _READS):
        return Refused("not-a-read", type(tree).__name__.upper())
    if (refused := _nodes(tree, dialect)) is not None:
        return refused
    written = grammar.written(tree, dialect)
    if dialect != "postgres" or not (bare := tables.without_schema(tree)):
        return Allowed(written)

    def placed(schemas: Mapping[str, str]) -> str:
        return grammar.written(tables.with_schemas(tree, schemas), dialect)

    return Allowed(written, frozenset(map(tables.folded, bare)), placed)


def _nodes(tree: exp.Expr, dialect: Dialect) -> Refused | None:
    """What in a tree is the matter; None where every node is known to only read."""
    waiting = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST:
            return Refused("too-deep")
        if (refused := _node(node, dialect)) is not None:
            return refused
        waiting.extend((child, depth + 1) for child in node.iter_expressions())
    return None


def _node(node: exp.Expr, dialect: Dialect) -> Refused | None:
    if isinstance(node, _FORBIDDEN):
        return Refused("writes", type(node).__name__.upper())
    if not parts.reads(node):
        return Refused("not-understood", type(node).__name__.upper())
    if (name := functions.unknown(node, dialect)) is not None:
        return Refused("function", name)
    if (name := functions.file_table(node, dialect)) is not None:
        return Refused("file", name)
    if (name := parts.foreign(node, dialect)) is not None:
        return Refused("foreign", name)
    return None
