"""Archives made to exhaust their reader cost it neither memory nor time, and leave a finding."""

import bz2
import gzip
import io
import lzma
import resource
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from learnt.exchanges.archive import unpack

MEGABYTE: Final = 1 << 20
MOST_MEMORY: Final = 200 * MEGABYTE
MOST_SECONDS: Final = 5

_READER: Final = """
import re, sys, time
from learnt.exchanges.archive import unpack
packed = open(sys.argv[1], "rb").read()
began = time.process_time()
files, findings = unpack(packed)
# A child's ru_maxrss begins with what its parent had; this peak is of what it runs itself.
peak = int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
print(peak * 1024, time.process_time() - began,
      len(files), *(finding.rule for finding in findings))
"""


def header(name: bytes, flag: bytes, size: int, *, binary: bool = False) -> bytes:
    """The header of a tar's entry, with its sum."""
    length = b"\x80" + size.to_bytes(11, "big") if binary else b"%011o\0" % size
    block = name.ljust(100, b"\0") + b"0000644\0" + b"0000000\0" * 2 + length + b"0" * 11 + b"\0"
    block = (block + b" " * 8 + flag + b"\0" * 100 + b"ustar\x0000").ljust(512, b"\0")
    return block[:148] + b"%06o\0 " % sum(block) + block[156:]


def zeros(count: int, before: bytes, fill: bytes = b"a") -> bytes:
    """A gzip of something and of very many equal bytes, made without holding them."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(before)]
    parts += [packer.compress(fill * MEGABYTE) for _ in range(count // MEGABYTE)]
    return b"".join([*parts, packer.flush()])


def repeated(entry: bytes, times: int) -> bytes:
    """A gzip of one entry, over and over."""
    return gzip.compress(entry * times, 6)


def record(key: bytes, value: bytes) -> bytes:
    """A line of an extended header."""
    length = len(key) + len(value) + 3
    while len(line := b"%d %s=%s\n" % (length, key, value)) != length:
        length += 1
    return line


def padded(content: bytes) -> bytes:
    """Content as a tar has it."""
    return content + b"\0" * (-len(content) % 512)


def sparse_by_note() -> bytes:
    """A file of eight bytes that says that it is of a terabyte, with a long map of its parts."""
    map_ = b",".join(b"%d,1" % at for at in range(8_000))[:60_000]
    note = record(b"GNU.sparse.map", map_) + record(b"GNU.sparse.size", b"%d" % (1 << 40))
    return header(b"n", b"x", len(note)) + padded(note) + header(b"f", b"0", 8) + padded(b"x" * 8)


def many_headed_zip(entries: int) -> bytes:
    """A zip whose list names one entry very often."""
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w") as packed:
            packed.writestr("x", b"x")
        whole = file.getvalue()
    at = whole.index(b"PK\x01\x02")
    listed = whole[at : whole.index(b"PK\x05\x06")] * entries
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, entries % 65536, entries % 65536,
                      len(listed), at, 0)  # fmt: skip
    return whole[:at] + listed + end


def overlapping_zip() -> bytes:
    """A zip whose many names all lead to one large content."""
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("00", b"\0" * 9_000_000)
        whole = file.getvalue()
    at = whole.index(b"PK\x01\x02")
    one = whole[at : whole.index(b"PK\x05\x06")]
    listed = b"".join(one.replace(b"00", b"%02d" % n) for n in range(90))
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 90, 90, len(listed), at, 0)
    return whole[:at] + listed + end


def packed_by(method: int) -> bytes:
    """A zip that is packed in a way whose reader takes as much memory as the file asks for."""
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w", method) as packed:
            packed.writestr("x", b"\0" * 9_000_000)
        return file.getvalue()


def tar_of(content: bytes) -> bytes:
    """A plain tar with one file."""
    with io.BytesIO() as file:
        with tarfile.open(fileobj=file, mode="w") as tar:
            member = tarfile.TarInfo("s/SKILL.md")
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))
        return file.getvalue()


ATTACKS: Final[dict[str, Callable[[], bytes]]] = {
    "an extended header of 200 MB": lambda: zeros(
        200 * MEGABYTE, header(b"n", b"x", 200 * MEGABYTE)
    ),
    "a long name of 200 MB": lambda: zeros(200 * MEGABYTE, header(b"n", b"L", 200 * MEGABYTE)),
    "a header for all of 8 GB": lambda: zeros(
        200 * MEGABYTE, header(b"n", b"g", 8 << 30, binary=True)
    ),
    "a file of 200 MB of zeros": lambda: zeros(
        200 * MEGABYTE, header(b"f", b"0", 200 * MEGABYTE), b"\0"
    ),
    "a size below zero": lambda: (
        header(b"f", b"0", 0).replace(b"00000000000\0", b"-0000000001\0") + b"x" * 9_999
    ),
    "a sparse file in the old form": lambda: header(b"f", b"S", 512) + b"\xff" * 99_999,
    "a sparse file by a note": sparse_by_note,
    "a million empty files": lambda: repeated(header(b"f", b"0", 0), 1_000_000),
    "a million notes": lambda: repeated(
        header(b"n", b"x", 9) + padded(record(b"a", b"bcde")), 400_000
    ),
    "notes of the greatest length": lambda: repeated(
        header(b"n", b"x", 65_536) + b"5 a=\n" * 13_107 + b"\n", 3_000
    ),
    "a gzip with a name of 20 MB": lambda: b"\x1f\x8b\x08\x08\0\0\0\0\0\3" + b"a" * 20_000_000,
    "two million empty gzips": lambda: gzip.compress(b"") * 2_000_000,
    "gzip in gzip": lambda: gzip.compress(gzip.compress(b"\0" * 100 * MEGABYTE)),
    "gzip in a tar": lambda: tar_of(gzip.compress(b"\0" * 9_000_000)),
    "xz": lambda: lzma.compress(b"\0" * 100 * MEGABYTE),
    "bzip2": lambda: bz2.compress(b"\0" * 100 * MEGABYTE),
    "zstd": lambda: b"\x28\xb5\x2f\xfd" + b"\0" * 999,
    "a zip with overlapping entries": overlapping_zip,
    "a zip that lists a million": lambda: many_headed_zip(900_000),
    "a zip by lzma": lambda: packed_by(zipfile.ZIP_LZMA),
    "a zip by bzip2": lambda: packed_by(zipfile.ZIP_BZIP2),
}


def read_apart(path: Path) -> tuple[int, float, int, list[str]]:
    """The peak of memory, the seconds, the files and the rules, of a reader with its own bounds."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (4 * MOST_MEMORY, 4 * MOST_MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (4 * MOST_SECONDS, 4 * MOST_SECONDS))

    done = subprocess.run(
        [sys.executable, "-c", _READER, path],
        capture_output=True, text=True, check=False, preexec_fn=bound,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-500:]
    memory, seconds, files, *rules = done.stdout.split()
    return int(memory), float(seconds), int(files), rules


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_archive_costs_more_than_it_may(tmp_path: Path, attack: str) -> None:
    """At most 200 MB and five seconds, whatever it claims; nothing comes out of it."""
    (tmp_path / "a").write_bytes(ATTACKS[attack]())
    memory, seconds, files, rules = read_apart(tmp_path / "a")
    assert (files, bool(rules)) == (0, True)
    assert memory <= MOST_MEMORY, f"{memory >> 20} MB"
    assert seconds <= MOST_SECONDS


def test_the_largest_honest_skill_is_read_within_the_same_bounds(tmp_path: Path) -> None:
    """49 MB in five files, in each of the three forms."""
    noise = b"".join(zlib.compress(b"%d" % n) for n in range(500_000))[:9_800_000]
    entries = [header(b"f%d" % n, b"0", len(noise)) + padded(noise) for n in range(5)]
    plain = b"".join(entries) + b"\0" * 1_024
    (tmp_path / "tar").write_bytes(plain)
    (tmp_path / "tgz").write_bytes(gzip.compress(plain, 1))
    with zipfile.ZipFile(tmp_path / "zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as packed:
        for n in range(5):
            packed.writestr(f"f{n}", noise)
    for form in ("tar", "tgz", "zip"):
        memory, seconds, files, rules = read_apart(tmp_path / form)
        assert (files, rules) == (5, [])
        assert memory <= MOST_MEMORY
        assert seconds <= MOST_SECONDS


@pytest.mark.parametrize("form", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT])
@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_each_form_of_a_tar_is_read(tmp_path: Path, form: int, mode: str) -> None:
    """With long names, names that are not ASCII, folders and what a header says of all files."""
    deep = "/".join(["a" * 60] * 3)
    names = ["s/SKILL.md", f"{deep}/é.md" if form != tarfile.USTAR_FORMAT else f"{deep}/e.md"]
    comment = {"comment": "x" * 40} if form == tarfile.PAX_FORMAT else None
    with tarfile.open(tmp_path / "a", mode, format=form, pax_headers=comment) as tar:  # type: ignore[call-overload]  # a mode by its name
        folder = tarfile.TarInfo("s")
        folder.type = tarfile.DIRTYPE
        tar.addfile(folder)
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = 700
            tar.addfile(member, io.BytesIO(b"x" * 700))
    files, findings = unpack((tmp_path / "a").read_bytes())
    assert (files, findings) == (dict.fromkeys(names, b"x" * 700), ())
