"""How statements are read and written, by server.

The parser's own dialects know hundreds of functions and write some of them otherwise than they
stood. Here none is known but those with a grammar of their own: every other is a name, which
`functions` looks up and which is written as it was. Beside it stands what the parser gets wrong.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

import sqlglot
from sqlglot import TokenType, exp
from sqlglot.dialects.dialect import Dialect as Grammar

from learnt.domains.database.dialects import Dialect

# What it does not know it says on standard error, the statement with it; here it is refused.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)

# Operators of networks that the parser does not know, under kinds of tokens that nothing else has.
_NETWORKS: Final = {"<<=": TokenType.DCOLONQMARK, ">>=": TokenType.DCOLONDOLLAR}

_STEPS: Final = 10  # that the parser may take for a word or sign; a question needs about one


def _made(server: str, name: str, **changed: Mapping[str, Any]) -> type[Grammar]:
    """A server's grammar with some of its tables changed: those of one name are put together."""
    base: Any = Grammar.get_or_raise(server).__class__
    members: dict[str, Any] = {}
    for part in ("Tokenizer", "Parser", "Generator"):
        own: Any = getattr(base, part)
        tables: dict[str, Any] = {
            table: {**getattr(own, table), **more} if isinstance(more, dict) else more
            for table, more in changed.get(part, {}).items()
        }
        if part == "Parser":
            keep: Any = changed["syntax"]
            tables["FUNCTIONS"] = {}
            tables["_advance"] = _counted(own._advance)
            tables["FUNCTION_PARSERS"] = {one: own.FUNCTION_PARSERS[one] for one in keep["names"]}
        members[part] = type(own)(part, (own,), tables)
    made: type[Grammar] = type(base)(name, (base,), {**members, **changed.get("grammar", {})})
    return made


def _counted(advance: Callable[..., None]) -> Callable[..., None]:
    """The parser's step, counted: it goes back and tries again, endlessly where much is nested."""

    def step(self: Any, times: int = 1) -> None:
        self.steps = getattr(self, "steps", 0) + 1
        if self.steps > _STEPS * (len(self._tokens) + 100):
            raise ValueError("it takes too long to be read")
        advance(self, times)

    return step


def _between(sign: str) -> Callable[[Any, exp.Expr], exp.Expr]:
    return lambda parser, left: exp.Operator(
        this=left, operator=sign, expression=parser._parse_bitwise()
    )


def _absolute(parser: Any) -> exp.Expr:
    """`@ -5` is a number without its sign; `$1` is a place for one, and refused."""
    sign = parser._prev.text
    inner = parser._parse_unary()
    return exp.Abs(this=inner) if sign == "@" else exp.Parameter(this=inner)


def _period(generator: Any, node: exp.Version) -> str:
    """A version of a table's rows, as MariaDB has it."""
    kind = str(node.args.get("kind") or "").upper()
    told = node.args.get("expression")
    if kind == "ALL":
        return "FOR SYSTEM_TIME ALL"
    if kind in {"BETWEEN", "FROM"} and isinstance(told, exp.Tuple):
        first, last = (generator.sql(one) for one in told.expressions)
        return f"FOR SYSTEM_TIME {kind} {first} {'AND' if kind == 'BETWEEN' else 'TO'} {last}"
    return f"FOR SYSTEM_TIME {kind} {generator.sql(told)}"


def _rows(generator: Any, node: exp.Values) -> str:
    """VALUES as a statement of its own as it stood; within another as SELECTs."""
    if node.parent is not None:
        return str(generator.values_sql(node))
    return "VALUES " + ", ".join(_row(generator, one) for one in node.expressions)


def _row(generator: Any, node: exp.Expr) -> str:
    """MySQL writes ROW before each, MariaDB does not."""
    inner = node.expressions[0] if len(node.expressions) == 1 else None
    named = isinstance(inner, exp.Anonymous) and inner.name.upper() == "ROW"
    return str(generator.sql(inner if named else node))


_MYSQL: Final[Any] = Grammar.get_or_raise("mysql").__class__
_GRAMMARS: Final[Mapping[Dialect, type[Grammar]]] = {
    "mysql": _made(
        "mysql",
        "LearntMysql",
        syntax={
            "names": "CAST CHAR CONVERT EXTRACT GROUP_CONCAT JSON_TABLE JSON_VALUE MATCH POSITION"
            " SUBSTR SUBSTRING TRIM WEIGHT_STRING".split()
        },
        Tokenizer={
            "KEYWORDS": {
                "UTC_DATE": TokenType.UTC_DATE,
                "UTC_TIME": TokenType.UTC_TIME,
                "UTC_TIMESTAMP": TokenType.UTC_TIMESTAMP,
                "INET4": TokenType.IPV4,
                "INET6": TokenType.IPV6,
            }
        },
        Parser={
            "FUNC_TOKENS": _MYSQL.Parser.FUNC_TOKENS - {TokenType.VALUES},
            "NO_PAREN_FUNCTIONS": {
                TokenType.UTC_DATE: exp.UtcDate,
                TokenType.UTC_TIME: exp.UtcTime,
                TokenType.UTC_TIMESTAMP: exp.UtcTimestamp,
            },
        },
        Generator={
            "RESERVED_KEYWORDS": _MYSQL.Generator.RESERVED_KEYWORDS - {"dual"},
            "TYPE_MAPPING": {exp.DType.IPV4: "INET4", exp.DType.IPV6: "INET6"},
            "TRANSFORMS": {
                exp.RegexpLike: lambda self, node: self.binary(node, "REGEXP"),
                exp.Version: _period,
                exp.Values: _rows,
            },
        },
    ),
    "postgres": _made(
        "postgres",
        "LearntPostgres",
        grammar={"NUMBERS_CAN_BE_UNDERSCORE_SEPARATED": True},
        syntax={
            "names": "CAST EXTRACT NORMALIZE OVERLAY POSITION SUBSTRING TRIM XMLELEMENT"
            " XMLTABLE".split()
        },
        Tokenizer={"KEYWORDS": _NETWORKS},
        Generator={"MULTI_ARG_DISTINCT": True},
        Parser={
            "RANGE_PARSERS": {kind: _between(sign) for sign, kind in _NETWORKS.items()},
            "UNARY_PARSERS": {TokenType.PARAMETER: _absolute},
        },
    ),
    "sqlite": _made(
        "sqlite",
        "LearntSqlite",
        syntax={"names": ["CAST"]},
        # A number that is whole stays whole.
        Generator={"TYPE_MAPPING": {exp.DType.DECIMAL: "NUMERIC"}, "MULTI_ARG_DISTINCT": True},
    ),
}


def parsed(text: str, dialect: Dialect) -> list[exp.Expr | None]:
    """The statements in a text; one that is empty is None."""
    return list(sqlglot.parse(text, read=_GRAMMARS[dialect]))


def written(tree: exp.Expr, dialect: Dialect) -> str:
    """A statement anew, without comments.

    >>> tree = parsed("SELECT a REGEXP 'x' /* y */ FROM dual", "mysql")[0]
    >>> written(tree, "mysql") if tree else ""
    "SELECT a REGEXP 'x' FROM dual"
    """
    return tree.sql(dialect=_GRAMMARS[dialect], comments=False)


def tokens(text: str, dialect: Dialect) -> list[Any]:
    """The words and signs of a text."""
    return list(sqlglot.tokenize(text, read=_GRAMMARS[dialect]))
