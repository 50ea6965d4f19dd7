"""How statements are read and written, by server.

The parser's own dialects know hundreds of functions and write some of them otherwise than they
stood. Here none is known but those with a grammar of their own: every other is a name, which
`functions` looks up and which is written as it was. Beside it stands what the parser gets wrong.
"""

import logging
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

import sqlglot
from sqlglot import TokenType, exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.errors import ParseError

from learnt.domains.database.lists import words
from learnt.domains.database.servers.addresses import Dialect

# What it does not know it says on standard error, the statement with it; here it is refused.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)

# Operators of PostgreSQL's own that the parser does not know, under a kind of token that nothing
# else has; of networks, places and words that are sought.
_OPERATORS: Final = dict.fromkeys(
    "<<= >>= <<| |>> &<| |&> <^ >^ ~= ?# ?-| ?|| @@@ ~<~ ~<=~ ~>~ ~>=~".split(),
    TokenType.DCOLONQMARK,
)
# Read as another one by the parser; it is no server's own.
_NOBODYS: Final = {"<=>": TokenType.DCOLONDOLLAR}

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
            tables.update({step: made(getattr(own, step)) for step, made in keep["steps"].items()})
            # No function is made on the way; `a->'b'` in a call is what it is elsewhere.
            tables["LAMBDAS"] = MappingProxyType(keep["named"])
            tables["FUNCTION_PARSERS"] = {
                **{one: own.FUNCTION_PARSERS[one] for one in keep["names"]},
                **keep.get("calls", {}),
            }
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


def _typed(parse: Callable[..., exp.Expr | None]) -> Callable[..., exp.Expr | None]:
    """A text behind the name of a type, as in `box '((0,0),(1,1))'`."""

    def step(self: Any, *arguments: Any, **options: Any) -> exp.Expr | None:
        name, text = self._curr, self._next
        if not name or not text or name.token_type not in {TokenType.VAR, TokenType.NAME}:
            return parse(self, *arguments, **options)
        if text.token_type != TokenType.STRING or name.text.lower() not in words(
            "postgres", "types"
        ):
            return parse(self, *arguments, **options)
        self._advance()
        to = exp.DataType(this=exp.DType.USERDEFINED, kind=name.text.lower())
        made: exp.Expr | None = self._parse_column_ops(exp.Cast(this=self._parse_primary(), to=to))
        return made

    return step


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


def _alone(parse: Callable[..., exp.Expr | None]) -> Callable[..., exp.Expr | None]:
    """An interval; the parser takes what follows for a second one, and adds them."""

    def step(self: Any, *arguments: Any, **options: Any) -> exp.Expr | None:
        found = parse(self, *arguments, **options)
        if isinstance(found, exp.Add):
            raise ValueError("two intervals beside each other")
        return found

    return step


def _sorted(parse: Callable[..., exp.Expr | None]) -> Callable[..., exp.Expr | None]:
    """What is grouped by, in an order, as MariaDB still has it."""

    def step(self: Any, with_prefix: bool = False) -> exp.Expr | None:
        found = parse(self, with_prefix=with_prefix)
        if found is not None or with_prefix:
            return found
        by: exp.Expr | None = self._parse_disjunction()
        if by is not None and self._match_texts(("ASC", "DESC")):
            down = self._prev.text.upper() == "DESC"
            return exp.Ordered(this=by, desc=down, nulls_first=not down)
        return by

    return step


def _digits(node: type[exp.Expr]) -> Callable[[Any, Any], exp.Expr]:
    """Bits and bytes; 0x1F is a number where x'1F' is none."""
    return lambda parser, token: node(
        this=token.text, is_integer=parser.sql[token.start : token.start + 1] == "0"
    )


def _bytes(generator: Any, node: exp.HexString) -> str:
    return f"0x{node.this}" if node.args.get("is_integer") else f"x'{node.this}'"


def _number(base: int, before: str) -> Callable[[Any, exp.Expr], str]:
    def write(_generator: Any, node: exp.Expr) -> str:
        return (
            str(int(node.this, base)) if node.args.get("is_integer") else f"{before}'{node.this}'"
        )

    return write


def _or_else(parse: Callable[..., exp.Expr]) -> Callable[..., exp.Expr]:
    """A column of JSON_TABLE with what stands in it where there is nothing."""

    def column(self: Any) -> exp.Expr:
        found = parse(self)
        found.set("instead", self._parse_on_condition())
        return found

    return column


def _json_column(generator: Any, node: exp.JSONColumnDef) -> str:
    instead = node.args.get("instead")
    told = str(generator.jsoncolumndef_sql(node))
    return f"{told}{generator.sql(instead)}" if instead is not None else told


def _group_concat(generator: Any, node: exp.GroupConcat) -> str:
    """A limit stands behind what is put between."""
    inner, limit = node.this, ""
    if isinstance(inner, exp.Limit):
        limit, inner = generator.sql(exp.Limit(expression=inner.expression)), inner.this
    between = generator.sql(node, "separator") or "','"
    return f"GROUP_CONCAT({generator.sql(inner)} SEPARATOR {between}{limit})"


def _cast(generator: Any, node: exp.Cast) -> str:
    """SQLite has no dates: one that is converted to is a number."""
    return f"CAST({generator.sql(node, 'this')} AS {generator.sql(node, 'to')})"


def _two_texts(_generator: Any, _node: exp.Concat) -> str:
    raise ValueError("two texts beside each other, which are a text and its name")


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


# What is between brackets of a call beside its name.
_ARGUMENTS: Final = {TokenType.FARROW: _named, TokenType.COLON_EQ: _named}
_MYSQL: Final[Any] = Grammar.get_or_raise("mysql").__class__
_GRAMMARS: Final[Mapping[Dialect, type[Grammar]]] = {
    "mysql": _made(
        "mysql",
        "LearntMysql",
        syntax={
            "names": "CAST CHAR CONVERT EXTRACT GROUP_CONCAT JSON_TABLE JSON_VALUE MATCH POSITION"
            " SUBSTR SUBSTRING TRIM WEIGHT_STRING".split(),
            "steps": {
                "_parse_json_column_def": _or_else,
                "_parse_cube_or_rollup": _sorted,
                "_parse_interval": _alone,
            },
            "named": {},
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
            "PRIMARY_PARSERS": {TokenType.HEX_STRING: _digits(exp.HexString)},
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
                exp.HexString: _bytes,
                exp.UtcDate: lambda self, _: "UTC_DATE()",
                exp.GroupConcat: _group_concat,
                exp.JSONColumnDef: _json_column,
            },
        },
    ),
    "postgres": _made(
        "postgres",
        "LearntPostgres",
        grammar={"NUMBERS_CAN_BE_UNDERSCORE_SEPARATED": True},
        syntax={
            "names": "CAST EXTRACT NORMALIZE OVERLAY POSITION SUBSTRING TRIM XMLELEMENT"
            " XMLTABLE".split(),
            "calls": {
                "JSON_OBJECT": _json_object,
                "JSON_OBJECTAGG": lambda parser: _no_type(parser._parse_json_object(agg=True)),
            },
            "steps": {"_parse_type": _typed, "_parse_interval": _alone},
            "named": _ARGUMENTS,
        },
        Tokenizer={"KEYWORDS": {**_OPERATORS, **_NOBODYS}},
        Generator={
            "MULTI_ARG_DISTINCT": True,
            "TRANSFORMS": {
                exp.HexString: _number(16, "x"),
                exp.BitString: _number(2, "b"),
                exp.JSONObjectAgg: lambda self, node: self._jsonobject_sql(node),
                exp.CurrentTime: lambda self, node: (
                    f"CURRENT_TIME({self.sql(node, 'this')})" if node.this else "CURRENT_TIME"
                ),
            },
        },
        Parser={
            "RANGE_PARSERS": {TokenType.DCOLONQMARK: _between},
            "UNARY_PARSERS": {TokenType.PARAMETER: _absolute},
            "PRIMARY_PARSERS": {
                TokenType.HEX_STRING: _digits(exp.HexString),
                TokenType.BIT_STRING: _digits(exp.BitString),
            },
        },
    ),
    "sqlite": _made(
        "sqlite",
        "LearntSqlite",
        syntax={"names": ["CAST"], "steps": {}, "named": {}},
        # A number that is whole stays whole.
        Generator={
            "TYPE_MAPPING": {exp.DType.DECIMAL: "NUMERIC"},
            "MULTI_ARG_DISTINCT": True,
            "TRANSFORMS": {exp.Cast: _cast, exp.Concat: _two_texts},
        },
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
