"""A database's structure as it was seen: one file an object, for reading without the server."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core.json_values import JsonObject
from learnt.domain_ports import DomainHome
from learnt.domains.database.servers.connections import Connection

STRUCTURE: Final = "database/structure"
_VERSION: Final = 1
_RELATION, _ROUTINE = "relation", "routine"
_LIST: Final = ("list", "")
_TOLD: Final = ("server", "database", "id")  # another version of the same server is no other


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Objects as they were once, and for how long the oldest of them has been kept."""

    objects: Sequence[JsonObject]
    seconds: int

    @property
    def age(self) -> str:
        """That in words.

        >>> Seen(objects=(), seconds=7_300).age
        '2 hours'
        """
        for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
            if count := self.seconds // length:
                return f"{count} {unit}{'s' if count > 1 else ''}"
        return "less than a minute"


def _key(told: JsonObject) -> tuple[str, str]:
    routine = told["kind"] in {"procedure", "function"}
    return _ROUTINE if routine else _RELATION, str(told["name"])


class Cache:
    """What is kept of one connection's structure; another server's is never given out."""

    def __init__(self, home: DomainHome, connection: Connection) -> None:
        self._files, self._now_ms, self._name = home.files(STRUCTURE), home.now_ms, connection.name
        self._identity = {name: connection.identity.get(name, "") for name in _TOLD}

    def keep(self, objects: Sequence[JsonObject]) -> None:
        """Keep each object by itself."""
        for one in objects:
            self._write(_key(one), one)

    def keep_list(self, objects: Sequence[JsonObject]) -> None:
        """Keep the list of all objects; what is not in it any more is forgotten."""
        now, before = set(map(_key, objects)), self.listed()
        for key in set(map(_key, before.objects if before else ())) - now:
            self._files.remove(self._key(key))
        self._write(_LIST, {"objects": list(objects)})

    def forget(self, names: Sequence[str]) -> None:
        """Forget what is no more; the list of the others keeps its age."""
        for name in names:
            for sort in (_RELATION, _ROUTINE):
                self._files.remove(self._key((sort, name)))
        before = self.listed()
        if before is not None and any(one["name"] in names for one in before.objects):
            left = [one for one in before.objects if one["name"] not in names]
            self._write(_LIST, {"objects": left}, age=before.seconds)

    def listed(self) -> Seen | None:
        """The list of all objects, if it was kept of this server."""
        found = self._read(_LIST)
        if found is None:
            return None
        objects = found[0].get("objects")
        kept = objects if isinstance(objects, list) else []
        return Seen(objects=[one for one in kept if isinstance(one, dict)], seconds=found[1])

    def list_text(self) -> str:
        """What is kept of the list, as it is written: it changes when the list does."""
        identity = json.dumps(self._identity)
        return f"{identity}\n{self._files.read(self._key(_LIST)) or ''}"

    def described(self, names: Sequence[str] | None) -> tuple[Seen, Sequence[str]]:
        """Objects by name, or all of the list, and the names of which nothing is kept."""
        if names is None:
            listed = self.listed()
            wanted = [[_key(one)] for one in (listed.objects if listed else ())]
        else:
            wanted = [[(_RELATION, name), (_ROUTINE, name)] for name in names]
        found, missing = [], []
        for keys in wanted:
            kept = [one for key in keys if (one := self._read(key)) is not None]
            found.extend(kept)
            missing.extend([] if kept else [keys[0][1]])
        oldest = max((seconds for _, seconds in found), default=0)
        return Seen(objects=[one for one, _ in found], seconds=oldest), missing

    def _key(self, key: tuple[str, str]) -> str:
        return json.dumps([self._name, *key])

    def _write(self, key: tuple[str, str], told: JsonObject, age: int = 0) -> None:
        kept = {
            "version": _VERSION,
            "server": self._identity,
            "kept_ms": self._now_ms() - age * 1_000,
            "object": told,
        }
        self._files.write(self._key(key), json.dumps(kept, ensure_ascii=False))

    def _read(self, key: tuple[str, str]) -> tuple[JsonObject, int] | None:
        try:
            kept = json.loads(self._files.read(self._key(key)) or "")
            told, since = kept["object"], int(kept["kept_ms"])
            same = kept["version"] == _VERSION and kept["server"] == self._identity
        except (ValueError, KeyError, TypeError):
            return None
        if not same or not isinstance(told, dict):
            return None
        return told, max(0, self._now_ms() - since) // 1_000


def same_server(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether two identities are of one server and database.

    >>> same_server({"server": "a:1", "version": "8.0"}, {"server": "a:1", "version": "8.1"})
    True
    """
    return all(one.get(name, "") == other.get(name, "") for name in _TOLD)
