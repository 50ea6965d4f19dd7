"""A foreign archive is unpacked into its folder, or refused with a finding, and nowhere else."""

import io
import tarfile
import warnings
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import pytest

from learnt.exchanges.archive import ArchiveLimits, unpack

SMALL: Final = ArchiveLimits(files=5, bytes=3_000, file=2_000, depth=4, name=50, path=90)
Packer = Callable[[Path, Sequence[tuple[str, bytes]]], None]


def zipped(path: Path, entries: Sequence[tuple[str, bytes]]) -> None:
    """A zip with names as they are given."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that stand twice
        for name, content in entries:
            info = zipfile.ZipInfo("x")
            info.filename, info.compress_type = name, zipfile.ZIP_DEFLATED
            packed.writestr(info, content)


def tarred(path: Path, entries: Sequence[tuple[str, bytes]]) -> None:
    """A compressed tar."""
    with tarfile.open(path, "w:gz") as tar:
        for name, content in entries:
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


@pytest.fixture(params=[zipped, tarred])
def pack(request: pytest.FixtureRequest) -> Packer:
    packer: Packer = request.param
    return packer


def refused(tmp_path: Path, limits: ArchiveLimits = SMALL) -> list[str]:
    """The rules that an archive breaks; nothing is written, and nothing comes out of what does."""
    before = {path for path in tmp_path.rglob("*")}
    files, findings = unpack((tmp_path / "a").read_bytes(), limits)
    assert before == {path for path in tmp_path.rglob("*")}
    assert not (files and findings)
    return [finding.rule for finding in findings]


def test_an_honest_archive_comes_out_whole(tmp_path: Path, pack: Packer) -> None:
    """Its files with their content, but for what tools leave behind."""
    pack(
        tmp_path / "a",
        [
            ("s/SKILL.md", b"text\n"),
            ("s/scripts/run.sh", b"#!/bin/sh\n"),
            ("s/\u00e9", b""),
            ("s/node_modules/x", b"x"),
        ],
    )
    assert refused(tmp_path) == []
    files, _ = unpack((tmp_path / "a").read_bytes())
    assert {"s/SKILL.md": b"text\n", "s/scripts/run.sh": b"#!/bin/sh\n", "s/\u00e9": b""} == files


@pytest.mark.parametrize(
    ("names", "rule"),
    [
        (["../x"], "outside"), (["a/../../x"], "outside"), (["/etc/x"], "outside"),
        (["C:/x"], "outside"), (["\\\\host\\x"], "outside"), (["a\\..\\x"], "outside"),
        (["ab:stream"], "odd-name"), (["CON"], "odd-name"), (["a/nul.txt"], "odd-name"),
        (["a."], "odd-name"), (["a "], "odd-name"), (["a\x1bb"], "odd-name"),
        (["a\u202eb"], "odd-name"), (["a\u200bb"], "odd-name"), (["a/.git/config"], "odd-name"),
        (["a/b/c/d/e"], "long-name"), (["x" * 51], "long-name"),
        (["a" * 40 + "/" + "b" * 49 + "/c"], "long-name"),
        (["a", "A"], "colliding-names"), (["d/a", "D/b"], "colliding-names"),
        (["\u00e9", "e\u0301"], "colliding-names"), (["a", "a"], "colliding-names"),
        (["a", "a/b"], "colliding-names"), (["a/b", "a"], "colliding-names"),
        (["stra\u00dfe", "STRASSE"], "colliding-names"),
        ([str(n) for n in range(6)], "too-many-files"),
    ],
)  # fmt: skip
def test_a_name_that_systems_read_differently_is_refused(
    tmp_path: Path, pack: Packer, names: list[str], rule: str
) -> None:
    """Out of the folder, odd, too long, the same as another's; each with its own finding."""
    pack(tmp_path / "a", [(name, b"x") for name in names])
    assert rule in refused(tmp_path)


def test_bombs_are_stopped_while_they_unpack(tmp_path: Path, pack: Packer) -> None:
    """By a file's bytes, by all files' bytes, and by how much comes out of how little."""
    pack(tmp_path / "a", [("x", b"0" * 2_001)])
    assert refused(tmp_path) == ["too-large"]
    (tmp_path / "b").mkdir()
    pack(tmp_path / "b" / "a", [("x", b"0" * 1_900), ("y", b"0" * 1_900)])
    assert refused(tmp_path / "b") == ["too-large"]
    (tmp_path / "c").mkdir()
    pack(tmp_path / "c" / "a", [("x", b"0" * 9_000_000)])
    assert refused(tmp_path / "c", ArchiveLimits()) == ["too-large"]


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE, tarfile.FIFOTYPE]
)
def test_links_and_devices_of_a_tar_are_refused(tmp_path: Path, kind: bytes) -> None:
    """And what would be written through one is too."""
    with tarfile.open(tmp_path / "a", "w") as tar:
        member = tarfile.TarInfo("s/link")
        member.type, member.linkname = kind, "../.."
        tar.addfile(member)
    assert refused(tmp_path) in (["link"], ["device"])


def test_links_of_a_zip_and_encrypted_entries_are_refused(tmp_path: Path) -> None:
    """A zip tells of links by the mode that it keeps."""
    with zipfile.ZipFile(tmp_path / "a", "w") as packed:
        info = zipfile.ZipInfo("link")
        info.external_attr = 0o120777 << 16
        packed.writestr(info, "/etc/passwd")
        packed.writestr("secret", "x")
    content = bytearray((tmp_path / "a").read_bytes())
    at = content.rindex(b"PK\x01\x02")
    content[at + 8] |= 1  # the list says that it is encrypted
    (tmp_path / "a").write_bytes(content)
    assert refused(tmp_path) == ["link", "encrypted"]


def test_archives_in_archives_are_refused(tmp_path: Path, pack: Packer) -> None:
    """By what they begin with, whatever they are called."""
    pack(tmp_path / "inner", [("x", b"x")])
    pack(tmp_path / "a", [("picture.png", (tmp_path / "inner").read_bytes())])
    assert "nested-archive" in refused(tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"PK\x03\x04" + b"x" * 99, b"x" * 999, b"\x1f\x8b\x08xx"]
)
def test_what_is_no_archive_is_a_finding(tmp_path: Path, content: bytes) -> None:
    """Nothing raises, whatever the bytes are."""
    (tmp_path / "a").write_bytes(content)
    assert refused(tmp_path) == ["broken-archive"]


def test_a_damaged_or_disguised_archive_is_a_finding(tmp_path: Path, pack: Packer) -> None:
    """Cut off, damaged within, or with something before it that another reader would take."""
    pack(tmp_path / "whole", [("x", b"some content " * 50)])
    whole = (tmp_path / "whole").read_bytes()
    (tmp_path / "a").write_bytes(whole[: len(whole) // 2])
    assert refused(tmp_path) == ["broken-archive"]
    if pack is zipped:
        (tmp_path / "b").mkdir()
        (tmp_path / "b" / "a").write_bytes(b"#!/bin/sh\n" + whole)
        assert refused(tmp_path / "b") == ["broken-archive"]
