"""Where skills are fetched from: folders, archives, git repositories, the ClawHub registry.

The verdict is asked first: what is not plainly clean is refused, since a scan that still waits
does not keep the registry from handing the files out.
"""

import hashlib
import json
import os
import re
import subprocess
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote, urlencode

from learnt.core.records import JsonObject, Record, member, text_of
from learnt.core.skills.skills import LEFT_OUT, Finding
from learnt.errors import EnvironmentTrouble, NotFound, Refused, UsageError
from learnt.exchanges import web
from learnt.exchanges.archive import DEFAULT, Read, unpack
from learnt.exchanges.programs import run
from learnt.exchanges.web import safe_address
from learnt.file_ports import Fetched

ARCHIVES: Final = (".zip", ".skill", ".tar", ".tar.gz", ".tgz")


def from_folder(path: Path, wanted: str = "") -> Fetched:
    """The skill at a path, or its folder `wanted`. Raises NotFound, Refused, EnvironmentTrouble."""
    try:
        if path.is_dir():
            read = files_below(path)
        elif path.suffix == ".md" and path.is_file() and path.stat().st_size <= DEFAULT.file:
            read = {"SKILL.md": path.read_bytes()}, ()
        elif path.name.endswith(ARCHIVES) and path.is_file():
            read = unpacked(path)
        else:
            raise NotFound(f"{path} is no folder, archive or Markdown file of a skill.")
    except (OSError, ValueError) as error:
        raise EnvironmentTrouble(f"{path} cannot be read: {error}. Nothing was changed.") from error
    name = wanted.rpartition("/")[2] or path.resolve().name.partition(".")[0]
    files, findings = one_skill(read, wanted, str(path))
    told = _told(path.resolve(), name)
    return Fetched(str(path.resolve()), "local", name, files, findings=findings, told=told)


def _told(path: Path, name: str) -> JsonObject:
    """What EurekaClaw keeps beside its folder of skills on the use of one that it brought."""
    with suppress(OSError, ValueError, RecursionError):
        stats = path.parent.with_name("seed_skill_stats.json")
        if stats.stat().st_size <= DEFAULT.file:
            told = member(json.loads(stats.read_bytes()), name)
            return told if isinstance(told, dict) else {}
    return {}


def unpacked(file: Path) -> Read:
    """The files of an archive, or what is wrong with it."""
    if file.stat().st_size > DEFAULT.bytes:
        message = f"The archive has more than {DEFAULT.bytes // 1_000_000} MB."
        return {}, (Finding("too-large", message, path=file.name),)
    return unpack(file.read_bytes())


def files_below(folder: Path) -> Read:
    """The files below a folder by their paths. Links and what is too large are findings."""
    files: dict[str, bytes] = {}
    findings: list[Finding] = []
    room = DEFAULT.bytes
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - LEFT_OUT)
        for place in (Path(top, name) for name in (*folders, *sorted(set(names) - LEFT_OUT))):
            part = place.relative_to(folder).as_posix()
            if place.is_symlink() or not (place.is_file() or place.is_dir()):
                findings.append(Finding("link", "It is a link or no plain file.", path=part))
            elif place.is_file():
                room -= (size := place.stat().st_size)
                if room < 0 or size > DEFAULT.file or len(files) >= DEFAULT.files:
                    message = "It is larger, or holds more files, than a skill may."
                    return {}, (*findings, Finding("too-large", message, path=part))
                files[part] = place.read_bytes()
    return files, tuple(findings)


def one_skill(read: Read, wanted: str, source: str) -> Read:
    """The files of the skill `wanted`, or of the only one. Raises NotFound, Refused for several."""
    files, findings = read
    if findings:
        return {}, findings
    bases = sorted(path.rpartition("/")[0] for path in files if f"/{path}".endswith("/SKILL.md"))
    if wanted:
        bases = [base for base in bases if base == wanted.strip("/")]
    if not bases:
        raise NotFound(f"{source} has no SKILL.md{f' in {wanted}' if wanted else ''}.")
    if len(bases) > 1 and "" not in bases:
        listed = ", ".join(bases[:10])
        raise Refused(f"{source} has {len(bases)} skills. Name one as SOURCE#FOLDER: {listed}.")
    base = f"{bases[0]}/" if bases[0] else ""
    return {path[len(base) :]: file for path, file in files.items() if path.startswith(base)}, ()


_NAME: Final = re.compile(r"(?:clawhub:)?@?([\w.-]+)/([\w-][\w.-]*)(?:@([\w.+-]+))?")
_ADDED: Final = "_meta.json"  # the registry puts it into each archive
_PLAIN: Final = frozenset({"clean", "pass", "passed"})


class Name(Record):
    """A skill of the registry: its owner, its own name, and a version, if one is meant."""

    owner: str
    slug: str
    version: str = ""


def name_of(source: str) -> Name | None:
    """What [clawhub:][@]OWNER/NAME[@VERSION] names; None for anything else.

    >>> name_of("steipete/github"), name_of("../x") is None
    (Name(owner='steipete', slug='github', version=''), True)
    """
    match = _NAME.fullmatch(source)
    if match is None or {match[1], match[2]} & {".", ".."}:
        return None
    return Name(match[1], match[2], match[3] or "")


def from_clawhub(name: Name, base: str, seconds: float = web.SECONDS) -> Fetched:
    """The files of a skill. Raises Refused for a bad verdict and for a registry that lies."""
    hub = _Hub(web.safe_address(base).rstrip("/"), name.owner, seconds)
    path = f"/skills/{quote(name.slug)}"
    asked = {"version": name.version} if name.version else {}
    verdict = _json(hub.read(f"{path}/verify", **asked))
    _refuse(verdict, name)
    version = text_of(verdict.get("version")) or name.version
    source = f"@{name.owner}/{name.slug}"
    if (name.version and version != name.version) or not version:
        raise Refused(f"The registry's verdict on {source} is of another version.")
    listed = _hashes(_json(hub.read(f"{path}/versions/{quote(version)}")))
    body = hub.read("/download", slug=name.slug, version=version)
    files, findings = _handed_over(hub, body) if body[:1] == b"{" else unpack(body)
    if not findings:
        files = {path: file for path, file in files.items() if path != _ADDED or path in listed}
        is_now = {path: hashlib.sha256(file).hexdigest() for path, file in files.items()}
        findings = tuple(
            Finding(rule="wrong-digest", message="It is not what the registry lists.", path=path)
            for path in sorted(is_now.keys() | listed.keys())
            if is_now.get(path) != listed.get(path)
        )
    return Fetched(source, "clawhub", name.slug, {} if findings else files, version, findings)


class _Hub(Record):
    base: str
    owner: str
    seconds: float

    def read(self, path: str, **query: str) -> bytes:
        words = urlencode({**query, "ownerHandle": self.owner})
        return web.read(f"{self.base}{path}?{words}", seconds=self.seconds)


def _json(body: bytes) -> JsonObject:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise EnvironmentTrouble("The registry's answer makes no sense. Nothing was installed.")
    return value


def _refuse(verdict: JsonObject, name: Name) -> None:
    status = text_of(member(verdict.get("security"), "status")).casefold()
    decision = text_of(verdict.get("decision")).casefold()
    if verdict.get("ok") is True and status in _PLAIN and decision in {"", *_PLAIN}:
        return
    reasons = verdict.get("reasons")
    why = ", ".join(map(str, reasons))[:300] if isinstance(reasons, list) else ""
    said = f"{decision or 'no decision'}, scan {status or 'missing'}{f': {why}' if why else ''}"
    raise Refused(f"The registry does not vouch for @{name.owner}/{name.slug} ({said}).")


def _hashes(answer: JsonObject) -> dict[str, str]:
    """The SHA-256 of each file, as the registry lists them. Raises Refused where it does not."""
    files = member(answer.get("version"), "files") or answer.get("files")
    listed = {
        text_of(file.get("path")): text_of(file.get("sha256")).casefold()
        for file in (files if isinstance(files, list) else [])
        if isinstance(file, dict)
    }
    if not listed or not all(listed.values()):
        raise Refused("The registry has no digests of its files, so nobody can check them.")
    return listed


def _handed_over(hub: _Hub, body: bytes) -> Read:
    """The files of a skill that lies on GitHub: its archive has the repository as first folder."""
    handoff = _json(body)
    commit, path = text_of(handoff.get("commit")), text_of(handoff.get("path")).strip("/")
    if not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise Refused("The registry points to a repository without naming a commit.")
    archive = web.read(text_of(handoff.get("archiveUrl")), seconds=hub.seconds)
    files, findings = unpack(archive)
    inner = {part.partition("/")[2]: file for part, file in files.items()}
    return one_skill((inner, findings), path, "The repository")


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


class GitAddress(Record):
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


def from_git(where: GitAddress, seconds: float = SECONDS) -> Fetched:
    """The skill at a commit. Raises EnvironmentTrouble, Refused where no commit is named."""
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


def fetch(source: str, registry: str) -> Fetched:
    """The skill of a path[#FOLDER], a URL@COMMIT[#FOLDER], or OWNER/NAME. Raises UsageError."""
    path, _, wanted = source.partition("#")
    if path.startswith((".", "/", "~")) or ("\0" not in path and path and Path(path).exists()):
        return from_folder(Path(path).expanduser(), wanted)
    if repository := address(source):
        return from_git(repository)
    if name := name_of(source):
        return from_clawhub(name, registry)
    raise UsageError(
        f"{source[:200]!r} is no folder, archive, URL@COMMIT of a repository, or OWNER/NAME."
    )
