"""Which statements may reach a database: those that read, and nothing that is not understood.

A statement is parsed, and what runs is written anew from the tree, without comments: where a server
would read the same characters otherwise, it never gets them. Every node of the tree has to be of a
known sort, and every function one that only computes.
"""

import logging
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from learnt.domains.database import functions, parts
from learnt.domains.database.dialects import Dialect

# What it does not know it says on standard error, the statement with it; here it is refused.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)

LONGEST: Final = 20_000
DEEPEST: Final = 400  # nested nodes; no question needs more

_VERSION_COMMENT: Final = re.compile(r"/\*[Mm]?!")
_LITERAL: Final = re.compile(r"'(?:[^'\\]|\\.|'')*'|\"(?:[^\"\\]|\\.|\"\")*\"|`[^`]*`", re.DOTALL)
_SETTING: Final = re.compile(r"SHOW\s+([a-z_][\w.]{0,63})", re.IGNORECASE)
_STYLED: Final = re.compile(r"\x1b\[[0-9;]*m")
_COMMENT: Final = re.compile(r"/\*.*?\*/|--[^\n]*|#[^\n]*", re.DOTALL)
_READS: Final = (exp.Select, exp.SetOperation, exp.Values, exp.Subquery)
_FORBIDDEN: Final = (
    exp.DML, exp.DDL, exp.Command, exp.Into, exp.Lock, exp.Parameter, exp.PropertyEQ, exp.Set,
    exp.SetItem, exp.Drop, exp.Alter, exp.TruncateTable, exp.Kill, exp.Transaction, exp.Commit,
    exp.Rollback, exp.Use, exp.LoadData, exp.Copy, exp.Attach, exp.Detach, exp.Analyze,
    exp.NextValueFor, exp.Grant, exp.Cache, exp.Uncache, exp.Refresh, exp.Merge,
    exp.Placeholder,
)  # fmt: skip
_SHOW: Final = re.compile(
    r"(?:FULL )?(?:TABLES|COLUMNS|FIELDS|TABLE STATUS|TRIGGERS|EVENTS)|INDEX|INDEXES|KEYS|"
    r"DATABASES|SCHEMAS|CREATE (?:TABLE|VIEW|PROCEDURE|FUNCTION|TRIGGER|EVENT|DATABASE)|"
    r"WARNINGS|ERRORS|(?:PROCEDURE|FUNCTION) STATUS|(?:GLOBAL |SESSION )?(?:VARIABLES|STATUS)|"
    r"ENGINES|CHARSET|CHARACTER SET|COLLATION|PLUGINS|(?:FULL )?PROCESSLIST|ENGINE|GRANTS",
    re.IGNORECASE,
)
_EXPLAIN: Final = re.compile(
    r"\s*(?P<word>EXPLAIN|DESC(?:RIBE)?|ANALYZE)\s+"
    r"(?P<how>(?:(?:EXTENDED|FORMAT\s*=\s*\w+|ANALYZE|VERBOSE|QUERY\s+PLAN|"
    r"\((?:[\w\s,]{0,80})\))\s+)*)(?P<rest>(?:SELECT|WITH|VALUES|\().*)",
    re.IGNORECASE | re.DOTALL,
)
# MariaDB's bound on the rows a server looks at, which the parser does not know.
_EXAMINED: Final = re.compile(
    r"(?P<rest>.*\S)\s+LIMIT\s+(?P<rows>\d{1,12}\s+)?ROWS\s+EXAMINED\s+(?P<examined>\d{1,12})",
    re.IGNORECASE | re.DOTALL,
)
_PRAGMAS: Final = frozenset(
    """
    table_info table_xinfo table_list index_list index_info index_xinfo foreign_key_list
    database_list collation_list function_list compile_options user_version schema_version encoding
    page_count page_size
    """.split()
)

REASONS: Final = {
    "empty": "there is no statement in it",
    "too-long": f"it is longer than {LONGEST} characters",
    "too-deep": "it is nested too deeply to be looked through",
    "not-understood": "it was not understood, and what is not understood is not run",
    "several": "it holds more than one statement",
    "version-comment": "a comment in it is code to the server",
    "not-a-read": "it does not only read",
    "writes": "a part of it writes, locks, or changes the session",
    "function": "it calls a function that is not known to only compute",
    "file": "it reads or writes a file of the server",
}


@dataclass(frozen=True, slots=True)
class Allowed:
    """It may run, as it stands in `sql`."""

    sql: str


@dataclass(frozen=True, slots=True)
class Refused:
    """It may not: the reason's name in REASONS, and what in it is the matter."""

    reason: str
    what: str = ""

    @property
    def said(self) -> str:
        """The reason in words."""
        return REASONS[self.reason] + (f": {self.what}" if self.what else "")


def judge(sql: str, dialect: Dialect) -> Allowed | Refused:
    """Whether a statement may run, and what would be run for it.

    >>> judge("select 1 -- one", "mysql")
    Allowed(sql='SELECT 1')
    >>> judge("SELECT 1;DELETE FROM t", "mysql").reason, judge("SELECT SLEEP(9)", "mysql").reason
    ('several', 'function')
    """
    text = sql.strip().rstrip(";").strip()
    if not text:
        return Refused("empty")
    if len(text) > LONGEST:
        return Refused("too-long")
    if _hidden(text):
        return Refused("not-understood", "a character that nobody sees")
    if odd := _look_alike(text):
        return Refused("not-understood", f"{odd} outside of quotes, which looks like another")
    if dialect == "mysql" and _VERSION_COMMENT.search(_LITERAL.sub("", text)):
        return Refused("version-comment")
    if dialect == "postgres" and (setting := _SETTING.fullmatch(text)):
        return Allowed(f"SHOW {setting[1]}")
    return _parsed(text, dialect)


def _hidden(text: str) -> bool:
    return not text.isprintable() and any(not c.isprintable() and c not in "\n\t\r" for c in text)


def _look_alike(text: str) -> str:
    """A character outside of quotes and comments that a server may take for another, if any.

    >>> _look_alike("SELECT 1\uff1b"), _look_alike("SELECT '\uff1b' -- \uff1b")
    ('\uff1b', '')
    """
    plain = _COMMENT.sub(" ", _LITERAL.sub(" ", text))
    return next((c for c in plain if c > "~" and unicodedata.normalize("NFKC", c) != c), "")


def _parsed(text: str, dialect: Dialect) -> Allowed | Refused:
    explained = _EXPLAIN.fullmatch(text)
    if explained is not None:
        inner = _parsed(explained["rest"], dialect)
        how = " ".join(explained["how"].split())
        if isinstance(inner, Refused):
            return inner
        word = "ANALYZE" if explained["word"].upper() == "ANALYZE" else "EXPLAIN"
        return Allowed(" ".join(filter(None, (word, how, inner.sql))))
    if dialect == "mysql" and (bounded := _EXAMINED.fullmatch(text)) is not None:
        return _bounded(bounded)
    try:
        found = sqlglot.parse(text, read=dialect)
    except RecursionError:
        return Refused("too-deep")
    except (SqlglotError, ValueError) as error:
        return Refused("not-understood", _first_line(error))
    statements = [one for one in found if one is not None]
    if not statements:
        return Refused("empty")
    if len(found) > 1:
        return Refused("several")
    return _looked_through(statements[0], dialect)


def _bounded(found: re.Match[str]) -> Allowed | Refused:
    inner = _parsed(found["rest"], "mysql")
    if isinstance(inner, Refused):
        return inner
    rows = f"{found['rows'].strip()} " if found["rows"] else ""
    return Allowed(f"{inner.sql} LIMIT {rows}ROWS EXAMINED {found['examined']}")


def _first_line(error: Exception) -> str:
    return _STYLED.sub("", str(error)).partition("\n")[0][:120]


def _looked_through(tree: exp.Expr, dialect: Dialect) -> Allowed | Refused:
    if isinstance(tree, exp.Show):
        return _shown(tree, dialect)
    if isinstance(tree, exp.Pragma):
        return _pragma(tree)
    if isinstance(tree, exp.Describe) and not isinstance(tree.this, exp.Table):
        return Refused("not-a-read", "EXPLAIN of what is no query")
    if not isinstance(tree, (*_READS, exp.Describe)):
        return Refused("not-a-read", type(tree).__name__.upper())
    return _nodes(tree, dialect) or _written(tree, dialect)


def _nodes(tree: exp.Expr, dialect: Dialect) -> Refused | None:
    """What in a tree is the matter; None where every node is known to only read."""
    waiting = [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST:
            return Refused("too-deep")
        if isinstance(node, _FORBIDDEN):
            return Refused("writes", type(node).__name__.upper())
        if not parts.reads(node):
            return Refused("not-understood", type(node).__name__.upper())
        if (name := functions.unknown(node, dialect)) is not None:
            return Refused("function", name)
        waiting.extend((child, depth + 1) for child in node.iter_expressions())
    return None


def _written(tree: exp.Expr, dialect: Dialect) -> Allowed | Refused:
    try:
        return Allowed(tree.sql(dialect=dialect, comments=False))
    except RecursionError:
        return Refused("too-deep")


def _shown(tree: exp.Show, dialect: Dialect) -> Allowed | Refused:
    if dialect != "mysql" or not _SHOW.fullmatch(str(tree.this)):
        return Refused("not-a-read", f"SHOW {tree.this}")
    for child in tree.iter_expressions():
        if (refused := _nodes(child, dialect)) is not None:
            return refused
    return _written(tree, dialect)


def _pragma(tree: exp.Pragma) -> Allowed | Refused:
    text = tree.sql(dialect="sqlite", comments=False)
    named = re.fullmatch(r"PRAGMA (\w+)(?:\s*[(=]\s*[\"'\[`]?([\w ]{1,128})[\"'\]`]?\s*\)?)?", text)
    if named is None or named[1].lower() not in _PRAGMAS:
        return Refused("not-a-read", text[:60])
    if named[2] is None:
        return Allowed(f"PRAGMA {named[1]}")
    if named[1].lower() in {"user_version", "schema_version", "encoding", "page_size"}:
        return Refused("writes", text[:60])
    return Allowed(f'PRAGMA {named[1]}("{named[2]}")')
