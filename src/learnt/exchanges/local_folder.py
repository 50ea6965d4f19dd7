"""A skill in a folder, an archive or a Markdown file of this machine; which of many is meant."""

import os
from pathlib import Path
from typing import Final

from learnt.core.skills.findings import Finding
from learnt.core.skills.skills import LEFT_OUT
from learnt.errors import EnvironmentTrouble, NotFound, Refused
from learnt.exchanges.archive import DEFAULT, Read, unpack
from learnt.file_ports import Fetched

ARCHIVES: Final = (".zip", ".skill", ".tar", ".tar.gz", ".tgz")


def fetch(path: Path, wanted: str = "") -> Fetched:
    """The skill at a path; `wanted` is its folder below, where there are several.

    Raises NotFound where there is none, Refused where nobody can tell which, EnvironmentTrouble.
    """
    try:
        if path.is_dir():
            read = files_below(path)
        elif path.suffix == ".md" and path.is_file() and path.stat().st_size <= DEFAULT.file:
            read = {"SKILL.md": path.read_bytes()}, ()
        elif path.name.endswith(ARCHIVES) and path.is_file():
            read = unpacked(path)
        else:
            raise NotFound(f"{path} is no folder, archive or Markdown file of a skill.")
    except (OSError, ValueError) as error:
        raise EnvironmentTrouble(f"{path} cannot be read: {error}. Nothing was changed.") from error
    name = wanted.rpartition("/")[2] or path.resolve().name.partition(".")[0]
    files, findings = one_skill(read, wanted, str(path))
    return Fetched(str(path.resolve()), "local", name, files, findings=findings)


def unpacked(file: Path) -> Read:
    """The files of an archive, or what is wrong with it."""
    if file.stat().st_size > DEFAULT.bytes:
        message = f"The archive has more than {DEFAULT.bytes // 1_000_000} MB."
        return {}, (Finding("too-large", message, path=file.name),)
    return unpack(file.read_bytes())


def files_below(folder: Path) -> Read:
    """The files below a folder by their paths. Links and what is too large are findings."""
    files: dict[str, bytes] = {}
    findings: list[Finding] = []
    room = DEFAULT.bytes
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - LEFT_OUT)
        for place in (Path(top, name) for name in (*folders, *sorted(set(names) - LEFT_OUT))):
            part = place.relative_to(folder).as_posix()
            if place.is_symlink() or not (place.is_file() or place.is_dir()):
                findings.append(Finding("link", "It is a link or no plain file.", path=part))
            elif place.is_file():
                room -= (size := place.stat().st_size)
                if room < 0 or size > DEFAULT.file or len(files) >= DEFAULT.files:
                    message = "It is larger, or holds more files, than a skill may."
                    return {}, (*findings, Finding("too-large", message, path=part))
                files[part] = place.read_bytes()
    return files, tuple(findings)


def one_skill(read: Read, wanted: str, source: str) -> Read:
    """The files of one skill, by their paths below its folder: of the one `wanted`, or the only.

    None where anything was found. Raises NotFound, and Refused where there are several.
    """
    files, findings = read
    if findings:
        return {}, findings
    bases = sorted(path.rpartition("/")[0] for path in files if f"/{path}".endswith("/SKILL.md"))
    if wanted:
        bases = [base for base in bases if base == wanted.strip("/")]
    if not bases:
        raise NotFound(f"{source} has no SKILL.md{f' in {wanted}' if wanted else ''}.")
    if len(bases) > 1 and "" not in bases:
        listed = ", ".join(bases[:10])
        raise Refused(f"{source} has {len(bases)} skills. Name one as SOURCE#FOLDER: {listed}.")
    base = f"{bases[0]}/" if bases[0] else ""
    return {path[len(base) :]: file for path, file in files.items() if path.startswith(base)}, ()
