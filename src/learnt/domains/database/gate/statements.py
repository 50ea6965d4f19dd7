"""Which statements may reach a database: those that read, and nothing that is not understood.

A statement is parsed, and what runs is written anew from the tree, without comments: where a server
would read the same characters otherwise, it never gets them. Every node of the tree has to be of a
known sort, and every function one that only computes.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from sqlglot import TokenType, exp
from sqlglot.errors import SqlglotError

from learnt.domains.database.gate import grammar, parts, spelling
from learnt.domains.database.gate.show import command
from learnt.domains.database.gate.verdicts import LONGEST, Allowed, Denied, Schemas
from learnt.domains.database.servers.connections import Dialect

DEEPEST: Final = 400  # nested nodes; no question needs more

_STYLED: Final = re.compile(r"\x1b\[[0-9;]*m")
_READS: Final = (exp.Select, exp.SetOperation, exp.Values, exp.Subquery)
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


def judge(sql: str, dialect: Dialect) -> Allowed | Denied:
    """Whether a statement may run, and what would be run for it.

    >>> judge("select 1 -- one", "mysql").sql
    'SELECT 1'
    >>> judge("SELECT 1;DELETE FROM t", "mysql").reason, judge("SELECT SLEEP(9)", "mysql").reason
    ('several', 'function')
    """
    text = sql.strip().rstrip(";").strip()
    if not text:
        return Denied("empty")
    if len(text) > LONGEST:
        return Denied("too-long")
    if (odd := spelling.odd(text, dialect)) is not None:
        return odd
    text = _closed(text, dialect)
    verdict = command(text, dialect, lambda inner: _parsed(inner, dialect))
    if verdict is not None:
        return verdict
    verdict = _parsed(text, dialect)
    if isinstance(verdict, Denied):
        return verdict
    same = _words(text, dialect) == _words(verdict.sql, dialect)
    return replace(verdict, otherwise=not same)


def _words(text: str, dialect: Dialect) -> list[str]:
    return [word for sign in grammar.tokens(text, dialect) if (word := sign.text.upper()) != "AS"]


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


def _parsed(text: str, dialect: Dialect) -> Allowed | Denied:
    explained = _EXPLAIN[dialect].fullmatch(text)
    if explained is None:
        return _query(text, dialect)
    inner = _query(explained["rest"], dialect)
    if isinstance(inner, Denied):
        return inner
    how = re.sub(r"/\*.*?\*/|--[^\n]*\n", " ", explained["how"]).split()
    word = "ANALYZE" if explained["word"].upper() == "ANALYZE" else "EXPLAIN"
    before, write = " ".join((word, *how)), inner.placed
    placed = write and (lambda *schemas: f"{before} {write(*schemas)}")
    return Allowed(f"{before} {inner.sql}", inner.uses, placed=placed)


def _query(text: str, dialect: Dialect) -> Allowed | Denied:
    if dialect == "mysql" and (bounded := _EXAMINED.fullmatch(text)) is not None:
        inner = _query(bounded["rest"], "mysql")
        if isinstance(inner, Denied):
            return inner
        limit = " ".join(bounded["limit"].split())
        return Allowed(f"{inner.sql} {limit} ROWS EXAMINED {bounded['examined']}", inner.uses)
    try:
        statements = grammar.parsed(text, dialect)
        tree = next((each for each in statements if each is not None), None)
        if tree is None:
            return Denied("empty")
        if len(statements) > 1:
            return Denied("several")
        if (wrong := spelling.slip(grammar.tokens(text, dialect), tree, dialect)) is not None:
            return Denied("not-understood", wrong)
        return _judged(tree, dialect)
    except RecursionError:
        return Denied("too-deep")
    except (SqlglotError, ValueError) as error:
        first_line = _STYLED.sub("", str(error)).partition("\n")[0]
        return Denied("not-understood", first_line[:120])


def _judged(tree: exp.Expr, dialect: Dialect) -> Allowed | Denied:
    if not isinstance(tree, _READS):
        return Denied("not-a-read", type(tree).__name__.upper())
    if (refused := _refusal(tree, dialect)) is not None:
        return refused
    written, uses = grammar.written(tree, dialect), parts.uses(tree, dialect)
    if dialect != "postgres" or not (uses.relations or uses.types):
        return Allowed(written, uses)

    def placed(schemas: Schemas, types: Schemas = MappingProxyType({}), /) -> str:
        return grammar.written(parts.with_schemas(tree, schemas, types), dialect)

    return Allowed(written, uses, placed=placed)


def _refusal(tree: exp.Expr, dialect: Dialect) -> Denied | None:
    waiting = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST:
            return Denied("too-deep")
        if (refused := parts.refusal(node, dialect)) is not None:
            return refused
        waiting.extend((child, depth + 1) for child in node.iter_expressions())
    return None
