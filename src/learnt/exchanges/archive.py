"""A foreign zip or tar, unpacked by ourselves into memory, as far as it may be.

The standard library's modules read entries and nothing else: every name is checked before its
content is read, every byte is counted. What is refused is a finding, and nothing is on the disk.
"""

import io
import re
import stat
import tarfile
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import IO, Final

from learnt.core.skills.skills import LARGEST_FOLDER, LEFT_OUT, Finding
from learnt.core.skills.threat_patterns import NESTED
from learnt.core.visible_text import hidden

_OUTSIDE: Final = re.compile(r"[/\\]|[A-Za-z]:")
_RESERVED: Final = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\..*)?")
_ODD: Final = re.compile(r"[\x00-\x1f\x7f<>:\"|?*\\]|[ .]$|^ |~\d$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveLimits:
    """What an archive may hold: bytes in all, of a file, and for each byte packed; lengths."""

    files: int = 2_000
    bytes: int = LARGEST_FOLDER
    file: int = 10_000_000
    ratio: int = 100
    depth: int = 12
    name: int = 200
    path: int = 400


DEFAULT: Final = ArchiveLimits()


Read = tuple[dict[str, bytes], tuple[Finding, ...]]
_Entry = tuple[str, str, IO[bytes] | None]  # a name, file or folder or what it is instead, content


def unpack(packed: bytes, limits: ArchiveLimits = DEFAULT) -> Read:
    """The files that an archive holds, by their paths; none where anything of it is refused."""
    files: dict[str, bytes] = {}
    findings: list[Finding] = []
    seen: dict[str, str] = {}  # by the name that a file system may fold it to, the name itself
    total = 0

    def refuse(rule: str, message: str, name: str = "") -> None:
        findings.append(Finding(rule=rule, message=message, path=name[:400] or "archive"))

    try:
        for count, (name, kind, stream) in enumerate(_entries(packed), 1):
            if count > limits.files:
                refuse("too-many-files", f"It has more than {limits.files:,} entries.")
                break
            if unfit := _unfit(name, kind, seen, limits):
                refuse(*unfit, name)
                continue
            most = max(limits.ratio * len(packed), 1_000_000)
            room = min(limits.file, limits.bytes - total, most)
            content = stream.read(room + 1) if stream else b""
            if content.startswith(NESTED) or content[257:262] == b"ustar":
                refuse("nested-archive", "It holds another archive.", name)
            elif len(content) > room:
                refuse("too-large", "Unpacked it is larger than a skill may be.", name)
                break
            elif stream and LEFT_OUT.isdisjoint(parts := _parts(name)):
                files["/".join(parts)] = content
            total += len(content)
    # What the standard library's readers raise on a file that was made to break them.
    except (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, ValueError,
            OSError) as error:  # fmt: skip
        refuse("broken-archive", f"It cannot be read: {str(error)[:200]}.")
    if not files and not findings:
        refuse("broken-archive", "It is empty.")
    return ({} if findings else files), tuple(findings)


def _entries(packed: bytes) -> Iterator[_Entry]:
    """The entries of a zip or a tar. Raises BadZipFile for neither, and for two things at once."""
    file = io.BytesIO(packed)
    if packed[:2] == b"PK":
        with zipfile.ZipFile(file) as archive:
            yield from _zipped(archive)
    elif zipfile.is_zipfile(file):
        raise zipfile.BadZipFile("something stands before the zip")
    else:
        with tarfile.open(fileobj=io.BytesIO(packed), mode="r|*") as tar:
            for member in tar:
                kind = _tarred(member)
                yield member.name, kind, tar.extractfile(member) if kind == "file" else None


def _zipped(archive: zipfile.ZipFile) -> Iterator[_Entry]:
    if archive.comment:
        raise zipfile.BadZipFile("it carries a comment behind its list")
    offsets = sorted((info.header_offset, info.compress_size) for info in archive.infolist())
    for (at, size), (after, _) in pairwise(offsets):
        if at + 30 + size > after:
            raise zipfile.BadZipFile("its entries overlap")
    for info in archive.infolist():
        mode = stat.S_IFMT(info.external_attr >> 16)
        # `filename` ends at a NUL, which the name as it stands in the list does not.
        name = info.orig_filename
        if info.flag_bits & 1:
            yield name, "encrypted", None
        elif mode not in {0, stat.S_IFREG, stat.S_IFDIR}:
            yield name, "link" if stat.S_ISLNK(mode) else "device", None
        elif name.endswith("/"):
            yield name, "folder", None
        else:
            with archive.open(info) as stream:  # checks that the entry has the name of the list
                yield name, "file", stream


def _tarred(member: tarfile.TarInfo) -> str:
    if member.isdir():
        return "folder"
    if member.issym() or member.islnk():
        return "link"
    if not member.isreg() or member.issparse():
        return "device"
    return "privileged" if member.mode & 0o6000 else "file"


_KINDS: Final = {
    "link": "It is a link, which leads elsewhere.",
    "device": "It is neither a file nor a folder.",
    "encrypted": "It is encrypted, so nobody sees what it holds.",
    "privileged": "It would run with another user's rights.",
}


def _parts(name: str) -> list[str]:
    return [part for part in name.split("/") if part not in {"", "."}]


def _unfit(
    name: str, kind: str, seen: dict[str, str], limits: ArchiveLimits
) -> tuple[str, str] | None:
    """Why an entry is refused: a rule, and words. `seen` gets its name and its folders' names."""
    parts = _parts(name)
    if kind in _KINDS:
        return kind, _KINDS[kind]
    if _OUTSIDE.match(name) or ".." in re.split(r"[/\\]", name):
        return "outside", "Its path leads out of the folder."
    longest = max((len(part.encode("utf-8", "replace")) for part in parts), default=0)
    if len(parts) > limits.depth or len(name) > limits.path or longest > limits.name:
        return "long-name", "Its path is too long or too deep."
    for part in parts:
        if (
            hidden(part)
            or not {"\n", "\t"}.isdisjoint(part)
            or _ODD.search(part)
            or _RESERVED.fullmatch(part)
            or part.casefold() == ".git"
        ):
            return "odd-name", "Its name is one that systems read differently."
    for end in range(1, len(parts) + 1):
        path = "/".join(parts[:end])
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())
        is_file = end == len(parts) and kind == "file"
        shape = f"{path}{'' if is_file else '/'}"
        if seen.setdefault(folded, shape) != shape or (is_file and f"{folded}\0" in seen):
            return "colliding-names", "Some systems take its name for another entry's."
        if is_file:
            seen[f"{folded}\0"] = shape
    return None
