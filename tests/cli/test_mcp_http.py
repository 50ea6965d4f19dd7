"""`learnt mcp --http`: several clients of this machine, each with the home's token."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from learnt.core.identifiers import handle
from tests.support.homes import LEARNT, Home, throwaway, wait_until
from tests.support.mcp_client import Served, served_here, served_over_http
from tests.support.processes import within

ROOM = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
STATUS = {"name": "status", "arguments": {}}


@dataclass(frozen=True)
class Listening:
    """A server that listens, and what its clients must know."""

    home: Home
    process: subprocess.Popen[str]
    port: int
    said: str

    @property
    def token(self) -> str:
        return (self.home.path / "mcp_token").read_text("ascii")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def posted(self, body: bytes, **headers: str) -> tuple[int, str]:
        """The status and the text that a request gets; a header that is empty is left out."""
        usual = {
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
            "Authorization": f"Bearer {self.token}",
        }
        given = usual | {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            kept = {name: value for name, value in given.items() if value}
            connection.request("POST", "/mcp", body, kept)
            answer = connection.getresponse()
            return answer.status, answer.read().decode("utf-8", "replace")
        finally:
            connection.close()


def request(**params: Any) -> bytes:
    """A call of a tool as bytes."""
    told = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(told).encode()


@contextmanager
def listening(home: Home) -> Iterator[Listening]:
    """A server as a process of its own, on any port that is free."""
    command = [str(LEARNT), "mcp", "--http", "--port", "0", "--project", str(home.project)]
    errors = home.folder / "said"
    with errors.open("w", encoding="utf-8") as told:
        process = subprocess.Popen(
            command, env=home.environment, cwd=home.folder, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=told, text=True,
        )  # fmt: skip
    try:
        wait_until(
            lambda: process.poll() is not None or "Claude Code:" in errors.read_text("utf-8"),
            "the server", seconds=within(30),
        )  # fmt: skip
        said = errors.read_text("utf-8")
        port = re.search(r"127\.0\.0\.1:(\d+)/mcp, for", said)
        assert port, said
        yield Listening(home, process, int(port[1]), said)
    finally:
        process.terminate()
        try:
            output, _ = process.communicate(timeout=within(30))
        finally:
            process.kill()
    assert ("", 0) == (output, process.returncode), errors.read_text("utf-8")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with throwaway(tmp_path_factory.mktemp("shared")) as home, listening(home) as one:
        home.remember()
        yield one


@pytest.fixture(scope="module")
def client(shared: Listening) -> Iterator[Served]:
    with served_over_http(shared.address, shared.token) as one:
        yield one


def test_it_serves_what_standard_input_serves(shared: Listening, client: Served) -> None:
    """The same tools, resources, prompts and answers, to several clients, who are all agents."""
    home = shared.home
    kept = client("propose", text=ROOM, kind="schema", entities=["t_room"])
    with served_here(home) as here, served_over_http(shared.address, shared.token) as other:
        assert here.tools() == client.tools() == other.tools()
        assert (here.prompts(), here.templates()) == (client.prompts(), client.templates())
        assert here("recall", query="t_room").typed == other("recall", query="t_room").typed
    (entry,) = client("recall", query="t_room")["entries"]
    assert (handle(kept["id"]), "UNPROVEN") == (entry["handle"], entry["trust"])
    assert ROOM in client.read(f"learnt://entry/{kept['id']}")[0]
    story = client("why", id=kept["id"])["events"]
    assert {"agent"} == {event["actor"] for event in story}


def test_the_token_is_the_homes_own(shared: Listening) -> None:
    """In a file that nobody else may read; what is printed names the file and not the token."""
    path = shared.home.path / "mcp_token"
    assert 0o600 == path.stat().st_mode & 0o777
    assert re.fullmatch("[0-9a-f]{64}", shared.token)
    assert str(path) in shared.said and shared.token not in shared.said
    assert "claude mcp add --transport http learnt" in shared.said


REFUSED: dict[str, tuple[int, dict[str, str]]] = {
    "no token": (401, {"Authorization": ""}),
    "another token": (401, {"Authorization": "Bearer " + "0" * 64}),
    "an empty token": (401, {"Authorization": "Bearer "}),
    "no bearer": (401, {"Authorization": "Basic bGVhcm50Og=="}),
    "another host": (421, {"Host": "learnt.example"}),
    "another port's host": (421, {"Host": "127.0.0.1:1"}),
    "a page of elsewhere": (403, {"Origin": "https://learnt.example"}),
    "a page of this machine": (403, {"Origin": "http://localhost:1"}),
    "a page of nowhere": (403, {"Origin": "null"}),
    "a form": (400, {"Content-Type": "text/plain"}),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_stranger_is_refused(shared: Listening, case: str) -> None:
    """By status alone: nothing of what is kept is told, and nothing is recorded."""
    status, headers = REFUSED[case]
    before = shared.home.rows("SELECT count(*) FROM events")
    asked = request(name="recall", arguments={"query": "t_room"})
    said = shared.posted(asked, **{name.replace("-", "_"): v for name, v in headers.items()})
    assert status == said[0] and "room" not in said[1]
    assert before == shared.home.rows("SELECT count(*) FROM events")
    assert 200 == shared.posted(request(**STATUS))[0]


BODIES: dict[str, tuple[int, bytes, str]] = {
    "no JSON": (400, b"{", "Parse error"),
    "five megabytes": (413, b" " * 5_000_000, "too large"),
    "three megabytes of a text": (
        200, request(name="recall", arguments={"query": "x" * 3_000_000}), "query: "
    ),
    "three megabytes of a name": (200, request(name="x" * 3_000_000), "There is no tool"),
    "deep": (400, b"[" * 100_000, "error"),
}  # fmt: skip


@pytest.mark.parametrize("case", BODIES)
def test_what_is_too_large_or_no_request_is_refused(shared: Listening, case: str) -> None:
    """In few words, and the next is answered."""
    status, body, said = BODIES[case]
    got = shared.posted(body)
    assert status == got[0] and said in got[1] and 1_000 > len(got[1])
    assert 200 == shared.posted(request(**STATUS))[0]


def test_only_this_machine_is_answered(shared: Listening) -> None:
    """It listens on 127.0.0.1 and not on all addresses: another one still has the port to give."""
    with socket.socket() as other:
        other.bind(("127.0.0.2", shared.port))


def test_a_port_that_is_taken_is_said(shared: Listening) -> None:
    """Exit 5, with what to do; so is a port without `--http`, as a call that is wrong."""
    said = shared.home.cli("mcp", "--http", "--port", str(shared.port))
    assert 5 == said.exit_code
    assert f"Port {shared.port} of 127.0.0.1 cannot be had" in said.errors
    assert "Nothing was started. Name another with --port" in said.errors
    assert 2 == shared.home.cli("mcp", "--port", "1").exit_code


def test_a_damaged_token_is_no_token(home: Home) -> None:
    """Exit 5, and the file is left as it is: an empty one, or a link to somebody else's."""
    home.install()
    path = home.path / "mcp_token"
    for put in (lambda: path.write_text(""), lambda: path.symlink_to("/dev/null")):
        path.unlink(missing_ok=True)
        put()
        said = home.cli("mcp", "--http", "--port", "0")
        assert 5 == said.exit_code and "delete it, and a new token is made" in said.errors
        assert not path.read_bytes()


def test_a_purge_holds_under_a_client_that_stays(shared: Listening, client: Served) -> None:
    """What was erased is answered to nobody any more, and the server goes on."""
    name = shared.home.remember("The zebra build fails with error 65", "Export ZEBRA_HOME")
    assert handle(name) in client("recall", query="zebra build").text
    assert 0 == shared.home.purge("--text", "zebra").exit_code
    assert "ZEBRA" not in client("recall", query="zebra build").text
    assert not client("status").failed


def test_told_to_end_it_ends_although_a_client_listens(home: Home) -> None:
    """With 0, within seconds; the token stays for the next start."""
    with listening(home) as server:
        token = server.token
        with socket.create_connection(("127.0.0.1", server.port)) as waiting:
            head = ("GET /mcp HTTP/1.1", f"Host: 127.0.0.1:{server.port}",
                    f"Authorization: Bearer {token}", "Accept: text/event-stream")  # fmt: skip
            waiting.sendall("\r\n".join([*head, "", ""]).encode())
            assert b"200" in waiting.recv(100)
            begun = time.monotonic()
            os.kill(server.process.pid, signal.SIGTERM)
            server.process.wait(timeout=within(20))
            assert within(10) > time.monotonic() - begun
    with listening(home) as again:
        assert token == again.token
