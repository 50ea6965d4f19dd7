"""The data files of the language room: every entry does what it says, and a bad one is told."""

import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnt.errors import EnvironmentTrouble
from learnt.language import data
from learnt.language.data import PatternEntry, Patterns, by_language, entries, languages, union

LONGEST = 400  # characters of a text that patterns are searched in
SLOWEST = 0.1  # seconds of the processor, for one pattern and one text
HOSTILE = (
    " ", "a", "a ", "no ", ", ", "is not ", "please ", "still the same ", "back ", "x" * 40 + " ",
    "\u4e0d", "\u8fd8\u662f", "\u628a", "\u4e0d\u662f\uff0c", "(", "'", "1.", "put it ",
)  # fmt: skip


def every() -> Iterator[tuple[str, PatternEntry]]:
    """All entries of all languages that are patterns, with the section; threats are classes."""
    for name in sorted({name for names in languages().values() for name in names} - {"threats"}):
        for sections in by_language(name):
            for section, listed in sections.items():
                yield from ((section, entry) for entry in listed)


PATTERNS = [pytest.param(entry, id=Path(entry.place).as_posix().rpartition("language/")[2])
            for _, entry in every() if entry.example]  # fmt: skip


@pytest.mark.parametrize("entry", PATTERNS)
def test_a_pattern_matches_its_example(entry: PatternEntry) -> None:
    """As it is searched for, which passes over case and wide signs."""
    assert Patterns({"": [entry]}).first(entry.example), entry


def test_a_pattern_has_an_example_and_plain_words_need_none() -> None:
    """Whatever is more than letters, digits, spaces, hyphens and units' signs is a pattern."""
    bare = [entry for _, entry in every() if not entry.example]
    assert [] == [entry for entry in bare if not re.fullmatch(r"[\w' %°℃/-]+", entry.pattern)]


def test_no_pattern_takes_long_over_hostile_texts() -> None:
    """Texts as long as any that is looked at, of what patterns repeat."""
    slow = []
    for _, entry in every():
        pattern = union([entry])
        for piece in HOSTILE:
            text = (piece * LONGEST)[:LONGEST]
            begun = time.process_time()
            pattern.search(text)
            pattern.search(f"{text[:-1]}!")
            if time.process_time() - begun > SLOWEST:
                slow.append((entry.place, piece))
    assert [] == slow


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A copy of the shipped data files."""
    for code in languages():
        shutil.copytree(data.ROOT / code, tmp_path / code)
    return tmp_path


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda path: path.unlink(), "replies.txt is not usable: it is missing"),
        (lambda path: path.write_bytes(b"\xff\xfe\x00"), "it cannot be read"),
        (lambda path: path.write_text("version 2\n[revert]\n", "utf-8"), "begins with 'version 2'"),
        (lambda path: path.write_text("", "utf-8"), "begins with ''"),
        (
            lambda path: path.write_text(path.read_text("utf-8")[:-9], "utf-8"),
            "its last line is cut off",
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_named(room: Path, damage, told: str) -> None:  # type: ignore[no-untyped-def]  # functions of a path
    """Missing, damaged, of a newer version, empty, cut off; and what to do is said."""
    damage(room / "en" / "replies.txt")
    with pytest.raises(EnvironmentTrouble, match=re.escape(told)) as raised:
        entries("replies", room)
    assert str(room / "en" / "replies.txt") in str(raised.value)
    assert "Install Learnt again" in str(raised.value)


def test_a_room_without_a_language_is_half_installed(tmp_path: Path) -> None:
    """Nothing would be read, and nobody would notice."""
    with pytest.raises(EnvironmentTrouble, match="it holds no language"):
        languages(tmp_path)


def test_a_folder_that_does_not_say_what_belongs_to_it_is_half_installed(room: Path) -> None:
    """So a file that is missing is noticed."""
    (room / "zh" / "contents.txt").unlink()
    with pytest.raises(EnvironmentTrouble, match=r"contents.txt is not usable: it is missing"):
        languages(room)


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        (r"\b(?:unclosed", "unterminated subpattern"),
        ("[unclosed", "unterminated character set"),
        (r"\b(?:very )+(?:a+)+b", "may take exponentially long"),
        (r"(?:\w*)*!", "may take exponentially long"),
    ],
)
def test_a_pattern_that_is_none_or_explodes_is_named_with_its_line(
    room: Path, pattern: str, told: str
) -> None:
    """When it is first needed, and not by hanging."""
    path = room / "en" / "replies.txt"
    path.write_text(f"version 1\n\n[praise]\nfine ## fine\n{pattern} ## x\n", "utf-8")
    with pytest.raises(EnvironmentTrouble, match=re.escape(told)) as raised:
        Patterns(entries("replies", room)).first("very very a unclosed !")
    assert f"{path}:5 is not usable" in str(raised.value)


def test_a_pattern_that_is_none_is_found_within_a_union(room: Path) -> None:
    """The one that is to blame is named."""
    (room / "en" / "replies.txt").write_text("version 1\n[x]\nfine ## fine\n(a ## a\n", "utf-8")
    with pytest.raises(EnvironmentTrouble, match=r"replies.txt:4 is not usable"):
        union(entries("replies", room)["x"])


def test_a_language_is_a_folder(room: Path) -> None:
    """One more is read like the others, and nothing else knows of it."""
    (room / "nl").mkdir()
    (room / "nl" / "contents.txt").write_text("version 1\nreplies\n", "utf-8")
    (room / "nl" / "replies.txt").write_text(
        "version 1\n[praise]\n\\bbedankt\\b ## erg bedankt\n", "utf-8"
    )
    assert "nl" in languages(room)
    assert {"praise": (0, 7)} == Patterns(entries("replies", room)).first("Bedankt, dat is goed")
