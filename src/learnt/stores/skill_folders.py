"""Skills on disk: SKILL.md in folders, flat files, and whatever was meant to be a skill.

Only read. Folders are followed through links, each once. What vanishes meanwhile is not there.
"""

import codecs
import contextlib
import hashlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from learnt.core.records import Record
from learnt.core.skills import skills
from learnt.core.skills.history import FIRST, told_number
from learnt.core.skills.skills import LEFT_OUT, Finding, SkillLayer, SkillSource
from learnt.formats import skill_text
from learnt.formats.skill_text import is_mark
from learnt.stores.skill_shelf import contents

LARGEST: Final = 1_000_000  # bytes of a SKILL.md; none of 9,076 real ones has a tenth of it
DEEPEST: Final = 6
_NO_SKILLS: Final = frozenset({"readme.md", "license.md", "changelog.md", "contributing.md"})


class SkillPlace(Record):
    """A skill's file, and what differs once it was written since."""

    file: str
    layer: skills.SkillLayer
    stamp: tuple[int, int]


def places(sources: Iterable[skills.SkillSource]) -> Iterator[SkillPlace]:
    """The skills' files of sources (folders of skills, skills, or files), each once."""
    seen: set[tuple[int, int]] = set()
    for source in sources:
        for file in (source.folder, f"{source.folder}/SKILL.md"):
            if place := _place(file, source.layer, seen):
                yield place
        yield from _below(source, source.folder, 0, seen)


def _below(
    source: skills.SkillSource, folder: str, depth: int, seen: set[tuple[int, int]]
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


def _place(file: str, layer: skills.SkillLayer, seen: set[tuple[int, int]]) -> SkillPlace | None:
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


def skill_of(place: SkillPlace, text: str) -> skills.Skill:
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
    return skills.Skill(
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


def files_of(file: str) -> list[skills.SkillFile]:
    """The other files of a skill's folder, as `SkillLibrary.files` says."""
    return [skills.SkillFile(part, real.stat().st_size) for part, real in _parts(file).items()]


def part_of(file: str, path: str) -> bytes | None:
    """One of them, at most LARGEST bytes of it."""
    real = _parts(file).get(path)
    return None if real is None else bytes_of(str(real))


def _parts(file: str) -> dict[str, Path]:
    """The other files of a skill's folder by path, each with where it really is: below it too."""
    folder, _, own = file.rpartition("/")
    root, found = Path(os.path.realpath(folder)), dict[str, Path]()
    for at, folders, names in os.walk(root) if own == "SKILL.md" else ():
        folders[:] = sorted(set(folders) - skills.LEFT_OUT)
        for path in (Path(at, name) for name in sorted(names) if name not in skills.LEFT_OUT):
            real, part = Path(os.path.realpath(path)), path.relative_to(root).as_posix()
            if part != own and real.is_relative_to(root) and real.is_file():
                found[part] = real
    return found


def digest_of(file: str, instead: str = "") -> str:
    """One SHA-256 for a skill's files, `instead` for its own file's; empty if unreadable."""
    folder, _, name = file.rpartition("/")
    with contextlib.suppress(OSError):
        files = contents(folder) if name == "SKILL.md" else {name: Path(file).read_bytes()}
        return skills.folder_digest(files, instead, name)
    return ""


OWN: Final = "SKILL.md"
_NO_FILE: Final = (
    "No file there can be read: name a skill's file, its folder, or a folder of skills."
)


class Validated(Record):
    """How many files were read and checked, and what is wrong with them and beside them."""

    checked: int
    findings: tuple[Finding, ...]


def inspected(path: Path) -> Validated:
    """A skill, or a folder of skills, in which Markdown with front matter counts as well."""
    folder = path.is_dir()
    findings = [*(_unread(str(path)) if folder else _misnamed(path))]
    checked = 0
    flat = folder and not (path / OWN).is_file()
    for place in places([SkillSource(str(path), SkillLayer.USER, flat=flat)]):
        name = place.file.rpartition("/")[2]
        # Named already, or an agent, a command or a rule, as its folder says.
        of_agents = Path(place.file).parent.name in {"agents", "commands", "rules"}
        if name != OWN and (name.casefold() == OWN.casefold() or of_agents):
            continue
        if (raw := bytes_of(place.file)) is None:
            findings.append(Finding("unreadable", "It cannot be read.", path=place.file))
        elif name == OWN or not folder or _begins(raw):
            checked += 1
            findings += _of_file(place, raw)
    if not (checked or findings or folder):
        findings.append(Finding("no-file", _NO_FILE, path=str(path)))
    elif not (checked or findings):
        message = f"There is no skill here: no {OWN}, and no Markdown that begins as one."
        findings.append(Finding("no-skill", message, path=str(path)))
    return Validated(checked, tuple(findings))


def _begins(raw: bytes) -> bool:
    text = raw.removeprefix(codecs.BOM_UTF8).lstrip()
    return is_mark(text.split(b"\n", 1)[0].decode("utf-8", "replace"))


def _of_file(place: SkillPlace, raw: bytes) -> Iterator[Finding]:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        decoder.decode(raw, final=place.stamp[0] <= LARGEST)  # a large one is cut anywhere
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        yield Finding("not-text", "It is not text in UTF-8.", line, place.file)
    for finding in skill_of(place, raw.decode("utf-8", "replace")).findings:
        yield replace(finding, path=place.file)


def _unread(folder: str) -> Iterator[Finding]:
    """The files below a folder that were meant to be a skill's, where agents look for skills."""
    seen = set()
    for at, folders, names in os.walk(folder, followlinks=True):
        here = Path(at)
        status = here.stat()
        depth = len(here.relative_to(folder).parts)
        again = (status.st_dev, status.st_ino) in seen
        seen.add((status.st_dev, status.st_ino))
        for name in () if again else sorted([*folders, *names]):
            yield from _misnamed(here / name)
        # Below a skill's folder lies what belongs to it.
        inner = again or depth > DEEPEST or (depth > 0 and OWN in names)
        below = [] if inner else (n for n in folders if n[0] != "." and n not in LEFT_OUT)
        folders[:] = sorted(below)


def _misnamed(path: Path) -> Iterator[Finding]:
    """What is wrong with a skill's file before it is read: its name, or that it is none."""
    if path.name.casefold() == OWN.casefold() and path.name != OWN:
        message = f"Agents look for {OWN}: that is another name."
        yield Finding("file-name", message, path=str(path))
    elif path.name == OWN and not path.is_file():
        yield Finding("no-file", _NO_FILE, path=str(path))
