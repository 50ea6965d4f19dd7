"""A regression becomes one issue on GitHub, by a scripted `gh`, whatever that does."""

import json
import os
import time
from functools import partial
from pathlib import Path

import pytest

from learnt.core.skills.history import Evaluation
from learnt.exchanges.github_issues import exported
from learnt.file_ports import Exported, PublicIssue
from learnt.flows.health.evaluate import TRIES, export
from learnt.flows.health.queue import queue
from learnt.formats.seed_health import regression
from tests.flows.shelved import Shelved
from tests.flows.test_automatic import history
from tests.flows.test_new_texts import FAILED, later, ran, revised, shelf, shown

__all__ = ["shelf"]
URL = "https://github.com/acme/tools/issues/7"
ISSUE = PublicIssue("title", "body <!-- learnt:m1 -->", "skill-regression", "learnt:m1")
# It keeps its issues in a file, as GitHub would, and says what it was asked.
SCRIPT = """#!{python}
import json, os, pathlib, sys, time
here = pathlib.Path(__file__).parent
words = sys.argv[1:]
with (here / "asked").open("a") as asked:
    asked.write(json.dumps([words, sorted(os.environ)]) + "\\n")
issues = here / "issues.json"
known = json.loads(issues.read_text()) if issues.exists() else []
if words[:2] == ["issue", "list"]:
    print(json.dumps(known))
if words[:2] == ["issue", "create"]:
    known.append({{"url": "{url}", "body": sys.stdin.read()}})
    issues.write_text(json.dumps(known))
    {then}
    print("{url}")
if words[:2] == ["label", "create"]:
    sys.exit(1)
"""


class Gh:
    """A program named gh, on the path."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "bin"
        self.folder.mkdir()

    def script(self, text: str) -> None:
        program = self.folder / "gh"
        program.write_text(text, "utf-8")
        program.chmod(0o755)

    def works(self, then: str = "pass") -> None:
        self.script(SCRIPT.format(python=os.path.realpath("/proc/self/exe"), url=URL, then=then))

    @property
    def issues(self) -> list[dict[str, str]]:
        file = self.folder / "issues.json"
        return list(json.loads(file.read_text("utf-8"))) if file.exists() else []

    @property
    def asked(self) -> list[list[str]]:
        file = self.folder / "asked"
        lines = file.read_text("utf-8").splitlines() if file.exists() else []
        return [json.loads(line)[0] for line in lines]


@pytest.fixture
def gh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gh:
    """A gh that works."""
    made = Gh(tmp_path)
    made.works()
    monkeypatch.setenv("PATH", f"{made.folder}:/usr/bin:/bin")
    return made


def send(issue: PublicIssue) -> Exported:
    return exported("acme/tools", issue, seconds=5)


def regressed(shelf: Shelved) -> Evaluation:
    """Its new text did no better."""
    revised(shelf, "Do it better; its token=ghp_0123456789abcdefghijABCDEFGHIJ012345")
    ran(shelf, FAILED, 10)
    assert "pending_rollback_review" == shown(shelf).status
    return history(shelf).evaluations[-1]


def tried(shelf: Shelved) -> Evaluation:
    """The worker's job comes by."""
    export(shelf.stage.outside, send)
    return history(shelf).evaluations[-1]


def test_an_issue_tells_how_the_texts_were_compared() -> None:
    """Of a trial, that a coin gave each session one of them; not that there were ten."""
    told = [regression("a", ("1", "2"), (0, 1), "", "", "m", tried=tried)[1]
        for tried in (False, True)]  # fmt: skip
    assert ["A coin" in body for body in told] == [False, True]
    assert ["ten executions each" in body for body in told] == [True, False]


def test_a_regression_becomes_one_issue(shelf: Shelved, gh: Gh) -> None:
    """With before and after, the change, the way back and the choices; nothing of secrets."""
    regressed(shelf)
    for _ in range(3):
        tried(shelf)
        for _ in range(90):
            later(shelf)
    (issue,) = gh.issues
    (words,) = [words for words in gh.asked if words[:2] == ["issue", "create"]]
    assert "Skill regression detected: audit" in words and "skill-regression" in words
    assert ["--repo", "acme/tools"] == words[2:4]
    for part in (
        "| before | 1.0.0 | 0.400 |", "| after | 1.1.0 | 1.000 |", "+Do it better",
        "learnt skills rollback audit --to 1.0.0", "--roll-back", "--keep", "--investigate",
    ):  # fmt: skip
        assert part in issue["body"]
    assert "ghp_" not in issue["body"] and str(shelf.folder) not in issue["body"]
    assert (URL, URL) == (shown(shelf).issue, queue(shelf.stage.outside)["audit"].github_issue)
    assert "skill-regression" == shown(shelf).label


def test_without_a_regression_nothing_is_told(shelf: Shelved, gh: Gh) -> None:
    """A window that goes on is nobody's affair."""
    revised(shelf)
    tried(shelf)
    assert [] == gh.asked


@pytest.mark.parametrize(
    ("script", "trouble", "said"),
    [
        ("", "missing", "not on the PATH"),
        ("#!/bin/sh\nexit 1\n", "failed", "gh auth status"),
        ("#!/bin/sh\nhead -c 3000000 /dev/urandom\n", "garbled", "no address of an issue"),
        ("#!/bin/sh\necho '[{\"a\": 1}]'\n", "garbled", "no address of an issue"),
        ("#!/bin/sh\necho '[]'\n", "garbled", "no address of an issue"),
        ("#!/bin/sh\nyes\n", "failed", "gh failed"),
    ],
    ids=["missing", "fails", "garbage", "odd", "no-address", "endless"],
)
def test_a_gh_that_fails_leaves_the_review_item(
    shelf: Shelved, gh: Gh, script: str, trouble: str, said: str
) -> None:
    """It is told, tried again after an hour, and given up after so many tries."""
    regressed(shelf)
    gh.script(script)
    if not script:
        (gh.folder / "gh").unlink()
    assert (trouble, 1) == (tried(shelf).trouble, 1)
    assert said in shown(shelf).finding and f"1 of {TRIES}" in shown(shelf).finding
    assert ("skill-regression", "") == (shown(shelf).label, shown(shelf).issue)
    assert 1 == tried(shelf).tries
    for _ in range(TRIES + 2):
        for _ in range(61):
            later(shelf)
        tried(shelf)
    assert TRIES == tried(shelf).tries
    assert None is queue(shelf.stage.outside)["audit"].github_issue


@pytest.mark.parametrize(
    "held", ["sleep 600", "sleep 600 & wait", "(sleep 600 &) ; exec sleep 600"]
)
def test_a_gh_that_hangs_is_ended_with_its_children(gh: Gh, held: str) -> None:
    """Also where a child of it holds on."""
    gh.script(f"#!/bin/sh\n{held}\n")
    begun = time.monotonic()
    assert "late" == exported("acme/tools", ISSUE, seconds=0.3).trouble
    assert 30 > time.monotonic() - begun


def test_an_issue_that_was_opened_and_not_told_is_found_again(shelf: Shelved, gh: Gh) -> None:
    """Gh opened it and hung: the next try finds it by its mark."""
    regressed(shelf)
    gh.works(then="time.sleep(600)")
    slow = partial(exported, "acme/tools", seconds=1.5)
    export(shelf.stage.outside, slow)
    assert ("late", 1) == (history(shelf).evaluations[-1].trouble, len(gh.issues))
    gh.works()
    for _ in range(61):
        later(shelf)
    tried(shelf)
    assert (URL, 1) == (shown(shelf).issue, len(gh.issues))


def test_two_runs_at_once_open_one_issue(shelf: Shelved, gh: Gh) -> None:
    """A try is recorded before it is made, and the other run waits for its hour."""
    regressed(shelf)

    def meanwhile(issue: PublicIssue) -> Exported:
        export(shelf.stage.outside, send)
        return send(issue)

    export(shelf.stage.outside, meanwhile)
    assert (1, 1) == (len(gh.issues), history(shelf).evaluations[-1].tries)
