"""The slash commands and the skill that `init` adds, and `uninstall` takes out."""

import re
import sys
from pathlib import Path

import pytest
import skills_ref

from learnt.core.tokens import estimate
from learnt.formats import front_matter
from tests.support.homes import Home

PROGRAM = str(Path(sys.executable).with_name("learnt"))


def tree(folder: Path) -> dict[str, str]:
    """Every path below a folder, and what a file holds or where a link leads."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        else:
            found[name] = path.read_text("utf-8") if path.is_file() else "folder"
    return found


def test_init_adds_commands_and_a_valid_skill(home: Home) -> None:
    """Each command says what it may run, never a decision; the skill passes the validator."""
    assert home.cli("init").exit_code == 0
    commands = home.config / "commands"
    for name in ("memory.md", "memory-evolve.md", "harvest.md", "learnt-draft.md"):
        front = front_matter.read((commands / name).read_text("utf-8"))
        allowed = str(front["allowed-tools"])
        assert front["description"]
        assert "Bash(" in allowed
        assert not any(word in allowed for word in ("accept", "reject", "undo", "review", "purge"))
    improver = (home.config / "agents" / "skill-improver.md").read_text("utf-8")
    front = front_matter.read(improver)
    assert "skill-improver" == front["name"] and "mcp__learnt__propose" in str(front["tools"])
    for words in re.findall(rf"{PROGRAM} (health|skills) (\w+)", improver):
        assert home.here(*words, "--help").exit_code == 0
    assert "health brief" in improver
    assert len(re.findall(PROGRAM, improver)) >= 5
    for name in ("self-evolving-memory", "knowledge-governor"):
        skill = home.folder / "user" / ".agents" / "skills" / name
        assert skills_ref.validate(skill) == []
        assert (home.config / "skills" / name).resolve() == skill.resolve()


def test_a_draft_is_written_anew_by_commands_that_there_are(home: Home) -> None:
    """It may look and propose; whoever has no such tool is told how to add it."""
    home.here("init")
    text = (home.config / "commands" / "learnt-draft.md").read_text("utf-8")
    allowed = str(front_matter.read(text)["allowed-tools"])
    assert "mcp__learnt__propose_skill" in allowed and "`rewrites`" in text
    for words in {*re.findall(rf"{PROGRAM} (evolve \w+|why|mcp)\b", text)}:
        assert home.here(*words.split(), "--help").exit_code == 0
    assert "claude mcp add" in text


def test_the_protocol_takes_seven_hundred_tokens_at_most(home: Home) -> None:
    """And names only commands that there are, with words they take."""
    home.here("init")
    text = (home.config / "skills" / "knowledge-governor" / "SKILL.md").read_text("utf-8")
    assert estimate(text.replace(PROGRAM, "learnt")) <= 700
    commands = re.findall(r"learnt\S*\s+knowledge (\w+)", text)
    assert {"capture"} == set(commands)
    for name in commands:
        assert home.here("knowledge", name, "--help").exit_code == 0
    assert not re.search(r"lambda|alpha|e\^|half-life", text)


def test_the_gates_are_told_in_sixty_lines(home: Home) -> None:
    """Both skills and the harvest together: five gates in their order, the tools by name."""
    home.here("init")
    skills = [
        home.config / "skills" / name for name in ("knowledge-governor", "self-evolving-memory")
    ]
    files = [home.config / "commands" / "harvest.md", *(skill / "SKILL.md" for skill in skills)]
    texts = [file.read_text("utf-8") for file in files]
    assert sum(len(text.splitlines()) for text in texts) <= 60
    gates = ["Value", "Alignment", "Redundancy", "Freshness", "Placement"]
    assert gates == re.findall(r"\d\. \*\*(\w+)\*\*", texts[1])
    for tool in ("recall", "remember", "relate", "propose", "confirm", "feedback"):
        assert f"`{tool}`" in "".join(texts)


@pytest.mark.parametrize("scope", [("--scope", "user"), ("--scope", "project")])
def test_uninstall_leaves_the_folders_as_they_were(home: Home, scope: tuple[str, str]) -> None:
    """Folders that were there stay, those made for us go; twice is the same as once."""
    (home.config / "commands").mkdir()
    (home.project / ".claude").mkdir()
    before = tree(home.config), tree(home.project), tree(home.folder / "user")
    home.here("init", *scope)
    after = tree(home.config), tree(home.project)
    assert home.here("init", *scope).exit_code == 0
    assert after == (tree(home.config), tree(home.project))
    assert home.here("uninstall").exit_code == 0
    shared = {
        name: text for name, text in tree(home.folder / "user").items() if "share" not in name
    }
    assert before[:2] == (tree(home.config), tree(home.project))
    assert before[2] == {name: text for name, text in shared.items() if ".local" not in name}


def test_a_dry_run_writes_nothing(home: Home) -> None:
    """It names what it would write."""
    before = tree(home.config)
    assert "memory-evolve.md" in home.here("init", "--dry-run").output
    assert before == tree(home.config)


def test_what_is_somebody_elses_stays(home: Home) -> None:
    """A command of the same name is kept and said so, by init and by uninstall."""
    file = home.config / "commands" / "memory.md"
    file.parent.mkdir()
    file.write_text("my own command", "utf-8")
    said = home.here("init")
    assert "not Learnt's" in said.output
    assert file.read_text("utf-8") == "my own command"
    home.here("uninstall")
    assert file.read_text("utf-8") == "my own command"


def test_an_edited_command_stays(home: Home) -> None:
    """What the user changed since is theirs."""
    home.here("init")
    file = home.config / "commands" / "memory.md"
    file.write_text(file.read_text("utf-8") + "\nmine", "utf-8")
    assert str(file) in home.here("init").output
    assert f"Kept, since it was edited: {file}" in home.here("uninstall").output
    assert file.read_text("utf-8").endswith("\nmine")


def test_a_shared_entry_names_no_path_of_this_machine(home: Home) -> None:
    """What a team commits calls `learnt` by its name."""
    home.here("init", "--scope", "project", "--shared")
    for path in (home.project / ".claude" / "commands").glob("*.md"):
        assert "/" not in str(front_matter.read(path.read_text("utf-8"))["allowed-tools"])


def test_recall_without_words_lists_the_newest(home: Home) -> None:
    """Newest first, and nothing about it is recorded as a question."""
    home.remember("The first trouble with caches", "Clear the cache folder")
    home.remember("The second trouble with locks", "Take the locks in order")
    listed = home.here("recall", "--json").json["entries"]
    assert [e["problem"][:10] for e in listed] == ["The second", "The first "]
    assert home.rows("SELECT count(*) FROM events WHERE kind IN ('recalled', 'missed')") == [(0,)]
    assert "Nothing is remembered here" in home.here("recall", "--project", "/").output


def test_a_folder_of_which_nothing_is_known_is_told(home: Home) -> None:
    """With the projects that are known; of one that is known nothing is said."""
    home.remember("The first trouble with caches", "Clear the cache folder")
    elsewhere = home.folder / "elsewhere"
    elsewhere.mkdir()
    for words in (("recall", "caches"), ("knowledge", "query", "caches"), ("recall",)):
        said = home.here(*words, "--project", str(elsewhere)).errors
        assert f"Nothing is known of a project at {elsewhere}." in said
        assert f"Known projects: {home.project.name}." in said
        assert "" == home.here(*words, "--project", str(home.project)).errors
        assert "" == home.here(*words).errors
