"""The tables that a statement names without a schema, and the statement with their schemas.

PostgreSQL searches names in several schemas. A question is run with the system's alone, so that no
function, operator or cast of somebody's own is found by its name; tables are written with theirs.

What WITH names is told here and not by `sqlglot.optimizer.scope`: that compares names as they are
spelled (`WITH Recent … FROM recent` would read a table), knows no name of WITH RECURSIVE before it
is given, and takes what a part that changes rows gives for a table.
"""

from collections.abc import Iterator, Mapping

from sqlglot import exp


def without_schema(tree: exp.Expr) -> list[exp.Table]:
    """The tables of a tree that name no schema, and are no subquery named by WITH.

    >>> import sqlglot
    >>> tree = sqlglot.parse_one("WITH a AS (SELECT * FROM b) SELECT * FROM a, public.c, D")
    >>> [folded(table) for table in without_schema(tree)]
    ['b', 'd']
    """
    tables = [
        table
        for table in tree.find_all(exp.Table)
        if isinstance(table.this, exp.Identifier)
        and not table.args.get("db")
        and folded(table) not in map(_folded, named_by_with(table))
    ]
    return sorted(tables, key=folded)


def with_schemas(tree: exp.Expr, schemas: Mapping[str, str]) -> exp.Expr:
    """A copy of a tree, each table of `schemas` with its schema; what has none there stays."""
    tree = tree.copy()
    for table in without_schema(tree):
        if (schema := schemas.get(folded(table))) is not None:
            table.set("db", exp.to_identifier(schema, quoted=True))
    return tree


def folded(table: exp.Table) -> str:
    """A table's name as PostgreSQL reads it: in lower case, unless it stands in quotes."""
    return _folded(table.this)


def _folded(name: exp.Expr) -> str:
    return name.name if name.args.get("quoted") else name.name.lower()


def named_by_with(table: exp.Expr) -> Iterator[exp.Expr]:
    """The names that WITH gives where a table stands: not those of its own part and later ones."""
    inner = table
    while (outer := inner.parent) is not None:
        if isinstance(outer, exp.With):
            parts = outer.expressions
            own = next(at for at, part in enumerate(parts) if part is inner)
            given: list[exp.Expr] = parts if outer.args.get("recursive") else parts[:own]
            # The statement that WITH belongs to gives no further names here.
            inner = outer.parent or outer
        else:
            clause = outer.args.get("with_")
            given = clause.expressions if clause is not None and clause is not inner else []
            inner = outer
        yield from (part.args["alias"].this for part in given)
