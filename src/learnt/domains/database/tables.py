"""Whether a table that an entry cites is as it was, by what is kept: no server is asked."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core.json_values import JsonObject, JsonValue, canonical, member
from learnt.domain_ports import DomainHome
from learnt.domains.database import connections
from learnt.domains.database.cache import Cache
from learnt.domains.database.connections import Connection

CONNECTIONS: Final = "database/connections"
STRUCTURE: Final = "database/structure"


@dataclass(frozen=True, slots=True)
class KeptTables:
    """The tables of all databases that are set up. `shop/t_room` is that of one of them."""

    home: DomainHome

    def digest(self, table: str) -> str | None:
        """What changes with a table's structure; None where no database has it any more.

        Empty where that can't be told: nothing is kept of a database that may have it. Of several
        databases that have one of the name each counts.
        """
        name, found, unknown = table, list[str](), False
        every = connections.every(self.home.files(CONNECTIONS))
        of, _, rest = table.partition("/")
        if rest and any(one.name == of for one in every):
            name, every = rest, [one for one in every if one.name == of]
        for connection in every:
            cache = Cache(self.home.files(STRUCTURE), self.home, connection)
            kept = next(_kept(cache, connection, name), None)
            found += [digest_of(kept)] if kept is not None else []
            unknown = unknown or (kept is None and _may_have(cache, connection, name))
        if found:
            return "+".join(sorted(set(found)))
        return "" if unknown or not every else None


def _kept(cache: Cache, connection: Connection, name: str) -> Iterator[JsonObject]:
    """The object of a name, however it is written."""
    for written in _written(connection, name):
        yield from cache.described([written])[0].objects
    listed = cache.listed()
    folded = {one.casefold() for one in _written(connection, name)}
    for one in listed.objects if listed is not None else ():
        if str(one["name"]).casefold() in folded:
            yield from cache.described([str(one["name"])])[0].objects


def _written(connection: Connection, name: str) -> Sequence[str]:
    """A name as it is kept: without the database that is meant anyhow."""
    bare = name.removeprefix(f"{connection.address.database}.")
    return list(dict.fromkeys((name, bare)))


def _may_have(cache: Cache, connection: Connection, name: str) -> bool:
    """Whether a database may have a table of which nothing is kept."""
    listed = cache.listed()
    if listed is None:
        return True
    names = {str(one["name"]).casefold() for one in listed.objects}
    return any(one.casefold() in names for one in _written(connection, name))


_TELLING: Final = ("kind", "primary_key", "foreign_keys", "definition")


def digest_of(told: JsonObject) -> str:
    """What changes with columns, keys, indexes or a view's text, and not with a remark.

    >>> film = {"kind": "table", "columns": [{"name": "id", "type": "INT", "nullable": False}]}
    >>> digest_of(film) == digest_of(film | {"comment": "all films"})
    True
    """
    said: dict[str, JsonValue] = {name: told.get(name) for name in _TELLING}
    said["columns"] = [
        [member(one, "name"), member(one, "type"), member(one, "nullable")]
        for one in _listed(told.get("columns"))
    ]
    indexes = [
        [member(one, "unique"), member(one, "columns")] for one in _listed(told.get("indexes"))
    ]
    said["indexes"] = sorted(indexes, key=canonical)
    return hashlib.sha256(canonical(said).encode()).hexdigest()[:32]


def _listed(value: JsonValue) -> Sequence[JsonValue]:
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()
