"""What of a path is checked as skills: also what was meant to be one, and that no agent reads."""

import codecs
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from learnt.core.skills.findings import Finding
from learnt.core.skills.skills import LEFT_OUT, SkillLayer, SkillSource
from learnt.formats.skill_text import is_mark
from learnt.stores.skill_folders import DEEPEST, LARGEST, SkillPlace, bytes_of, places, skill_of

OWN: Final = "SKILL.md"
_NO_FILE: Final = (
    "No file there can be read: name a skill's file, its folder, or a folder of skills."
)


class Inspected(NamedTuple):
    """How many skills' files were read whole and checked, and what is wrong at the path."""

    checked: int
    findings: tuple[Finding, ...]


def inspected(path: Path) -> Inspected:
    """A skill's file, its folder, or a folder of skills; nothing to check is a finding as well.

    In a folder of skills flat Markdown is one too where it begins with front matter.
    """
    folder = path.is_dir()
    findings = [*(_unread(str(path)) if folder else _misnamed(path))]
    checked = 0
    flat = folder and not (path / OWN).is_file()
    for place in places([SkillSource(str(path), SkillLayer.USER, flat=flat)]):
        name = place.file.rpartition("/")[2]
        if name != OWN and name.casefold() == OWN.casefold():
            continue  # named already
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
    return Inspected(checked, tuple(findings))


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
        yield finding._replace(path=place.file)


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
