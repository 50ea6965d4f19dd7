"""`learnt evolve` and `learnt review`, as a person and as an agent call them."""

import json
import os
from functools import partial
from pathlib import Path

import pytest

from tests.support.homes import APPROACH, PROBLEM, PROMPT, Home
from tests.support.terminal import Terminal

MISSES = (
    "How do I roll out a feature flag gradually?",
    "Which feature flag percent is safe for a rollout?",
    "Please kill that feature flag everywhere now",
)
SLUG = "the-gradle-build-fails-with-unsupported-class-file-major"


@pytest.fixture
def used(home: Home) -> Home:
    """A home whose one entry was recalled in three sessions, and with three related misses."""
    home.remember()
    for session in ("s1", "s2", "s3"):
        assert APPROACH in home.told(PROMPT, session)
    for number, text in enumerate(MISSES):
        assert home.told(text, f"m{number}") == ""
    return home


@pytest.fixture
def served(home: Home) -> Home:
    """The same by its hooks and its worker."""
    home.remember()
    home.start_worker()
    for session in ("s1", "s2", "s3"):
        home.answered(session=session)
    for number, text in enumerate(MISSES):
        assert home.prompt(text, f"m{number}").output == b""
    return home


def ids(home: Home, *statuses: str) -> dict[str, str]:
    """The ids of the proposals by kind."""
    words = [word for status in statuses for word in ("--status", status)]
    return {
        p["kind"]: p["id"] for p in home.here("evolve", "list", "--json", *words).json["proposals"]
    }


def said_since(terminal: Terminal, seen: int, expected: str) -> bool:
    return expected in terminal.output[seen:]


def entry_of(home: Home) -> str:
    """The id of the one entry there is."""
    ((subject,),) = home.rows("SELECT subject FROM views WHERE subject LIKE 'entry:%'")
    return str(subject).removeprefix("entry:")


def skill_file(home: Home) -> Path:
    return home.project / ".agents" / "skills" / SLUG / "SKILL.md"


def test_signals_are_shown_and_nothing_is_written(used: Home) -> None:
    """Counts, top entries and clusters; the ledger is as it was."""
    before = used.rows("SELECT count(*) FROM events")
    said = used.cli("evolve", "stats", "--json").json

    assert said["reuse"]["tracked"] == 1
    assert (said["reuse"]["top"][0]["count"], said["reuse"]["top"][0]["sessions"]) == (3, 3)
    assert (said["misses"]["total"], said["misses"]["unique"]) == (3, 3)
    assert said["misses"]["clusters"][0]["pair"] == ["featur", "flag"]
    assert "feature, flag" in used.cli("evolve", "stats").output
    assert before == used.rows("SELECT count(*) FROM events")


def test_looking_writes_nothing(home: Home) -> None:
    """Not even a home where there is none, nor what waits in the spool."""
    home.remember()
    home.start_worker()
    home.prompt(PROMPT)
    home.cli("worker", "stop")
    home.fire("SessionEnd", home.payload("SessionEnd", "s9", reason="other"))
    nowhere = home.folder / "no home"
    before = {path: path.read_bytes() for path in home.path.rglob("*") if path.is_file()}
    assert any("spool" in str(path) for path in before)
    for words in ("stats", "list", "stats --json", "show skill-0123456789"):
        code = 3 if words.startswith("show") else 0
        assert home.here("evolve", *words.split()).exit_code == code
        assert home.here("--home", str(nowhere), "evolve", *words.split()).exit_code == code
    assert not nowhere.exists()
    after = {path: path.read_bytes() for path in home.path.rglob("*") if path.is_file()}
    assert before == after


def test_a_decision_is_one_json_document(used: Home, tmp_path: Path) -> None:
    """Accept, reject and undo give the proposal as `list` does; the question is asked beside it."""
    used.here("evolve", "analyze")
    name = ids(used)["new-skill"]
    for words, status in (
        (("accept", name, "--root", str(tmp_path)), "applied"),
        (("undo", name), "pending"),
        (("reject", name), "rejected"),
    ):
        answers = ["y"] * (words[0] == "accept")
        code, said = used.typed("evolve", *words, "--json", answers=answers)
        assert code == 0, said
        (shown,) = json.loads(said[said.index("{") :])["proposals"]
        assert (shown["id"], shown["status"]) == (name, status)


def test_yes_wants_the_seal_of_what_was_seen(used: Home) -> None:
    """Without it, or with another, nothing is written; the right one is printed by `show`."""
    used.here("evolve", "analyze")
    name = ids(used)["new-skill"]
    code, said = used.typed("evolve", "accept", name, "--yes")
    assert (code, "--yes needs --seen" in said) == (1, True)
    assert used.typed("evolve", "accept", name, "--yes", "--seen", "0" * 16)[0] == 4
    assert not skill_file(used).exists()
    (shown,) = used.here("evolve", "show", name, "--json").json["proposals"]
    assert f"(seal {shown['seal']})" in used.here("evolve", "show", name).output
    assert used.accept(name)[0] == 0


def test_a_route_is_for_its_own_project(used: Home) -> None:
    """Accepted from another folder it is refused, and says whose it is."""
    used.here("evolve", "analyze")
    name = ids(used)["routing"]
    assert f"project: {used.project.name}" in used.here("evolve", "show", name).output
    elsewhere = used.folder / "elsewhere"
    elsewhere.mkdir()
    code, said = used.typed("evolve", "accept", name, "--project", str(elsewhere), answers=[""])
    assert (code, "belongs to another project" in said) == (1, True)
    assert list(elsewhere.iterdir()) == []


def test_a_person_accepts_and_the_skill_is_there(served: Home) -> None:
    """Text, link and state; the memory goes on helping until the skill is edited; undo restores."""
    served.here("evolve", "analyze")
    name = ids(served)["new-skill"]
    code, said = served.accept(name)
    assert code == 0, said
    text = skill_file(served).read_text("utf-8")
    assert text.startswith(f'---\nname: "{SLUG}"\n')
    for part in (PROBLEM, APPROACH, "## When to invoke", PROMPT):
        assert part in text
    link = served.project / ".claude" / "skills" / SLUG
    assert link.is_symlink()
    assert (link / "SKILL.md").read_text("utf-8") == text
    assert ids(served, "applied") == {"new-skill": name}
    served.answered(session="s8")
    skill_file(served).write_text(text + "\nTried twice.\n", "utf-8")
    assert served.prompt(PROMPT, "s9").output == b""
    skill_file(served).write_text(text, "utf-8")
    assert "became a skill" in served.here("why", entry_of(served)).output

    again = served.accept(name)
    assert (again[0], "was accepted before" in again[1]) == (0, True)
    assert served.typed("evolve", "undo", name)[0] == 0
    assert not skill_file(served).exists()
    assert not link.is_symlink()
    served.answered(session="s10")
    served.verify()


@pytest.mark.parametrize("words", [("accept",), ("accept", "--yes"), ("reject",), ("undo",)])
def test_an_agent_decides_nothing(used: Home, words: tuple[str, ...]) -> None:
    """Without a terminal, or on one with an agent's marker: exit 1, told whom to ask."""
    used.cli("evolve", "analyze")
    name = ids(used)["new-skill"]
    piped = used.cli("evolve", words[0], name, *words[1:], stdin="y\n")
    assert piped.exit_code == 1
    assert "ask them to run" in piped.errors
    assert "its input and output are no terminals" in piped.errors
    assert used.cli("evolve", words[0], "nope").exit_code == 3
    marked = {"CLAUDECODE": "1"}
    with used.terminal("evolve", words[0], name, *words[1:], environment=marked) as terminal:
        assert terminal.wait_for_exit() == 1
        assert "Only a person may decide" in terminal.output
        assert "an agent set CLAUDECODE" in " ".join(terminal.output.split())
    assert not skill_file(used).exists()
    assert ids(used, "pending")["new-skill"] == name


def test_review_goes_through_what_waits(used: Home) -> None:
    """By keys alone: reject with a note, undo it, skip, accept."""
    used.here("evolve", "analyze")
    steps = "r:Why,not now:2 of 2,u:1 of 2,s:2 of 2,a:Which file,:That was all.,q:1 decided"
    with used.terminal("review") as terminal:
        seen = 0
        for keys, expected in (step.split(":") for step in steps.split(",")):
            terminal.wait_for_line(after=seen)
            seen = len(terminal.output)
            terminal.send(f"{keys}\n")
            terminal.wait_until(partial(said_since, terminal, seen, expected), expected)
        assert terminal.wait_for_exit() == 0
    assert sorted(ids(used, "pending")) != sorted(ids(used, "applied"))
    assert len(ids(used, "applied")) == 1


def test_review_without_a_terminal_shows_and_decides_nothing(used: Home) -> None:
    """Exit 1 and the word that a person is wanted; 0 where nothing waits."""
    assert used.cli("review").exit_code == 0
    used.cli("evolve", "analyze")
    said = used.cli("review")
    assert (said.exit_code, "Only a person at a terminal decides" in said.output) == (1, True)
    assert len(ids(used, "pending")) == 2


def test_why_tells_who_decided_and_from_where(used: Home) -> None:
    """The decision's traces: the terminal and the programs above it."""
    used.here("evolve", "analyze")
    name = ids(used)["new-skill"]
    used.accept(name)
    told = used.here("why", name).output
    assert "decided: accepted, by human" in told
    assert "trace: terminal /dev/" in told
    assert f"parent {os.getpid()} " in told


def test_purging_a_session_takes_its_prompts_out_of_drafts(served: Home) -> None:
    """The samples of a purged session are gone from every draft; a new analysis does without."""
    served.here("evolve", "analyze")
    for number in range(3):
        assert served.purge("--session", f"m{number}").exit_code == 0
    served.cli("worker", "stop")
    for path in served.path.rglob("*"):
        assert not path.is_file() or MISSES[2].encode() not in path.read_bytes(), path
    served.here("evolve", "analyze")
    assert list(ids(served)) == ["new-skill"]
    served.verify()
