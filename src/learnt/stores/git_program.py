"""Git: folders of projects, what the program tells of them, and one commit of one file.

The program runs nothing that a repository names.

The commit is built in an index of its own, so that nothing else that is staged or edited gets into
it. In the person's index the entry of this one file follows: else their next commit would take the
change back.
"""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from learnt.core.payloads.skill_events import Obstacle
from learnt.core.records import Record
from learnt.file_ports import Claims, Committed, FolderFacts
from learnt.stores.plain_files import bytes_of

SECONDS: Final = 20
# A repository's own settings name programs: none of them is to run for a question.
_QUIET: Final = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_ALONE: Final = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_SSH_COMMAND": "false",
    "GIT_TERMINAL_PROMPT": "0",
}


def git(
    folder: str,
    *words: str,
    said: str | None = None,
    more: Mapping[str, str] | None = None,
    seconds: float = SECONDS,
) -> str | None:
    """What git prints, stripped; None if it fails. `said` is its input, `more` its environment."""
    command = ["git", "-C", folder, *_QUIET, *words]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | _ALONE
    try:
        done = subprocess.run(
            command,
            input=(said or "").encode(),
            capture_output=True,
            timeout=seconds,
            env={**environment, **(more or {})},
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return None if done.returncode else done.stdout.decode("utf-8", "replace").strip()


_UNDER_WAY: Final = (
    "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply", "sequencer",
)  # fmt: skip
_NAME, _MAIL = "Learnt", "learnt@localhost"  # a person's name stands under what a person did
_LEARNT: Final = {
    "GIT_AUTHOR_NAME": _NAME, "GIT_AUTHOR_EMAIL": _MAIL,
    "GIT_COMMITTER_NAME": _NAME, "GIT_COMMITTER_EMAIL": _MAIL,
}  # fmt: skip


class _Place(Record):
    """A file that git tracks: where, and which texts of it the index and the branch have."""

    folder: str
    path: str
    mode: str
    staged: str
    branch: str
    commit: str
    head: str
    obstacle: Obstacle

    def blob(self, text: str, *words: str) -> str | None:
        return git(self.folder, "hash-object", "--stdin", *words, said=text)


class GitCommits:
    """The `git` program."""

    def obstacle(self, file: str, text: str) -> Obstacle:
        place = _place(file)
        if place is None:
            return "untracked"
        return place.obstacle if {place.staged, place.head} == {place.blob(text)} else "dirty"

    def commit(self, file: str, texts: tuple[str, str], message: str, mark: str) -> Committed:
        place = _place(file)
        if place is None or place.obstacle:
            return Committed(obstacle=place.obstacle if place else "untracked")
        folder, tip = place.folder, place.commit
        old, new = place.blob(texts[0]), place.blob(texts[1], "-w")
        entry = ("update-index", "--cacheinfo", f"{place.mode},{new},{place.path}")
        if place.head == new:  # it was made before, and a cut came after it; or somebody else did
            at = (tip, "--", f":(top,literal){place.path}")
            made = git(folder, "rev-list", "-n1", "--fixed-strings", f"--grep={mark}", *at)
            return Committed(made) if made else Committed(obstacle="dirty")
        if place.head != old or place.staged not in {old, new}:
            return Committed(obstacle="dirty")
        with TemporaryDirectory(prefix="learnt-") as scratch:
            own = {"GIT_INDEX_FILE": f"{scratch}/index"}
            git(folder, "read-tree", tip, more=own)
            git(folder, *entry, more=own)
            tree = git(folder, "write-tree", more=own)
        made = tree and git(folder, "commit-tree", tree, "-p", tip, said=message, more=_LEARNT)
        # First the index: a cut in between leaves the text staged, and never taken back.
        if not made or git(folder, *entry) is None:
            return Committed()
        moved = git(folder, "update-ref", "-m", "learnt", place.branch, made, tip, more=_LEARNT)
        return Committed() if moved is None else Committed(made)


def _place(file: str) -> _Place | None:
    """Where a file is that git tracks; None where it does not, or is not there."""
    folder, _, name = os.path.realpath(file).rpartition("/")
    listed = git(folder, "ls-files", "--stage", "-z", "--full-name", "--", f":(literal){name}")
    if not listed:
        return None
    about, _, path = listed.split("\0")[0].partition("\t")
    mode, staged, stage = about.split()
    branch = git(folder, "symbolic-ref", "--quiet", "HEAD") or ""
    commit = git(folder, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") or ""
    head = git(folder, "rev-parse", "--verify", "--quiet", f"HEAD:{path}") or ""
    paths = git(folder, "rev-parse", *(word for n in _UNDER_WAY for word in ("--git-path", n)))
    obstacle: Obstacle = "" if branch else "detached"
    if any((Path(folder) / path).exists() for path in (paths or "").splitlines()):
        obstacle = "unfinished"
    elif git(folder, "rev-parse", "--show-superproject-working-tree"):
        obstacle = "submodule"
    # A file in conflict has no text that is staged.
    staged = staged if stage == "0" else ""
    return _Place(folder, path, mode, staged, branch, commit, head, obstacle)


_LONGEST_FILE: Final = 4_096


def _line(path: Path) -> str | None:
    data = bytes_of(path, _LONGEST_FILE)
    return None if data is None else data.decode("utf-8", "replace").strip()


def _store(root: Path) -> Path | None:
    """The git store that a root shares with its worktrees, or None where it only says so.

    A worktree's `.git` is a file that names its corner of the store; the corner names that file
    in turn. Without this the folder could claim anybody's store. A link is a claim as well.
    """
    dot_git = root / ".git"
    if dot_git.is_symlink():
        return None
    if dot_git.is_dir():
        return Path(os.path.realpath(dot_git))
    pointed = (_line(dot_git) or "").removeprefix("gitdir:").strip()
    if not pointed:
        return None
    corner = Path(os.path.realpath(root / pointed))
    back = _line(corner / "gitdir")
    if back is not None:
        if os.path.realpath(corner / back) != os.path.realpath(dot_git):
            return None
        common = Path(os.path.realpath(corner / (_line(corner / "commondir") or ".")))
        # A corner that does not lie in the store is the folder's own word once more.
        return common if corner.parent == common / "worktrees" else None
    # A submodule's corner says where its work tree lies.
    return corner if _worktree_of(corner) == Path(os.path.realpath(root)) else None


def _worktree_of(corner: Path) -> Path | None:
    for line in (_line(corner / "config") or "").splitlines():
        name, _, value = line.partition("=")
        if name.strip() == "worktree":
            return Path(os.path.realpath(corner / value.strip()))
    return None


class DiskFolders:
    """The file system and git; with `own_worktrees` each worktree is a project of its own."""

    def __init__(self, *, own_worktrees: bool = False) -> None:
        self._own_worktrees = own_worktrees

    def facts(self, folder: str) -> FolderFacts:
        here = root = os.path.realpath(folder or os.sep)
        while not os.path.lexists(os.path.join(root, ".git")):  # noqa: PTH118  # at every prompt
            above = os.path.dirname(root)  # noqa: PTH120  # likewise
            if above == root:
                return FolderFacts(root=Path(here))
            root = above
        place = "" if root == here else Path(here).relative_to(root).as_posix()
        alone = self._own_worktrees and not (Path(root) / ".git").is_dir()
        store = None if alone else _store(Path(root))
        return FolderFacts(root=Path(root), place=place, store=store)

    def claims(self, folder: str, seconds: float = SECONDS) -> Claims:
        """The remote (without a user's name in it) and the oldest root commit, where git tells."""
        remote = git(folder, "config", "--get", "remote.origin.url", seconds=seconds)
        roots = git(folder, "rev-list", "--max-parents=0", "HEAD", seconds=seconds)
        return Claims(
            remotes=spellings(remote) if remote else (),
            root_commit=min(roots.split()) if roots else None,
        )

    def tracks(self, file: str) -> bool:
        folder, _, name = os.path.realpath(file).rpartition("/")
        return bool(git(folder, "ls-files", "--", name))


def spellings(remote: str) -> tuple[str, ...]:
    """A remote without the protocol, which https and ssh share, and as git spells it; no users.

    >>> spellings("git@h.example:a/b.git"), spellings("https://u:p@H.example/a/b")
    (('h.example/a/b', 'h.example:a/b'), ('h.example/a/b', 'https://H.example/a/b'))
    """
    scheme, mark, rest = remote.strip().removesuffix("/").removesuffix(".git").partition("://")
    address = (rest if mark else scheme).rpartition("@")[2]
    host, _, path = address.partition("/" if mark else ":")
    plain = f"{host.partition(':')[0].lower()}/{path.lstrip('/')}" if path else address
    return tuple(dict.fromkeys((plain, f"{scheme}://{address}" if mark else address)))
