"""What is posted to the worker: answered as a hook is, and refused to whoever may not post."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnt.core.events import Kind
from learnt.errors import EnvironmentTrouble
from learnt.formats.agents.hook_settings import ADDRESS, path_of
from learnt.formats.http_posts import LARGEST_POST
from learnt.stores.doorway import DOORWAY, listen_at, make_doorway
from learnt.stores.system import SystemRandom
from learnt.surfaces.worker_client import stop
from tests.support.homes import APPROACH, PROMPT, Home, throwaway, wait_until
from tests.support.posting import Agent, listens, posting, raw


@pytest.fixture
def agent(home: Home) -> Iterator[Agent]:
    """An agent that posts to a home in which something is remembered."""
    home.remember()
    posting(home)
    with Agent(home) as agent:
        home.fire("SessionStart", home.payload("SessionStart", source="startup"))
        yield agent


def asked(agent: Agent, session: str = "s1") -> str:
    """What a posted prompt is told, once the machine lets it be in time."""
    told: list[str] = []

    def answered() -> bool:
        payload = agent.home.payload("UserPromptSubmit", session, prompt=PROMPT)
        told.append(agent.told("UserPromptSubmit", payload))
        return APPROACH in told[-1]

    wait_until(answered, "a note for a posted prompt", seconds=20)
    return told[-1]


def test_a_posted_session_is_that_of_its_hooks(agent: Agent) -> None:
    """Prompt, failure, step, stop and end: the surroundings are those that its start told."""
    home = agent.home
    assert APPROACH in asked(agent)
    calls = [{"tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": "make"}}]
    error = {"tool_name": "Bash", "tool_use_id": "t1", "error": "Exit code 2"}
    for event, fields in (
        ("PostToolUseFailure", error),
        ("PostToolBatch", {"tool_calls": calls}),
        ("Stop", {}),
        ("SessionEnd", {"reason": "other"}),
    ):
        assert agent.post(event, home.payload(event, **fields)) == (204, b"")

    reports = [one for one in home.inbox(session="s1") if one["event"] != "UserPromptSubmit"]
    assert [one["event"] for one in reports] == [
        "SessionStart", "PostToolBatch", "Stop", "SessionEnd",
    ]  # fmt: skip
    assert all(one["environment"]["CLAUDE_PID"] == "4242" for one in home.inbox())
    assert all(
        one["environment"]["CLAUDE_PROJECT_DIR"] == str(home.project) for one in home.inbox()
    )
    # The process that its start named does not hold the connection, which is on record.
    assert {one["seen"]["odd"] for one in reports[1:]} == {"no_client"}
    home.verify()


def test_posts_and_hooks_of_one_event_count_once(agent: Agent) -> None:
    """Registered both ways: one report, one recall, one note."""
    home = agent.home
    asked(agent)
    before = len(home.inbox()), len(home.events(Kind.RECALLED))
    payload = home.payload("UserPromptSubmit", "s2", prompt=PROMPT)
    told = [
        agent.told("UserPromptSubmit", payload),
        home.fire("UserPromptSubmit", payload).injected,
    ]
    told += [agent.told("UserPromptSubmit", payload)]
    home.drained()

    assert sum(APPROACH in each for each in told) <= 1
    kept = [one for one in home.inbox() if one["event"] != "Late"]
    assert (len(kept), len(home.events(Kind.RECALLED))) == (before[0] + 1, before[1] + 1)


BROWSERS = {"Origin": "http://127.0.0.1", "Referer": "http://a.test/", "Sec-Fetch-Site": "none"}
REFUSED: list[tuple[dict[str, str], int]] = [
    *(({name: value}, 403) for name, value in BROWSERS.items()),
    ({"Host": "localhost"}, 403),
    ({"Host": "learnt.attacker.test"}, 403),
    ({"Authorization": ""}, 401),
    ({"Authorization": "Bearer " + "0" * 64}, 401),
    ({"Content-Type": "text/plain"}, 415),
    ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
]


def test_nobody_else_may_post(agent: Agent) -> None:
    """No page of a browser, no other name for the address, no other token, no form; and no GET."""
    home, payload = agent.home, agent.home.payload("UserPromptSubmit", "evil", prompt=PROMPT)
    for headers, status in REFUSED:
        assert agent.post("UserPromptSubmit", payload, headers=headers) == (status, b""), headers
    paths = ["/", "/learnt_hook/UserPromptSubmit", path_of("/another", "Stop")]
    paths += [path_of(str(home.path), event) for event in ("SessionStart", "learnt stop", "")]
    for path in paths:
        assert agent.post("", payload, path=path.replace(" ", "%20"))[0] == 404, path
    for method in ("GET", "OPTIONS", "PUT", "DELETE"):
        assert agent.post("Stop", payload, method=method)[0] == 405, method
    head = (
        f"POST {path_of(str(home.path), 'Stop')} HTTP/1.1\r\nHost: {ADDRESS}:{agent.door.port}\r\n"
    )
    for doubled in ("Host: other", "Authorization: Bearer x"):
        assert raw(home, f"{head}{doubled}\r\n\r\n".encode())[9:12] in {b"400", b"401", b"403"}

    assert APPROACH in asked(agent)
    assert not home.inbox(session="evil")


MALFORMED = {
    "bytes": bytes(range(256)) * 10,
    "a hook's frame": b"LEARNT/1 1 1\nxx",
    "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"a" * 500,
    "an endless head": b"POST / HTTP/1.1\r\n" + b"X: " + b"a" * 100_000,
    "two lengths": b"POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
    "a negative length": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
}


def test_the_worker_goes_on_after_malformed_requests(agent: Agent) -> None:
    """Whatever is no request is refused and forgotten; a body that is no JSON is a report of it."""
    home, pid = agent.home, agent.home.worker()
    for kind, content in MALFORMED.items():
        assert raw(home, content)[:12] in {b"HTTP/1.1 400", b"HTTP/1.1 403", b""}, kind
    for body in (b"", b"no json", b'{"session_id": "cut', b"[1]", b'{"session_id": {"a": 1}}'):
        assert agent.post("Stop", body)[0] == 204

    assert APPROACH in asked(agent)
    assert home.worker() == pid and "Traceback" not in home.worker_log()


def test_a_huge_body_is_cut_or_refused(agent: Agent) -> None:
    """Of a long prompt the beginning is read, as by a hook; beyond a bound nothing is taken in."""
    home = agent.home
    long = home.payload("UserPromptSubmit", "long", prompt="x" * (6 << 20))
    assert agent.post("UserPromptSubmit", long) == (204, b"")
    assert home.inbox(session="long")[0]["size"] > 6 << 20
    head = (
        f"POST {path_of(str(home.path), 'Stop')} HTTP/1.1\r\nHost: {ADDRESS}:{agent.door.port}\r\n"
    )
    head += "".join(f"{name}: {value}\r\n" for name, value in agent.headers.items())
    with socket.create_connection((ADDRESS, agent.door.port), timeout=20) as endless:
        endless.sendall(f"{head}Content-Length: {LARGEST_POST * 2}\r\n\r\n".encode())
        with pytest.raises(OSError):  # which one differs by system
            while True:
                endless.sendall(b"x" * (1 << 20))

    assert APPROACH in asked(agent)


def test_a_client_that_hangs_delays_nobody(agent: Agent) -> None:
    """Half a request, or a connection that asks nothing, is dropped; others are answered."""
    home, port = agent.home, agent.door.port
    with (
        socket.create_connection((ADDRESS, port), timeout=10) as half,
        socket.create_connection((ADDRESS, port), timeout=10) as silent,
    ):
        half.sendall(b"POST / HTTP/1.1\r\nHost:")
        assert APPROACH in asked(agent)
        home.fire("SessionEnd", home.payload("SessionEnd", "s9", reason="other"))
        home.drained(seconds=8)
        assert half.recv(1) == silent.recv(1) == b""
    assert agent.post("Stop", home.payload("Stop"))[0] == 204  # its own connection was kept


def test_a_port_that_is_taken_costs_the_posts_alone(home: Home) -> None:
    """The worker serves hooks all the same, says why in its log; `init` takes another port."""
    home.remember()
    posting(home)
    stop(home.path)
    with Agent(home) as before:
        port = before.door.port
    with listen_at(port):
        home.start_worker()
        assert APPROACH in home.answered()[-1].injected
        assert f"Port {port} cannot be listened on" in home.worker_log()
        told = home.here("doctor", "--json").json["probes"]
        assert "problem" in {probe["level"] for probe in told if probe["name"] == "hook"}
        posting(home)
        with Agent(home) as agent:
            assert agent.door.port != port
            assert APPROACH in asked(agent, "s2")
    assert f":{port}/" not in (home.config / "settings.json").read_text()


def test_a_doorway_that_cannot_be_written_is_said_to_be_so(tmp_path: Path) -> None:
    """It is the file, and no port, that is to be looked after."""
    (tmp_path / DOORWAY).mkdir()

    with pytest.raises(EnvironmentTrouble, match=f"{DOORWAY} cannot be written"):
        make_doorway(tmp_path, SystemRandom())


def test_without_its_token_file_nobody_may_post(agent: Agent) -> None:
    """Gone, or readable by others: the port is closed; `init` makes and registers a new token."""
    home, token = agent.home, agent.door.token
    (home.path / DOORWAY).chmod(0o644)
    wait_until(lambda: not listens(home), "the port to be closed")
    (home.path / DOORWAY).unlink()
    assert "problem" in {
        probe["level"]
        for probe in home.here("doctor", "--json").json["probes"]
        if probe["name"] == "hook"
    }
    posting(home)

    with Agent(home) as again:
        assert again.door.token != token
        assert APPROACH in asked(again, "s2")
    text = (home.config / "settings.json").read_text()
    assert token not in text and text.count("Bearer ") == 9
    assert home.here("doctor").exit_code == 0


def test_a_changed_token_shuts_out_the_old_one(agent: Agent) -> None:
    """Also on a connection that was let in before; `doctor` says what is registered is refused."""
    home, old = agent.home, agent.headers
    changed = {"port": agent.door.port, "token": "f" * 64}
    (home.path / DOORWAY).write_text(json.dumps(changed))
    wait_until(
        lambda: agent.post("Stop", home.payload("Stop"), headers=old)[0] == 401,
        "the old token to be refused",
    )
    told = home.here("doctor", "--json").json["probes"]
    assert any("refused (401)" in probe["said"] for probe in told)


def test_two_homes_are_two_doors(agent: Agent) -> None:
    """Each has its port, its token and its path: what is posted to the wrong one is refused."""
    with throwaway(agent.home.folder, "second") as other:
        posting(other)
        with Agent(other) as second:
            assert second.door.port != agent.door.port
            wrong = {"Authorization": f"Bearer {agent.door.token}"}
            assert second.post("Stop", other.payload("Stop"), headers=wrong)[0] == 401
            path = path_of(str(agent.home.path), "Stop")
            assert second.post("Stop", other.payload("Stop"), path=path)[0] == 404
            assert second.post("Stop", other.payload("Stop", "other"))[0] == 204
        assert [one["session"] for one in other.inbox()] == ["other"]
