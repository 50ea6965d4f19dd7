"""How statements are read and written, by server.

The parser's own dialects know hundreds of functions and write some of them otherwise than they
stood. Here none is known but those with a grammar of their own: every other is a name, which
`parts` looks up and which is written as it was. Beside it stands what the parser gets wrong.
"""

import logging
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

import sqlglot
from sqlglot import TokenType, exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.dialects.mysql import MySQL
from sqlglot.dialects.postgres import Postgres
from sqlglot.dialects.sqlite import SQLite
from sqlglot.errors import ParseError
from sqlglot.generators.mysql import MySQLGenerator
from sqlglot.generators.postgres import PostgresGenerator
from sqlglot.generators.sqlite import SQLiteGenerator
from sqlglot.parser import Parser
from sqlglot.parsers.mysql import MySQLParser
from sqlglot.parsers.postgres import PostgresParser
from sqlglot.parsers.sqlite import SQLiteParser

from learnt.domains.database.lists import words
from learnt.domains.database.servers.connections import Dialect

# What it does not know it says on standard error, the statement with it; here it is refused.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)

# Operators of PostgreSQL's own that the parser does not know, under a kind of token that nothing
# else has; of networks, places and words that are sought.
_OPERATORS: Final = dict.fromkeys(
    "<<= >>= <<| |>> &<| |&> <^ >^ ~= ?# ?-| ?|| @@@ ~<~ ~<=~ ~>~ ~>=~".split(),
    TokenType.DCOLONQMARK,
)
_UTC: Final = {
    TokenType.UTC_DATE: exp.UtcDate,
    TokenType.UTC_TIME: exp.UtcTime,
    TokenType.UTC_TIMESTAMP: exp.UtcTimestamp,
}
_STEPS: Final = 10  # that the parser may take for a word or sign; a question needs about one


class _CarefulParser(Parser):
    """What all servers' parsers do: no function is known, nor made on the way; there is an end."""

    FUNCTIONS: ClassVar = {}
    LAMBDAS: ClassVar = {}
    steps = 0

    def _advance(self, times: int = 1) -> None:
        # It goes back and tries again, endlessly where much is nested.
        self.steps += 1
        if self.steps > _STEPS * (len(self._tokens) + 100):
            raise ValueError("it takes too long to be read")
        super()._advance(times)

    def _parse_interval(self, *given: Any, **named: Any) -> exp.Add | exp.Interval | None:
        # What follows an interval is taken for a second one, and added.
        interval = super()._parse_interval(*given, **named)
        if isinstance(interval, exp.Add):
            raise ValueError("two intervals beside each other")
        return interval


def _only(parsers: Mapping[str, Any], names: str) -> dict[str, Any]:
    return {name: parsers[name] for name in names.split()}


def _between(parser: Any, left: exp.Expr) -> exp.Expr:
    sign = parser._prev.text
    return exp.Operator(this=left, operator=sign, expression=parser._parse_bitwise())


def _absolute(parser: Any) -> exp.Expr:
    """`@ -5` is a number without its sign; `$1` is a place for one, and refused."""
    sign = parser._prev.text
    inner = parser._parse_unary()
    return exp.Abs(this=inner) if sign == "@" else exp.Parameter(this=inner)


def _named(parser: Any, names: list[exp.Expr]) -> exp.Expr:
    """An argument by its name; `:=` is the older `=>`."""
    return exp.Kwarg(this=exp.var(names[0].name), expression=parser._parse_disjunction())


def _json_object(parser: Any) -> exp.Expr:
    """Of names and values, or of one array as it was before."""
    index = parser._index
    try:
        return _no_type(parser._parse_json_object())
    except ParseError:
        parser._retreat(index)
        values = parser._parse_csv(parser._parse_disjunction)
        return exp.Anonymous(this="JSON_OBJECT", expressions=values)


def _no_type(made: exp.Expr) -> exp.Expr:
    """What comes back may be of a type of somebody's own."""
    if made.args.get("return_type") is not None:
        raise ValueError("RETURNING")
    return made


def _digits(node: type[exp.Expr]) -> Callable[[Any, Any], exp.Expr]:
    """Bits and bytes; 0x1F is a number where x'1F' is none."""
    return lambda parser, token: node(
        this=token.text, is_integer=parser.sql[token.start : token.start + 1] == "0"
    )


def _number(base: int, before: str) -> Callable[[Any, exp.Expr], str]:
    def write(_generator: Any, node: exp.Expr) -> str:
        whole = node.args.get("is_integer")
        return str(int(node.this, base)) if whole else f"{before}'{node.this}'"

    return write


def _group_concat(generator: Any, node: exp.GroupConcat) -> str:
    """A limit stands behind what is put between."""
    inner, limit = node.this, ""
    if isinstance(inner, exp.Limit):
        limit, inner = generator.sql(exp.Limit(expression=inner.expression)), inner.this
    between = generator.sql(node, "separator") or "','"
    return f"GROUP_CONCAT({generator.sql(inner)} SEPARATOR {between}{limit})"


def _two_texts(_generator: Any, _node: exp.Concat) -> str:
    raise ValueError("two texts beside each other, which are a text and its name")


def _period(generator: Any, node: exp.Version) -> str:
    """A version of a table's rows, as MariaDB has it."""
    kind, bounds = str(node.args.get("kind") or "").upper(), node.args.get("expression")
    if kind == "ALL":
        return "FOR SYSTEM_TIME ALL"
    if kind in {"BETWEEN", "FROM"} and isinstance(bounds, exp.Tuple):
        first, last = (generator.sql(bound) for bound in bounds.expressions)
        return f"FOR SYSTEM_TIME {kind} {first} {'AND' if kind == 'BETWEEN' else 'TO'} {last}"
    return f"FOR SYSTEM_TIME {kind} {generator.sql(bounds)}"


def _rows(generator: Any, node: exp.Values) -> str:
    """VALUES as a statement of its own as it stood; within another as SELECTs."""
    if node.parent is not None:
        return str(generator.values_sql(node))
    rows = []
    for row in node.expressions:
        # MySQL writes ROW before each, MariaDB does not.
        inner = row.expressions[0] if len(row.expressions) == 1 else None
        named = isinstance(inner, exp.Anonymous) and inner.name.upper() == "ROW"
        rows.append(generator.sql(inner if named else row))
    return f"VALUES {', '.join(rows)}"


class _Mysql(MySQL):
    class Tokenizer(MySQL.Tokenizer):
        KEYWORDS: ClassVar = {
            **MySQL.Tokenizer.KEYWORDS,
            **{kind.name: kind for kind in _UTC},
            "INET4": TokenType.IPV4,
            "INET6": TokenType.IPV6,
        }

    class Parser(_CarefulParser, MySQLParser):
        FUNC_TOKENS: ClassVar = MySQLParser.FUNC_TOKENS - {TokenType.VALUES}
        FUNCTION_PARSERS: ClassVar = _only(
            MySQLParser.FUNCTION_PARSERS,
            "CAST CHAR CONVERT EXTRACT GROUP_CONCAT JSON_TABLE JSON_VALUE MATCH POSITION SUBSTR"
            " SUBSTRING TRIM WEIGHT_STRING",
        )
        PRIMARY_PARSERS: ClassVar = {
            **MySQLParser.PRIMARY_PARSERS,
            TokenType.HEX_STRING: _digits(exp.HexString),
        }
        NO_PAREN_FUNCTIONS: ClassVar = MySQLParser.NO_PAREN_FUNCTIONS | _UTC

        def _parse_json_column_def(self) -> exp.JSONColumnDef:
            # A column of JSON_TABLE may say what stands in it where there is nothing.
            column = super()._parse_json_column_def()
            column.set("instead", self._parse_on_condition())
            return column

        def _parse_cube_or_rollup(self, with_prefix: bool = False) -> Any:
            # What is grouped by may be in an order, as MariaDB still has it.
            rolled = super()._parse_cube_or_rollup(with_prefix=with_prefix)
            if rolled is not None or with_prefix:
                return rolled
            by = self._parse_disjunction()
            if by is not None and self._match_texts(("ASC", "DESC")):
                down = self._prev.text.upper() == "DESC"
                return exp.Ordered(this=by, desc=down, nulls_first=not down)
            return by

    class Generator(MySQLGenerator):
        RESERVED_KEYWORDS: ClassVar = MySQLGenerator.RESERVED_KEYWORDS - {"dual"}
        TYPE_MAPPING: ClassVar = {
            **MySQLGenerator.TYPE_MAPPING,
            exp.DType.IPV4: "INET4",
            exp.DType.IPV6: "INET6",
        }
        TRANSFORMS: ClassVar = {
            **MySQLGenerator.TRANSFORMS,
            exp.RegexpLike: lambda self, node: self.binary(node, "REGEXP"),
            exp.Version: _period,
            exp.Values: _rows,
            exp.HexString: lambda _, node: (
                f"0x{node.this}" if node.args.get("is_integer") else f"x'{node.this}'"
            ),
            exp.UtcDate: lambda self, _: "UTC_DATE()",
            exp.GroupConcat: _group_concat,
            exp.JSONColumnDef: lambda self, node: (
                f"{self.jsoncolumndef_sql(node)}{self.sql(node, 'instead')}"
            ),
        }


class _Postgres(Postgres):
    NUMBERS_CAN_BE_UNDERSCORE_SEPARATED = True

    class Tokenizer(Postgres.Tokenizer):
        # `<=>` is read as another operator by the parser; it is no server's own.
        KEYWORDS: ClassVar = {
            **Postgres.Tokenizer.KEYWORDS,
            **_OPERATORS,
            "<=>": TokenType.DCOLONDOLLAR,
        }

    class Parser(_CarefulParser, PostgresParser):
        LAMBDAS: ClassVar = {TokenType.FARROW: _named, TokenType.COLON_EQ: _named}
        FUNCTION_PARSERS: ClassVar = {
            **_only(
                PostgresParser.FUNCTION_PARSERS,
                "CAST EXTRACT NORMALIZE OVERLAY POSITION SUBSTRING TRIM XMLELEMENT XMLTABLE",
            ),
            "JSON_OBJECT": _json_object,
            "JSON_OBJECTAGG": lambda parser: _no_type(parser._parse_json_object(agg=True)),
        }
        RANGE_PARSERS: ClassVar = PostgresParser.RANGE_PARSERS | {TokenType.DCOLONQMARK: _between}
        UNARY_PARSERS: ClassVar = {**PostgresParser.UNARY_PARSERS, TokenType.PARAMETER: _absolute}
        PRIMARY_PARSERS: ClassVar = {
            **PostgresParser.PRIMARY_PARSERS,
            TokenType.HEX_STRING: _digits(exp.HexString),
            TokenType.BIT_STRING: _digits(exp.BitString),
        }

        def _parse_type(self, *given: Any, **named: Any) -> exp.Expr | None:
            # A text may stand behind the name of a type, as in `box '((0,0),(1,1))'`.
            name, text = self._curr, self._next
            if (
                not (name and text and text.token_type == TokenType.STRING)
                or name.token_type not in {TokenType.VAR, TokenType.NAME}
                or name.text.lower() not in words("postgres", "types")
            ):
                return super()._parse_type(*given, **named)
            self._advance()
            to = exp.DataType(this=exp.DType.USERDEFINED, kind=name.text.lower())
            return self._parse_column_ops(exp.Cast(this=self._parse_primary(), to=to))

    class Generator(PostgresGenerator):
        MULTI_ARG_DISTINCT = True
        TRANSFORMS: ClassVar = {
            **PostgresGenerator.TRANSFORMS,
            exp.HexString: _number(16, "x"),
            exp.BitString: _number(2, "b"),
            exp.JSONObjectAgg: lambda self, node: self._jsonobject_sql(node),
            exp.CurrentTime: lambda self, node: (
                f"CURRENT_TIME({self.sql(node, 'this')})" if node.this else "CURRENT_TIME"
            ),
        }


class _Sqlite(SQLite):
    class Parser(_CarefulParser, SQLiteParser):
        FUNCTION_PARSERS: ClassVar = _only(SQLiteParser.FUNCTION_PARSERS, "CAST")

    class Generator(SQLiteGenerator):
        MULTI_ARG_DISTINCT = True
        # A number that is whole stays whole.
        TYPE_MAPPING: ClassVar = {**SQLiteGenerator.TYPE_MAPPING, exp.DType.DECIMAL: "NUMERIC"}
        TRANSFORMS: ClassVar = {
            **SQLiteGenerator.TRANSFORMS,
            # SQLite has no dates: one that is converted to is a number.
            exp.Cast: lambda self, node: (
                f"CAST({self.sql(node, 'this')} AS {self.sql(node, 'to')})"
            ),
            exp.Concat: _two_texts,
        }


_GRAMMARS: Final[Mapping[Dialect, type[Grammar]]] = {
    "mysql": _Mysql,
    "postgres": _Postgres,
    "sqlite": _Sqlite,
}


def parsed(text: str, dialect: Dialect) -> list[exp.Expr | None]:
    """The statements in a text; one that is empty is None."""
    return list(sqlglot.parse(text, read=_GRAMMARS[dialect]))


def written(tree: exp.Expr, dialect: Dialect) -> str:
    """A statement again, without comments.

    >>> tree = parsed("SELECT a REGEXP 'x' /* y */ FROM dual", "mysql")[0]
    >>> written(tree, "mysql") if tree else ""
    "SELECT a REGEXP 'x' FROM dual"
    """
    return tree.sql(dialect=_GRAMMARS[dialect], comments=False)


def tokens(text: str, dialect: Dialect) -> list[Any]:
    """The words and signs of a text."""
    return list(sqlglot.tokenize(text, read=_GRAMMARS[dialect]))
