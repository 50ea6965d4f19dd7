"""What a statement leads to on its server: nothing of somebody's own may run behind its names.

The gate sees names alone. Views, policies, generated columns, casts, orders of types and what
domains check run code as well; the server's catalog tells which. Its system's own is trusted.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from learnt.domains.database.gate.statements import judge
from learnt.domains.database.gate.verdicts import Allowed, Denied, Name, StatementNames
from learnt.domains.database.lists import words
from learnt.domains.database.servers.sessions import DbSession

# Those whose tables lie with the server itself.
_ENGINES: Final = words("mysql", "engines")
_SYSTEM: Final = frozenset({"information_schema", "performance_schema", "mysql", "sys"})
_MOST: Final = 500  # views behind views


def placed(session: DbSession, allowed: Allowed) -> Allowed | Denied:
    """A statement as it runs, each name with its schema; Denied where it leads to what may not."""
    tables, types = session.schemas(allowed.uses)
    sql = allowed.placed(tables, types) if allowed.placed else allowed.sql
    relations = _with(tables, allowed.uses.relations)
    if session.dialect == "postgres":
        refused = _postgres(session, StatementNames(relations, _with(types, allowed.uses.types)))
    else:
        refused = _mysql(session, allowed.uses)
    return refused or replace(allowed, sql=sql)


def _with(schemas: Mapping[str, str], names: frozenset[Name]) -> frozenset[Name]:
    return frozenset((schema or schemas.get(name, ""), name) for schema, name in names)


def _postgres(session: DbSession, uses: StatementNames) -> Denied | None:
    if any(schema == "pg_temp" for schema, _ in uses.relations | uses.types):
        return Denied("own", "pg_temp")
    for kind, name in session.reached(uses.relations, uses.types):
        if kind == "own":
            return Denied("own", name)
        if kind == "foreign":
            return Denied("elsewhere", name)
        if kind == "call" and name not in words("postgres", "names"):
            return Denied("behind", name)
        if kind == "view" and name in words("postgres", "files"):
            return Denied("file", name)
    return None


def _mysql(session: DbSession, uses: StatementNames) -> Denied | None:
    seen, waiting = frozenset[Name](), uses
    while fresh := {one for one in waiting.relations if one[0].lower() not in _SYSTEM} - seen:
        seen |= fresh
        if len(seen) > _MOST:
            return Denied("too-deep")
        if own := session.shadowed(waiting.calls):
            return Denied("own", own[0])
        relations, calls = set[Name](), set[str]()
        for kind, text in session.reached(fresh, ()):
            if kind == "engine":
                if text.lower() not in _ENGINES:
                    return Denied("elsewhere", text)
                continue
            inner = judge(text, session.dialect)
            if isinstance(inner, Denied):
                return Denied("behind", inner.in_words if text else "what may not be looked into")
            relations |= inner.uses.relations
            calls |= inner.uses.calls
        waiting = StatementNames(frozenset(relations), calls=frozenset(calls))
    return None
