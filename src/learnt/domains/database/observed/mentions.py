"""What a statement names: its tables and columns, what it counts, and how it joins."""

import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import sqlglot
from msgspec.structs import replace
from sqlglot import exp
from sqlglot.errors import SqlglotError

from learnt.core.records import Record, Row
from learnt.domains.database.gate.parts import named_by_with
from learnt.domains.database.lists import spoken

# What it does not know it says on standard error, the statement with it.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)

_SELECT: Final = re.compile(r"\bselect\b", re.IGNORECASE)
# Its own errors, and what its code raises over a statement that nobody thought of.
_NOT_UNDERSTOOD: Final = (SqlglotError, ValueError, RecursionError, TypeError, AttributeError,
                          LookupError, AssertionError)  # fmt: skip
_SCHEMA_COLUMNS: Final = frozenset({"table_name", "table_schema", "table_catalog"})
# With one of these a question gives no rows though its table has some of the value.
_PARTS: Final = (exp.Having, exp.TableSample, exp.Into, exp.Qualify)
_READINGS: Final = ("", "mysql", "postgres", "sqlite")
_AGGREGATES: Final[Mapping[type[exp.Expr], tuple[str, ...]]] = {
    exp.Count: (),
    exp.Avg: spoken("avg"),
    exp.Min: spoken("min"),
    exp.Max: spoken("max"),
    exp.Sum: spoken("sum"),
}
_DISTINCT: Final = spoken("distinct")
# A statement with any of these counts something that its table and one value do not tell.
_MORE: Final = (exp.Join, exp.With, exp.Having, exp.Limit, exp.Offset, exp.Window, exp.Filter)


class Column(Row):
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


class Counted(Record):
    """One number of one table: of which column, over the rows with which value.

    `words` are how a text says which number it is; of rows none is needed. `by` is a column each
    of whose values has a number of its own.
    """

    table: str
    database: str = ""
    column: Column | None = None
    words: tuple[str, ...] = ()
    where: tuple[Column, str] | None = None
    by: Column | None = None


class Mentions(Record):
    """What a statement names. `aliases` lead from what it calls its tables to the tables.

    `sought` is the column and the value by which it seeks rows, if by one value alone. `databases`
    are those of tables that are named with theirs. `bare` are columns without a table before them,
    with the tables that each is sought in.
    """

    tables: tuple[str, ...]
    columns: tuple[Column, ...]
    aliases: Mapping[str, str]
    databases: Mapping[str, str]
    bare: Mapping[str, frozenset[str]]
    summed: bool  # it gives one row, also where there are none
    listing: tuple[str, str]
    joins: tuple[tuple[Column, Column], ...]
    counted: Counted | None = None
    sought: tuple[Column, str] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Every name of a table, and of each column that is known to be its."""
        columns = (f"{column.table}.{column.name}" for column in self.columns)
        databases = filter(None, self.databases.values())
        return tuple(dict.fromkeys((*self.tables, *columns, *databases)))


def mentions(sql: str, dialect: str = "") -> Mentions | None:
    """What a question names; None for what is none, or is not understood.

    >>> named = mentions("select f.title from film f where f.rating = 'G'")
    >>> named.names
    ('film', 'film.rating', 'film.title')
    >>> named.sought
    (Column(table='film', name='rating'), 'G')
    """
    tree, reading = _parsed(sql, dialect)
    tables = [table for table in tree.find_all(exp.Table) if _is_real(table)] if tree else []
    databases = {(table.name, table.db) for table in tables}
    if tree is None or not tables or len(databases) > len({name for name, _ in databases}):
        return None  # of two databases' tables of one name nobody can tell which is spoken of
    aliases = _aliases(tree, tables)
    columns = _columns(tree, aliases, strict=reading not in {"mysql", "postgres"})
    shared = {
        Column(source.name, name)
        for first, joined, name in _using(tree)
        for source in (first, joined)
        if source is not None and _is_real(source)
    }
    names = ((table.name, table.db and f"{table.db}.{table.name}") for table in tables)
    named = Mentions(
        tables=tuple(dict.fromkeys(name for pair in names for name in pair if name)),
        columns=tuple(sorted({*columns.values(), *shared})),
        aliases=aliases,
        databases=dict(databases),
        bare=_bare(tree),
        summed=_is_summed(tree),
        listing=_listing(tree, tables),
        joins=_joins(tree, columns),
    )
    alone = len(tables) == 1 and len(list(tree.find_all(exp.Query))) == 1
    if alone and isinstance(tree, exp.Select) and all(map(_is_real, _from(tree))):
        return _with_values(named, tree, columns, tables[0])
    return named


def _parsed(sql: str, dialect: str) -> tuple[exp.Query | None, str]:
    """A question's tree, if it is understood, and how it was read."""
    if _SELECT.search(sql) is None:
        return None, ""
    guessed = "mysql" if "`" in sql else "postgres" if "::" in sql else ""
    for reading in dict.fromkeys((dialect or guessed, *_READINGS)):
        try:
            trees = list(filter(None, sqlglot.parse(sql, read=reading or None)))
        except _NOT_UNDERSTOOD:
            continue
        tree = trees[0] if len(trees) == 1 else None
        return (tree if isinstance(tree, exp.Query) else None), reading
    return None, ""


def _is_real(source: exp.Expr | None) -> bool:
    """Whether a source is a table by its own columns' names, and not made by the statement."""
    if not isinstance(source, exp.Table) or not isinstance(source.this, exp.Identifier):
        return False
    alias = source.args.get("alias")
    renamed = alias is not None and bool(alias.args.get("columns"))
    if renamed or source.db:
        return not renamed
    return source.name.casefold() not in {name.name.casefold() for name in named_by_with(source)}


def _from(select: exp.Select) -> list[exp.Expr]:
    first = select.args.get("from_")
    joined = [join.this for join in select.args.get("joins") or ()]
    laterals = select.args.get("laterals") or ()
    return [*([first.this] if first is not None else ()), *joined, *laterals]


def _aliases(tree: exp.Query, tables: Sequence[exp.Table]) -> Mapping[str, str]:
    """What its tables are called, where one name is that of one table throughout."""
    named: dict[str, set[str]] = {}
    for table in tables:
        named.setdefault(table.alias_or_name.casefold(), set()).add(table.name)
    made = tree.find_all(exp.Subquery, exp.Lateral, exp.CTE, exp.Values)
    taken = {each.alias.casefold() for each in made}
    return {
        alias: next(iter(names))
        for alias, names in named.items()
        if len(names) == 1 and alias not in taken
    }


def _columns(tree: exp.Query, aliases: Mapping[str, str], *, strict: bool) -> dict[int, Column]:
    """The columns whose table is known, by the node that names them.

    What is an alias of the statement's own is none. `strict`: one in double quotes that has no
    table before it may be a text to the server.
    """
    own = {alias.alias.casefold() for alias in tree.find_all(exp.Alias)} | set(aliases)
    columns: dict[int, Column] = {}
    for node in tree.find_all(exp.Column):
        if not node.name or isinstance(node.this, exp.Star):
            continue
        table: str | None = None
        if node.table:
            table = aliases.get(node.table.casefold())
        elif node.name.casefold() not in own and not (strict and node.this.args.get("quoted")):
            table = _only_table(node)
        if table is not None:
            columns[id(node)] = Column(table, node.name)
    return columns


def _only_table(node: exp.Column) -> str | None:
    """The one table that a column without a table before it can be of."""
    select = node.parent_select
    if not isinstance(select, exp.Select):
        return None
    within = select.parent
    while isinstance(within, exp.SetOperation | exp.Subquery):
        within = within.parent
    if not (within is None or isinstance(within, exp.From | exp.Join | exp.CTE)):
        return None  # it stands where it may speak of another question's tables
    sources = _from(select)
    return sources[0].name if len(sources) == 1 and _is_real(sources[0]) else None


def _bare(tree: exp.Query) -> Mapping[str, frozenset[str]]:
    """The columns without a table before them, and the tables that a server seeks each in."""
    bare: dict[str, frozenset[str]] = {}
    for node in tree.find_all(exp.Column):
        if not node.table:
            name, tables = node.name.casefold(), _scope(node)
            bare[name] = tables if bare.get(name, tables) == tables else frozenset()
    # Either side of a join may lack what it is joined by.
    return bare | {name.casefold(): frozenset() for _, _, name in _using(tree)}


def _scope(node: exp.Column) -> frozenset[str]:
    """The tables of the question that a column stands in; none where it makes others itself."""
    select = node.parent_select
    # A condition of a join is read before the tables behind it.
    joining = isinstance(node.find_ancestor(exp.Join, exp.Select), exp.Join)
    sources = _from(select) if isinstance(select, exp.Select) and not joining else []
    return frozenset(source.name for source in sources if all(map(_is_real, sources)))


def _using(tree: exp.Query) -> Iterator[tuple[exp.Expr | None, exp.Expr, str]]:
    """Each name of a `USING`, behind what is joined by it, and the source before if it is one."""
    for select in tree.find_all(exp.Select):
        sources = _from(select)
        for at, join in enumerate(select.args.get("joins") or ()):
            for name in join.args.get("using") or ():
                yield sources[0] if at == 0 else None, join.this, name.name


def _is_summed(tree: exp.Query) -> bool:
    """Whether it gives one row of aggregates, whatever there is."""
    if not isinstance(tree, exp.Select) or tree.args.get("group") is not None:
        return False
    return all(shown.find(exp.AggFunc) is not None for shown in tree.expressions)


def _listing(tree: exp.Query, tables: Sequence[exp.Table]) -> tuple[str, str]:
    """The table whose columns, all of them, the information schema is asked for; its database."""
    none = ("", "")
    if not isinstance(tree, exp.Select) or len(tables) != 1 or tree.args.get("limit") is not None:
        return none
    table, where = tables[0], tree.args.get("where")
    if f"{table.db}.{table.name}".casefold() != "information_schema.columns" or not where:
        return none
    condition = where.this.unnest()
    sought: dict[str, str] = {}
    for part in condition.flatten() if isinstance(condition, exp.And) else [condition]:
        plain = isinstance(part, exp.EQ) and isinstance(part.this, exp.Column)
        name = part.this.name.casefold() if plain else ""
        if name not in _SCHEMA_COLUMNS:
            return none
        sought[name] = part.expression.name if isinstance(part.expression, exp.Literal) else ""
    return sought.get("table_schema", ""), sought.get("table_name", "")


def _joins(tree: exp.Query, columns: Mapping[int, Column]) -> tuple[tuple[Column, Column], ...]:
    """The pairs of columns, of two tables, that are equal in each row: by a condition, or `USING`.

    By the latter of the second table alone, since only one stands before it.
    """
    equal = [
        (columns.get(id(node.this)), columns.get(id(node.expression)))
        for node in tree.find_all(exp.EQ)
        if _is_required(node)
    ]
    equal += [
        (Column(first.name, name), Column(joined.name, name))
        for first, joined, name in _using(tree)
        if first is not None and _is_real(first) and _is_real(joined)
    ]
    pairs = {(a, b) if a < b else (b, a) for a, b in equal if a and b and a.table != b.table}
    return tuple(sorted(pairs))


def _is_required(condition: exp.Expr) -> bool:
    """Whether a condition holds for each row: it is none of several, nor denied, nor a value."""
    within = condition.parent
    while isinstance(within, exp.And | exp.Paren):
        within = within.parent
    return isinstance(within, exp.Join | exp.Where)


def _with_values(
    named: Mentions, tree: exp.Select, columns: Mapping[int, Column], table: exp.Table
) -> Mentions:
    """It with what it counts and seeks, for a plain question of one table."""
    where = tree.args.get("where")
    condition = where.this.unnest() if where is not None else None
    in_part = any(table.args.get(part) for part in ("sample", "partition", "version", "only"))
    if in_part or tree.find(*_PARTS):
        return named
    sought = None if _is_limited(tree) else _equality(condition, columns)
    counted = None
    if not tree.find(*_MORE) and (condition is None or sought):
        counted = _counted(tree, columns, table)
    if counted is not None and sought is not None:
        plain = counted.column is None and counted.by is None and not counted.words
        counted = replace(counted, where=sought) if plain else None
    return replace(named, counted=counted, sought=sought)


def _is_limited(tree: exp.Select) -> bool:
    """Whether rows are left out though they are there: after the first, or all."""
    limit = tree.args.get("limit")
    if tree.args.get("offset") is not None or isinstance(limit, exp.Fetch):
        return True
    most = limit.expression if limit is not None else exp.Literal.number(1)
    return not isinstance(most, exp.Literal) or most.name in {"", "0"}


def _equality(
    condition: exp.Expr | None, columns: Mapping[int, Column]
) -> tuple[Column, str] | None:
    if isinstance(condition, exp.EQ):
        sides = (condition.this, condition.expression)
        for column, value in (sides, sides[::-1]):
            if id(column) in columns and isinstance(value, exp.Literal):
                return columns[id(column)], str(value.this)
    return None


def _counted(tree: exp.Select, columns: Mapping[int, Column], table: exp.Table) -> Counted | None:
    shown = [each.unalias() for each in tree.expressions]
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
        return Counted(table=table.name, database=table.db, by=by)
    if isinstance(of, exp.Distinct) and len(of.expressions) == 1:
        of, words = of.expressions[0], _DISTINCT
    column = columns.get(id(of))
    if column is None or by is not None or not words:
        return None
    return Counted(table=table.name, database=table.db, column=column, words=words)


def _grouped(
    shown: Sequence[exp.Expr], by: Sequence[exp.Expr], columns: Mapping[int, Column]
) -> Column | None:
    """The column by whose values rows are counted, if it is one and is shown first."""
    if len(shown) != 1 or len(by) != 1:
        return None
    column = columns.get(id(shown[0]))
    first = isinstance(by[0], exp.Literal) and by[0].this == "1"
    return column if column is not None and (first or columns.get(id(by[0])) == column) else None
