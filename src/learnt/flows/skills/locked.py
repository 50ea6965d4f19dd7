"""The lock file beside installed skills: it tells which texts a person accepted since."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Final, NamedTuple

from learnt.core.governance.proposals import text_hash
from learnt.core.safety import owned
from learnt.errors import EnvironmentTrouble, Refused
from learnt.formats import skill_lock
from learnt.ports import Outside

UNLOCKED: Final = f"it differs from what {skill_lock.NAME} says was installed"
UNREADABLE: Final = f"{skill_lock.NAME} cannot be read, which may say otherwise"


class FolderLocks(NamedTuple):
    """What the locks of a folder of skills say: hashes by name, and whether one is no lock.

    `links` are the names in it that are links: their own places have locks as well.
    """

    hashes: Mapping[str, str]
    broken: bool
    links: Collection[str]


def _lock_files(outside: Outside, above: str) -> list[str]:
    """Where the lock of a folder of skills may lie: there, or one of two folders above it."""
    folders = dict.fromkeys((outside.shelf.real(above), above))
    roots = (one.rsplit("/", up)[0] for one in folders for up in (2, 1, 0))
    return [f"{root}/{skill_lock.NAME}" for root in dict.fromkeys(roots)]


def locked_out(outside: Outside, file: str, read: dict[str, FolderLocks]) -> str:
    """Why a lock keeps a skill back that no ledger tells of; empty where none does.

    `read` has what was read for others of its folder.
    """
    folder, _, own = file.rpartition("/")
    above, _, key = folder.rpartition("/")
    if own != "SKILL.md":
        return ""
    if (locks := read.get(above)) is None:
        hashes, broken = dict[str, str](), False
        for path in _lock_files(outside, above):
            try:
                hashes |= skill_lock.hashes(outside.documents.read(path))
            except (EnvironmentTrouble, Refused):
                broken = True
        locks = read[above] = FolderLocks(hashes, broken, outside.shelf.links(above))
    if hashed := locks.hashes.get(key):
        with suppress(EnvironmentTrouble):  # what cannot be read is not what was installed
            if hashed == skill_lock.hash_of(outside.shelf.files(folder) or {}):
                return ""
        return UNLOCKED
    if locks.broken:
        return UNREADABLE
    there = outside.shelf.real(folder) if key in locks.links else folder
    return "" if there == folder else locked_out(outside, f"{there}/{own}", read)


def broken_locks(outside: Outside, files: Iterable[str]) -> dict[str, str]:
    """The locks of skills that cannot be read, and why: by them nothing can be checked."""
    broken = {}
    folders = {file.rsplit("/", 2)[0] for one in files for file in (one, outside.shelf.real(one))}
    for path in sorted({path for one in folders for path in _lock_files(outside, one)}):
        try:
            skill_lock.hashes(outside.documents.read(path))
        except (EnvironmentTrouble, Refused) as error:
            broken[path] = str(error).removesuffix(" Nothing was changed.")
    return broken


def follow(outside: Outside, file: str, before: str | None, text: str) -> None:
    """Have each lock that fitted a skill's folder fit the text that its file has by now.

    `before` is its text until then. Where anything else is not as it was locked, none is written.
    """
    own = file.rpartition("/")[2]
    folder = outside.shelf.real(file.removesuffix(f"/{own}"))
    above, _, key = folder.rpartition("/")
    if own != "SKILL.md" or before is None:
        return
    for path in _lock_files(outside, above):
        lock, entry = None, None
        with suppress(EnvironmentTrouble, Refused):  # what is no lock locks nothing
            lock = outside.documents.read(path)
            entry = skill_lock.entry(lock, key)
        if entry is None:
            continue
        files = outside.shelf.files(folder) or {}
        if entry.hash == skill_lock.hash_of({**files, own: before.encode()}):
            hashed = skill_lock.hash_of({**files, own: text.encode()})
            source = skill_lock.portable(entry.source, path.rpartition("/")[0])
            new = skill_lock.changed(lock, key, entry._replace(hash=hashed, source=source))
            outside.documents.write(path, owned(new), text_hash(lock))
