"""The parts of a statement that only read: every node of a parsed question is one of these.

By the parser's own names for them. A sort that a later parser brings is not among them, and what it
is in is refused. Functions are told by `functions`.
"""

from typing import Final

from sqlglot import exp

_QUERIES: Final = """
    Select Union Except Intersect Subquery Values Tuple TableFromRows DerivedTable With CTE
    RecursiveWithSearch From Join JoinHint Lateral Table TableAlias TableColumn TableSample Where
    Group Having Order Ordered Limit LimitOptions Offset Fetch Distinct Qualify Rollup Cube
    GroupingSets Window WindowSpec WithinGroup Filter IgnoreNulls RespectNulls HavingMax Pivot
    PivotAlias PivotAny UnpivotColumns Hint IndexTableHint WithTableHint QueryOption Partition
    Describe Alias Aliases
"""
_OPERATORS: Final = """
    Add Adjacent All Any Between BitwiseAnd BitwiseLeftShift BitwiseNot BitwiseOr BitwiseRightShift
    BitwiseXor DPipe Distance Div Dot EQ Escape ExtendsLeft ExtendsRight GT GTE Glob ILike In IntDiv
    Is Kwarg LT LTE Like Match Mod Mul NEQ Neg Not NullSafeEQ NullSafeNEQ Operator Overlaps Paren
    SimilarTo Sub AtTimeZone FromTimeZone Bracket Slice Collate
"""
_VALUES: Final = """
    Boolean ByteString BitString Column ColumnDef DataType DataTypeParam CharacterSet Heredoc
    HexString Identifier Interval IntervalOp IntervalSpan Introducer Literal National Null
    ObjectIdentifier PositionalColumn PseudoType Pseudocolumn RawString SessionParameter Star
    UnicodeString Var Version TimeUnit _TimeUnit FormatJson JSON JSONColumnDef JSONExtractQuote
    JSONKeyValue JSONPath JSONPathFilter JSONPathKey JSONPathRecursive JSONPathRoot JSONPathScript
    JSONPathSelector JSONPathSlice JSONPathSubscript JSONPathUnion JSONPathWildcard JSONSchema
    JSONValue OnCondition OverflowTruncateBehavior Schema XMLNamespace TranslateCharacters Variadic
"""
_NAMES: Final = frozenset(f"{_QUERIES} {_OPERATORS} {_VALUES}".split())


def reads(node: exp.Expr) -> bool:
    """Whether a node is of a sort that only reads; a function is, as far as this goes.

    >>> from sqlglot import parse_one
    >>> reads(parse_one("SELECT 1")), reads(parse_one("DELETE FROM t"))
    (True, False)
    """
    return type(node).__name__ in _NAMES or isinstance(node, exp.Func)
