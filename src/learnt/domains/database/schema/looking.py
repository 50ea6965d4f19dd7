"""A database's structure: from what is kept while that is young, else from the server."""

from collections.abc import Callable, Sequence
from contextlib import closing
from typing import Final, Literal

from msgspec.structs import replace

from learnt.core.records import Record
from learnt.domain_ports import DomainHome
from learnt.domains.database.schema.cache import Cache, Looked, O_co, same_server
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
from learnt.domains.database.servers.connections import Connection
from learnt.domains.database.servers.sessions import DbSession
from learnt.errors import EnvironmentTrouble, NotFound

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
    """Tables, views, routines and triggers, with all that is told of them: those named, or all.

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
        looked = replace(look(session), moved=not same_server(met.identity, before.identity))
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


def look_anew(source: StructureSource, sql: str, message: str) -> Sequence[str]:
    """Look again at the tables of a failed statement if what is kept of them has what is missing.

    The names of those that were looked at: none for a slip of the pen, which says nothing of age.
    """
    from learnt.domains.database.observed.mentions import mentions  # its parser takes long to load

    gone = missing(message)
    if gone is None:
        return ()
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
    if not any(_has(relation, gone) for relation in kept):
        return ()
    kept_names = sorted({relation.name for relation in kept})
    structure(source, kept_names, "none")
    return kept_names


def _has(relation: TableOrView, gone: Missing) -> bool:
    """Whether a kept table has what the server says is not there."""
    if not gone.column:
        return relation.name.casefold() == gone.table.casefold()
    return gone.column.casefold() in {column.name.casefold() for column in relation.columns}
