"""Transcripts: what the real part and the shipped fake promise alike."""

import os
from pathlib import Path

import pytest

from learnt.ports import Outside
from learnt.stores.plain_files import DiskTranscripts
from tests.support.in_memory_files import InMemoryTranscripts


@pytest.fixture(params=["on disk", "in memory"])
def outside(request: pytest.FixtureRequest, outside: Outside, in_dictionaries: Outside) -> Outside:
    return outside if request.param == "on disk" else in_dictionaries


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


def test_whole_lines_from_a_place(held: tuple[Outside, str]) -> None:
    """At most so many bytes, and where the next begin."""
    outside, path = held
    first = outside.transcripts.since(path, 0, 25)
    assert (b"first line\nsecond line\n", 23, False) == (first.data, first.end, first.last)
    rest = outside.transcripts.since(path, first.end, 25)
    assert (b"third line\n", len(LINES), True) == (rest.data, rest.end, rest.last)
    end = outside.transcripts.since(path, rest.end, 25)
    assert (b"", rest.end, len(LINES), True) == (end.data, end.end, end.size, end.last)


def test_a_line_that_is_too_long_is_skipped_whole(held: tuple[Outside, str]) -> None:
    """The next one begins behind it."""
    outside, path = held
    part = outside.transcripts.since(path, 0, 5)
    assert (b"", 11, True, False) == (part.data, part.end, part.skipped, part.last)


def test_a_line_that_is_being_written_waits(held: tuple[Outside, str]) -> None:
    """Only whole lines are given."""
    outside, path = held
    add(outside, path, b"fourth li")
    part = outside.transcripts.since(path, 23, 100)
    assert (b"third line\n", True) == (part.data, part.last)
    rest = outside.transcripts.since(path, part.end, 100)
    assert (b"", part.end, False, True) == (rest.data, rest.end, rest.skipped, rest.last)


def add(outside: Outside, path: str, more: bytes) -> None:
    """Something is written behind what is there."""
    if isinstance(outside.transcripts, InMemoryTranscripts):
        outside.transcripts.files[path] += more
    else:
        with Path(path).open("ab") as file:
            file.write(more)


def test_of_none_there_is_nothing(outside: Outside, tmp_path: Path) -> None:
    """No file, or no path at all."""
    assert b"" == outside.transcripts.tail(str(tmp_path / "none"), 100)
    assert b"" == outside.transcripts.tail("", 100)
    nothing = outside.transcripts.since(str(tmp_path / "none"), 0, 100)
    assert (b"", 0, True) == (nothing.data, nothing.size, nothing.last)


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
    place = "a\x00b" if what == "nul" else str(path)
    assert b"" == DiskTranscripts().tail(place, 100)
    assert (b"", 0) == (DiskTranscripts().since(place, 0, 100).data, 0)
