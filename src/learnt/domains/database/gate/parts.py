"""The parts of a statement that only reads, and its tables with their schemas.

PostgreSQL searches names in several schemas. A question is run with the system's alone, so that no
function, operator or cast of somebody's own is found by its name; tables are written with theirs.

What WITH names is read here and not by `sqlglot.optimizer.scope`: that compares names as they are
spelled (`WITH Recent … FROM recent` would read a table), knows no name of WITH RECURSIVE before it
is given, and takes what a part that changes rows gives for a table.

Nodes are known by the parser's own names for them. A sort that a later parser brings is not among
them, and what it is in is refused.

Functions are known by name to only compute or look. The names are in `data`, by server, each put in
by hand. Gone through were MariaDB's help, MySQL 8's manual, PostgreSQL's `pg_proc` and SQLite's
`function_list`. Left out is what writes, waits, locks, sends, reads files or a sequence, runs a
text as a statement, or changes the session, and whatever is in doubt.
"""

import re
from collections.abc import Iterator
from typing import Final

from sqlglot import exp

from learnt.domains.database.gate.verdicts import Denied, Name, Schemas, StatementNames
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
    name = _folded if dialect == "postgres" else lambda part: part.name if part else ""
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


def type_name(node: exp.DataType) -> Name:
    """A type's schema, empty where it names none, and its name."""
    kind = node.args.get("kind")
    if isinstance(kind, exp.Dot):
        return _folded(kind.this), _folded(kind.expression)
    return "", kind.lower() if isinstance(kind, str) else _folded(kind)


def with_schemas(tree: exp.Expr, schemas: Schemas, types: Schemas) -> exp.Expr:
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


_FORBIDDEN: Final = (
    exp.DML, exp.DDL, exp.Command, exp.Into, exp.Lock, exp.Parameter, exp.PropertyEQ, exp.Set,
    exp.SetItem, exp.Drop, exp.Alter, exp.TruncateTable, exp.Kill, exp.Transaction, exp.Commit,
    exp.Rollback, exp.Use, exp.LoadData, exp.Copy, exp.Attach, exp.Detach, exp.Analyze,
    exp.NextValueFor, exp.Grant, exp.Cache, exp.Uncache, exp.Refresh, exp.Merge,
    exp.Placeholder,
)  # fmt: skip
_SYSTEM_SCHEMA: Final = "pg_catalog"
_OF_CATALOG: Final = re.compile(r"(?:pg_catalog\s*\.\s*)?[-+*/<>=~!@#%^&|`?]{1,8}", re.IGNORECASE)
_SAMPLES: Final = frozenset({"", "BERNOULLI", "SYSTEM"})


def refusal(node: exp.Expr, dialect: Dialect) -> Denied | None:
    """Why a node of a tree may not run; None where it is known to only read.

    >>> refusal(exp.Select(), "mysql"), refusal(exp.Delete(), "mysql")
    (None, Denied(reason='writes', what='DELETE'))
    """
    sort = type(node).__name__
    if isinstance(node, _FORBIDDEN):
        return Denied("writes", sort.upper())
    if sort not in words("parts", "names"):
        return Denied("not-understood", sort.upper())
    for reason, look in (("function", _function), ("file", _file_table), ("foreign", _foreign)):
        if (what := look(node, dialect)) is not None:
            return Denied(reason, what[:60])
    return None


def _function(node: exp.Expr, dialect: Dialect) -> str | None:
    """The name of a call that is not known to only compute; None for every other node.

    A name in quotes or of a schema is somebody's own function, whatever it is called.
    """
    if not isinstance(node, (exp.Anonymous, exp.AnonymousAggFunc)):
        return None
    name = node.name.lower()
    if not isinstance(node.this, str) or not _of_server(node, dialect):
        return node.sql(dialect=dialect)
    if isinstance(node.parent, exp.Hint):
        return None if name in words(dialect, "hints") else name
    bare = name in words(dialect, "bare") and not node.expressions
    return None if bare or _is_known(name, dialect) else name


def _is_known(name: str, dialect: Dialect) -> bool:
    """Whether a name, in lower case, is that of a function of the server's own.

    >>> _is_known("pragma_table_info", "sqlite"), _is_known("load_file", "mysql")
    (True, False)
    """
    pragma = name.removeprefix("pragma_") if dialect == "sqlite" else name
    return name in words(dialect, "names") or (
        pragma != name and pragma in words(dialect, "looking") | words(dialect, "telling")
    )


def _of_server(node: exp.Expr, dialect: Dialect) -> bool:
    """Whether a call names no schema, or the server's own."""
    parent, schema = node.parent, None
    if isinstance(parent, exp.Dot) and node is parent.expression:
        schema = parent.this
    elif isinstance(parent, exp.Table):
        if parent.args.get("catalog"):
            return False
        schema = parent.args.get("db")
    if not schema:
        return True
    system = isinstance(schema, exp.Identifier) and schema.name == _SYSTEM_SCHEMA
    return dialect == "postgres" and system


def _file_table(node: exp.Expr, dialect: Dialect) -> str | None:
    """The name of a table that is none, but reads files; None for every other node."""
    if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
        return None
    name = node.name.lower()
    odd = dialect == "sqlite" and name.startswith("pragma_") and not _is_known(name, dialect)
    return name if odd or name in words(dialect, "files") else None


def _foreign(node: exp.Expr, dialect: Dialect) -> str | None:
    """What of somebody's own schema a node would run code of; None for every other node.

    Conversions to a type, operators and ways to sample may be defined by anybody in PostgreSQL.
    """
    if dialect != "postgres":
        return None
    if isinstance(node, exp.DataType) and node.this == exp.DType.USERDEFINED:
        # Which of somebody's own run code is asked of the server, by their names.
        kind = node.args.get("kind")
        parts = [kind.this, kind.expression] if isinstance(kind, exp.Dot) else [kind]
        named = all(part and isinstance(part, (exp.Identifier, str)) for part in parts)
        return None if named else node.sql(dialect="postgres")
    if isinstance(node, exp.Operator) and not _OF_CATALOG.fullmatch(str(node.args["operator"])):
        return f"OPERATOR({node.args['operator']})"
    if isinstance(node, exp.TableSample):
        method = str(node.args.get("method") or "").upper()
        return None if method in _SAMPLES else f"TABLESAMPLE {method}"
    return None
