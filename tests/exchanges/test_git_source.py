"""Skills of git repositories, served by git itself on loopback."""

import os
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import CGIHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from learnt.errors import EnvironmentTrouble, Refused
from learnt.exchanges.sources import GitAddress, address
from learnt.exchanges.sources import from_git as fetch

TEXT = "---\nname: pdf\ndescription: b\n---\nDo.\n"


def git(folder: Path, *words: str) -> str:
    """Run git there, as nobody in particular."""
    named = ["-c", "user.name=n", "-c", "user.email=e@example.org", "-c", "commit.gpgsign=false"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    done = subprocess.run(["git", *named, *words], cwd=folder, env=environment, check=True,
                          capture_output=True, text=True)  # fmt: skip
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Iterator[tuple[str, str, Path]]:
    """A repository's URL, its commit, and the folder that it is made in."""
    folder = tmp_path / "www" / "skills.git"
    (folder / "skills" / "pdf").mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    (folder / "skills" / "pdf" / "SKILL.md").write_text(TEXT, "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    git(folder, "update-server-info")
    commit = git(folder, "rev-parse", "HEAD")

    class Handler(CGIHTTPRequestHandler):
        """git's own program for HTTP, below /git."""

        have_fork = False  # as a process of its own: tests run in threads

        def is_cgi(self) -> bool:
            self.cgi_info = "/git", self.path.removeprefix("/git/")
            return True

        def translate_path(self, path: str) -> str:
            return backend

        def run_cgi(self) -> None:
            path, _, query = self.path.partition("?")
            given = {
                "PATH": os.environ["PATH"], "GIT_PROJECT_ROOT": str(tmp_path / "www"),
                "GIT_HTTP_EXPORT_ALL": "1", "PATH_INFO": path.removeprefix("/git"),
                "QUERY_STRING": query, "REQUEST_METHOD": self.command,
                "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                "HTTP_CONTENT_ENCODING": self.headers.get("Content-Encoding", ""),
                "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            }  # fmt: skip
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            done = subprocess.run([backend], input=body, env=given, capture_output=True,
                                  check=False)  # fmt: skip
            head, _, rest = done.stdout.partition(b"\r\n\r\n")
            lines = [line.split(b": ", 1) for line in head.split(b"\r\n") if b": " in line]
            status = next((int(v[:3]) for k, v in lines if k == b"Status"), 200)
            self.send_response(status)
            for name, value in lines:
                self.send_header(name.decode(), value.decode())
            self.end_headers()
            self.wfile.write(rest)

        def log_message(self, format: str, *args: Any) -> None:  # as the base has it
            pass

    backend = f"{git(tmp_path, '--exec-path')}/git-http-backend"
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/git/skills.git/.git", commit, folder
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_skill_is_fetched_at_its_commit(repository: tuple[str, str, Path]) -> None:
    """Also once the branch is further."""
    url, commit, folder = repository
    (folder / "skills" / "pdf" / "SKILL.md").write_text("other", "utf-8")
    git(folder, "commit", "-qam", "two")
    git(folder, "config", "uploadpack.allowAnySHA1InWant", "true")
    fetched = fetch(GitAddress(url, commit))
    assert ({"SKILL.md": TEXT.encode()}, commit) == (fetched.files, fetched.version)
    assert "pdf" == fetch(GitAddress(url, commit, "skills/pdf")).name


def test_what_is_not_pinned_is_refused_with_the_commit_of_now(
    repository: tuple[str, str, Path],
) -> None:
    """A branch or a tag may lead elsewhere tomorrow; a shortened commit is told whole."""
    url, commit, _ = repository
    for named in ("", "main", commit[:12], "f" * 12):
        with pytest.raises(Refused, match="whole commit alone") as refused:
            fetch(GitAddress(url, named, "skills/pdf"))
        assert (f"{url}@{commit}#skills/pdf" in str(refused.value)) == (named != "f" * 12)


def test_a_commit_that_is_not_there_is_said(repository: tuple[str, str, Path]) -> None:
    """With git's own words."""
    with pytest.raises(EnvironmentTrouble, match="git could not fetch it"):
        fetch(GitAddress(repository[0], "0" * 40))


def test_a_repositorys_links_and_hooks_do_nothing(repository: tuple[str, str, Path]) -> None:
    """A link in the tree is a finding; no file is checked out, so no filter runs."""
    url, _, folder = repository
    (folder / "skills" / "pdf" / "out").symlink_to("/etc/passwd")
    (folder / ".gitattributes").write_text("* filter=evil\n", "utf-8")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "two")
    commit = git(folder, "rev-parse", "HEAD")
    assert ["link"] == [finding.rule for finding in fetch(GitAddress(url, commit)).findings]


@pytest.mark.parametrize(
    "source",
    ["ext::sh -c id", "file:///tmp/x", "git://example.org/x", "-uevil", "https:/x",
     "ssh://-oProxyCommand=id/x", "x@-oProxyCommand=id:y"],
)  # fmt: skip
def test_only_plain_addresses_are_git_sources(source: str) -> None:
    """No program and no file is named by a URL; nothing of it is taken for an option."""
    assert address(f"{source}@{'a' * 40}") is None


def test_a_plain_http_address_is_refused() -> None:
    """But for this very machine."""
    with pytest.raises(Refused, match="no https address"):
        fetch(GitAddress("http://example.org/x.git", "a" * 40))


def test_without_git_that_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """In a sentence."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EnvironmentTrouble, match="git is not installed"):
        fetch(GitAddress("https://127.0.0.1:9/x.git", "a" * 40))


def test_a_server_that_hangs_is_left(tmp_path: Path) -> None:
    """After the time limit, and nobody is asked for a password meanwhile."""
    import socket

    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(EnvironmentTrouble, match="within 1 seconds"):
            fetch(GitAddress(f"http://127.0.0.1:{port}/x.git", "a" * 40), seconds=1)


@pytest.mark.parametrize("held", ["sleep 600 & exec sleep 600", "sleep 600 & exit 1"])
def test_a_child_that_holds_the_output_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, held: str
) -> None:
    """Whether git itself hangs or is done, what it started is ended with it."""
    (tmp_path / "git").write_text(f"#!/bin/sh\n{held}\n", "utf-8")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    begun = time.monotonic()
    with pytest.raises(EnvironmentTrouble, match=r"within 1 seconds|could not fetch it"):
        fetch(GitAddress("https://127.0.0.1:9/x.git", "a" * 40), seconds=1)
    assert 30 > time.monotonic() - begun


def test_without_a_network_that_is_said() -> None:
    """Nobody listens there."""
    with pytest.raises(EnvironmentTrouble, match="git could not fetch it"):
        fetch(GitAddress("http://127.0.0.1:9/x.git", "a" * 40))
