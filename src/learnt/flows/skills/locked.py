"""The lock file beside installed skills: it tells which texts a person accepted since."""

from collections.abc import Iterable
from contextlib import suppress

from learnt.core.governance.proposals import text_hash
from learnt.errors import EnvironmentTrouble, Refused
from learnt.formats import skill_lock
from learnt.ports import Outside


def lock_roots(above: str) -> tuple[str, ...]:
    """Where the lock of a folder of skills may lie: there, or one of two folders above it."""
    return above.rsplit("/", 2)[0], above.rsplit("/", 1)[0], above


def broken_locks(outside: Outside, folders: Iterable[str]) -> dict[str, str]:
    """The locks of folders of skills that cannot be read, and why: by them nothing is checked."""
    broken = {}
    for path in sorted({
        f"{root}/{skill_lock.NAME}" for one in folders for root in lock_roots(one)
    }):
        try:
            skill_lock.hashes(outside.documents.read(path))
        except (EnvironmentTrouble, Refused) as error:
            broken[path] = str(error).removesuffix(" Nothing was changed.")
    return broken


def follow(outside: Outside, file: str, before: str | None, text: str) -> None:
    """Have each lock that fitted a skill's folder fit the text that its file has by now.

    `before` is its text until then. Where anything else is not as it was locked, none is written.
    """
    folder, _, own = file.rpartition("/")
    above, _, key = folder.rpartition("/")
    if own != "SKILL.md" or before is None:
        return
    for root in lock_roots(above):
        path, lock, entry = f"{root}/{skill_lock.NAME}", None, None
        with suppress(EnvironmentTrouble, Refused):  # what is no lock locks nothing
            lock = outside.documents.read(path)
            entry = skill_lock.entry(lock, key)
        if entry is None:
            continue
        files = outside.shelf.files(folder) or {}
        if entry.hash == skill_lock.hash_of({**files, own: before.encode()}):
            hashed = skill_lock.hash_of({**files, own: text.encode()})
            source = skill_lock.portable(entry.source, root)
            new = skill_lock.changed(lock, key, entry._replace(hash=hashed, source=source))
            outside.documents.write(path, new, text_hash(lock))
