"""`learnt health evaluate` and `learnt review` on a skill whose new text did no better."""

import subprocess
import sys
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.settings import Settings
from learnt.surfaces.jobs import tend_skills
from tests.exchanges.test_git_source import git
from tests.exchanges.test_github_issues import URL, Gh
from tests.support.homes import Home
from tests.support.skill_sessions import FAILED, PASSED, reported

TEXT = "---\nname: audit\ndescription: Audits a module\n---\n\n# Audit\n\n{body}\n"


@pytest.fixture
def file(home: Home) -> Path:
    """A skill of the project."""
    path = home.project / ".agents" / "skills" / "audit" / "SKILL.md"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT.format(body="Look at it."), "utf-8")
    return path


def used(home: Home, result: str, times: int, first: int = 0) -> None:
    """So many sessions in which the skill is used."""
    for number in range(first, first + times):
        reported(home.path, home.project, f"s{number}", lambda: result)


def revised(home: Home) -> None:
    """A person accepts another text."""
    new = home.folder / "new.md"
    new.write_text(TEXT.format(body="Look twice."), "utf-8")
    words = ("--text", str(new), "--project", str(home.project), "--json")
    name = home.here("skills", "revise", "audit", *words).json["proposal"]
    code, said = home.accept(name, "--project", str(home.project))
    assert 0 == code, said


def regressed(home: Home) -> None:
    """Its new text fails where the old one did not."""
    used(home, PASSED, 5)
    revised(home)
    used(home, FAILED, 10, first=100)


def test_a_regression_waits_and_is_not_rolled_back(home: Home, file: Path) -> None:
    """Seed 001, section 7: pending_rollback_review, and no rollback by itself."""
    regressed(home)
    (shown,) = home.here("health", "evaluate", "--json").json["skills"]
    assert ("pending_rollback_review", "skill-regression") == (shown["status"], shown["label"])
    assert (0.0, 1.0) == (shown["baseline_gap"], shown["current_gap"])
    assert "learnt skills rollback audit --to 1.0.0" == shown["rollback_command"]
    assert "Look twice." in file.read_text("utf-8")
    queued = home.here("health", "queue", "--json").json["skills"]["audit"]
    assert "pending_rollback_review" == queued["status"] and queued["regression_detected"]
    home.verify()


def test_the_queue_counts_what_the_window_counts(home: Home, file: Path) -> None:
    """What the surroundings broke says nothing of the text; what comes after the end neither."""
    used(home, PASSED, 5)
    revised(home)
    used(home, "Exit code 1\ncurl: (6) Could not resolve host: example.org", 2, first=50)
    for first, executions in ((100, 4), (200, 8), (300, 10)):
        used(home, PASSED, 4, first=first)
        (shown,) = home.here("health", "evaluate", "--json").json["skills"]
        queued = home.here("health", "queue", "--json").json["skills"]["audit"]
        assert executions == shown["executions"] == queued["eval_executions"]


def test_an_agent_is_shown_it_and_a_person_decides(home: Home, file: Path) -> None:
    """With before, after, the diff and the way back; rolled back, it is as it was."""
    regressed(home)
    said = home.here("health", "evaluate", "audit")
    assert "0% before, 100% after (no proof)" in said.output and "+Look twice." in said.output
    refused = home.here("health", "evaluate", "audit", "--roll-back")
    assert 1 == refused.exit_code and "Only a person" in refused.errors
    assert 2 == home.here("health", "evaluate", "--keep").exit_code
    assert 3 == home.here("health", "evaluate", "tea", "--keep").exit_code
    for command in ("status", "experiences", "evaluate"):
        assert 3 == home.here("health", command, "tea").exit_code
    shown = home.here("review")
    assert 1 == shown.exit_code and "skill-regression" in shown.output
    code, said_to_person = home.typed("health", "evaluate", "audit", "--roll-back")
    assert 0 == code and "has the text of version 1.0.0 again" in said_to_person
    assert TEXT.format(body="Look at it.") == file.read_text("utf-8")
    assert "skill-regression" not in home.here("review").output


@pytest.mark.parametrize(
    ("key", "then"),
    [
        ("k", "kept"),
        ("i", "pending_rollback_review"),
        ("s", "pending_rollback_review"),
        ("b", "rolled-back"),
    ],
)
def test_the_review_asks_for_a_key(home: Home, file: Path, key: str, then: str) -> None:
    """Roll back, keep, investigate, or skip."""
    regressed(home)
    with home.terminal("review") as terminal:
        terminal.wait_for_line(after=0)
        assert "roll (b)ack" in terminal.output
        terminal.send(f"{key}\n")
        assert 0 == terminal.wait_for_exit()
    (shown,) = home.here("health", "evaluate", "--json").json["skills"]
    assert then == shown["status"]
    assert ("Look at it." in file.read_text("utf-8")) is (key == "b")


def test_a_person_lets_it_be_improved_by_itself(home: Home, file: Path) -> None:
    """Then the worker's job applies what the rules make of it, and git has one commit of it."""
    git(home.project, "init", "-q", "-b", "main")
    git(home.project, "add", ".")
    git(home.project, "commit", "-qm", "begun")
    refused = home.here("health", "improve", "audit", "--automatic")
    assert 1 == refused.exit_code and "Only a person may decide" in refused.errors
    assert 2 == home.here("health", "improve", "--automatic").exit_code
    code, said = home.typed("health", "improve", "audit", "--automatic")
    assert 0 == code and "audit: automatic" in said
    used(home, PASSED, 10)
    used(home, FAILED, 7, first=50)
    said = home.here("health", "improve").output
    assert "It is applied when a session ends." in said and "waits for a person" not in said
    assert "are applied by themselves" in home.here("health", "status").output
    assert home.here("health", "status", "--json").json["skills"][0]["automatic"]
    settings, lock = Settings(home=home.path), home.project / ".git" / "index.lock"
    lock.touch()
    with opened(settings) as outside:
        tend_skills(outside, settings, str(home.project))
    assert "Tests failed at the end" in file.read_text("utf-8")
    doctor = ("doctor", "--project", str(home.project))
    assert "a commit of audit is owed" in home.here(*doctor).output
    lock.unlink()
    assert "is owed" not in home.here(*doctor).output
    (shown,) = home.here("health", "evaluate", "--json").json["skills"]
    assert git(home.project, "rev-parse", "HEAD") == shown["commit"]
    assert "no hook was run" in home.here("health", "evaluate").output
    assert "" == git(home.project, "status", "--porcelain")
    used(home, FAILED, 10, first=100)
    said = home.typed("health", "evaluate", "audit", "--roll-back")[1]
    assert "git has the other text until you commit the file" in said
    (shown,) = home.here("health", "evaluate", "--json").json["skills"]
    assert ("1.0.0", "1.1.0") == (shown["parent"], shown["version"])  # not the rollback's own
    home.verify()


def test_an_edit_that_git_does_not_have_is_told(home: Home, file: Path) -> None:
    """Where it would be applied by itself, it waits."""
    git(home.project, "init", "-q", "-b", "main")
    git(home.project, "add", ".")
    home.typed("health", "improve", "audit", "--automatic")
    used(home, FAILED, 7)
    assert "commit it first" in home.here("health", "improve", "audit").output
    before, settings = file.read_text("utf-8"), Settings(home=home.path)
    with opened(settings) as outside:
        tend_skills(outside, settings, str(home.project))
    assert before == file.read_text("utf-8")
    home.typed("health", "improve", "audit", "--manual")
    assert "commit it first" not in home.here("health", "improve", "audit").output


def test_the_job_opens_an_issue_where_a_repository_is_named(home: Home, file: Path) -> None:
    """In a process of its own, with the gh that is on the path."""
    regressed(home)
    gh = Gh(home.folder)
    gh.works()
    command = [sys.executable, "-m", "learnt.surfaces.jobs", "--home", str(home.path), "harvest"]
    path = {**home.environment, "PATH": f"{gh.folder}:{home.environment['PATH']}"}
    subprocess.run(command, env=path, check=True, cwd=home.folder)
    assert [] == gh.asked
    config = home.path / "config.toml"
    config.write_text('[github]\nrepository = "acme/tools --web"\n', "utf-8")
    assert "[github] repository must be" in home.here("health", "queue").errors
    config.write_text('[github]\nrepository = "acme/tools"\n', "utf-8")
    subprocess.run(command, env=path, check=True, cwd=home.folder)
    assert 1 == len(gh.issues)
    assert URL == home.here("health", "queue", "--json").json["skills"]["audit"]["github_issue"]
    assert URL in home.here("review").output


def test_the_workers_job_proposes_for_a_skill_that_is_queued(home: Home, file: Path) -> None:
    """When a session has ended; once, and nothing is written for it."""
    used(home, PASSED, 10)
    settings = Settings(home=home.path)
    with opened(settings) as outside:
        tend_skills(outside, settings, str(home.project))
        assert [] == home.here("evolve", "list", "--json").json["proposals"]
    used(home, FAILED, 7, first=50)
    with opened(settings) as outside:
        for _ in range(2):
            tend_skills(outside, settings, str(home.project))
    (proposal,) = home.here("evolve", "list", "--json").json["proposals"]
    assert ("new-version", "pending") == (proposal["kind"], proposal["status"])
    shown = home.here("evolve", "show", proposal["id"]).output
    assert "+- Tests failed at the end: run them after the last change" in shown
    assert TEXT.format(body="Look at it.") == file.read_text("utf-8")
