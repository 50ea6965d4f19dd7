"""The skills' folders and their index in bad hands: nothing is hidden, and nothing hangs."""

import multiprocessing
import os
import sqlite3
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.stores.skill_folders import LARGEST
from learnt.stores.sqlite_skills import VERSION, SqliteSkills


def put(folder: Path, name: str, about: str = "Counts zebras.") -> Path:
    """A skill in a folder of its own."""
    file = folder / name / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"---\nname: {name}\ndescription: {about}\n---\n\nDo it.\n", "utf-8")
    return file


def library(folder: Path, index: Path | None = None) -> SqliteSkills:
    """The skills of a folder."""
    return SqliteSkills([SkillSource(str(folder), SkillLayer.USER)], index)


def seen(folder: Path, index: Path | None = None) -> tuple[list[str], list[str]]:
    """The names of all skills, and of those that are found by a word."""
    skills = library(folder, index)
    names = [skill.name for skill in skills.skills()]
    found = [Path(file).parent.name for file, _ in skills.ranked("zebras", 1_000)]
    skills.close()
    return names, found


def damage(index: Path, how: str) -> None:
    """Make an index that cannot be used as it is."""
    match how:
        case "no database":
            index.write_bytes(b"these bytes are no database at all" * 100)
        case "cut":
            index.write_bytes(index.read_bytes()[:5_000])
        case "overwritten":
            whole = bytearray(index.read_bytes())
            whole[4096:] = os.urandom(len(whole) - 4096)
            index.write_bytes(whole)
        case "other version":
            with sqlite3.connect(index) as connection:
                connection.execute(f"PRAGMA user_version = {VERSION + 7}")
        case "other tables":
            index.unlink()
            with sqlite3.connect(index) as connection:
                connection.execute("CREATE TABLE skills (other)")
                connection.execute(f"PRAGMA user_version = {VERSION}")
        case "folder":
            index.unlink()
            index.mkdir()


HOWS = ["no database", "cut", "overwritten", "other version", "other tables", "folder"]


@pytest.mark.parametrize("how", HOWS)
def test_a_damaged_index_is_made_anew(tmp_path: Path, how: str) -> None:
    """Whatever is in its place, all skills are there; where none can be kept, in memory."""
    index, folder = tmp_path / "skills.db", tmp_path / "skills"
    for name in ("one", "two"):
        put(folder, name)
    assert (["one", "two"], ["one", "two"]) == seen(folder, index)
    damage(index, how)
    assert (["one", "two"], ["one", "two"]) == seen(folder, index)
    if how != "folder":
        assert VERSION == sqlite3.connect(index).execute("PRAGMA user_version").fetchone()[0]


def test_an_index_damaged_while_it_is_open_is_made_anew(tmp_path: Path) -> None:
    """The next look and the next search say what is on disk."""
    index, folder = tmp_path / "skills.db", tmp_path / "skills"
    put(folder, "one")
    skills = library(folder, index)
    assert 1 == len(skills.ranked("zebras", 5))
    damage(index, "no database")
    put(folder, "two")
    assert ["one", "two"] == [skill.name for skill in skills.skills()]
    assert 2 == len(skills.ranked("zebras", 5))


def test_two_processes_at_once(tmp_path: Path) -> None:
    """Each sees all its skills at every moment, both while the index is made and in the end."""
    index, folder = tmp_path / "skills.db", tmp_path / "skills"
    names = [f"skill-{at:03}" for at in range(150)]
    for name in names:
        put(folder, name)
    with ProcessPoolExecutor(4, multiprocessing.get_context("spawn")) as pool:
        asked = [pool.submit(seen, folder, index) for _ in range(8)]
        answers = [answer.result(timeout=120) for answer in asked]
    assert all((names, names) == (every, sorted(found)) for every, found in answers)
    integrity = sqlite3.connect(index).execute("PRAGMA integrity_check").fetchone()
    assert (("ok",), (names, names)) == (integrity, seen(folder, index))


def test_loops_and_odd_files_hide_nothing(tmp_path: Path) -> None:
    """Links in circles, folders named as files, pipes, broken text: the sound skill is there."""
    folder = tmp_path / "skills"
    put(folder, "sound")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "sound" / "deeper").symlink_to(folder, target_is_directory=True)
    (folder / "self").symlink_to(folder / "self")
    (folder / "a-folder" / "SKILL.md").mkdir(parents=True)
    (folder / "a-pipe").mkdir()
    os.mkfifo(folder / "a-pipe" / "SKILL.md")
    put(folder, "broken").write_bytes(b"---\nname: [\n\xff\xfe\x00 zebras")
    names, found = seen(folder)
    assert (["broken", "sound"], ["broken", "sound"]) == (sorted(names), sorted(found))


def test_a_folder_whose_name_is_no_text_hides_nothing(tmp_path: Path) -> None:
    """A name of any bytes: the skill is there with the name that its file says, twice over."""
    put(tmp_path / "skills", "zoo")
    folder = tmp_path / "skills" / os.fsdecode(b"z\xff")
    folder.mkdir()
    (folder / "SKILL.md").write_text("---\ndescription: Zebras.\n---\n", "utf-8")

    for _ in range(2):
        names, found = seen(tmp_path / "skills", tmp_path / "index")
        assert sorted(names) == ["z?", "zoo"]
        assert len(found) == 2


def test_a_file_of_100_mb_is_read_in_part(tmp_path: Path) -> None:
    """Its beginning counts, a finding says so, and the others are there."""
    folder = tmp_path / "skills"
    put(folder, "sound")
    with put(folder, "huge").open("r+b") as stream:
        stream.truncate(100_000_000)
    skills = library(folder)
    by_name = {skill.name: skill for skill in skills.skills()}
    assert {"huge", "sound"} == set(by_name)
    assert "too-large" in {finding.rule for finding in by_name["huge"].findings}
    assert 2 == len(skills.ranked("zebras", 5))
    assert LARGEST >= len(skills.text(by_name["huge"].file) or "")


def test_a_skill_deleted_between_look_and_search(tmp_path: Path) -> None:
    """It may be named until the next look; nothing fails, and the others are found."""
    folder = tmp_path / "skills"
    file = put(folder, "gone")
    put(folder, "stays")
    skills = library(folder, tmp_path / "skills.db")
    skills.skills()
    file.unlink()
    assert "stays" in [Path(found).parent.name for found, _ in skills.ranked("zebras", 5)]
    assert ["stays"] == [skill.name for skill in skills.skills()]
    assert None is skills.text(str(file))
