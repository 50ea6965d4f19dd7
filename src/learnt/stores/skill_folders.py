"""Skills on disk: `SKILL.md` in folders of any depth, and flat `NAME.md` where a source allows it.

Only read. Folders are followed through links, each once. What vanishes meanwhile is not there.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from learnt.core.skills.findings import Finding
from learnt.core.skills.skills import Skill, SkillLayer, SkillSource, folder_digest
from learnt.formats import skill_text

LARGEST: Final = 1_000_000  # bytes of a SKILL.md; none of 9,076 real ones has a tenth of it
DEEPEST: Final = 6
_NO_SKILLS: Final = frozenset({"readme.md", "license.md", "changelog.md", "contributing.md"})


class SkillPlace(NamedTuple):
    """A skill's file, and what differs once it was written since."""

    file: str
    layer: SkillLayer
    stamp: tuple[int, int]


def places(sources: Sequence[SkillSource]) -> Iterator[SkillPlace]:
    """The skills' files of all sources, each once, however many links lead there.

    A source is a folder of skills, or a skill's own.
    """
    seen: set[tuple[int, int]] = set()
    for source in sources:
        if place := _place(f"{source.folder}/SKILL.md", source.layer, seen):
            yield place
        yield from _below(source, source.folder, 0, seen)


def _below(
    source: SkillSource, folder: str, depth: int, seen: set[tuple[int, int]]
) -> Iterator[SkillPlace]:
    try:
        names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
    except OSError:
        return
    for name in names:
        path = f"{folder}/{name}"
        flat = source.flat and name.endswith(".md") and name.casefold() not in _NO_SKILLS
        # The file that makes a folder a skill is asked for first: most folders have it.
        if place := _place(path if flat else f"{path}/SKILL.md", source.layer, seen):
            yield place
        elif depth < DEEPEST and _new_folder(path, seen):
            yield from _below(source, path, depth + 1, seen)


def _new_folder(path: str, seen: set[tuple[int, int]]) -> bool:
    try:
        status = os.stat(path)
    except OSError:
        return False
    mark = (status.st_dev, status.st_ino)
    if not stat.S_ISDIR(status.st_mode) or mark in seen:
        return False
    seen.add(mark)
    return True


def _place(file: str, layer: SkillLayer, seen: set[tuple[int, int]]) -> SkillPlace | None:
    try:
        status = os.stat(file)
    except (OSError, ValueError):
        return None
    mark = (status.st_dev, status.st_ino)
    if not stat.S_ISREG(status.st_mode) or mark in seen:
        return None
    seen.add(mark)
    return SkillPlace(file, layer, (status.st_size, status.st_mtime_ns))


def text_of(file: str) -> str | None:
    """The text of a skill's file, at most LARGEST bytes of it; None where there is none to read."""
    try:
        with open(file, "rb") as stream:
            # A buffer of the largest size for each of ten thousand files would take a second.
            size = min(LARGEST, os.fstat(stream.fileno()).st_size)
            return stream.read(size).decode("utf-8", "replace")
    except OSError:
        return None


def skill_of(place: SkillPlace, text: str) -> Skill:
    """The skill that a file's text holds, named by its folder, or a flat one by its file."""
    folder, _, name = place.file.rpartition("/")
    own = folder.rpartition("/")[2] if name == "SKILL.md" else name.removesuffix(".md")
    # A folder's name may be any bytes.
    read = skill_text.read(text, own.encode("utf-8", "replace").decode())
    front = read.front
    findings = read.findings
    if place.stamp[0] > LARGEST:
        message = f"It has {place.stamp[0]:,} bytes; only the first {LARGEST:,} are read."
        findings += (Finding(rule="too-large", message=message),)
    metadata = front.get("metadata")
    more = metadata if isinstance(metadata, dict) else {}
    return Skill(
        name=read.name,
        description=read.description,
        file=place.file,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        layer=place.layer,
        version=skill_text.word(front.get("version") or more.get("version")) or "1.0",
        tags=skill_text.words(front.get("tags") or more.get("tags")),
        roles=skill_text.words(front.get("agent_roles") or more.get("agent_roles")),
        stages=skill_text.words(front.get("pipeline_stages") or more.get("pipeline_stages")),
        source=skill_text.word(front.get("source") or more.get("source")) or "manual",
        created_at=skill_text.word(front.get("created_at") or more.get("created_at")),
        findings=findings,
    )


def digest_of(file: str, instead: str = "") -> str:
    """One SHA-256 over the paths and contents of a skill's folder, or of a flat skill's file.

    Links count by where they lead, not by what is there. `instead` is taken for the file's own.
    """
    folder, _, name = file.rpartition("/")
    paths = _files(folder) if name == "SKILL.md" else (file,)
    contents = {os.path.relpath(path, folder): _content(path) for path in paths}
    return folder_digest(contents, instead, name)


def _files(folder: str) -> Iterator[str]:
    for top, folders, names in os.walk(folder):
        for name in (*names, *(each for each in folders if os.path.islink(f"{top}/{each}"))):
            yield f"{top}/{name}"


def _content(path: str) -> bytes:
    if os.path.islink(path):
        return os.fsencode(os.readlink(path))
    with contextlib.suppress(OSError), open(path, "rb") as stream:
        return stream.read()
    return b""
