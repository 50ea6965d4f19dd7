"""The parts of a statement that only read: every node of a parsed question is one of these.

By the parser's own names for them. A sort that a later parser brings is not among them, and what it
is in is refused. Functions that are called by name are told by `functions`.
"""

import re
from typing import Final

from sqlglot import exp

from learnt.domains.database.gate.function_names import postgres
from learnt.domains.database.servers.dialects import Dialect

_QUERIES: Final = """
    Select Union Except Intersect Subquery Values Tuple TableFromRows DerivedTable With CTE
    RecursiveWithSearch From Join Lateral Table TableAlias TableColumn TableSample Where Group
    Having Order Ordered Limit LimitOptions Offset Fetch Distinct Rollup Cube GroupingSets Window
    WindowSpec WithinGroup Filter IgnoreNulls RespectNulls Hint IndexTableHint WithTableHint
    Partition Describe Alias Version
"""
_OPERATORS: Final = """
    Add Adjacent All And Any Between BitwiseAnd BitwiseLeftShift BitwiseNot BitwiseOr
    BitwiseRightShift BitwiseXor DPipe Distance Div Dot EQ Escape ExtendsLeft ExtendsRight GT GTE
    Glob ILike In IntDiv Is Kwarg LT LTE Like Match Mod Mul NEQ Neg Not NullSafeEQ NullSafeNEQ
    Operator Or Overlaps Paren SimilarTo Sub AtTimeZone FromTimeZone Bracket Slice Collate Xor
    RegexpLike RegexpILike ArrayContainsAll ArrayContainedBy ArrayOverlaps JSONArrayContains
    JSONBContains JSONBContainsTopKey JSONBContainsAllTopKeys JSONBContainsAnyTopKeys
    JSONBDeleteAtPath JSONBExtract JSONBExtractScalar JSONExtract JSONExtractScalar JSONBPathExists
    StartsWith MatchAgainst Pow Sqrt Cbrt Soundex Abs
"""
_VALUES: Final = """
    Boolean ByteString BitString Column ColumnDef DataType DataTypeParam CharacterSet Heredoc
    HexString Identifier Interval IntervalOp IntervalSpan Introducer Literal National Null
    ObjectIdentifier PositionalColumn PseudoType Pseudocolumn RawString SessionParameter Star
    UnicodeString Var TimeUnit _TimeUnit FormatJson JSON JSONColumnDef JSONExtractQuote JSONKeyValue
    JSONPath JSONPathFilter JSONPathKey JSONPathRecursive JSONPathRoot JSONPathScript
    JSONPathSelector JSONPathSlice JSONPathSubscript JSONPathUnion JSONPathWildcard JSONSchema
    JSONValue OnCondition OverflowTruncateBehavior Schema XMLNamespace TranslateCharacters Variadic
"""
# Functions with a grammar of their own, by which the parser knows them.
_FUNCTIONS: Final = """
    Anonymous AnonymousAggFunc Array Case Cast CastToStrType Chr Concat Convert CurrentCatalog
    CurrentDate CurrentRole CurrentSchema CurrentTime CurrentTimestamp CurrentUser Exists Extract
    GroupConcat If JSONObject JSONObjectAgg JSONTable Localtime Localtimestamp Normalize Overlay
    SessionUser StrPosition Substring Trim Unnest UtcDate UtcTime UtcTimestamp WeightString
    XMLElement XMLTable
"""
_NAMES: Final = frozenset(f"{_QUERIES} {_OPERATORS} {_VALUES} {_FUNCTIONS}".split())
_OF_CATALOG: Final = re.compile(r"(?:pg_catalog\s*\.\s*)?[-+*/<>=~!@#%^&|`?]{1,8}", re.IGNORECASE)
_SAMPLES: Final = frozenset({"", "BERNOULLI", "SYSTEM"})


def reads(node: exp.Expr) -> bool:
    """Whether a node is of a sort that only reads.

    >>> from sqlglot import parse_one
    >>> reads(parse_one("SELECT 1")), reads(parse_one("DELETE FROM t"))
    (True, False)
    """
    return type(node).__name__ in _NAMES


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
        return (kind.name if kind.args.get("quoted") else kind.name.lower()) in postgres.TYPES
    return isinstance(kind, str) and kind.lower() in postgres.TYPES
