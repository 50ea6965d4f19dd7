"""Whether a table that an entry cites is as it was, by what is kept: no server is asked."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from learnt.core.json_values import JsonObject, JsonValue, canonical, member
from learnt.domain_ports import DomainHome
from learnt.domains.database.schema.cache import Cache
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection

_LONGEST: Final = 1_000  # no server has a name as long, with its schema and database
_AGAIN_MS: Final = 1_000  # how old a look at the lists may be: a prompt asks for several tables


@dataclass(slots=True)
class _Listed:
    """The names that a database was seen to have, by how they are compared; None without a list."""

    looked_ms: int
    text: str
    names: Mapping[str, str] | None


@dataclass(slots=True)
class KeptTables:
    """The tables of all databases that are set up. `shop/t_room` is that of one of them.

    A list is read again only if it changed: it may be of thousands, and each prompt asks.
    """

    home: DomainHome
    _lists: dict[str, _Listed] = field(default_factory=dict)
    _set_up: tuple[int, Sequence[Connection]] = (0, ())

    def digest(self, table: str) -> str | None:
        """What changes with a table's structure; None where no database has it any more.

        Empty where that can't be told: nothing is kept of a database that may have it. Of several
        databases that have one of the name each counts.
        """
        if len(table) > _LONGEST:
            return None
        name, found, unknown = table, list[str](), False
        every = self._every()
        of, _, rest = table.partition("/")
        if rest and any(one.name == of for one in every):
            name, every = rest, [one for one in every if one.name == of]
        for connection in every:
            names = self._names(connection)
            listed = self._listed_as(names, connection, name)
            kept = self._kept(
                connection, _written(connection, name) if listed is None else [listed]
            )
            found += [digest_of(kept)] if kept is not None else []
            unknown = unknown or (kept is None and (names is None or listed is not None))
        if found:
            return "+".join(sorted(set(found)))
        return "" if unknown or not every else None

    def _is_recent(self, ms: int) -> bool:
        return 0 <= self.home.now_ms() - ms < _AGAIN_MS

    def _every(self) -> Sequence[Connection]:
        """The connections as they are, or were a moment ago."""
        if not self._set_up[1] or not self._is_recent(self._set_up[0]):
            self._set_up = (self.home.now_ms(), connections.every(self.home))
        return self._set_up[1]

    def _names(self, connection: Connection) -> Mapping[str, str] | None:
        """The names in a connection's list, as it is or was a moment ago."""
        held = self._lists.get(connection.name)
        if held is not None and self._is_recent(held.looked_ms):
            return held.names
        cache = self._cache(connection)
        text, now = cache.list_text(), self.home.now_ms()
        if held is not None and held.text == text:
            held.looked_ms = now
            return held.names
        seen = cache.listed()
        told = [str(each["name"]) for each in seen.objects] if seen is not None else []
        names = {name.casefold(): name for name in told} if seen is not None else None
        self._lists[connection.name] = _Listed(now, text, names)
        return names

    def _cache(self, connection: Connection) -> Cache:
        return Cache(self.home, connection)

    def _listed_as(
        self, names: Mapping[str, str] | None, connection: Connection, name: str
    ) -> str | None:
        """How a name stands in the list, however it is written."""
        found = ((names or {}).get(one.casefold()) for one in _written(connection, name))
        return next(filter(None, found), None)

    def _kept(self, connection: Connection, written: Sequence[str]) -> JsonObject | None:
        """The object of a name, if it is kept."""
        objects = self._cache(connection).described(written)[0].objects
        return next(iter(objects), None)


def _written(connection: Connection, name: str) -> Sequence[str]:
    """A name as it is kept: without the database that is meant anyhow."""
    bare = name.removeprefix(f"{connection.address.database}.")
    return list(dict.fromkeys((name, bare)))


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
