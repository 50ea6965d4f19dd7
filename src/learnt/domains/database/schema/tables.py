"""Whether a table that an entry cites is as it was, by what is kept: no server is asked."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from learnt.core.json_values import JsonValue, canonical
from learnt.domain_ports import DomainHome
from learnt.domains.database.schema.cache import Cache
from learnt.domains.database.schema.objects import Described
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection
from learnt.formats.answers import to_json

_LONGEST: Final = 1_000  # no server has a name as long, with its schema and database
_AGAIN_MS: Final = 1_000  # how old a look at the lists may be: a prompt asks for several tables
_COMPARED: Final = ("kind", "primary_key", "foreign_keys", "definition")


@dataclass(slots=True)
class _NameList:
    """A database's names in the server's case, by folded name; None where no list is kept."""

    looked_ms: int
    text: str
    names: Mapping[str, str] | None


@dataclass(slots=True)
class KeptTables:
    """The tables of all databases that are set up. `shop/t_room` is that of one of them.

    A list is read again only if it changed: it may be of thousands, and each prompt asks.
    """

    home: DomainHome
    _lists: dict[str, _NameList] = field(default_factory=dict)
    _set_up: tuple[int, Sequence[Connection]] = (0, ())

    def digest(self, table: str) -> str | None:
        """What changes with a table's structure; None where no database has it any more.

        Empty where that can't be told: nothing is kept of a database that may have it. Of several
        databases that have one of the name each counts.
        """
        if len(table) > _LONGEST:
            return None
        name, digests, unknown, asked = table, set[str](), False, self._connections()
        database, _, rest = table.partition("/")
        if rest and any(each.name == database for each in asked):
            name, asked = rest, [each for each in asked if each.name == database]
        for connection in asked:
            # As it is kept: without the database that is meant anyhow.
            spellings = (name, name.removeprefix(f"{connection.address.database}."))
            names = self._names(connection)
            matches = ((names or {}).get(spelling.casefold()) for spelling in spellings)
            listed = next(filter(None, matches), None)
            written = dict.fromkeys(spellings) if listed is None else [listed]
            described = Cache(self.home, connection).described(list(written))[0].objects
            digests |= set(map(digest_of, described[:1]))
            unknown |= not described and (names is None or listed is not None)
        if digests:
            return "+".join(sorted(digests))
        return "" if unknown or not asked else None

    def _is_recent(self, ms: int) -> bool:
        return 0 <= self.home.now_ms() - ms < _AGAIN_MS

    def _connections(self) -> Sequence[Connection]:
        """The connections as they are, or were a moment ago."""
        if not self._set_up[1] or not self._is_recent(self._set_up[0]):
            self._set_up = (self.home.now_ms(), connections.every(self.home))
        return self._set_up[1]

    def _names(self, connection: Connection) -> Mapping[str, str] | None:
        """The names in a connection's list, as it is or was a moment ago."""
        entry = self._lists.get(connection.name)
        if entry is not None and self._is_recent(entry.looked_ms):
            return entry.names
        cache = Cache(self.home, connection)
        text, now = cache.list_text(), self.home.now_ms()
        if entry is not None and entry.text == text:
            entry.looked_ms = now
            return entry.names
        seen = cache.listed()
        names = {each.name.casefold(): each.name for each in seen.objects} if seen else None
        self._lists[connection.name] = _NameList(now, text, names)
        return names


def digest_of(described: Described) -> str:
    """What changes with columns, keys, indexes or a view's text, and not with a remark.

    >>> from learnt.domains.database.schema.objects import TableOrView
    >>> film = TableOrView("table", "film")
    >>> digest_of(film) == digest_of(film._replace(comment="all films"))
    True
    """
    compared: dict[str, JsonValue] = {
        part: to_json(getattr(described, part, None)) for part in _COMPARED
    }
    compared["columns"] = [
        [column.name, column.type, column.nullable] for column in getattr(described, "columns", ())
    ]
    indexes = [[index.unique, list(index.columns)] for index in getattr(described, "indexes", ())]
    compared["indexes"] = sorted(indexes, key=canonical)
    return hashlib.sha256(canonical(compared).encode()).hexdigest()[:32]
