"""A database's structure: from what is kept while that is young, else from the server."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from learnt.core.json_values import JsonObject
from learnt.domain_ports import DomainHome
from learnt.domains.database.schema.cache import Cache, Seen, same_server
from learnt.domains.database.schema.objects import folded
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection
from learnt.domains.database.servers.sessions import Session
from learnt.errors import EnvironmentTrouble, NotFound

YOUNG: Final = 3_600  # seconds for which what is kept is taken for what is


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where structure is kept and how its server is reached."""

    home: DomainHome
    begin: Callable[[Connection], Session]


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What was found; `seen` tells since when it was kept, None where the server was asked.

    `unkept` says why what the server told could not be kept.
    """

    objects: Sequence[JsonObject]
    missing: Sequence[str] = ()
    seen: Seen | None = None
    moved: bool = False  # another server answers now than did before
    unkept: str = ""


def objects(place: Place, connection: Connection, *, offline: bool, fresh: bool) -> Looked:
    """All objects, by kind and name."""
    kept = None if fresh else Cache(place.home, connection).listed()
    if kept is not None and (offline or kept.seconds <= YOUNG):
        return Looked(objects=kept.objects, seen=kept)
    if offline:
        raise _nothing(connection)
    from learnt.domains.database.schema.structure import listed

    session = place.begin(connection)
    try:
        met = _met(connection, session)
        found = listed(session)
    finally:
        session.close()
    looked = Looked(objects=found, moved=_is_moved(connection, met))
    return _keeping(place, met, looked, lambda cache: cache.keep_list(found))


def structure(
    place: Place,
    connection: Connection,
    names: Sequence[str] | None,
    *,
    offline: bool,
    fresh: bool,
) -> Looked:
    """Tables, views and routines with all that is told of them: those named, or all."""
    cache = Cache(place.home, connection)
    names = _as_listed(cache, connection, names)
    kept = None if fresh else _kept(cache, names, offline=offline)
    if kept is not None:
        return kept
    if offline:
        raise _nothing(connection)
    session = place.begin(connection)
    try:
        met = _met(connection, session)
        found, gone = _asked(session, connection, names)
    finally:
        session.close()

    def keep(cache: Cache) -> None:
        if names is None:
            cache.keep_list([{"kind": one["kind"], "name": one["name"]} for one in found])
        cache.keep(found)
        cache.forget(gone)

    looked = Looked(objects=found, missing=gone, moved=_is_moved(connection, met))
    return _keeping(place, met, looked, keep)


def _asked(
    session: Session, connection: Connection, names: Sequence[str] | None
) -> tuple[Sequence[JsonObject], Sequence[str]]:
    """What the server tells, and the names that nothing has."""
    from learnt.domains.database.schema.structure import described, routines

    found, missing = described(session, names)
    bare = {_bare(connection, name): name for name in missing}
    if bare.keys() - set(missing):
        meant, gone = described(session, list(bare))
        found, missing = [*found, *meant], [bare[name] for name in gone]
    more = routines(session) if names is None or missing else []
    asked = [one for one in more if names is None or one["name"] in missing]
    routine = {one["name"] for one in asked}
    return [*found, *asked], [one for one in missing if one not in routine]


def _bare(connection: Connection, name: str) -> str:
    """A name without the schema or database that is meant anyhow."""
    usual = {"postgres": "public", "sqlite": "main"}.get(connection.address.dialect)
    return name.removeprefix(f"{usual or connection.address.database}.")


def _as_listed(
    cache: Cache, connection: Connection, names: Sequence[str] | None
) -> Sequence[str] | None:
    """Names as they are kept: once each, without what is meant anyhow, in the server's case."""
    if names is None:
        return None
    seen = cache.listed()
    fold = folded if connection.address.dialect == "sqlite" else str
    listed = {fold(str(one["name"])): str(one["name"]) for one in (seen.objects if seen else ())}
    found = (
        listed.get(fold(name)) or listed.get(fold(_bare(connection, name)), name) for name in names
    )
    return list(dict.fromkeys(found))


def _kept(cache: Cache, names: Sequence[str] | None, *, offline: bool) -> Looked | None:
    if names is None and cache.listed() is None:
        return None
    seen, missing = cache.described(names)
    if offline:
        return Looked(objects=seen.objects, missing=missing, seen=seen) if seen.objects else None
    if missing or seen.seconds > YOUNG:
        return None
    return Looked(objects=seen.objects, seen=seen)


def _met(connection: Connection, session: Session) -> Connection:
    """The connection with the server that answers."""
    return replace(connection, identity=session.identity())


def _is_moved(before: Connection, met: Connection) -> bool:
    return not same_server(met.identity, before.identity)


def _keeping(
    place: Place, met: Connection, looked: Looked, keep: Callable[[Cache], None]
) -> Looked:
    """What was found, once it is kept; it is told also where it cannot be."""
    try:
        if looked.moved:
            connections.keep(place.home, met)
        keep(Cache(place.home, met))
    except EnvironmentTrouble as error:
        return replace(looked, unkept=str(error))
    return looked


def _nothing(connection: Connection) -> NotFound:
    return NotFound(
        f"Nothing of this is kept of {connection.name} as it is set up now. Ask the server: the "
        "same command without --offline."
    )
