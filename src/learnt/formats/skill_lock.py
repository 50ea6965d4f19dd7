"""`skills-lock.json` as `npx skills` keeps it: which skills were installed, from where, and hashes.

{"version": 1, "skills": {NAME: {"source", "sourceType", "computedHash"}}}, and of ours a "version".
Entries and members of others stay as they are.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Final

from learnt.core.records import JsonValue, Row
from learnt.errors import Refused

NAME: Final = "skills-lock.json"
_MEMBERS: Final = ("source", "sourceType", "computedHash", "version")
_UNCOUNTED: Final = frozenset({".git", "node_modules"})


class LockEntry(Row):
    """Where a skill came from, the hash of its folder as it was installed, and its version."""

    source: str
    kind: str
    hash: str
    version: str = ""


def hash_of(files: Mapping[str, bytes]) -> str:
    """The hash that the lock has for a skill's files."""
    whole = hashlib.sha256()
    for path in sorted(files, key=lambda path: (path.casefold(), path)):
        if _UNCOUNTED.isdisjoint(path.split("/")):
            whole.update(path.encode("utf-8", "surrogateescape") + files[path])
    return whole.hexdigest()


def entry(text: str | None, name: str) -> LockEntry | None:
    """A skill's entry, or None. Raises Refused where the text is no lock."""
    members = _read(text)[1].get(name)
    if not isinstance(members, dict):
        return None
    return LockEntry(*(str(members.get(key) or "") for key in _MEMBERS))


def portable(source: str, root: str) -> str:
    """A source as everybody may see it: of this machine's folders no more than the name.

    Of one below the lock's own root the path from there.

    >>> portable("/home/ada/forms", "/home/ada/web"), portable("/home/ada/web/a/b", "/home/ada/web")
    ('forms', './a/b')
    """
    if not source.startswith("/"):
        return source
    below = source.removeprefix(f"{root}/")
    return source.rpartition("/")[2] if below == source else f"./{below}"


def hashes(text: str | None) -> dict[str, str]:
    """The hash of each skill's folder, by name. Raises Refused as `entry`."""
    members = _read(text)[1].items()
    return {
        name: str(one.get("computedHash") or "") for name, one in members if isinstance(one, dict)
    }


def changed(text: str | None, name: str, new: LockEntry | None) -> str:
    """The lock with a skill's entry replaced, or without it (None). Raises Refused as `entry`."""
    lock, skills = _read(text)
    before = skills.pop(name, None)
    if new is not None:
        kept = before if isinstance(before, dict) else {}
        members = {**kept, **dict(zip(_MEMBERS, new, strict=True))}
        skills[name] = {key: value for key, value in members.items() if value != ""}
    lock["skills"] = dict(sorted(skills.items()))
    return json.dumps(lock, ensure_ascii=False, indent=2) + "\n"


def _read(text: str | None) -> tuple[dict[str, JsonValue], dict[str, JsonValue]]:
    """The lock, and the skills in it."""
    try:
        lock = json.loads(text) if text else {"version": 1, "skills": {}}
    except (ValueError, RecursionError) as error:
        raise Refused(f"{NAME} is no JSON ({error}). Nothing was changed.") from error
    if not isinstance(lock, dict) or lock.get("version") != 1:
        raise Refused(f"{NAME} is of a version that Learnt does not know. Nothing was changed.")
    skills = lock.get("skills")
    if not isinstance(skills, dict):
        raise Refused(f"{NAME} lists no skills. Nothing was changed.")
    return lock, skills
