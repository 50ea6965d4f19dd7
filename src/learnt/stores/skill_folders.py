"""Skills on disk: `SKILL.md` in folders of any depth, and flat `NAME.md` where a source allows it.

Only read. Folders are followed through links, each once. What vanishes meanwhile is not there.
"""

import contextlib
import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from learnt.core.skills.findings import Finding
from learnt.core.skills.skills import (
    LEFT_OUT,
    Skill,
    SkillFile,
    SkillLayer,
    SkillSource,
    folder_digest,
)
from learnt.core.skills.versions import FIRST, told_number
from learnt.formats import skill_text
from learnt.stores.skill_shelf import contents

LARGEST: Final = 1_000_000  # bytes of a SKILL.md; none of 9,076 real ones has a tenth of it
DEEPEST: Final = 6
_NO_SKILLS: Final = frozenset({"readme.md", "license.md", "changelog.md", "contributing.md"})


class SkillPlace(NamedTuple):
    """A skill's file, and what differs once it was written since."""

    file: str
    layer: SkillLayer
    stamp: tuple[int, int]


def places(sources: Iterable[SkillSource]) -> Iterator[SkillPlace]:
    """The skills' files of all sources, each once, however many links lead there.

    A source is a folder of skills, a skill's own, or its file.
    """
    seen: set[tuple[int, int]] = set()
    for source in sources:
        for file in (source.folder, f"{source.folder}/SKILL.md"):
            if place := _place(file, source.layer, seen):
                yield place
        yield from _below(source, source.folder, 0, seen)


def _below(
    source: SkillSource, folder: str, depth: int, seen: set[tuple[int, int]]
) -> Iterator[SkillPlace]:
    if depth and (depth > DEEPEST or not _new(folder, stat.S_ISDIR, seen)):
        return
    with contextlib.suppress(OSError):
        for name in sorted(name for name in os.listdir(folder) if not name.startswith(".")):
            path = f"{folder}/{name}"
            flat = source.flat and name.endswith(".md") and name.casefold() not in _NO_SKILLS
            # The file that makes a folder a skill is asked for first: most folders have it.
            if (flat and (place := _place(path, source.layer, seen))) or (
                place := _place(f"{path}/SKILL.md", source.layer, seen)
            ):
                yield place
            else:
                yield from _below(source, path, depth + 1, seen)


def _new(
    path: str, kind: Callable[[int], bool], seen: set[tuple[int, int]]
) -> os.stat_result | None:
    """The status of what is there, if it is of that kind and no link led there before."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    mark = (status.st_dev, status.st_ino)
    if not kind(status.st_mode) or mark in seen:
        return None
    seen.add(mark)
    return status


def _place(file: str, layer: SkillLayer, seen: set[tuple[int, int]]) -> SkillPlace | None:
    if status := _new(file, stat.S_ISREG, seen):
        return SkillPlace(file, layer, (status.st_size, status.st_mtime_ns))
    return None


def text_of(file: str) -> str | None:
    """The text of a skill's file, at most LARGEST bytes of it; None where there is none to read."""
    raw = bytes_of(file)
    return None if raw is None else raw.decode("utf-8", "replace")


def bytes_of(file: str) -> bytes | None:
    """What `text_of` decodes."""
    try:
        with open(file, "rb") as stream:
            # A buffer of the largest size for each of ten thousand files would take a second.
            return stream.read(min(LARGEST, os.fstat(stream.fileno()).st_size))
    except OSError:
        return None


def skill_of(place: SkillPlace, text: str) -> Skill:
    """The skill that a file's text holds, named by its folder, or a flat one by its file."""
    folder, _, name = place.file.rpartition("/")
    own = folder.rpartition("/")[2] if name == "SKILL.md" else name.removesuffix(".md")
    # A folder's name may be any bytes.
    read = skill_text.read(text, own.encode("utf-8", "replace").decode())
    findings = read.findings
    if place.stamp[0] > LARGEST:
        message = f"It has {place.stamp[0]:,} bytes; only the first {LARGEST:,} are read."
        findings += (Finding("too-large", message),)
    metadata = read.front.get("metadata")
    said = {key: value for key, value in read.front.items() if value}
    said = {**metadata, **said} if isinstance(metadata, dict) else said
    return Skill(
        name=read.name,
        description=read.description,
        file=place.file,
        digest=hashlib.sha256(text.encode()).hexdigest(),
        layer=place.layer,
        version=told_number(read.front) or FIRST,
        tags=skill_text.words(said.get("tags")),
        roles=skill_text.words(said.get("agent_roles")),
        stages=skill_text.words(said.get("pipeline_stages")),
        source=skill_text.word(said.get("source")) or "manual",
        created_at=skill_text.word(said.get("created_at")),
        findings=findings,
    )


def files_of(file: str) -> list[SkillFile]:
    """The other files of a skill's folder, as `SkillLibrary.files` says."""
    return [SkillFile(part, real.stat().st_size) for part, real in _parts(file).items()]


def part_of(file: str, path: str) -> bytes | None:
    """One of them, at most LARGEST bytes of it."""
    real = _parts(file).get(path)
    return None if real is None else bytes_of(str(real))


def _parts(file: str) -> dict[str, Path]:
    """The other files of a skill's folder by path, each with where it really is: below it too."""
    folder, _, own = file.rpartition("/")
    root, found = Path(os.path.realpath(folder)), dict[str, Path]()
    for at, folders, names in os.walk(root) if own == "SKILL.md" else ():
        folders[:] = sorted(set(folders) - LEFT_OUT)
        for path in (Path(at, name) for name in sorted(names) if name not in LEFT_OUT):
            real, part = Path(os.path.realpath(path)), path.relative_to(root).as_posix()
            if part != own and real.is_relative_to(root) and real.is_file():
                found[part] = real
    return found


def digest_of(file: str, instead: str = "") -> str:
    """One SHA-256 for all files of a skill's folder, or of a flat skill's file.

    `instead` is taken for the file's own; empty where something cannot be read.
    """
    folder, _, name = file.rpartition("/")
    with contextlib.suppress(OSError):
        files = contents(folder) if name == "SKILL.md" else {name: Path(file).read_bytes()}
        return folder_digest(files, instead, name)
    return ""
