"""A database's structure as it was seen, one file an object, and which of it a sentence names.

By it alone is told whether a table that an entry cites is as it was.
"""

import hashlib
import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from learnt.core.records import JsonValue, Record, canonical, decode
from learnt.core.safety import clean
from learnt.core.words import STOP_WORDS
from learnt.domain_ports import DomainHome
from learnt.domains.database.observed.spoken import is_of_databases
from learnt.domains.database.schema.objects import (
    RELATIONS,
    Described,
    ObjectName,
    Routine,
    TableOrView,
    Trigger,
)
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection
from learnt.formats.answers import to_json

T = TypeVar("T")
O_co = TypeVar("O_co", bound=Described | ObjectName, covariant=True)
STRUCTURE: Final = "database/structure"
_VERSION: Final = 1
_RECORDS: Final[Mapping[str, type[Described]]] = {
    "relation": TableOrView,
    "routine": Routine,
    "trigger": Trigger,
}
_SORTS: Final = {"procedure": "routine", "function": "routine", "trigger": "trigger"}
_LIST: Final = ("list", "")
_IDENTITY: Final = ("server", "database", "id")  # another version of the same server is no other
_LONGEST: Final = 1_000  # no server has a name as long, with its schema and database
_AGAIN_MS: Final = 1_000  # how old a look at the lists may be: a prompt asks for several tables
_COMPARED: Final = ("kind", "primary_key", "foreign_keys", "definition")


class _List(Record):
    objects: tuple[ObjectName, ...] = ()


class Looked(Record, Generic[O_co], kw_only=True):
    """What there is, and the names that nothing has.

    `seconds` tells for how long the oldest of it has been kept, None where the server was asked;
    `unkept` why what it told could not be kept.
    """

    objects: Sequence[O_co]
    missing: Sequence[str] = ()
    seconds: int | None = None
    moved: bool = False  # another server answers now than did before
    unkept: str = ""

    @property
    def age_seconds(self) -> int:
        """For how long it has been kept; 0 where the server was asked."""
        return self.seconds or 0

    @property
    def age(self) -> str:
        """That in words.

        >>> Looked(objects=(), seconds=7_300).age
        '2 hours'
        """
        for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
            if count := self.age_seconds // length:
                return f"{count} {unit}{'s' if count > 1 else ''}"
        return "less than a minute"


def _key(named: Described | ObjectName) -> tuple[str, str]:
    return _SORTS.get(named.kind, "relation"), named.name


class Cache:
    """What is kept of one connection's structure; another server's is never given out."""

    def __init__(self, home: DomainHome, connection: Connection) -> None:
        self._files, self._now_ms, self._name = home.files(STRUCTURE), home.now_ms, connection.name
        self._identity = {name: connection.identity.get(name, "") for name in _IDENTITY}

    def keep(self, objects: Iterable[Described]) -> None:
        """Keep each object by itself."""
        for described in objects:
            self._write(_key(described), to_json(described))

    def keep_list(self, objects: Iterable[Described | ObjectName]) -> None:
        """Keep the list of all objects; what is not in it any more is forgotten."""
        names = [ObjectName(each.kind, each.name) for each in objects]
        for key in set(map(_key, self.objects())) - set(map(_key, names)):
            self._files.remove(self._file(key))
        self._write(_LIST, to_json({"objects": names}))

    def forget(self, names: Sequence[str]) -> None:
        """Forget what is no more; the list of the others keeps its age."""
        for name in names:
            for sort in _RECORDS:
                self._files.remove(self._file((sort, name)))
        before = self.listed()
        if before is not None and any(each.name in names for each in before.objects):
            left = [each for each in before.objects if each.name not in names]
            self._write(_LIST, to_json({"objects": left}), age=before.age_seconds)

    def drop(self) -> None:
        """Forget all of it."""
        for key in (*map(_key, self.objects()), _LIST):
            self._files.remove(self._file(key))

    def listed(self) -> Looked[ObjectName] | None:
        """The list of all objects, if it was kept of this server."""
        entry = self._read(_LIST, _List)
        return None if entry is None else Looked(objects=entry[0].objects, seconds=entry[1])

    def objects(self) -> Sequence[ObjectName]:
        """The objects of that list; none where there is none."""
        listed = self.listed()
        return listed.objects if listed else ()

    def list_text(self) -> str:
        """What is kept of the list, as it is written: it changes when the list does."""
        identity = json.dumps(self._identity)
        return f"{identity}\n{self._files.read(self._file(_LIST)) or ''}"

    def described(self, names: Sequence[str] | None) -> Looked[Described]:
        """Objects by name, or all of the list; missing is that of which nothing is kept."""
        wanted = (
            [[_key(each)] for each in self.objects()]
            if names is None
            else [[(sort, name) for sort in _RECORDS] for name in names]
        )
        objects, missing, oldest = list[Described](), list[str](), 0
        for keys in wanted:
            entries = [entry for key in keys if (entry := self._read(key, _RECORDS[key[0]]))]
            objects.extend(described for described, _ in entries)
            oldest = max(oldest, *(seconds for _, seconds in entries), 0)
            missing.extend([] if entries else [keys[0][1]])
        return Looked(objects=objects, missing=missing, seconds=oldest)

    def _file(self, key: tuple[str, str]) -> str:
        return json.dumps([self._name, *key])

    def _write(self, key: tuple[str, str], stored: JsonValue, age: int = 0) -> None:
        kept_ms = self._now_ms() - age * 1_000
        entry = {"version": _VERSION, "server": self._identity, "kept_ms": kept_ms}
        text = json.dumps({**entry, "object": stored}, ensure_ascii=False)
        self._files.write(self._file(key), clean(text))

    def _read(self, key: tuple[str, str], kind: type[T]) -> tuple[T, int] | None:
        """What a file holds, and for how many seconds; None where it is damaged or another's."""
        try:
            entry = json.loads(self._files.read(self._file(key)) or "")
            if (entry["version"], entry["server"]) != (_VERSION, self._identity):
                return None
            seconds = max(0, self._now_ms() - int(entry["kept_ms"])) // 1_000
            return decode(kind, entry["object"]), seconds
        except (ValueError, KeyError, TypeError):
            return None


def same_server(first: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two identities are of one server and database.

    >>> same_server({"server": "a:1", "version": "8.0"}, {"server": "a:1", "version": "8.1"})
    True
    """
    return all(first.get(name, "") == other.get(name, "") for name in _IDENTITY)


class _NameList(Record):
    looked_ms: int
    text: str
    names: Mapping[str, str] | None  # in the server's case, by folded name


@dataclass(slots=True)
class KeptTables:
    """The tables of all databases that are set up. `shop/t_room` is that of one of them.

    What was read a moment ago counts, and a list is read again only if it changed: it may be of
    thousands, and each prompt asks.
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
            described = Cache(self.home, connection).described(list(written)).objects
            digests |= set(map(digest_of, described[:1]))
            unknown |= not described and (names is None or listed is not None)
        if digests:
            return "+".join(sorted(digests))
        return "" if unknown or not asked else None

    def _is_recent(self, ms: int) -> bool:
        return 0 <= self.home.now_ms() - ms < _AGAIN_MS

    def _connections(self) -> Sequence[Connection]:
        if not self._set_up[1] or not self._is_recent(self._set_up[0]):
            self._set_up = (self.home.now_ms(), connections.every(self.home))
        return self._set_up[1]

    def _names(self, connection: Connection) -> Mapping[str, str] | None:
        """The names in a connection's list; None where no list is kept."""
        entry = self._lists.get(connection.name)
        if entry is None or not self._is_recent(entry.looked_ms):
            cache, now = Cache(self.home, connection), self.home.now_ms()
            text, names = cache.list_text(), entry.names if entry else None
            if entry is None or entry.text != text:
                seen = cache.listed()
                names = {each.name.casefold(): each.name for each in seen.objects} if seen else None
            entry = self._lists[connection.name] = _NameList(now, text, names)
        return entry.names


def digest_of(described: Described) -> str:
    """What changes with columns, keys, indexes or a view's text, and not with a remark.

    >>> from msgspec.structs import replace
    >>> from learnt.domains.database.schema.objects import TableOrView
    >>> film = TableOrView("table", "film")
    >>> digest_of(film) == digest_of(replace(film, comment="all films"))
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


_NAME: Final = r"[A-Za-z_][A-Za-z0-9_$]{0,63}"
_TOKEN: Final = re.compile(rf"(?<![A-Za-z0-9_$./-]){_NAME}(?:\.{_NAME}){{0,2}}(?![A-Za-z0-9_/(])")
_MOST: Final = 20  # tables looked at for one sentence


def named(text: str, home: DomainHome) -> tuple[str, ...]:
    """Tables with their columns, as the sentence spells them; nothing where none is for sure one.

    Of a word of everyday language it is sure if the sentence names a column of it too, or if it
    speaks of rows and the like and nothing else in it is sure.
    """
    words = tuple(dict.fromkeys(match[0] for match in _TOKEN.finditer(text)))
    for connection in connections.every(home):
        cache = Cache(home, connection)
        sure = _sure(cache, text, words, _tables(cache, connection, words))
        if sure:
            columns = {name for names in sure.values() for name in names}
            beside = (word for word in words if word not in sure and _is_column(word, columns))
            return (*sure, *beside)
    return ()


def _tables(cache: Cache, connection: Connection, words: Iterable[str]) -> Mapping[str, str]:
    """The words that are tables, or columns behind theirs, each with the table's listed name."""
    listed = [each.name for each in cache.objects() if each.kind in RELATIONS]
    names = {name.rpartition(".")[2].casefold(): name for name in listed}
    names |= {name.casefold(): name for name in listed}
    names |= {f"{connection.address.database}.{name}".casefold(): name for name in listed}
    folded = ((word, word.casefold()) for word in words)
    matches = (
        (word, names.get(whole) or names.get(whole.rpartition(".")[0])) for word, whole in folded
    )
    return dict([(word, name) for word, name in matches if name][:_MOST])


def _sure(
    cache: Cache, text: str, words: Iterable[str], tables: Mapping[str, str]
) -> dict[str, frozenset[str]]:
    """The tables that are meant for sure, each with the names of its columns."""
    described = cache.described(sorted({*tables.values()})).objects
    kept = {each.name: each for each in described if isinstance(each, TableOrView)}
    names = {
        word: frozenset(
            each.name.casefold() for each in (kept[name].columns if name in kept else ())
        )
        for word, name in tables.items()
    }
    sure = {
        word: columns
        for word, columns in names.items()
        if not word.isalpha()
        or f"`{word}`" in text
        or any(_is_column(each, columns) for each in words)
    }
    return sure or (names if is_of_databases(text) else {})


def _is_column(word: str, columns: Collection[str]) -> bool:
    """Whether a word is one of these columns, and more than one of everybody's."""
    return len(word) > 1 and word.casefold() in columns and word.casefold() not in STOP_WORDS
