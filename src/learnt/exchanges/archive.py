"""A foreign zip or tar, unpacked by ourselves into memory, as far as it may be.

Each record has its bound before anything is kept for it: a zip's list, a tar's headers and what
they add to a name, each file, all of it. What is refused is a finding, and nothing is on the disk.
"""

import io
import re
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import IO, Any, Final

from learnt.core.records import Record
from learnt.core.skills.skills import LARGEST_FOLDER, LEFT_OUT, Finding
from learnt.core.skills.threat_patterns import NESTED
from learnt.core.visible_text import hidden

_OUTSIDE: Final = re.compile(r"[/\\]|[A-Za-z]:")
_RESERVED: Final = re.compile(r"(?i)(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\..*)?")
_ODD: Final = re.compile(r"[\x00-\x1f\x7f<>:\"|?*\\]|[ .]$|^ |~\d$")


class ArchiveLimits(Record, kw_only=True):
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
# A name, file or folder or what it is instead, how long its content is, and where to read that.
_Entry = tuple[str, str, int, IO[bytes]]
_NOTE: Final = 65_536  # bytes that a tar may add to a header
_BLOCK: Final = 512
_MOSTLY: Final = 1_000  # bytes of an entry in a zip's list


def unpack(packed: bytes, limits: ArchiveLimits = DEFAULT) -> Read:
    """The files that an archive holds, by their paths; none where anything of it is refused."""
    files: dict[str, bytes] = {}
    findings: list[Finding] = []
    seen: dict[str, str] = {}  # by the name that a file system may fold it to, the name itself
    total = 0

    def refuse(rule: str, message: str, name: str = "") -> None:
        findings.append(Finding(rule=rule, message=message, path=name[:400] or "archive"))

    try:
        for count, (name, kind, size, stream) in enumerate(_entries(packed, limits), 1):
            most = max(limits.ratio * len(packed), 1_000_000)
            if count > limits.files:
                refuse("too-many-files", f"It has more than {limits.files:,} entries.")
                break
            if size > min(limits.file, limits.bytes - total, most):
                refuse("too-large", "Unpacked it is larger than a skill may be.", name)
                break
            total += size
            if len(content := stream.read(size)) < size:
                raise EOFError("it ends within a file")
            if unfit := _unfit(name, kind, seen, limits) or _nested(content):
                refuse(*unfit, name)
            elif kind == "file" and LEFT_OUT.isdisjoint(parts := _parts(name)):
                files["/".join(parts)] = content
    # What a file raises that was made to break its reader.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OSError) as error:
        refuse("broken-archive", f"It cannot be read: {str(error)[:200]}.")
    if not files and not findings:
        refuse("broken-archive", "It is empty.")
    return ({} if findings else files), tuple(findings)


def _entries(packed: bytes, limits: ArchiveLimits) -> Iterator[_Entry]:
    """The entries of a zip or a tar. Raises BadZipFile for neither, and for two things at once."""
    if packed[:2] == b"PK":
        yield from _zipped(packed, limits)
    elif zipfile.is_zipfile(io.BytesIO(packed)):
        raise zipfile.BadZipFile("something stands before the zip")
    elif packed[:2] == b"\x1f\x8b":
        yield from _tarred(io.BufferedReader(_Inflated(packed, limits)))
    else:
        yield from _tarred(io.BytesIO(packed))


def _zipped(packed: bytes, limits: ArchiveLimits) -> Iterator[_Entry]:
    if packed[-22:-18] != b"PK\5\6" or packed[-42:-38] == b"PK\6\7":
        raise zipfile.BadZipFile("it does not end with a plain list of its files")
    if int.from_bytes(packed[-10:-6], "little") > _MOSTLY * limits.files:
        raise zipfile.BadZipFile("its list is too long")
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        offsets = sorted((info.header_offset, info.compress_size) for info in archive.infolist())
        for (at, size), (after, _) in pairwise(offsets):
            if at + 30 + size > after:
                raise zipfile.BadZipFile("its entries overlap")
        for info in archive.infolist():
            mode = stat.S_IFMT(info.external_attr >> 16)
            # `filename` ends at a NUL, which the name as it stands in the list does not.
            name, nothing = info.orig_filename, io.BytesIO()
            if info.flag_bits & 1:
                yield name, "encrypted", 0, nothing
            elif mode not in {0, stat.S_IFREG, stat.S_IFDIR}:
                yield name, "link" if stat.S_ISLNK(mode) else "device", 0, nothing
            elif name.endswith("/"):
                yield name, "folder", 0, nothing
            elif info.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
                raise zipfile.BadZipFile("it is packed with something other than deflate")
            else:
                with archive.open(info) as stream:  # checks that the entry has the list's name
                    yield name, "file", info.file_size, stream


class _Inflated(io.RawIOBase):
    """What a gzip holds, a piece at a time; no more of it than a skill with its headers may be."""

    def __init__(self, packed: bytes, limits: ArchiveLimits) -> None:
        self._packed, self._inflater = io.BytesIO(packed), zlib.decompressobj(31)
        self._left = limits.bytes + 4 * _BLOCK * limits.files + 1_000_000

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        more = b""
        while not more and not self._inflater.eof:
            piece = self._inflater.unconsumed_tail or self._packed.read(_NOTE)
            if not piece:
                raise EOFError("it is cut off")
            more = self._inflater.decompress(piece, len(buffer))
        self._left -= len(more)
        if self._left < 0:
            raise ValueError("unpacked it is larger than a skill may be")
        buffer[: len(more)] = more
        return len(more)


_TYPES: Final = {**dict.fromkeys(b"\x0007", "file"), **dict.fromkeys(b"12", "link"), 53: "folder"}


def _tarred(stream: IO[bytes]) -> Iterator[_Entry]:
    """The entries of a tar, up to the first that is neither a file nor a folder."""
    notes: dict[str, bytes] = {}
    while (header := stream.read(_BLOCK)).strip(b"\0"):
        summed = sum(header[:148] + b" " * 8 + header[156:])
        if len(header) < _BLOCK or summed != _number(header[148:156]):
            raise ValueError("it is neither a zip nor a tar, alone or within gzip")
        flag, size = header[156], _number(header[124:136])
        if flag in b"xgLK":
            if size > _NOTE or len(note := stream.read(size)) < size:
                raise ValueError("a header is too long")
            told = _records_of(note) if flag in b"xg" else {"path": note} if flag in b"L" else {}
            if flag in b"g" and any(key.startswith(_CHANGING) for key in told):
                raise ValueError("one header changes what every file is")
            notes |= told
        else:
            size = int(notes.get("size", b"%d" % size))
            prefix = _text(header[345:500]) if header[257:263] == b"ustar\0" else ""
            name = "/".join(filter(None, (prefix, _text(header[:100]))))
            name = _text(notes["path"]) if "path" in notes else name
            kind = _TYPES.get(flag, "device")
            if kind == "file" and flag == 0 and name.endswith("/"):
                kind = "folder"
            if any(key.startswith("GNU.sparse") for key in notes) or (kind == "folder" and size):
                kind = "device"
            elif kind == "file" and _number(header[100:108]) & 0o6000:
                kind = "privileged"
            notes, size = {}, size if kind == "file" else 0
            yield name, kind, size, stream
            if kind not in {"file", "folder"}:
                return
        stream.read(-size % _BLOCK)


_CHANGING: Final = ("path", "size", "GNU.sparse")


def _text(field: bytes) -> str:
    return field.partition(b"\0")[0].decode("utf-8", "surrogateescape")


def _number(field: bytes) -> int:
    """A number of a header: in octal or, where it is marked so, in binary."""
    if field[:1] == b"\x80":
        return int.from_bytes(field[1:], "big")
    digits = field.strip(b" \0")
    if digits.strip(b"01234567"):
        raise ValueError("a header holds no number where one is needed")
    return int(digits or b"0", 8)


def _records_of(note: bytes) -> dict[str, bytes]:
    """The keys and values of an extended header. Raises ValueError for one that is damaged."""
    told, at = dict[str, bytes](), 0
    while at < len(note):
        digits = note[at : at + 8].partition(b" ")[0]
        end = at + int(digits) if digits.isdigit() else 0
        key, equals, value = note[at + len(digits) + 1 : max(end - 1, 0)].partition(b"=")
        if not equals or note[end - 1 : end] != b"\n" or (key == b"size" and not value.isdigit()):
            raise ValueError("a header is damaged")
        told[key.decode("utf-8", "replace")], at = value, end
    return told


_KINDS: Final = {
    "link": "It is a link, which leads elsewhere.",
    "device": "It is neither a file nor a folder.",
    "encrypted": "It is encrypted, so nobody sees what it holds.",
    "privileged": "It would run with another user's rights.",
}


def _nested(content: bytes) -> tuple[str, str] | None:
    if content.startswith(NESTED) or content[257:262] == b"ustar":
        return "nested-archive", "It holds another archive."
    return None


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
