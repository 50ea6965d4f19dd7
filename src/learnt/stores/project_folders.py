"""Project folders on disk, and what git knows of them."""

import os
from pathlib import Path
from typing import Final

from learnt.file_ports import Claims, FolderFacts
from learnt.stores.git_program import SECONDS, git
from learnt.stores.plain_files import bytes_of

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
