"""A statement failed since a table or column is not there: what is kept of it is out of date."""

from collections.abc import Iterator, Sequence
from typing import Final

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from learnt.core.json_values import JsonObject, member
from learnt.domains.database.schema.cache import Cache
from learnt.domains.database.schema.looking import Place, structure
from learnt.domains.database.schema.missing import Missing, missing
from learnt.domains.database.schema.objects import RELATIONS
from learnt.domains.database.servers.connections import Connection
from learnt.domains.database.servers.dialects import Dialect

MOST: Final = 20  # tables of one statement that are looked at


def look_anew(place: Place, connection: Connection, sql: str, said: str) -> Sequence[str]:
    """Look anew at the tables of a failed statement if what is kept of them has what is missing.

    The names of those that were looked at: none for a slip of the pen, which says nothing of age.
    """
    gone = missing(said)
    if gone is None:
        return ()
    named = [gone.table, *tables(sql, connection.address.dialect)]
    kept = _kept(Cache(place.home, connection), named)[:MOST]
    if not any(_has(one, gone) for one in kept):
        return ()
    names = sorted({str(one["name"]) for one in kept})
    structure(place, connection, names, offline=False, fresh=True)
    return names


def tables(sql: str, dialect: Dialect) -> Sequence[str]:
    """The tables that a statement names, by their own name and with their schema's.

    >>> tables("SELECT 1 FROM room r JOIN hotel.owner USING (id)", "postgres")
    ['room', 'owner', 'hotel.owner']
    """
    try:
        found = sqlglot.parse(sql, read=dialect)
    except (SqlglotError, RecursionError, ValueError):
        return ()
    named = [one for tree in found if tree is not None for one in tree.find_all(exp.Table)]
    return list(dict.fromkeys(name for one in named for name in _spellings(one)))


def _spellings(table: exp.Table) -> Iterator[str]:
    yield table.name
    if table.db:
        yield f"{table.db}.{table.name}"


def _kept(cache: Cache, named: Sequence[str]) -> Sequence[JsonObject]:
    """The tables and views of which something is kept, whatever the case they are written in."""
    listed = cache.listed()
    known = {str(one["name"]) for one in (listed.objects if listed else ())}
    folded = {name.casefold() for name in named if name}
    alike = {name for name in known if name.casefold() in folded}
    exact = {spelt for name in named if name for spelt in (name, name.lower())}
    found, _ = cache.described(sorted(alike | exact))
    return [one for one in found.objects if one["kind"] in RELATIONS]


def _has(kept: JsonObject, gone: Missing) -> bool:
    """Whether a kept table has what the server says is not there.

    >>> room = {"name": "room", "columns": [{"name": "rate"}]}
    >>> _has(room, Missing(column="Rate", table="r")), _has(room, Missing(column="rat"))
    (True, False)
    >>> _has(room, Missing(table="ROOM")), _has(room, Missing(table="rooms"))
    (True, False)
    """
    if not gone.column:
        return str(kept["name"]).casefold() == gone.table.casefold()
    columns = kept.get("columns")
    names = [member(one, "name") for one in columns] if isinstance(columns, list) else []
    return gone.column.casefold() in {str(name).casefold() for name in names}
