"""What a statement names: its tables and columns, what it counts, and how it joins."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

_READINGS: Final = ("", "mysql", "postgres", "sqlite")
_AGGREGATES: Final[Mapping[type[exp.Expr], tuple[str, ...]]] = {
    exp.Count: (),
    exp.Avg: ("average", "averages", "mean", "avg", "平均"),
    exp.Min: ("min", "minimum", "least", "smallest", "lowest", "earliest", "最小", "最早"),
    exp.Max: ("max", "maximum", "most", "largest", "highest", "latest", "最大", "最新", "最晚"),
    exp.Sum: ("sum", "total", "totals", "合计", "总计"),
}
_DISTINCT: Final = ("distinct", "different", "不同")
# A statement with any of these counts something that its table and one value do not tell.
_MORE: Final = (exp.Join, exp.With, exp.Having, exp.Limit, exp.Offset, exp.Window, exp.Filter)


@dataclass(frozen=True, slots=True, order=True)
class Column:
    """A column, with its table where that is told."""

    table: str
    name: str

    @property
    def names(self) -> tuple[str, ...]:
        """How an entry may name it.

        >>> Column("film", "rating").names
        ('rating', 'film.rating')
        """
        return (self.name, f"{self.table}.{self.name}") if self.table else (self.name,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    """One number of one table: of which column, over the rows with which value.

    `words` are how a text says which number it is; of rows none is needed. `by` is a column each
    of whose values has a number of its own.
    """

    table: str
    column: Column | None = None
    words: tuple[str, ...] = ()
    where: "tuple[Column, str] | None" = None
    by: Column | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """What a statement names. `aliases` lead from what it calls its tables to the tables.

    `sought` is the column and the value by which it seeks rows, if by one value alone.
    """

    tables: tuple[str, ...]
    columns: tuple[Column, ...]
    aliases: Mapping[str, str]
    counted: Counted | None = None
    sought: tuple[Column, str] | None = None
    joins: tuple[tuple[Column, Column], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of a table or column."""
        columns = (name for column in self.columns for name in column.names)
        return tuple(dict.fromkeys((*self.tables, *columns)))


def mentions(sql: str, dialect: str = "") -> Mentions | None:
    """What a question names; None for what is none, or is not understood.

    >>> found = mentions("select f.title from film f where f.rating = 'G'")
    >>> found.names
    ('film', 'rating', 'film.rating', 'title', 'film.title')
    >>> found.sought
    (Column(table='film', name='rating'), 'G')
    """
    tree = _parsed(sql, dialect)
    if tree is None:
        return None
    inner = {one.alias_or_name for one in tree.find_all(exp.CTE)}
    tables = [one for one in tree.find_all(exp.Table) if one.name and not _is_inner(one, inner)]
    if not tables:
        return None
    aliases = {one.alias_or_name: one.name for one in tables}
    only = tables[0].name if len({one.name for one in tables}) == 1 and not inner else ""
    columns = _columns(tree, aliases, only)
    named = Mentions(
        tables=tuple(dict.fromkeys(name for one in tables for name in _names(one))),
        columns=tuple(sorted({*columns.values(), *_shared(tree)})),
        aliases=aliases,
        joins=tuple(_joins(tree, columns)),
    )
    return _with_values(named, tree, columns, only) if only else named


def _parsed(sql: str, dialect: str) -> exp.Query | None:
    guessed = "mysql" if "`" in sql else "postgres" if "::" in sql else ""
    for reading in dict.fromkeys((dialect or guessed, *_READINGS)):
        try:
            found = [one for one in sqlglot.parse(sql, read=reading or None) if one is not None]
        except (SqlglotError, ValueError, RecursionError):
            continue
        tree = found[0] if len(found) == 1 else None
        return tree if isinstance(tree, exp.Query) else None
    return None


def _is_inner(table: exp.Table, inner: set[str]) -> bool:
    return table.name in inner and not table.db


def _names(table: exp.Table) -> tuple[str, ...]:
    return (table.name, f"{table.db}.{table.name}") if table.db else (table.name,)


def _columns(tree: exp.Query, aliases: Mapping[str, str], only: str) -> dict[int, Column]:
    """The columns, by the node that names them; what is an alias of the statement's own is none."""
    own = {one.alias for one in tree.find_all(exp.Alias)}
    found: dict[int, Column] = {}
    for node in tree.find_all(exp.Column):
        if not node.name or isinstance(node.this, exp.Star):
            continue
        if node.table:
            if node.table in aliases:
                found[id(node)] = Column(aliases[node.table], node.name)
        elif node.name not in own:
            found[id(node)] = Column(only, node.name)
    return found


def _shared(tree: exp.Query) -> Iterator[Column]:
    """The columns that `USING` names: the joined table has them, and some table before it."""
    for join in tree.find_all(exp.Join):
        for name in join.args.get("using") or ():
            table = join.this.name if isinstance(join.this, exp.Table) else ""
            yield Column(table, name.name)


def _joins(tree: exp.Query, columns: Mapping[int, Column]) -> Iterator[tuple[Column, Column]]:
    """The pairs of columns, of two tables, that are set equal."""
    found = set()
    for node in tree.find_all(exp.EQ):
        left, right = columns.get(id(node.this)), columns.get(id(node.expression))
        if left and right and left.table and right.table and left.table != right.table:
            found.add(tuple(sorted((left, right))))
    yield from sorted(found)  # type: ignore[misc]  # each is a pair


def _with_values(
    named: Mentions, tree: exp.Query, columns: Mapping[int, Column], only: str
) -> Mentions:
    """It with what it counts and seeks, for a plain question of one table."""
    if not isinstance(tree, exp.Select) or len(list(tree.find_all(exp.Query))) > 1:
        return named
    where = tree.args.get("where")
    condition = where.this if where is not None else None
    sought = _equality(condition, columns)
    counted = None
    if not any(tree.find(more) for more in _MORE) and (condition is None or sought):
        counted = _counted(tree, columns, only)
    if counted is not None and sought is not None:
        plain = counted.column is None and counted.by is None and not counted.words
        counted = replace(counted, where=sought) if plain else None
    return replace(named, counted=counted, sought=sought)


def _equality(
    condition: exp.Expr | None, columns: Mapping[int, Column]
) -> tuple[Column, str] | None:
    if not isinstance(condition, exp.EQ):
        return None
    for column, value in (
        (condition.this, condition.expression),
        (condition.expression, condition.this),
    ):
        if id(column) in columns and isinstance(value, exp.Literal):
            return columns[id(column)], str(value.this)
    return None


def _counted(tree: exp.Select, columns: Mapping[int, Column], only: str) -> Counted | None:
    shown = [one.unalias() for one in tree.expressions]
    grouped = tree.args.get("group")
    by = _grouped(shown[:-1], grouped.expressions if grouped is not None else (), columns)
    if len(shown) != (2 if by else 1) or (grouped is not None and by is None):
        return None
    number = shown[-1]
    words = _AGGREGATES.get(type(number))
    if words is None or tree.args.get("distinct"):
        return None
    of = number.this
    if isinstance(number, exp.Count) and isinstance(of, exp.Star | exp.Literal):
        return Counted(table=only, by=by)
    if isinstance(of, exp.Distinct) and len(of.expressions) == 1:
        of, words = of.expressions[0], _DISTINCT
    column = columns.get(id(of))
    if column is None or by is not None or not words:
        return None
    return Counted(table=only, column=column, words=words)


def _grouped(
    shown: Sequence[exp.Expr], by: Sequence[exp.Expr], columns: Mapping[int, Column]
) -> Column | None:
    """The column by whose values rows are counted, if it is one and is shown first."""
    if len(shown) != 1 or len(by) != 1:
        return None
    column = columns.get(id(shown[0]))
    first = isinstance(by[0], exp.Literal) and by[0].this == "1"
    return column if column is not None and (first or columns.get(id(by[0])) == column) else None
