"""Traces, folders and documents in memory: fakes under the real parts' contracts."""

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path, PurePosixPath

from learnt.core.governance.proposals import text_hash
from learnt.core.knowledge.citations import below
from learnt.errors import Conflict, EnvironmentTrouble, Refused
from learnt.file_ports import Claims, FolderFacts, Part
from learnt.ports import Held
from learnt.stores.plain_files import LEFT_OUT, likest, text_of_bytes


class InMemoryTraces:
    """Plain files as mappings from name to text: the home's, and those of others."""

    def __init__(self, others: dict[str, str] | None = None) -> None:
        self.files: dict[str, str] = {}
        self.others = {} if others is None else others

    def erase_with(self, words: Sequence[str] | None) -> Sequence[str]:
        files = sorted(self.files.items())
        gone = [n for n, t in files if words is None or _holds(t, words)]
        for name in gone:
            del self.files[name]
        return gone

    def drop_caches(self) -> None:
        self.files = {n: t for n, t in self.files.items() if not n.startswith("cache/")}

    def elsewhere(self, words: Sequence[str], first: Sequence[str]) -> Held:
        looked = {n: t for n, t in self.others.items() if n.startswith(tuple(first))}
        return Held(tuple(sorted(n for n, t in looked.items() if _holds(t, words))))


def _holds(text: str, words: Sequence[str]) -> bool:
    return any(word.casefold() in text.casefold() for word in words)


class InMemoryFolders:
    """Folders as declared; one that was not is a project without git."""

    def __init__(self) -> None:
        self.declared: dict[str, FolderFacts] = {}
        self.claimed: dict[str, Claims] = {}
        self.tracked: set[str] = set()

    def facts(self, folder: str) -> FolderFacts:
        return self.declared.get(folder, FolderFacts(root=Path(folder)))

    def claims(self, folder: str, seconds: float = 1) -> Claims:
        return self.claimed.get(folder, Claims())

    def tracks(self, file: str) -> bool:
        return file in self.tracked


class InMemoryTranscripts:
    """Transcripts as a mapping from path to bytes."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def tail(self, path: str, most: int) -> bytes:
        data = self.files.get(path, b"")
        return data if len(data) <= most else data[-most:].partition(b"\n")[2]

    def since(self, path: str, start: int, most: int) -> Part:
        data = self.files.get(path, b"")
        size, cut = len(data), start + most < len(data)
        if end := data.rfind(b"\n", start, start + most) + 1:
            return Part(data=data[start:end], start=start, end=end, size=size, last=not cut)
        after = data.find(b"\n", start) + 1 if cut else 0
        return Part(start=start, end=after or start, size=size, skipped=after > 0, last=not after)


class InMemoryCitedFiles:
    """Cited files as a mapping from whole paths to bytes, and links to whole paths.

    `written` says when those were written that are not as old as can be.
    """

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.links: dict[str, str] = {}
        self.written: dict[str, int] = {}

    def read(self, root: str, path: str) -> str | None:
        data = self._bytes(root, path)
        return None if data is None else text_of_bytes(data)

    def stamp(self, root: str, path: str) -> str | None:
        data = self._bytes(root, path)
        return None if data is None else sha256(data).hexdigest()

    def written_ms(self, root: str, path: str) -> int | None:
        there = self._bytes(root, path) is not None
        return self.written.get(f"{root}/{path}", 0) if there else None

    def _bytes(self, root: str, path: str) -> bytes | None:
        whole = f"{root}/{path}"
        for link, to in self.links.items():
            if whole == link or whole.startswith(f"{link}/"):
                whole = to + whole.removeprefix(link)
                break
        return self.files.get(whole) if below(path) and whole.startswith(f"{root}/") else None

    def alike(self, root: str, path: str) -> Sequence[str]:
        if not below(path):
            return []
        inside = (p.removeprefix(f"{root}/") for p in self.files if p.startswith(f"{root}/"))
        others = [p for p in inside if p != path and not LEFT_OUT & set(p.split("/"))]
        return likest(path, others)


class InMemoryDocuments:
    """Files and links as mappings from whole paths."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.links: dict[str, str] = {}

    def whole(self, root: str, target: str) -> str:
        parts = target.split("/")
        if any(part in {"", ".", ".."} or not part.isprintable() for part in parts):
            raise Refused(f"{target!r} is no path below a folder.")
        place = PurePosixPath(root)
        for part in parts:
            names = {p.parts[len(place.parts)] for p in self._below(place)} - {part}
            if part.casefold() in map(str.casefold, names):
                raise Refused(f"{part} collides with another name.")
            place /= part
            if str(place) in self.links:
                raise Refused(f"{place} is a link.")
        return str(place)

    def _below(self, place: PurePosixPath) -> list[PurePosixPath]:
        paths = [PurePosixPath(path) for path in (*self.files, *self.links)]
        return [path for path in paths if place in path.parents]

    def read(self, path: str) -> str | None:
        if path in self.links or self._below(PurePosixPath(path)):
            raise Refused(f"{path} is not a plain file.")
        if any(str(above) in self.links for above in PurePosixPath(path).parents):
            raise Refused(f"{path} passes through a link.")
        return self.files.get(path)

    def write(self, path: str, text: str, expected: str) -> None:
        if text_hash(self.read(path)) != expected:
            raise Conflict(f"{path} changed since it was looked at.")
        if any(str(above) in self.files for above in PurePosixPath(path).parents):
            raise EnvironmentTrouble(f"{path} lies below a file.")
        self.files[path] = text

    def remove(self, path: str, expected: str, *, folder: bool = True) -> None:
        if text_hash(self.read(path)) != expected:
            raise Conflict(f"{path} changed since it was written.")
        self.files.pop(path, None)

    def link(self, place: str, to: str) -> bool:
        if place in self.files or self._below(PurePosixPath(place)):
            return False
        return self.links.setdefault(place, to) == to

    def unlink(self, place: str, to: str) -> bool:
        return self.links.get(place) == to and self.links.pop(place) == to

    def there(self, path: str) -> bool:
        for link, to in self.links.items():
            if path.startswith(f"{link}/"):
                path = f"{to}{path.removeprefix(link)}"
        return path in self.files

    def named(self, root: str, name: str) -> Sequence[str]:
        folder = PurePosixPath(root)
        paths = (PurePosixPath(path) for path in self.files)
        return sorted(str(p) for p in paths if p.name == name and p.parent.parent == folder)


class InMemoryPrivateFiles:
    """Private texts in a dict; passwords, too."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def read(self, key: str) -> str | None:
        return self._texts.get(key)

    def write(self, key: str, text: str) -> str:
        self._texts[key] = text
        return "this process"

    def remove(self, key: str) -> None:
        self._texts.pop(key, None)

    def all(self) -> Sequence[str]:
        return list(self._texts.values())

    def erase(self, goes: Callable[[str], bool]) -> int:
        gone = [key for key, text in self._texts.items() if goes(text)]
        for key in gone:
            del self._texts[key]
        return len(gone)
