"""The first look at a database's structure: all of it, or as much as a person waits for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.domains.database.schema.cache import Cache
from learnt.domains.database.schema.looking import Looked, Place, objects, structure
from learnt.domains.database.schema.objects import RELATIONS
from learnt.domains.database.servers.connections import Connection
from learnt.errors import EnvironmentTrouble

# With the writing of it 2 ms a table with MariaDB, 2 to 5 with PostgreSQL, by the load (2,000
# tables, same machine). MariaDB is asked by the table: where it is far away the clock ends it,
# after the hundred that are under way.
MOST: Final = 1_000
SECONDS: Final = 10
_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstLook:
    """How many objects there are, and of how many all is kept."""

    there: int
    described: int


def first_look(place: Place, connection: Connection) -> FirstLook | None:
    """Look at everything by name, then at each; None where something is kept already."""
    if Cache(place.home, connection).listed() is not None:
        return None
    began = place.home.now_ms()
    found = _kept(objects(place, connection, offline=False, fresh=True)).objects
    described = 0
    for names in _batches([(str(one["kind"]), str(one["name"])) for one in found]):
        if place.home.now_ms() - began > SECONDS * 1_000:
            break
        looked = _kept(structure(place, connection, names, offline=False, fresh=True))
        described += len(looked.objects)
    return FirstLook(there=len(found), described=described)


def _kept(looked: Looked) -> Looked:
    """What was looked at in order to be kept."""
    if looked.unkept:
        raise EnvironmentTrouble(looked.unkept)
    return looked


def _batches(found: Sequence[tuple[str, str]]) -> Iterator[Sequence[str]]:
    """Names that are asked for together: tables first, since those are cited; routines at once."""
    relations = [name for sort in RELATIONS for kind, name in found if kind == sort][:MOST]
    for start in range(0, len(relations), _AT_ONCE):
        yield relations[start : start + _AT_ONCE]
    if routines := [name for kind, name in found if kind not in RELATIONS][:MOST]:
        yield routines
