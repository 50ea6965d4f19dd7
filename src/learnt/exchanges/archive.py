"""A foreign zip or tar, unpacked by ourselves into a private folder, as far as it may be.

The standard library's modules read entries and nothing else: every name is checked before anything
is written, every byte is counted while it is. What is refused is a finding, and is not written.
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
from pathlib import Path
from typing import IO, Final

from learnt.core.skills.findings import Finding

READ_AT_ONCE: Final = 65_536
_RESERVED: Final = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\..*)?")
_ODD: Final = re.compile(r"[\x00-\x1f\x7f<>:\"|?*\\]|[ .]$|^ |~\d$")
_NESTED: Final = (
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"Rar!",
    b"7z\xbc\xaf\x27\x1c",
    b"BZh",
    b"\xfd7zXZ",
    b"\x28\xb5\x2f\xfd",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What an archive may hold: bytes in all, of a file, and for each byte packed; lengths."""

    files: int = 2_000
    bytes: int = 50_000_000
    file: int = 10_000_000
    ratio: int = 100
    depth: int = 12
    name: int = 200
    path: int = 400


DEFAULT: Final = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """An entry as the archive's list has it; `kind` is file, folder or what it is instead."""

    name: str
    kind: str
    stream: IO[bytes] | None


class _Broken(Exception):
    """The archive cannot be read on."""


def unpack(archive: Path, folder: Path, limits: Limits = DEFAULT) -> tuple[Finding, ...]:
    """Write what an archive holds below a new folder; what was refused, and why.

    Nothing but regular files comes out, none of them executable, none outside the folder. After a
    finding the folder must not be used. Raises FileExistsError where the folder is there.
    """
    folder.mkdir(mode=0o700, parents=False)
    findings: list[Finding] = []
    seen: dict[str, str] = {}  # by the name that a file system may fold it to, the name itself
    total = count = 0
    packed = max(archive.stat().st_size, 1)
    try:
        for entry in _entries(archive):
            count += 1
            if count > limits.files:
                findings.append(
                    _refused("too-many-files", "", f"It has more than {limits.files:,} entries.")
                )
                break
            if refused := _unfit(entry, seen, limits):
                findings.append(refused)
                continue
            if entry.stream is None:
                continue
            room = min(limits.file, limits.bytes - total, max(limits.ratio * packed, 1_000_000))
            content = entry.stream.read(READ_AT_ONCE)
            if content.startswith(_NESTED) or content[257:262] == b"ustar":
                findings.append(_refused("nested-archive", entry.name, "It holds another archive."))
                continue
            target = folder.joinpath(*_parts(entry.name))
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with target.open("xb") as file:
                target.chmod(0o600)
                written = 0
                while content:
                    written += len(content)
                    if written > room:
                        message = "Unpacked it is larger than a skill may be."
                        findings.append(_refused("too-large", entry.name, message))
                        return tuple(findings)
                    file.write(content)
                    content = entry.stream.read(READ_AT_ONCE)
            total += written
    # What the standard library's readers raise on a file that was made to break them.
    except (_Broken, zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError,
            NotImplementedError, ValueError, OSError) as error:  # fmt: skip
        findings.append(_refused("broken-archive", "", f"It cannot be read: {str(error)[:200]}."))
    if not count and not findings:
        findings.append(_refused("broken-archive", "", "It is empty."))
    return tuple(findings)


def _refused(rule: str, name: str, message: str) -> Finding:
    return Finding(rule=rule, message=message, path=name[:400] or "archive")


def _entries(archive: Path) -> Iterator[_Entry]:
    """The entries of a zip or a tar. Raises _Broken where it is neither, or two things at once."""
    with archive.open("rb") as file:
        head = file.read(4)
    if head[:2] == b"PK":
        with zipfile.ZipFile(archive) as packed:
            yield from _zipped(packed)
    elif zipfile.is_zipfile(archive):
        raise _Broken("something stands before the zip")
    else:
        with tarfile.open(archive, "r|*") as tar:
            for member in tar:
                yield _tarred(tar, member)


def _zipped(packed: zipfile.ZipFile) -> Iterator[_Entry]:
    if packed.comment:
        raise _Broken("it carries a comment behind its list")
    offsets = sorted((info.header_offset, info.compress_size) for info in packed.infolist())
    for (at, size), (after, _) in pairwise(offsets):
        if at + 30 + size > after:
            raise _Broken("its entries overlap")
    for info in packed.infolist():
        mode = stat.S_IFMT(info.external_attr >> 16)
        # `filename` ends at a NUL, which the name as it stands in the list does not.
        name = info.orig_filename
        if info.flag_bits & 1:
            yield _Entry(name=name, kind="encrypted", stream=None)
        elif mode not in {0, stat.S_IFREG, stat.S_IFDIR}:
            yield _Entry(name=name, kind="link" if stat.S_ISLNK(mode) else "device", stream=None)
        elif name.endswith("/"):
            yield _Entry(name=name, kind="folder", stream=None)
        else:
            with packed.open(info) as stream:  # checks that the entry has the name of the list
                yield _Entry(name=name, kind="file", stream=stream)


def _tarred(tar: tarfile.TarFile, member: tarfile.TarInfo) -> _Entry:
    if member.isdir():
        return _Entry(name=member.name, kind="folder", stream=None)
    if member.issym() or member.islnk():
        return _Entry(name=member.name, kind="link", stream=None)
    if not member.isreg() or member.issparse():
        return _Entry(name=member.name, kind="device", stream=None)
    if member.mode & 0o6000:
        return _Entry(name=member.name, kind="privileged", stream=None)
    return _Entry(name=member.name, kind="file", stream=tar.extractfile(member) or io.BytesIO())


_KINDS: Final = {
    "link": "It is a link, which leads elsewhere.",
    "device": "It is neither a file nor a folder.",
    "encrypted": "It is encrypted, so nobody sees what it holds.",
    "privileged": "It would run with another user's rights.",
}


def _parts(name: str) -> list[str]:
    return [part for part in name.split("/") if part not in {"", "."}]


def _unfit(entry: _Entry, seen: dict[str, str], limits: Limits) -> Finding | None:
    """Why an entry must not be written, or None. `seen` gets its name and those of its folders."""
    name, parts = entry.name, _parts(entry.name)
    if entry.kind in _KINDS:
        return _refused(entry.kind, name, _KINDS[entry.kind])
    if (
        name.startswith(("/", "\\"))
        or re.match(r"[A-Za-z]:", name)
        or ".." in re.split(r"[/\\]", name)
    ):
        return _refused("outside", name, "Its path leads out of the folder.")
    if (
        len(parts) > limits.depth
        or len(name) > limits.path
        or any(len(part.encode("utf-8", "replace")) > limits.name for part in parts)
    ):
        return _refused("long-name", name, "Its path is too long or too deep.")
    for part in parts:
        odd = any(
            unicodedata.category(c) in {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"} for c in part
        )
        if odd or _ODD.search(part) or _RESERVED.fullmatch(part) or part.casefold() == ".git":
            return _refused("odd-name", name, "Its name is one that systems read differently.")
    for end in range(1, len(parts) + 1):
        path = "/".join(parts[:end])
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", path).casefold())
        is_file = end == len(parts) and entry.kind == "file"
        shape = f"{path}{'' if is_file else '/'}"
        if seen.setdefault(folded, shape) != shape or (is_file and f"{folded}\0" in seen):
            return _refused(
                "colliding-names", name, "Some systems take its name for another entry's."
            )
        if is_file:
            seen[f"{folded}\0"] = shape
    return None
