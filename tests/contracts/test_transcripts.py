"""Transcripts: what the real part and the shipped fake promise alike."""

import os
from pathlib import Path

import pytest

from learnt.ports import Outside
from learnt.stores.in_memory_files import InMemoryTranscripts
from learnt.stores.transcripts import DiskTranscripts

LINES = b"first line\nsecond line\nthird line\n"


@pytest.fixture
def held(outside: Outside, tmp_path: Path) -> tuple[Outside, str]:
    """A transcript of three lines."""
    path = tmp_path / "t.jsonl"
    if isinstance(outside.transcripts, InMemoryTranscripts):
        outside.transcripts.files[str(path)] = LINES
    else:
        path.write_bytes(LINES)
    return outside, str(path)


def test_all_of_a_short_one_is_given(held: tuple[Outside, str]) -> None:
    """Up to the limit every byte."""
    outside, path = held
    assert LINES == outside.transcripts.tail(path, len(LINES))


def test_of_a_long_one_the_last_whole_lines(held: tuple[Outside, str]) -> None:
    """The line that the limit cuts is left out."""
    outside, path = held
    assert b"third line\n" == outside.transcripts.tail(path, 18)


def test_of_none_there_is_nothing(outside: Outside, tmp_path: Path) -> None:
    """No file, or no path at all."""
    assert b"" == outside.transcripts.tail(str(tmp_path / "none"), 100)
    assert b"" == outside.transcripts.tail("", 100)


@pytest.mark.parametrize("what", ["folder", "pipe", "nul", "dangling"])
def test_what_is_no_plain_file_is_empty(tmp_path: Path, what: str) -> None:
    """And nobody waits for a pipe that nobody writes to."""
    path = tmp_path / "x"
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "dangling":
        path.symlink_to(tmp_path / "nowhere")
    assert b"" == DiskTranscripts().tail("a\x00b" if what == "nul" else str(path), 100)
