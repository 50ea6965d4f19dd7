"""The tables that a statement names without a schema, and the statement with their schemas.

PostgreSQL searches names in several schemas. A question is run with the system's alone, so that no
function, operator or cast of somebody's own is found by its name; tables are written with theirs.

What WITH names is told here and not by `sqlglot.optimizer.scope`: that compares names as they are
spelled (`WITH Recent … FROM recent` would read a table), knows no name of WITH RECURSIVE before it
is given, and takes what a part that changes rows gives for a table.
"""

import re
from collections.abc import Iterator
from types import MappingProxyType
from typing import Final

from sqlglot import exp

from learnt.domains.database.gate.verdicts import Name, Schemas, StatementNames
from learnt.domains.database.lists import words
from learnt.domains.database.servers.connections import Dialect

# A text that PostgreSQL reads as the name of a table, where it has no schema.
_BARE: Final = re.compile(r"[A-Za-z_]\w*")


def uses(tree: exp.Expr, dialect: Dialect) -> StatementNames:
    """What a statement names.

    >>> import sqlglot
    >>> tree = sqlglot.parse_one("WITH a AS (SELECT * FROM b) SELECT * FROM a, public.c, D")
    >>> sorted(uses(tree, "postgres").relations)
    [('', 'b'), ('', 'd'), ('public', 'c')]
    """
    name = _folded if dialect == "postgres" else _spelled
    tables = (table for table in _tables(tree) if not _of_with(table))
    relations = {(name(table.args.get("db")), name(table.this)) for table in tables}
    types = own_types(tree) if dialect == "postgres" else []
    calls = tree.find_all(exp.Anonymous, exp.AnonymousAggFunc)
    texts = regclasses(tree) if dialect == "postgres" else []
    return StatementNames(
        frozenset(relations | {("", text.name.lower()) for text in texts}),
        frozenset(type_name(each) for each in types),
        frozenset(call.name.lower() for call in calls),
    )


def _tables(tree: exp.Expr) -> Iterator[exp.Table]:
    return (one for one in tree.find_all(exp.Table) if isinstance(one.this, exp.Identifier))


def _of_with(table: exp.Table) -> bool:
    if table.args.get("db"):
        return False
    return _folded(table.this) in map(_folded, named_by_with(table))


def regclasses(tree: exp.Expr) -> list[exp.Literal]:
    """Texts that are read as the name of a table, and name no schema: `'t'::regclass`."""
    texts = [cast.this for cast in tree.find_all(exp.Cast) if "REGCLASS" in str(cast.to.this)]
    for call in tree.find_all(exp.Anonymous):
        if call.name.lower() in words("postgres", "of tables"):
            texts += call.expressions[:1]
    return [
        text
        for text in texts
        if isinstance(text, exp.Literal) and text.is_string and _BARE.fullmatch(text.name)
    ]


def own_types(tree: exp.Expr) -> list[exp.DataType]:
    """The types of a tree that are not the server's own."""
    return [
        each
        for each in tree.find_all(exp.DataType)
        if each.this == exp.DType.USERDEFINED
        and not (
            type_name(each)[0] in {"", "pg_catalog"}
            and type_name(each)[1] in words("postgres", "types")
        )
    ]


def nameable(node: exp.DataType) -> bool:
    """Whether a type is written as a name, or a schema and a name."""
    kind = node.args.get("kind")
    parts = [kind.this, kind.expression] if isinstance(kind, exp.Dot) else [kind]
    return all(part and isinstance(part, (exp.Identifier, str)) for part in parts)


def type_name(node: exp.DataType) -> Name:
    """A type's schema, empty where it names none, and its name."""
    kind = node.args.get("kind")
    if isinstance(kind, exp.Dot):
        return _folded(kind.this), _folded(kind.expression)
    return "", kind.lower() if isinstance(kind, str) else _folded(kind)


def with_schemas(
    tree: exp.Expr, schemas: Schemas, types: Schemas = MappingProxyType({})
) -> exp.Expr:
    """A copy of a tree, each table and type with its schema; what has none there stays."""
    tree = tree.copy()
    for table in list(_tables(tree)):
        schema = schemas.get(_folded(table.this))
        if schema is not None and not table.args.get("db") and not _of_with(table):
            table.set("db", exp.to_identifier(schema, quoted=True))
    for text in regclasses(tree):
        if (schema := schemas.get(text.name.lower())) is not None:
            text.replace(exp.Literal.string(f"{_quoted(schema)}.{_quoted(text.name.lower())}"))
    for each in own_types(tree):
        schema, name = type_name(each)
        if not schema and name in types:
            parts = (exp.to_identifier(part, quoted=True) for part in (types[name], name))
            each.set("kind", exp.Dot(this=next(parts), expression=next(parts)))
    return tree


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _spelled(name: exp.Expr | None) -> str:
    return name.name if name is not None else ""


def _folded(name: exp.Expr | None) -> str:
    """A name as PostgreSQL reads it: in lower case, unless it stands in quotes."""
    if name is None:
        return ""
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
