"""A skill of the ClawHub registry, by its HTTP API. What it sends is checked against its own list.

The verdict is asked first: what is not plainly clean is refused, since a scan that still waits
does not keep the registry from handing the files out.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Final, NamedTuple
from urllib.parse import quote, urlencode

from learnt.core.json_values import JsonObject, member, text_of
from learnt.core.skills.findings import Finding
from learnt.errors import EnvironmentTrouble, Refused
from learnt.exchanges import web
from learnt.exchanges.archive import Read, unpack
from learnt.exchanges.local_folder import one_skill
from learnt.file_ports import Fetched

_NAME: Final = re.compile(r"(?:clawhub:)?@?([\w.-]+)/([\w-][\w.-]*)(?:@([\w.+-]+))?")
_ADDED: Final = "_meta.json"  # the registry puts it into each archive
_PLAIN: Final = frozenset({"clean", "pass", "passed"})


class Name(NamedTuple):
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


def fetch(name: Name, base: str, seconds: float = web.SECONDS) -> Fetched:
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
        findings = tuple(_lies(files, listed))
    return Fetched(source, "clawhub", name.slug, {} if findings else files, version, findings)


class _Hub(NamedTuple):
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


def _lies(files: Mapping[str, bytes], listed: Mapping[str, str]) -> list[Finding]:
    """A finding for each file that is not as the registry lists it."""
    is_now = {path: hashlib.sha256(file).hexdigest() for path, file in files.items()}
    return [
        Finding(rule="wrong-digest", message="It is not what the registry lists.", path=path)
        for path in sorted(is_now.keys() | listed.keys())
        if is_now.get(path) != listed.get(path)
    ]
