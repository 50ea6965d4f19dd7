"""A skill's texts over time: recorded, compared, proposed anew, put back."""

from pathlib import Path

import pytest

from tests.support.homes import Home

TEXT = "---\nname: locks\ndescription: Frees waiting queues\n---\n\n# Locks\n\n{body}\n"


@pytest.fixture
def file(home: Home) -> Path:
    """A skill of the project."""
    path = home.project / ".agents" / "skills" / "locks" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT.format(body="Stop the consumers."), "utf-8")
    return path


def proposed(home: Home, *words: str) -> str:
    """The proposal that a command makes."""
    said = home.here("skills", *words, "--project", str(home.project), "--json")
    assert 0 == said.exit_code, said.errors
    return str(said.json["proposal"])


def revised(home: Home, file: Path, body: str) -> str:
    """A proposal of another text."""
    new = home.folder / "new.md"
    new.write_text(TEXT.format(body=body), "utf-8")
    return proposed(home, "revise", "locks", "--text", str(new))


def accepted(home: Home, name: str) -> None:
    """A person accepts."""
    code, said = home.accept(name, "--project", str(home.project))
    assert 0 == code, said


def versions(home: Home, *words: str) -> list[tuple[str, str]]:
    """The numbers of the versions, and how each came."""
    said = home.here("skills", "history", "locks", "--project", str(home.project), "--json")
    return [(row["version"], row["cause"].split("-")[0]) for row in said.json["versions"]]


def test_a_new_version_is_written_when_a_person_accepts(home: Home, file: Path) -> None:
    """Not before; the text that was there is the first version, and the diff shows the change."""
    name = revised(home, file, "Stop the producers.")
    assert "consumers" in file.read_text("utf-8")
    accepted(home, name)
    assert "producers" in file.read_text("utf-8")
    assert [("1.0.0", "found"), ("1.1.0", "version")] == versions(home)
    shown = home.here("skills", "diff", "locks", "1.0.0", "--project", str(home.project)).output
    assert "-Stop the consumers." in shown and "+Stop the producers." in shown


def test_a_rollback_gives_the_earlier_text_back(home: Home, file: Path) -> None:
    """By a proposal like any other, byte for byte; by default the text before."""
    before = file.read_bytes()
    accepted(home, revised(home, file, "Stop the producers."))
    accepted(home, proposed(home, "rollback", "locks"))
    assert before == file.read_bytes()
    assert ["1.0.0", "1.1.0", "1.2.0"] == [number for number, _ in versions(home)]


def test_a_file_that_changed_since_is_left(home: Home, file: Path) -> None:
    """What was proposed for another text is a conflict."""
    name = revised(home, file, "Stop the producers.")
    file.write_text(TEXT.format(body="Mine."), "utf-8")
    code, said = home.accept(name, "--project", str(home.project))
    assert 4 == code and "changed since" in said
    assert "Mine." in file.read_text("utf-8")


def test_a_retired_skill_is_out_of_use_until_it_is_undone(home: Home, file: Path) -> None:
    """Its file is kept beside, under a name that no agent reads."""
    before = file.read_bytes()
    name = proposed(home, "retire", "locks")
    accepted(home, name)
    assert not file.exists() and before == Path(f"{file}.retired").read_bytes()
    assert 3 == home.here("skills", "show", "locks", "--project", str(home.project)).exit_code
    assert 0 == home.typed("evolve", "undo", name)[0]
    assert before == file.read_bytes() and not Path(f"{file}.retired").exists()


def test_a_merged_skill_goes_out_of_use(home: Home, file: Path) -> None:
    """One gets the new text, the other is kept beside; undo brings both back."""
    other = file.parent.parent / "queues" / "SKILL.md"
    other.parent.mkdir()
    other.write_text(TEXT.replace("locks", "queues").format(body="Drain them."), "utf-8")
    before = file.read_bytes()
    new = home.folder / "new.md"
    new.write_text(TEXT.format(body="Stop and drain."), "utf-8")
    name = proposed(home, "merge", "locks", "queues", "--text", str(new))
    accepted(home, name)
    assert "Stop and drain." in file.read_text("utf-8") and not other.exists()
    assert 0 == home.typed("evolve", "undo", name)[0]
    assert before == file.read_bytes() and other.exists()


def test_the_adaptation_block_is_written_and_read(home: Home, file: Path) -> None:
    """A file that carries the block of seeds 001 and 003 has its versions told."""
    accepted(home, revised(home, file, "Stop the producers."))
    words = ("skills", "history", "locks", "--project", str(home.project))
    block = home.here(*words, "--adaptation").output
    assert 'current_version: "1.1.0"' in block and "rollback_available: true" in block
    file.write_text(TEXT.replace("---\n\n", f"{block}---\n\n").format(body="x"), "utf-8")
    told = home.here(*words, "--json").json["versions"]
    assert ["1.0.0", "1.1.0", "1.0.0", "1.1.0"] == [row["version"] for row in told]


def test_a_text_that_is_no_sound_skill_is_refused(home: Home, file: Path) -> None:
    """With the line; nothing is proposed."""
    bad = home.folder / "bad.md"
    bad.write_text("---\nname: other\n---\n", "utf-8")
    words = ("skills", "revise", "locks", "--text", str(bad), "--project", str(home.project))
    said = home.here(*words)
    assert 2 == said.exit_code and "line 2: The name differs" in said.errors
    assert "No proposals" in home.here("evolve", "list").output


def test_a_purged_text_is_in_no_version_and_no_index(home: Home, file: Path) -> None:
    """Every copy in the home goes; the file itself is the person's, and is named."""
    word = "zanzibarquux"
    accepted(home, revised(home, file, f"Stop the {word} producers."))
    assert "locks" in home.here("skills", "search", word, "--project", str(home.project)).output
    assert 0 == home.here("purge", "--text", word, "--yes").exit_code
    holding = [p for p in home.path.rglob("*") if p.is_file() and word.encode() in p.read_bytes()]
    assert [] == holding
    assert home.here("skills", "history", "locks", "--project", str(home.project)).exit_code == 0
    home.verify()


def test_another_description_leaves_the_rest(home: Home, file: Path) -> None:
    """Comments, unknown keys, line ends and the body stay byte for byte."""
    text = TEXT.format(body="x").replace("---\n\n", "# mine\nversion: 1.0  # ours\n---\n\n")
    file.write_text(text.replace("\n", "\r\n"), "utf-8", newline="")
    before = file.read_bytes()
    accepted(home, proposed(home, "revise", "locks", "--description", "When rows wait --- long"))
    changed = b'description: "When rows wait --- long"'
    assert before.replace(b"description: Frees waiting queues", changed) == file.read_bytes()
    words = ("skills", "revise", "locks", "--project", str(home.project))
    assert 2 == home.here(*words).exit_code
