"""A database's structure: from what is kept while that is young, else from the server."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from learnt.core.json_values import JsonObject
from learnt.domains.database.schema.cache import Cache, Seen, same_server
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection
from learnt.domains.database.servers.sessions import Session
from learnt.errors import NotFound
from learnt.file_ports import PrivateFiles
from learnt.ports import Clock

YOUNG: Final = 3_600  # seconds for which what is kept is taken for what is


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where structure is kept and how its server is reached."""

    connections: PrivateFiles
    cache: PrivateFiles
    clock: Clock
    begin: Callable[[Connection], Session]


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What was found; `seen` tells since when it was kept, None where the server was asked."""

    objects: Sequence[JsonObject]
    missing: Sequence[str] = ()
    seen: Seen | None = None
    moved: bool = False  # another server answers now than did before


def objects(place: Place, connection: Connection, *, offline: bool, fresh: bool) -> Looked:
    """All objects, by kind and name."""
    kept = None if fresh else Cache(place.cache, place.clock, connection).listed()
    if kept is not None and (offline or kept.seconds <= YOUNG):
        return Looked(objects=kept.objects, seen=kept)
    if offline:
        raise _nothing(connection)
    from learnt.domains.database.schema.structure import listed

    session = place.begin(connection)
    try:
        cache, moved = _met(place, connection, session)
        found = listed(session)
    finally:
        session.close()
    cache.keep_list(found)
    return Looked(objects=found, moved=moved)


def structure(
    place: Place,
    connection: Connection,
    names: Sequence[str] | None,
    *,
    offline: bool,
    fresh: bool,
) -> Looked:
    """Tables, views and routines with all that is told of them: those named, or all."""
    kept = None if fresh else _kept(place, connection, names, offline=offline)
    if kept is not None:
        return kept
    if offline:
        raise _nothing(connection)
    from learnt.domains.database.schema.structure import described, routines

    session = place.begin(connection)
    try:
        cache, moved = _met(place, connection, session)
        found, missing = described(session, names)
        bare = {_bare(connection, name): name for name in missing}
        if bare.keys() - set(missing):
            found = [*found, *(meant := described(session, list(bare))[0])]
            there = {bare[str(one["name"])] for one in meant}
            missing = [name for name in missing if name not in there]
        more = routines(session) if names is None or missing else []
    finally:
        session.close()
    asked = [one for one in more if names is None or one["name"] in missing]
    everything = [*found, *asked]
    if names is None:
        cache.keep_list([{"kind": one["kind"], "name": one["name"]} for one in everything])
    cache.keep(everything)
    routine = {one["name"] for one in asked}
    gone = [one for one in missing if one not in routine]
    cache.forget(gone)
    return Looked(objects=everything, missing=gone, moved=moved)


def _bare(connection: Connection, name: str) -> str:
    """A name without the schema or database that is meant anyhow."""
    usual = {"postgres": "public", "sqlite": "main"}.get(connection.address.dialect)
    return name.removeprefix(f"{usual or connection.address.database}.")


def _kept(
    place: Place, connection: Connection, names: Sequence[str] | None, *, offline: bool
) -> Looked | None:
    cache = Cache(place.cache, place.clock, connection)
    if names is None and cache.listed() is None:
        return None
    seen, missing = cache.described(names)
    if offline:
        return Looked(objects=seen.objects, missing=missing, seen=seen) if seen.objects else None
    if missing or seen.seconds > YOUNG:
        return None
    return Looked(objects=seen.objects, seen=seen)


def _met(place: Place, connection: Connection, session: Session) -> tuple[Cache, bool]:
    """The cache of the server that answers; it is remembered where it is another than before."""
    identity = session.identity()
    moved = not same_server(identity, connection.identity)
    met = replace(connection, identity=identity)
    if moved:
        connections.keep(place.connections, met)
    return Cache(place.cache, place.clock, met), moved


def _nothing(connection: Connection) -> NotFound:
    return NotFound(
        f"Nothing of this is kept of {connection.name} as it is set up now. Ask the server: the "
        "same command without --offline."
    )
