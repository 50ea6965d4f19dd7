"""`learnt skills validate` says what it checked, and of what it could not check why."""

import os
from pathlib import Path

import pytest

from learnt.formats import skill_lock
from tests.support.homes import Home

SOUND = "---\nname: {}\ndescription: Frees queues\n---\n\n# Queues\n"


def validated(home: Home, *paths: Path) -> tuple[int, int, list[tuple[str, str, int]]]:
    """Exit code, how many were checked, and of each finding the rule, the path and the line."""
    said = home.here("skills", "validate", *map(str, paths), "--json")
    rows = [(row["rule"], row["path"], row["line"]) for row in said.json["findings"]]
    return said.exit_code, said.json["checked"], rows


def skill(folder: Path, name: str = "queues", own: str = "SKILL.md") -> Path:
    file = folder / name / own
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(SOUND.format(name), "utf-8")
    return file


@pytest.fixture
def folder(home: Home) -> Path:
    folder = home.folder / "theirs"
    folder.mkdir()
    return folder


def test_flat_files_that_begin_as_skills_are_checked(home: Home, folder: Path) -> None:
    """Of a folder of skills; other Markdown is none, and a skill's own folder has none but it."""
    (folder / "queues.md").write_text(SOUND.format("other"), "utf-8")
    (folder / "notes.md").write_text("# Notes\n", "utf-8")
    assert (1, 1, [("other-name", f"{folder}/queues.md", 2)]) == validated(home, folder)
    own = skill(folder).parent
    (own / "reference.md").write_text("---\ntopic: x\n---\n", "utf-8")
    assert (0, 1, []) == validated(home, own)


def test_agents_commands_and_rules_are_no_skills(home: Home, folder: Path) -> None:
    """Beside a skill they are passed over; alone there is nothing to check."""
    skill(folder / "skills")
    for kind in ("agents", "commands", "rules"):
        skill(folder, kind, own="reviewer.md")
    assert (0, 1, []) == validated(home, folder)
    assert validated(home, folder / "agents")[:2] == (1, 0)


def test_a_guard_and_unknown_keys_are_told_and_are_no_errors(home: Home, folder: Path) -> None:
    """They stay as they are."""
    file = skill(folder)
    keys = "disable-model-invocation: true\nstatus: stable\n---\n\n"
    file.write_text(file.read_text("utf-8").replace("---\n\n", keys), "utf-8")
    told = [("guarded", str(file), 4), ("unknown-key", str(file), 5)]
    assert validated(home, file) == (0, 1, told)


def test_nothing_to_check_is_an_error(home: Home, folder: Path) -> None:
    """Also beside a path that has something."""
    sound = skill(home.folder / "mine")
    assert (1, 1, [("no-skill", str(folder), 1)]) == validated(home, sound, folder)
    gone = folder / "gone"
    assert (1, 1, [("no-file", str(gone), 1)]) == validated(home, sound, gone)
    (folder / "notes.md").write_text("# Notes\n", "utf-8")
    assert (1, 0, [("no-skill", str(folder), 1)]) == validated(home, folder)


def test_what_is_no_file_is_neither_read_nor_passed(home: Home, folder: Path) -> None:
    """A pipe by its own path, one in the place of a skill's file, and a link to nothing."""
    skill(folder)
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    assert (1, 0, [("no-file", str(pipe), 1)]) == validated(home, pipe)
    (folder / "piped").mkdir()
    pipe.rename(folder / "piped" / "SKILL.md")
    (folder / "lost").mkdir()
    (folder / "lost" / "SKILL.md").symlink_to(folder / "gone")
    lost = [("no-file", f"{folder}/{name}/SKILL.md", 1) for name in ("lost", "piped")]
    assert (1, 1, lost) == validated(home, folder)


@pytest.mark.parametrize("at", ["theirs", "theirs/queues", "theirs/queues/skill.md"])
def test_another_spelling_is_a_file_that_no_agent_reads(home: Home, at: str) -> None:
    """By whatever path it is reached; what lies within a skill's folder belongs to it."""
    file = skill(home.folder / "theirs", own="skill.md")
    assert (1, 0, [("file-name", str(file), 1)]) == validated(home, home.folder / at)
    inner = skill(home.folder / "mine").parent / "examples"
    skill(inner, own="skill.md")
    assert (0, 1, []) == validated(home, home.folder / "mine")


def test_what_is_no_utf_8_is_told_with_its_line(home: Home, folder: Path) -> None:
    """It is read as far as it can be."""
    file = skill(folder)
    file.write_bytes(file.read_bytes() + b"\n\xff\n")
    line = file.read_bytes().count(b"\n")
    assert (1, 1, [("not-text", str(file), line)]) == validated(home, folder)


def test_doctor_names_what_cannot_be_read(home: Home) -> None:
    """Front matter that agents pass over, and a lock by which nothing is checked any more."""
    file = skill(home.project / ".agents" / "skills")
    file.write_text("---\nname: [\n---\n\nText.\n", "utf-8")
    (home.project / "skills-lock.json").write_text("{", "utf-8")
    said = home.here("doctor", "--project", str(home.project)).output
    assert "skills-lock.json checks no skill" in said, said
    assert f"{file}: not every agent can read" in said, said
    listed = home.here("skills", "list", "--project", str(home.project)).output
    assert "not every agent can read" in listed and "not offered: skills-lock.json" in listed


def test_a_lock_is_found_where_a_link_alone_leads(home: Home) -> None:
    """A link to one skill, or to the folder of skills: what differs is not offered."""
    theirs = home.folder / "dotfiles" / "agents" / "skills"
    file = skill(theirs)
    hashed = skill_lock.hash_of({"SKILL.md": file.read_bytes()})
    entry = skill_lock.LockEntry("a/b", "github", hashed)
    lock = home.folder / "dotfiles" / "skills-lock.json"
    lock.write_text(skill_lock.changed(None, "queues", entry), "utf-8")

    def withheld() -> str:
        said = home.here("skills", "list", "--project", str(home.project), "--json").json["skills"]
        return next(str(one["withheld"]) for one in said if one["name"] == "queues")

    claude, agents = (home.project / name / "skills" for name in (".claude", ".agents"))
    claude.mkdir(parents=True)
    agents.parent.mkdir()
    (claude / "queues").symlink_to(file.parent)
    assert "" == withheld()
    file.write_text(SOUND.format("queues") + "Obey.\n", "utf-8")
    assert "differs from what skills-lock.json says" in withheld()
    (claude / "queues").unlink()
    agents.symlink_to(theirs)
    assert "differs from what skills-lock.json says" in withheld()
    lock.write_text("[]", "utf-8")
    assert "cannot be read" in withheld()
    assert f"{lock} checks no skill" in home.here("doctor", "--project", str(home.project)).output
