"""A database's structure: from what is kept while that is young, else from the server.

It is kept as it was seen, one file an object. By it alone is told whether a table that an entry
cites is as it was, and which tables a sentence names.
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from typing import Final, Generic, Literal, TypeVar

from msgspec.structs import replace

from learnt.core.records import JsonValue, Record, canonical, decode
from learnt.core.safety import clean
from learnt.core.words import STOP_WORDS
from learnt.domain_ports import About, DomainFinding, DomainHome, Goes
from learnt.domains.database.observed.spoken import is_of_databases, kind_of_fact
from learnt.domains.database.schema.objects import (
    RELATIONS,
    Described,
    Missing,
    ObjectName,
    Routine,
    TableOrView,
    Trigger,
    folded,
    missing,
)
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection, DbSession, session_with
from learnt.errors import EnvironmentTrouble, NotFound
from learnt.formats.answers import to_json
from learnt.installed import installing

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


class _NameList(Record):
    looked_ms: int
    text: str
    names: Mapping[str, str] | None  # in the server's case, by folded name


class KeptTables:
    """The tables of all databases that are set up. `shop/t_room` is that of one of them.

    What was read a moment ago counts, and a list is read again only if it changed: it may be of
    thousands, and each prompt asks.
    """

    def __init__(self, home: DomainHome) -> None:
        self.home = home
        self._lists: dict[str, _NameList] = {}
        self._set_up: tuple[int, Sequence[Connection]] = (0, ())

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


YOUNG: Final = 3_600  # seconds for which what is kept is taken for what is
# With the writing of it 2 ms a table with MariaDB, 2 to 5 with PostgreSQL, by the load (2,000
# tables, same machine). Where a server is far away the clock ends it, after the hundred under way.
MOST: Final = 1_000
SECONDS: Final = 10
_AT_ONCE: Final = 100
_MOST_FAILED: Final = 20  # tables of one failed statement that are looked at
# What is taken of what is kept: what is young, else the server is asked; all of it; nothing.
Take = Literal["young", "any", "none"]


class StructureSource(Record):
    """A database whose structure is kept, and how its server is reached."""

    home: DomainHome
    connection: Connection
    begin: Callable[[Connection], DbSession]

    @property
    def cache(self) -> Cache:
        """What is kept of it."""
        return Cache(self.home, self.connection)


def source_of(home: DomainHome, connection: Connection, seconds: float) -> StructureSource:
    """Where its structure is kept, and how its server is reached."""
    return StructureSource(home, connection, lambda at: session_with(home, at, seconds))


def objects(source: StructureSource, take: Take = "young") -> Looked[ObjectName]:
    """All objects, by kind and name. Raises NotFound where none are kept and no server is asked."""
    kept = source.cache.listed() if take != "none" else None
    if kept is not None and (take == "any" or kept.age_seconds <= YOUNG):
        return kept

    def look(session: DbSession) -> Looked[ObjectName]:
        from learnt.domains.database.schema.reflection import listed

        return Looked(objects=listed(session))

    return _asked(source, take, look, lambda cache, looked: cache.keep_list(looked.objects))


def structure(
    source: StructureSource, names: Sequence[str] | None, take: Take = "young"
) -> Looked[Described]:
    """Tables, views, routines and triggers, as the server has them: those named, or all.

    Raises NotFound where nothing is kept of them and no server is asked.
    """
    connection = source.connection
    names = None if names is None else _as_listed(source.cache, connection, names)
    kept = _kept(source.cache, names, take) if take != "none" else None
    if kept is not None:
        return kept

    def keep(cache: Cache, looked: Looked[Described]) -> None:
        if names is None:
            cache.keep_list(looked.objects)
        cache.keep(looked.objects)
        cache.forget(looked.missing)

    return _asked(source, take, lambda session: _described(session, connection, names), keep)


def _asked(
    source: StructureSource,
    take: Take,
    look: Callable[[DbSession], Looked[O_co]],
    keep: Callable[[Cache, Looked[O_co]], None],
) -> Looked[O_co]:
    """What the server tells, once it is kept; it is told also where it cannot be."""
    before = source.connection
    if take == "any":
        raise NotFound(
            f"Nothing of this is kept of {before.name} as it is set up now. Ask the server: the "
            "same command without --offline."
        )
    with closing(source.begin(before)) as session:
        met = replace(before, identity=session.identity())
        servers = [[at.identity.get(name, "") for name in _IDENTITY] for at in (met, before)]
        looked = replace(look(session), moved=servers[0] != servers[1])
    try:
        if looked.moved:
            connections.keep(source.home, met)
        keep(Cache(source.home, met), looked)
    except EnvironmentTrouble as error:
        return replace(looked, unkept=str(error))
    return looked


def _described(
    session: DbSession, connection: Connection, names: Sequence[str] | None
) -> Looked[Described]:
    from learnt.domains.database.schema.reflection import described, routines, triggers

    relations, unknown = described(session, names)
    bare = {_bare(connection, name): name for name in unknown}
    if bare.keys() - set(unknown):
        more, left = described(session, list(bare))
        relations, unknown = [*relations, *more], [bare[name] for name in left]
    fired = triggers(session)
    others: list[Routine | Trigger] = list(fired)
    if names is None or unknown:
        others = [*routines(session), *fired]
    chosen = [each for each in others if names is None or each.name in unknown]
    chosen_names = {each.name for each in chosen}
    missing = [name for name in unknown if name not in chosen_names]
    by_table: dict[str, list[str]] = {}
    for trigger in fired:
        by_table.setdefault(trigger.table, []).append(trigger.name)
    with_triggers = [
        replace(each, triggers=tuple(by_table.get(each.name, ()))) for each in relations
    ]
    return Looked(objects=[*with_triggers, *chosen], missing=missing)


def _bare(connection: Connection, name: str) -> str:
    """A name without the schema or database that is meant anyhow."""
    usual = {"postgres": "public", "sqlite": "main"}.get(connection.address.dialect)
    return name.removeprefix(f"{usual or connection.address.database}.")


def _as_listed(cache: Cache, connection: Connection, names: Sequence[str]) -> Sequence[str]:
    """Names as they are kept: once each, without what is meant anyhow, in the server's case."""
    fold = folded if connection.address.dialect == "sqlite" else str
    listed = {fold(each.name): each.name for each in cache.objects()}
    spellings = ((name, fold(name), fold(_bare(connection, name))) for name in names)
    return list(
        dict.fromkeys(listed.get(own) or listed.get(bare, name) for name, own, bare in spellings)
    )


def _kept(cache: Cache, names: Sequence[str] | None, take: Take) -> Looked[Described] | None:
    if names is None and cache.listed() is None:
        return None
    kept = cache.described(names)
    good = kept.objects if take == "any" else not kept.missing and kept.age_seconds <= YOUNG
    return kept if good else None


def first_look(source: StructureSource) -> tuple[int, int] | None:
    """Look at all names, then at the first thousand objects, for ten seconds; None if some is kept.

    How many objects there are, and of how many all is kept. Raises EnvironmentTrouble where it
    cannot be kept.
    """
    if source.cache.listed() is not None:
        return None
    ends, described = source.home.now_ms() + SECONDS * 1_000, 0
    listed = _kept_now(objects(source, "none"))
    # Tables first, since those are cited.
    cited = sorted(listed, key=lambda each: (*RELATIONS, each.kind).index(each.kind))
    names = [each.name for each in cited[:MOST]]
    for start in range(0, len(names), _AT_ONCE):
        if source.home.now_ms() > ends:
            break
        described += len(_kept_now(structure(source, names[start : start + _AT_ONCE], "none")))
    return len(listed), described


def _kept_now(looked: Looked[O_co]) -> Sequence[O_co]:
    if looked.unkept:
        raise EnvironmentTrouble(looked.unkept)
    return looked.objects


def look_anew(source: StructureSource, sql: str, message: str) -> None:
    """Look again at the tables of a failed statement if what is kept of them has what is missing.

    Where it has not, the statement was a slip of the pen, which says nothing of age.
    """
    from learnt.domains.database.observed.mentions import mentions  # its parser takes long to load

    gone = missing(message)
    if gone is None:
        return
    asked = mentions(sql, source.connection.address.dialect)
    named = list(filter(None, (gone.table, *(asked.tables if asked else ()))))
    folded_names = {name.casefold() for name in named}
    names = {each.name for each in source.cache.objects()}
    alike = {name for name in names if name.casefold() in folded_names}
    exact = {spelling for name in named for spelling in (name, name.lower())}
    kept = [
        described
        for described in source.cache.described(sorted(alike | exact)).objects
        if isinstance(described, TableOrView)
    ][:_MOST_FAILED]
    if any(_has(relation, gone) for relation in kept):
        structure(source, sorted({relation.name for relation in kept}), "none")


def _has(relation: TableOrView, gone: Missing) -> bool:
    """Whether a kept table has what the server says is not there."""
    if not gone.column:
        return relation.name.casefold() == gone.table.casefold()
    return gone.column.casefold() in {column.name.casefold() for column in relation.columns}


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


def about(text: str, home: DomainHome) -> About:
    """What a sentence says of tables: which it names, and its kind where that is clear."""
    names = named(text, home)
    return About(entities=names, kind=kind_of_fact(text, named=bool(names)))


def looked_over(home: DomainHome) -> Iterator[DomainFinding]:
    """How it is with each database that is set up, without asking any."""
    finding = partial(DomainFinding, domain="database")
    if missing := sorted(package for package in connections.EXTRA if find_spec(package) is None):
        what = "results of queries are not read" if "sqlglot" in missing else "some can't be asked"
        what = f"not installed: {', '.join(missing)}; {what}"
        yield finding(level="problem", said=what, todo=installing("database"))
    set_up = connections.every(home)
    if not set_up:
        yield finding(level="ok", said="no database is set up", todo="learnt db setup")
    for connection in set_up:
        name, kept = connection.name, Cache(home, connection).listed()
        if kept is None:
            what = "nothing is kept of its structure, so cited tables are not checked"
            todo = f"learnt db structure --name {name}"
            yield finding(level="warning", said=f"{name}: {what}", todo=todo)
        else:
            what = f"tables, views, routines and triggers: {len(kept.objects)}, seen {kept.age} ago"
            yield finding(level="ok", said=f"{name}: {what}")


def erased(home: DomainHome, goes: Goes) -> Iterator[str]:
    """Erase connections, their passwords and what is kept of databases; tell what went."""
    for connection in connections.every(home):
        if goes(connections.as_text(connection)):
            home.passwords(connections.PASSWORDS).remove(connection.name)
            Cache(home, connection).drop()
    for store in (connections.CONNECTIONS, connections.PASSWORDS, STRUCTURE):
        if count := home.files(store).erase(goes):
            yield f"{store} ({count})"
