"""Which project a folder belongs to: real git repositories, a real ledger, row by row."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.projects import Project, twin
from learnt.file_ports import Claims
from learnt.flows.sessions.locate import Located, find, locate, look
from learnt.flows.stored import all_stored
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.stores.git_program import DiskFolders

WHO = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "HOME": "/nowhere",
    "PATH": os.environ["PATH"],
}
REMOTE = "https://example.org/team/app.git"


def git(folder: Path, *words: str) -> str:
    """Run git in a folder, with nobody's configuration."""
    done = subprocess.run(
        ["git", "-C", str(folder), *words], check=True, capture_output=True, text=True, env=WHO
    )
    return done.stdout.strip()


def repository(folder: Path, remote: str | None = REMOTE) -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    (folder / "a.txt").write_text("a", encoding="utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "first")
    if remote is not None:
        git(folder, "remote", "add", "origin", remote)
    return folder


@pytest.fixture
def outside(tmp_path: Path) -> Iterator[Outside]:
    """A home of its own, on disk."""
    with opened(Settings(home=tmp_path / "home")) as found:
        yield found


@pytest.fixture
def app(tmp_path: Path) -> Path:
    """The repository that is known before."""
    return repository(tmp_path / "app")


def seen(outside: Outside, folder: Path, *, asking_git: bool = True) -> Located:
    """Where a folder is, once it was seen and git was asked about it."""
    claims = outside.folders.claims(str(folder)) if asking_git else None
    with outside.ledger.writing() as writer:
        return locate(outside, writer, look(outside, str(folder), claims))


def projects(outside: Outside) -> list[Project]:
    """All that are known."""
    with outside.ledger.reading() as reader:
        return list(all_stored(reader, Project))


def asked_about(outside: Outside, located: Located) -> str | None:
    """The project that this one may be a copy of."""
    known = projects(outside)
    other = twin(next(p for p in known if p.id == located.project), known)
    return None if other is None else other.id


def test_a_known_path_stays_its_project(outside: Outside, app: Path) -> None:
    """Whatever lies there now: another repository, or none."""
    first = seen(outside, app)
    shutil.rmtree(app)
    other = seen(outside, repository(app, "https://example.org/other.git"))
    shutil.rmtree(app / ".git")

    assert first.project == other.project == seen(outside, app).project
    assert 1 == len(projects(outside))


def test_a_worktree_is_its_repositorys_project(outside: Outside, app: Path, tmp_path: Path) -> None:
    """A new path whose store is known, and which the store knows in turn."""
    first = seen(outside, app)
    git(app, "worktree", "add", "--quiet", str(tmp_path / "tree"), "-b", "other")

    assert first.project == seen(outside, tmp_path / "tree", asking_git=False).project


def test_a_worktree_seen_first_is_the_same_project(
    outside: Outside, app: Path, tmp_path: Path
) -> None:
    """The order in which they are met makes no difference, nor does a bare repository."""
    git(tmp_path, "clone", "--quiet", "--bare", str(app), "bare.git")
    for name in ("one", "two"):
        git(tmp_path / "bare.git", "worktree", "add", "--quiet", f"../{name}", "-b", name)

    assert seen(outside, tmp_path / "one").project == seen(outside, tmp_path / "two").project


def test_a_folder_that_moved_is_asked_about(outside: Outside, app: Path, tmp_path: Path) -> None:
    """A new path is a new project until a person says that it is the old one."""
    first = seen(outside, app)
    moved = seen(outside, app.rename(tmp_path / "moved"))

    assert first.project != moved.project
    assert first.project == asked_about(outside, moved)
    assert (moved.project,) == moved.household


def test_a_second_clone_is_asked_about(outside: Outside, app: Path, tmp_path: Path) -> None:
    """Its remote and its root commit are the first one's, and nothing is shared unasked."""
    first = seen(outside, app)
    git(tmp_path, "clone", "--quiet", str(app), "clone")
    git(tmp_path / "clone", "remote", "set-url", "origin", REMOTE)
    clone = seen(outside, tmp_path / "clone")

    assert first.project != clone.project
    assert first.project == asked_about(outside, clone)


def test_a_copied_remote_alone_is_no_question(outside: Outside, app: Path, tmp_path: Path) -> None:
    """A repository of another history that names the same remote is another project."""
    seen(outside, app)
    other = tmp_path / "other"
    other.mkdir()
    git(other, "init", "--quiet")
    git(other, "commit", "--quiet", "--allow-empty", "-m", "other")
    git(other, "remote", "add", "origin", REMOTE)

    assert asked_about(outside, seen(outside, other)) is None


def test_a_folder_of_a_monorepo_is_a_place_in_it(outside: Outside, app: Path) -> None:
    """One project, and the folder within."""
    (app / "services" / "api").mkdir(parents=True)

    root, inside = seen(outside, app), seen(outside, app / "services" / "api")

    assert root.project == inside.project
    assert ("", "services/api") == (root.place, inside.place)


def test_without_git_the_path_alone(outside: Outside, tmp_path: Path) -> None:
    """Each folder is a project of its own; the one above is another."""
    below = tmp_path / "plain" / "below"
    below.mkdir(parents=True)

    assert seen(outside, below.parent).project != seen(outside, below).project
    assert seen(outside, below).project == seen(outside, below / ".." / "below").project


def test_a_link_to_a_folder_is_that_folder(outside: Outside, app: Path, tmp_path: Path) -> None:
    """Paths are compared as they really are."""
    (tmp_path / "link").symlink_to(app)

    assert seen(outside, app).project == seen(outside, tmp_path / "link").project


def test_a_submodule_is_a_project_of_its_own(outside: Outside, app: Path, tmp_path: Path) -> None:
    """Its store lies in the outer one's, and says where its files are."""
    outer = repository(tmp_path / "outer", None)
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(app), "sub")

    facts = DiskFolders().facts(str(outer / "sub"))

    assert outer / ".git" / "modules" / "sub" == facts.store
    assert seen(outside, outer).project != seen(outside, outer / "sub").project


def _dot_git(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ".git").write_text(text, encoding="utf-8")
    return folder


def _points_at_store(app: Path, evil: Path) -> None:
    _dot_git(evil, f"gitdir: {app}/.git\n")


def _points_at_a_worktrees_corner(app: Path, evil: Path) -> None:
    git(app, "worktree", "add", "--quiet", str(app.parent / "tree"), "-b", "other")
    _dot_git(evil, f"gitdir: {app}/.git/worktrees/tree\n")


def _links_to_store(app: Path, evil: Path) -> None:
    evil.mkdir()
    (evil / ".git").symlink_to(app / ".git")


def _brings_its_own_corner(app: Path, evil: Path) -> None:
    corner = evil / "corner"
    corner.mkdir(parents=True)
    (corner / "gitdir").write_text(f"{evil}/.git\n", encoding="utf-8")
    (corner / "commondir").write_text(f"{app}/.git\n", encoding="utf-8")
    _dot_git(evil, "gitdir: corner\n")


def _brings_a_corner_in_worktrees(app: Path, evil: Path) -> None:
    corner = evil / "worktrees" / "corner"
    corner.mkdir(parents=True)
    (corner / "gitdir").write_text(f"{evil}/.git\n", encoding="utf-8")
    (corner / "commondir").write_text(f"{app}/.git\n", encoding="utf-8")
    _dot_git(evil, "gitdir: worktrees/corner\n")


def _says_nothing(app: Path, evil: Path) -> None:
    _dot_git(evil, "")


def _says_too_much(app: Path, evil: Path) -> None:
    _dot_git(evil, f"gitdir: {app}/.git/" + "x/../" * 1_000)


@pytest.mark.parametrize(
    "claim",
    [
        _points_at_store,
        _points_at_a_worktrees_corner,
        _links_to_store,
        _brings_its_own_corner,
        _brings_a_corner_in_worktrees,
        _says_nothing,
        _says_too_much,
    ],
)
def test_a_folder_cannot_claim_anothers_store(
    outside: Outside, app: Path, tmp_path: Path, claim: object
) -> None:
    """What the store does not confirm counts for nothing: the path alone decides."""
    first = seen(outside, app)
    assert callable(claim)
    claim(app, tmp_path / "evil")

    facts = DiskFolders().facts(str(tmp_path / "evil"))

    assert (None, tmp_path / "evil") == (facts.store, facts.root)
    assert first.project != seen(outside, tmp_path / "evil", asking_git=False).project


def test_looking_records_nothing(outside: Outside, app: Path) -> None:
    """`find` tells what is known and makes no project."""
    with outside.ledger.reading() as reader:
        assert find(reader, look(outside, str(app))) is None
    first = seen(outside, app)
    with outside.ledger.reading() as reader:
        assert first == find(reader, look(outside, str(app)))


def test_seeing_twice_records_once(outside: Outside, app: Path) -> None:
    """A second look at what is known is no event; a remote is known by two spellings."""
    for _ in range(3):
        seen(outside, app)

    with outside.ledger.reading() as reader:
        assert 2 == len(list(reader.events()))


def test_no_name_of_the_machine_is_written_down(outside: Outside, app: Path) -> None:
    """Payloads hold keyed hashes: neither the path nor the remote can be read from them."""
    seen(outside, app)

    with outside.ledger.reading() as reader:
        held = " ".join(str(event.payload) for event in reader.events())
    assert str(app) not in held and "example.org" not in held and "app" not in held


@pytest.mark.parametrize(
    ("remote", "expected"),
    [
        ("https://ann:s3cr3t@example.org/team/app.git", "https://example.org/team/app"),
        ("https://example.org/team/app", "https://example.org/team/app"),
        ("ssh://git@example.org:22/team/app.git", "ssh://example.org:22/team/app"),
        ("git@example.org:team/app.git", "example.org:team/app"),
        ("ssh://git@Example.org/team/app/", "ssh://Example.org/team/app"),
    ],
)
def test_a_remote_is_told_without_its_user_and_its_protocol(
    app: Path, remote: str, expected: str
) -> None:
    """Neither a name nor a token in the address is kept; https and ssh are one remote."""
    git(app, "remote", "set-url", "origin", remote)
    assert ("example.org/team/app", expected) == DiskFolders().claims(str(app)).remotes


def test_a_worktree_may_be_a_project_of_its_own(app: Path, tmp_path: Path) -> None:
    """A setting says so; the repository itself keeps its store."""
    git(app, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    own = DiskFolders(own_worktrees=True)
    assert DiskFolders().facts(str(tmp_path / "tree")).store is not None
    assert own.facts(str(tmp_path / "tree")).store is None
    assert own.facts(str(app)).store == DiskFolders().facts(str(app)).store


def test_a_remote_in_another_encoding_is_told(app: Path) -> None:
    """Whatever bytes the configuration holds."""
    with (app / ".git" / "config").open("ab") as file:
        file.write(b'[remote "origin"]\n\turl = https://example.org/\xff\n')

    assert "https://example.org/\ufffd" in DiskFolders().claims(str(app)).remotes


def test_the_root_commit_is_told(app: Path) -> None:
    """The first commit, of several unrelated ones the least."""
    first = git(app, "rev-parse", "HEAD")
    git(app, "checkout", "--quiet", "--orphan", "other")
    git(app, "commit", "--quiet", "-m", "second root")
    second = git(app, "rev-parse", "HEAD")
    git(app, "merge", "--quiet", "--allow-unrelated-histories", "-m", "merge", first)

    assert min(first, second) == DiskFolders().claims(str(app)).root_commit


def test_git_is_asked_about_the_folder_alone(
    app: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Inside a git hook git's own variables name another repository."""
    other = repository(tmp_path / "other", "https://example.org/other.git")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))

    assert "example.org/team/app" in DiskFolders().claims(str(app)).remotes


def test_a_folder_without_git_claims_nothing(tmp_path: Path) -> None:
    """Nor does one that is gone."""
    for folder in (tmp_path, tmp_path / "gone"):
        assert Claims() == DiskFolders().claims(str(folder))


@pytest.mark.parametrize("allowed", ["protocol.ssh.allow=always", "user.name=x"])
def test_asking_git_starts_no_program_that_the_repository_names(
    app: Path, tmp_path: Path, allowed: str
) -> None:
    """A repository whose history is missing and to be fetched by a command of its own."""
    git(app, "commit", "--quiet", "--allow-empty", "-m", "second")
    parent = git(app, "rev-parse", "HEAD~1")
    (app / ".git" / "objects" / parent[:2] / parent[2:]).unlink()
    for setting in (
        "core.repositoryformatversion=1",
        "extensions.partialClone=origin",
        "remote.origin.url=ssh://example.invalid/app",
        "remote.origin.promisor=true",
        f"core.sshCommand=touch '{tmp_path}/ran'; false",
        f"core.fsmonitor=touch '{tmp_path}/ran'",
        allowed,
    ):
        git(app, "config", *setting.split("=", 1))

    claims = DiskFolders().claims(str(app))

    assert Claims(remotes=("example.invalid/app", "ssh://example.invalid/app")) == claims
    assert not (tmp_path / "ran").exists()
