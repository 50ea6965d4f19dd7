"""A skill whose person lets it is improved by itself, and git has exactly one commit of it."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from learnt.core.events import Actor
from learnt.core.governance.proposals import Status
from learnt.core.health.improvement import HEADING
from learnt.core.skills.history import SkillHistory, told_number
from learnt.core.skills.skills import key_of
from learnt.errors import Conflict, Refused
from learnt.file_ports import Committed
from learnt.flows.governance.accept import reject, undo
from learnt.flows.governance.decisions import Decider, proposal_of
from learnt.flows.health.improve import Improvement, allow, apply, finish, in_the_way
from learnt.flows.health.queue import queue
from learnt.flows.skills.catalogue import history_of, subject_of
from learnt.formats.front_matter import read
from learnt.stores.git_program import GitCommits
from tests.exchanges.test_git_source import git
from tests.flows.shelved import Shelved
from tests.flows.test_improve import improved
from tests.flows.test_new_texts import FAILED, PERSON, later, ran, shelf, shown

__all__ = ["shelf"]
GIT = GitCommits()


@pytest.fixture
def repository(shelf: Shelved) -> Path:
    """A repository that has the skill, of a person who lets it be improved and has work open."""
    place = shelf.folder.parent
    git(place, "init", "-q", "-b", "main")
    (place / "staged.txt").write_text("old", "utf-8")
    git(place, "add", "staged.txt", "skills")
    git(place, "commit", "-qm", "begun")
    (place / "staged.txt").write_text("staged", "utf-8")
    git(place, "add", "staged.txt")
    (place / "staged.txt").write_text("edited", "utf-8")
    (place / "new.txt").write_text("untracked", "utf-8")
    allowed(shelf)
    return place


def allowed(shelf: Shelved, decider: Decider = PERSON, *, on: bool = True) -> None:
    """Somebody lets it be improved by itself."""
    skill = shelf.opened.known.skills[key_of("audit")]
    allow(shelf.stage.outside, skill, subject_of(shelf.stage.outside, skill, None), decider, on=on)


def applied(shelf: Shelved, by: GitCommits = GIT) -> Improvement:
    """The rules make a text, which is applied."""
    later(shelf)
    made = improved(shelf)
    assert ("proposed", True) == (made.status, made.automatic)
    apply(shelf.stage.outside, by, shelf.opened.known.skills[key_of("audit")], made.proposal)
    return made


def file(shelf: Shelved) -> Path:
    return shelf.folder / "audit" / "SKILL.md"


def history(shelf: Shelved) -> SkillHistory:
    outside, skill = shelf.stage.outside, shelf.opened.known.skills[key_of("audit")]
    with outside.ledger.reading() as reader:
        return history_of(reader, subject_of(outside, skill, None))


def status(shelf: Shelved, made: Improvement) -> Status:
    with shelf.stage.outside.ledger.reading() as reader:
        return proposal_of(reader, made.proposal).status


def commits(place: Path) -> list[str]:
    return git(place, "rev-list", "HEAD").split()


def test_it_is_one_commit_of_its_path_alone(shelf: Shelved, repository: Path) -> None:
    """What is staged, edited and untracked stays, and is what git commits next."""
    before = git(repository, "status", "--porcelain=v2")
    applied(shelf)
    new, _ = commits(repository)
    assert "skills/audit/SKILL.md" == git(repository, "show", "--format=", "--name-only", new)
    committed = git(repository, "show", f"{new}:skills/audit/SKILL.md")
    assert HEADING in committed and committed == file(shelf).read_text("utf-8").strip()
    assert before == git(repository, "status", "--porcelain=v2")
    assert "edited" == (repository / "staged.txt").read_text("utf-8")
    assert "staged" == git(repository, "show", ":staged.txt")
    said = git(repository, "log", "-1", "--format=%an %B")
    assert said.startswith("Learnt fix(audit): version 1.1.0\n\nTests failed at the end: ")
    assert "No hook was run" in said


@pytest.mark.parametrize("told", ["", 'version: "1.0.0"\n', "metadata:\n  version: 1.0.0\n"])
def test_the_file_has_the_version_of_the_ledger(shelf: Shelved, told: str) -> None:
    """Also where it told none, or told one in another place."""
    allowed(shelf)
    text = file(shelf).read_text("utf-8")
    file(shelf).write_text(text.replace("\n---\n", f"\n{told}---\n", 1), "utf-8")
    applied(shelf)
    text = file(shelf).read_text("utf-8")
    assert ("1.1.0", 1) == (told_number(read(text)), text.count("version:"))
    assert "1.1.0" == history(shelf).versions[-1].number


def test_the_way_back_is_gits(shelf: Shelved, repository: Path) -> None:
    """A window begins; worse waits, and the command it names brings the text before back."""
    before = file(shelf).read_text("utf-8")
    applied(shelf)
    assert ("evaluating", commits(repository)[0]) == (shown(shelf).status, shown(shelf).commit)
    ran(shelf, FAILED, 10)
    command = f"git revert {commits(repository)[0]} --no-edit"
    assert command == shown(shelf).rollback_command
    assert command == queue(shelf.stage.outside)["audit"].rollback_command
    assert HEADING in file(shelf).read_text("utf-8")
    git(repository, "stash", "-q")
    git(repository, *command.split()[1:])
    assert (before, "rolled-back") == (file(shelf).read_text("utf-8"), shown(shelf).status)


def test_only_a_person_allows_it(shelf: Shelved) -> None:
    """It is one skill that is named; without a word of theirs, and after another, all waits."""
    with pytest.raises(Refused, match=r"Only a person may decide.*--automatic"):
        allowed(shelf, Decider(actor=Actor.AGENT))
    assert not improved(shelf).automatic
    allowed(shelf)
    assert improved(shelf).automatic
    allowed(shelf, on=False)
    made, skill = improved(shelf), shelf.opened.known.skills[key_of("audit")]
    assert not made.automatic
    with pytest.raises(Conflict, match="not to be applied by itself"):
        apply(shelf.stage.outside, GIT, skill, made.proposal)
    assert HEADING not in file(shelf).read_text("utf-8")


def test_without_a_repository_the_ledger_serves(shelf: Shelved) -> None:
    """It is applied and compared, and every version can be had again."""
    allowed(shelf)
    applied(shelf)
    assert HEADING in file(shelf).read_text("utf-8")
    ran(shelf, FAILED, 10)
    told = shown(shelf)
    assert ("", "") == (told.commit, told.finding)
    assert "learnt skills rollback audit --to 1.0.0" == told.rollback_command


def test_without_git_the_ledger_serves(
    shelf: Shelved, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No program of that name is on the path."""
    before = commits(repository)
    monkeypatch.setenv("PATH", str(repository / "nothing"))
    applied(shelf)
    assert HEADING in file(shelf).read_text("utf-8") and not shown(shelf).commit
    monkeypatch.undo()
    assert before == commits(repository)


def unstaged(place: Path) -> None:
    pass


def staged(place: Path) -> None:
    git(place, "add", "skills")


def elsewhere(place: Path) -> None:
    git(place, "checkout", "-q", "--detach")


def in_conflict(place: Path) -> None:
    file = place / "skills" / "audit" / "SKILL.md"
    text = file.read_text("utf-8")
    git(place, "stash", "-q")
    file.write_text(text.replace("Do it so.", "Do it thus."), "utf-8")
    git(place, "commit", "-qam", "thus")
    with suppress(CalledProcessError):
        git(place, "stash", "pop")
    assert "<<<<" in file.read_text("utf-8")


@pytest.mark.parametrize("then", [unstaged, staged, elsewhere, in_conflict])
def test_an_edit_outside_is_never_committed(
    shelf: Shelved, repository: Path, then: Callable[[Path], None]
) -> None:
    """Nothing is applied, wherever the repository stands, and it is said why."""
    text = file(shelf).read_text("utf-8").replace("Do it.", "Do it so.")
    file(shelf).write_text(text, "utf-8")
    then(repository)
    text = file(shelf).read_text("utf-8")
    made, skill = improved(shelf), shelf.opened.known.skills[key_of("audit")]
    before = git(repository, "status", "--porcelain=v2")
    with pytest.raises(Refused, match="not as git has it"):
        apply(shelf.stage.outside, GIT, skill, made.proposal)
    assert "commit it first" in in_the_way(shelf.stage.outside, GIT, skill)
    assert (text, Status.PENDING) == (file(shelf).read_text("utf-8"), status(shelf, made))
    assert before == git(repository, "status", "--porcelain=v2")


def detached(place: Path) -> None:
    git(place, "checkout", "-q", "--detach")


def merging(place: Path) -> None:
    git(place, "stash", "-q")
    git(place, "checkout", "-qb", "other")
    (place / "staged.txt").write_text("theirs", "utf-8")
    git(place, "commit", "-qam", "theirs")
    git(place, "checkout", "-q", "main")
    git(place, "merge", "-q", "--no-ff", "--no-commit", "other")


def rebasing(place: Path) -> None:
    (place / ".git" / "rebase-merge").mkdir()


@pytest.mark.parametrize(
    ("happens", "said"),
    [(detached, "no branch"), (merging, "under way"), (rebasing, "under way")],
)
def test_what_is_under_way_is_left_alone(
    shelf: Shelved, repository: Path, happens: Callable[[Path], None], said: str
) -> None:
    """It is applied and not committed, which is told; the ledger has the way back."""
    happens(repository)
    before = commits(repository)
    applied(shelf)
    ran(shelf, FAILED, 10)
    assert before == commits(repository) and HEADING in file(shelf).read_text("utf-8")
    told = shown(shelf)
    assert ("", True) == (told.commit, said in told.finding)
    assert "learnt skills rollback audit --to 1.0.0" == told.rollback_command


def test_a_submodule_is_not_committed_to(shelf: Shelved, repository: Path) -> None:
    """Its branch is the outer repository's to move."""
    outer = repository.parent / f"{repository.name}-outer"
    git(repository.parent, "init", "-q", "-b", "main", outer.name)
    repository.rename(outer / "inner")
    (outer / "skills").symlink_to("inner/skills")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "./inner", "inner")
    (repository).symlink_to(outer / "inner")
    assert "submodule" == GIT.obstacle(str(file(shelf)), file(shelf).read_text("utf-8"))
    assert "submodule" == GIT.commit(str(file(shelf)), ("a", "b"), "c", "d").obstacle


HOSTILE = (
    ("core.fsmonitor", "{run}"),
    ("core.hooksPath", "{hooks}"),
    ("core.editor", "{run}"),
    ("core.pager", "{run}"),
    ("diff.external", "{run}"),
    ("gpg.program", "{run}"),
    ("commit.gpgsign", "true"),
    ("filter.evil.clean", "{run}"),
    ("filter.evil.smudge", "{run}"),
    ("filter.evil.process", "{run}"),
    ("filter.evil.required", "true"),
    ("user.useConfigOnly", "true"),
    ("credential.helper", "!{run}"),
    ("i18n.commitEncoding", "utf-16"),
)
HOOKS = "pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change"


def test_a_hostile_repository_runs_nothing(shelf: Shelved, repository: Path) -> None:
    """Neither its hooks nor any program that its settings or attributes name."""
    ran_file, run = repository / "ran", repository / "run"
    run.write_text(f"#!/bin/sh\necho $0 >> {ran_file}\nexit 1\n", "utf-8")
    run.chmod(0o755)
    hooks = repository / "hooks"
    hooks.mkdir()
    for name in HOOKS:
        shutil.copy(run, hooks / name)
        shutil.copy(run, repository / ".git" / "hooks" / name)
    (repository / ".git" / "info" / "attributes").write_text("*.md filter=evil diff=evil\n")
    (repository / ".gitattributes").write_text("*.md filter=evil\n")
    for name, value in HOSTILE:
        git(repository, "config", name, value.format(run=run, hooks=hooks))
    ran_file.unlink(missing_ok=True)
    applied(shelf)
    assert not ran_file.exists()
    with suppress(CalledProcessError):
        git(repository, "status", "--porcelain")
    assert ran_file.exists(), "plain git runs them"
    assert shown(shelf).commit == (repository / ".git/refs/heads/main").read_text().strip()


@contextmanager
def cut() -> Iterator[None]:
    with pytest.raises(KeyboardInterrupt):
        yield


class Cut(GitCommits):
    """A run that ends when it is to commit, before it or after."""

    def __init__(self, *, after: bool) -> None:
        self._after = after

    def commit(self, file: str, texts: tuple[str, str], message: str, mark: str) -> Committed:
        if self._after:
            super().commit(file, texts, message, mark)
        raise KeyboardInterrupt


@pytest.mark.parametrize("after", [True, False])
def test_a_run_that_is_cut_short_is_finished_by_the_next(
    shelf: Shelved, repository: Path, *, after: bool
) -> None:
    """Between the file and the commit, and between the commit and its record: one commit."""
    with cut():
        applied(shelf, Cut(after=after))
    assert HEADING in file(shelf).read_text("utf-8") and history(shelf).owed
    for _ in range(2):
        assert [] == finish(shelf.stage.outside, GIT)
    new, _ = commits(repository)
    assert (new, "") == (shown(shelf).commit, history(shelf).owed)
    assert "" == git(repository, "status", "--porcelain", "skills")


def test_what_was_edited_after_a_cut_is_not_committed(shelf: Shelved, repository: Path) -> None:
    """The person's text is theirs to commit."""
    with cut():
        applied(shelf, Cut(after=False))
    file(shelf).write_text("mine", "utf-8")
    finish(shelf.stage.outside, GIT)
    assert 1 == len(commits(repository)) and not history(shelf).owed
    assert "mine" == file(shelf).read_text("utf-8")


def test_a_repository_in_use_is_come_back_to(shelf: Shelved, repository: Path) -> None:
    """While another program holds its index nothing is moved, and the next run commits."""
    lock = repository / ".git" / "index.lock"
    lock.touch()
    applied(shelf)
    assert 1 == len(commits(repository)) and history(shelf).owed
    assert ["audit"] == finish(shelf.stage.outside, GIT)
    lock.unlink()
    assert [] == finish(shelf.stage.outside, GIT)
    assert 2 == len(commits(repository)) and not history(shelf).owed


def test_what_was_taken_back_is_not_applied_again(shelf: Shelved, repository: Path) -> None:
    """Undone by a person, it waits; rejected, it is not made again."""
    made = applied(shelf)
    undo(shelf.stage.outside, made.proposal, PERSON)
    shown(shelf)
    ran(shelf, FAILED, 10)
    assert "proposed" != improved(shelf).status and HEADING not in file(shelf).read_text("utf-8")
    reject(shelf.stage.outside, made.proposal, "", PERSON)
    assert "nothing" == improved(shelf).status
