"""A database's structure as it was seen: one file an object, for reading without the server."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeVar

from learnt.core.json_values import JsonValue
from learnt.core.records import decode
from learnt.domain_ports import DomainHome
from learnt.domains.database.schema.objects import Described, ObjectName, Routine, TableOrView
from learnt.domains.database.servers.connections import Connection
from learnt.formats.answers import to_json

T = TypeVar("T")
O_co = TypeVar("O_co", bound=Described | ObjectName, covariant=True)
STRUCTURE: Final = "database/structure"
_VERSION: Final = 1
_RELATION, _ROUTINE = "relation", "routine"
_RECORDS: Final[Mapping[str, type[Described]]] = {_RELATION: TableOrView, _ROUTINE: Routine}
_LIST: Final = ("list", "")
_IDENTITY: Final = ("server", "database", "id")  # another version of the same server is no other


class _List(NamedTuple):
    objects: tuple[ObjectName, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptObjects(Generic[O_co]):
    """Objects as they were once, and for how long the oldest of them has been kept."""

    objects: Sequence[O_co]
    seconds: int

    @property
    def age(self) -> str:
        """That in words.

        >>> KeptObjects(objects=(), seconds=7_300).age
        '2 hours'
        """
        for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
            if count := self.seconds // length:
                return f"{count} {unit}{'s' if count > 1 else ''}"
        return "less than a minute"


def _key(named: Described | ObjectName) -> tuple[str, str]:
    return _ROUTINE if named.kind in {"procedure", "function"} else _RELATION, named.name


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
        names, before = [ObjectName(each.kind, each.name) for each in objects], self.listed()
        for key in set(map(_key, before.objects if before else ())) - set(map(_key, names)):
            self._files.remove(self._file(key))
        self._write(_LIST, to_json({"objects": names}))

    def forget(self, names: Sequence[str]) -> None:
        """Forget what is no more; the list of the others keeps its age."""
        for name in names:
            for sort in (_RELATION, _ROUTINE):
                self._files.remove(self._file((sort, name)))
        before = self.listed()
        if before is not None and any(each.name in names for each in before.objects):
            left = [each for each in before.objects if each.name not in names]
            self._write(_LIST, to_json({"objects": left}), age=before.seconds)

    def listed(self) -> KeptObjects[ObjectName] | None:
        """The list of all objects, if it was kept of this server."""
        entry = self._read(_LIST, _List)
        return None if entry is None else KeptObjects(objects=entry[0].objects, seconds=entry[1])

    def list_text(self) -> str:
        """What is kept of the list, as it is written: it changes when the list does."""
        identity = json.dumps(self._identity)
        return f"{identity}\n{self._files.read(self._file(_LIST)) or ''}"

    def described(
        self, names: Sequence[str] | None
    ) -> tuple[KeptObjects[Described], Sequence[str]]:
        """Objects by name, or all of the list, and the names of which nothing is kept."""
        if names is None:
            listed = self.listed()
            wanted = [[_key(each)] for each in (listed.objects if listed else ())]
        else:
            wanted = [[(_RELATION, name), (_ROUTINE, name)] for name in names]
        objects, missing, oldest = list[Described](), list[str](), 0
        for keys in wanted:
            entries = [entry for key in keys if (entry := self._read(key, _RECORDS[key[0]]))]
            objects.extend(described for described, _ in entries)
            oldest = max(oldest, *(seconds for _, seconds in entries), 0)
            missing.extend([] if entries else [keys[0][1]])
        return KeptObjects(objects=objects, seconds=oldest), missing

    def _file(self, key: tuple[str, str]) -> str:
        return json.dumps([self._name, *key])

    def _write(self, key: tuple[str, str], stored: JsonValue, age: int = 0) -> None:
        entry = {
            "version": _VERSION,
            "server": self._identity,
            "kept_ms": self._now_ms() - age * 1_000,
            "object": stored,
        }
        self._files.write(self._file(key), json.dumps(entry, ensure_ascii=False))

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
