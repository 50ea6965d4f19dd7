"""ClawHub's HTTP API, played by a scripted registry on loopback."""

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from learnt.errors import EnvironmentTrouble, NotFound, Refused
from learnt.exchanges import web
from learnt.exchanges.sources import Name
from learnt.exchanges.sources import from_clawhub as fetch
from tests.support.scripted_registry import Registry, registry, zipped

FILES = {"SKILL.md": b"---\nname: github\n---\nUse gh.\n", "scripts/a.py": b"print(1)\n"}
GITHUB = Name("steipete", "github")


@pytest.fixture
def hub() -> Iterator[Registry]:
    with registry() as told:
        yield told


def test_a_clean_skill_is_fetched_with_its_version(hub: Registry) -> None:
    """The verdict is asked first; the registry's own addition to the archive is left out."""
    hub.skill("github", FILES, "2.1.0")
    fetched = fetch(GITHUB, hub.url)
    assert (FILES, "2.1.0", "@steipete/github", ()) == (
        fetched.files, fetched.version, fetched.source, fetched.findings
    )  # fmt: skip
    assert "/skills/github/verify" == hub.asked[0][0]
    assert ["steipete"] == hub.asked[0][1]["ownerHandle"]


@pytest.mark.parametrize(
    "verdict",
    [
        {"ok": False, "decision": "fail", "security": {"status": "malicious"}},
        {"ok": True, "security": {"status": "suspicious"}},
        {"ok": True, "security": {"status": "pending"}},
        {"ok": True, "decision": "review"},
        {"ok": True, "security": {}},
        {"ok": "true"},
    ],
)
def test_what_is_not_plainly_clean_is_refused(hub: Registry, verdict: dict[str, Any]) -> None:
    """Nothing is downloaded: a scan that still waits would not keep the files back."""
    hub.skill("github", FILES, **verdict)
    with pytest.raises(Refused, match="does not vouch"):
        fetch(GITHUB, hub.url)
    assert ["/skills/github/verify"] == [path for path, _ in hub.asked]


@pytest.mark.parametrize(
    "sent",
    [
        {**FILES, "SKILL.md": b"another text"},
        {**FILES, "more.md": b"not listed"},
        {"SKILL.md": FILES["SKILL.md"]},
    ],
    ids=["changed", "added", "missing"],
)
def test_a_registry_that_lies_about_its_digests_is_refused(
    hub: Registry, sent: dict[str, bytes]
) -> None:
    """Each file must be what the version's list has, no more and no less."""
    hub.skill("github", FILES)
    hub.answers["/download"] = [(200, {}, zipped(sent))]
    fetched = fetch(GITHUB, hub.url)
    assert ({}, {"wrong-digest"}) == (fetched.files, {f.rule for f in fetched.findings})


def test_without_digests_nothing_is_taken(hub: Registry) -> None:
    """Nobody could check the files."""
    hub.skill("github", FILES)
    hub.answers["/skills/github/versions/1.0.0"] = [(200, {}, b'{"version": {"files": []}}')]
    with pytest.raises(Refused, match="no digests"):
        fetch(GITHUB, hub.url)


def test_a_verdict_on_another_version_does_not_count(hub: Registry) -> None:
    """What was asked for is what was judged."""
    hub.skill("github", FILES, "1.0.0")
    with pytest.raises(Refused, match="another version"):
        fetch(replace(GITHUB, version="9.9.9"), hub.url)


def test_a_skill_on_github_is_taken_from_there(hub: Registry) -> None:
    """The archive's first folder is the repository; the files are checked all the same."""
    hub.skill("github", FILES)
    host = hub.url.removesuffix("/api/v1")
    handoff = {"sourceRef": "public-github", "commit": "a" * 40, "path": "skills/github",
               "archiveUrl": f"{host}/archive.zip"}  # fmt: skip
    hub.answers["/download"] = []
    hub.answer("/download", handoff)
    below = {f"repo-aaa/skills/github/{path}": file for path, file in FILES.items()}
    hub.answer("/archive.zip", zipped({**below, "repo-aaa/README.md": b"x"}))
    assert FILES == fetch(GITHUB, hub.url).files

    hub.answers["/download"] = []
    hub.answer("/download", {**handoff, "commit": "main"})
    with pytest.raises(Refused, match="without naming a commit"):
        fetch(GITHUB, hub.url)


def test_a_busy_registry_is_asked_once_more_as_it_wishes(hub: Registry) -> None:
    """Retry-After is honoured once where it is short; a long one is said."""
    hub.answer("/x", b"slow down", 429, {"Retry-After": "3"})
    hub.answer("/x", b"there", 200)
    waited: list[float] = []
    assert b"there" == web.read(f"{hub.url}/x", wait=waited.append)
    assert [3.0] == waited

    hub.answer("/y", b"slow down", 429, {"Retry-After": "600"})
    with pytest.raises(EnvironmentTrouble, match="wait 600 seconds"):
        web.read(f"{hub.url}/y", wait=waited.append)


def test_what_the_registry_withholds_or_lacks_is_said(hub: Registry) -> None:
    """Malicious is 403, withdrawn 410, unknown 404."""
    hub.answer("/m", b"malicious", 403)
    hub.answer("/w", b"withdrawn", 410)
    for path in ("/m", "/w"):
        with pytest.raises(Refused, match="withholds"):
            web.read(hub.url + path)
    with pytest.raises(NotFound):
        fetch(GITHUB, hub.url)


def test_a_registry_that_hangs_is_left(hub: Registry) -> None:
    """Whether it sends nothing, or a byte now and then."""
    hub.answer("/drip", b"x" * 200)
    hub.drips["/drip"] = 0.05
    with pytest.raises(EnvironmentTrouble, match=r"too slowly|timed out"):
        web.read(f"{hub.url}/drip", seconds=0.3)


def test_no_more_is_read_than_a_skill_may_have(hub: Registry) -> None:
    """A hundred megabytes are not waited for."""
    hub.answer("/large", b"x" * 3_000_000)
    with pytest.raises(Refused, match="more than 1 MB"):
        web.read(f"{hub.url}/large", largest=1_000_000)


def test_without_a_network_that_is_said() -> None:
    """Nobody listens there."""
    with pytest.raises(EnvironmentTrouble, match="Nothing was installed"):
        fetch(GITHUB, "http://127.0.0.1:9/api/v1")


@pytest.mark.parametrize(
    "url", ["http://example.org/", "file:///etc/passwd", "ftp://example.org/", "https://", "x"]
)
def test_only_encrypted_addresses_are_asked(url: str) -> None:
    """Or those of this very machine."""
    with pytest.raises(Refused, match="no https address"):
        web.read(url)


def test_a_redirect_leads_to_no_other_kind_of_address(hub: Registry) -> None:
    """Nor from an encrypted one to a plain one."""
    hub.answer("/away", b"", 302, {"Location": "http://example.org/x"})
    hub.answer("/file", b"", 302, {"Location": "file:///etc/passwd"})
    with pytest.raises(Refused, match="no https address"):
        web.read(hub.url + "/away")
    with pytest.raises((Refused, EnvironmentTrouble)):
        web.read(hub.url + "/file")


def test_an_answer_that_makes_no_sense_is_said(hub: Registry) -> None:
    """HTML of a portal, say."""
    hub.answer("/skills/github/verify", b"<html>")
    with pytest.raises(EnvironmentTrouble, match="makes no sense"):
        fetch(GITHUB, hub.url)


def test_a_zip_bomb_is_a_finding(hub: Registry) -> None:
    """It is unpacked so far and no further."""
    hub.skill("github", {"SKILL.md": b"\0" * 60_000_000})
    fetched = fetch(GITHUB, hub.url)
    assert ({}, {"too-large"}) == (fetched.files, {f.rule for f in fetched.findings})
