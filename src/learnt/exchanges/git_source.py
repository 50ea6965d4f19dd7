"""A skill of a git repository at a commit. Git runs no hook, no filter and no program of a URL."""

import os
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Final, NamedTuple

from learnt.errors import EnvironmentTrouble, Refused
from learnt.exchanges.local_folder import one_skill, unpacked
from learnt.exchanges.programs import run
from learnt.exchanges.web import safe_address
from learnt.file_ports import Fetched

SECONDS: Final = 120.0
_LARGEST: Final = 500_000_000  # bytes of a file that git may write
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_SHORT: Final = re.compile(r"[0-9a-f]{7,63}")
_SSH: Final = re.compile(r"ssh://[^\s-]\S*|[\w.]+@[\w][\w.-]*:[^\s-]\S*")
_OPTIONS: Final = (
    "protocol.allow=never", "protocol.https.allow=always", "protocol.http.allow=always",
    "protocol.ssh.allow=always", "core.hooksPath=/dev/null", "credential.helper=",
    "http.followRedirects=initial", "fetch.fsckObjects=true", "gc.auto=0",
)  # fmt: skip
_ENVIRONMENT: Final = {
    "GIT_TERMINAL_PROMPT": "0", "GIT_ASKPASS": "true", "SSH_ASKPASS": "true", "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=20",
}  # fmt: skip


class GitAddress(NamedTuple):
    """A repository's URL, a commit or a branch of it, and the skill's folder in it."""

    url: str
    commit: str = ""
    folder: str = ""


def address(source: str) -> GitAddress | None:
    """What URL[@COMMIT][#FOLDER] names; None for what is no URL of a repository.

    >>> address("https://example.org/a/skills.git@main#pdf")
    GitAddress(url='https://example.org/a/skills.git', commit='main', folder='pdf')
    """
    rest, _, folder = source.partition("#")
    url, at, commit = rest.rpartition("@")
    if not at or "/" in commit or ":" in commit or (url and "/" not in url):
        url, commit = rest, ""
    if not (url.startswith(("https://", "http://")) or _SSH.fullmatch(url)):
        return None
    return GitAddress(url, commit, folder.strip("/"))


def fetch(where: GitAddress, seconds: float = SECONDS) -> Fetched:
    """The skill at a commit. Raises Refused where none is named: the message has the one now there.

    Raises EnvironmentTrouble without git or network, and where it takes too long.
    """
    if not _SSH.fullmatch(where.url):
        safe_address(where.url)
    if not _COMMIT.fullmatch(where.commit):
        now = _git("ls-remote", "--", where.url, where.commit or "HEAD", seconds=seconds).split()
        if not now and _SHORT.fullmatch(where.commit):
            named = _git("ls-remote", "--", where.url, seconds=seconds).split()[::2]
            now = [commit for commit in named if commit.startswith(where.commit)]
        hint = "It has no branch of that name, and none that ends at such a commit"
        if now:
            folder = f"#{where.folder}" if where.folder else ""
            hint = f"It is now at {where.url}@{now[0]}{folder}"
        raise Refused(f"A repository is installed at a whole commit alone. {hint}.")
    with tempfile.TemporaryDirectory(prefix="learnt-") as folder:
        store, packed = f"{folder}/git", f"{folder}/skill.tar"
        _git("init", "--bare", "--quiet", "--template=", store, seconds=seconds)
        at = ("--git-dir", store)
        _git(*at, "fetch", "--quiet", "--no-tags", "--depth=1", "--no-recurse-submodules", "--",
             where.url, where.commit, seconds=seconds)  # fmt: skip
        _git(*at, "cat-file", "-e", f"{where.commit}^{{commit}}", seconds=seconds)
        tree = f"{where.commit}:{where.folder}" if where.folder else where.commit
        _git(*at, "archive", "--format=tar", f"--output={packed}", tree, seconds=seconds)
        files, findings = one_skill(unpacked(Path(packed)), "", where.url)
    repository = where.url.rpartition("/")[2].removesuffix(".git")
    name = where.folder.rpartition("/")[2] or repository
    return Fetched(where.url, "git", name, files, where.commit, findings)


def _git(*arguments: str, seconds: float) -> str:
    given = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    options = [part for option in _OPTIONS for part in ("-c", option)]
    try:
        done = run(["git", *options, *arguments], given | _ENVIRONMENT, seconds, _LARGEST)
    except FileNotFoundError as error:
        raise EnvironmentTrouble("git is not installed, or not on the PATH.") from error
    except subprocess.TimeoutExpired as error:
        message = f"git had no answer within {seconds:.0f} seconds. Nothing was installed."
        raise EnvironmentTrouble(message) from error
    if done.code:
        said = done.errors.strip()[-400:]
        raise EnvironmentTrouble(
            f"git could not fetch it: {said.rstrip('.')}. Nothing was installed."
        )
    return done.output
