"""`learnt dashboard` on a person's terminal: what it prints, and when it does not start."""

import re
import socket
import sys
import urllib.request

import pytest

from learnt.surfaces.web.dashboard import PORT
from tests.support.homes import Home
from tests.support.terminal import Terminal, run_on_terminal

_LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/enter\?token=[0-9a-f]+")


def _link(terminal: Terminal, number: int = 1) -> str:
    terminal.wait_until(lambda: len(_links(terminal)) >= number, "a link")
    return _links(terminal)[number - 1][0]


def _links(terminal: Terminal) -> list[tuple[str, int]]:
    return [(found[0], int(found[1])) for found in _LINK.finditer(terminal.output)]


def _free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def test_it_prints_its_link_and_its_phrase_and_serves(home: Home) -> None:
    """No browser is needed: the link is there to be opened. Ctrl-C ends it."""
    with home.terminal("dashboard", "--no-open", "--port", str(_free_port())) as terminal:
        link = _link(terminal)
        terminal.wait_until(lambda: "Ctrl-C" in terminal.output, "how to end it")
        with urllib.request.urlopen(link, timeout=10) as answer:
            assert "learnt_" in answer.headers["set-cookie"]
        terminal.send("\n")
        assert link != _link(terminal, 2)
        terminal.send("\x03")
        assert 0 == terminal.wait_for_exit()
        assert re.search(r"\n  [a-z]{5} [a-z]{5} [a-z]{5}\n", terminal.output)
        assert "The dashboard has ended." in terminal.output


def test_without_a_desktop_it_says_that_no_browser_opens(home: Home) -> None:
    """As over SSH; the link is there all the same."""
    with home.terminal("dashboard", "--port", str(_free_port())) as terminal:
        terminal.wait_until(
            lambda: "open the link yourself" in terminal.output, "that no browser opens"
        )
        assert _links(terminal)


def test_a_port_that_is_taken_is_said_and_another_one_used(home: Home) -> None:
    """Two dashboards of one home both work, and the second one takes another port."""
    with home.terminal("dashboard", "--no-open") as first:
        one = _link(first)
        with home.terminal("dashboard", "--no-open") as second:
            other = _link(second)
            assert f"Port {PORT} is taken" in second.output
            for link in (one, other):
                assert 200 == urllib.request.urlopen(link, timeout=10).status


def test_a_named_port_that_is_taken_is_an_error(home: Home) -> None:
    """Whoever names one means that one."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, output = home.typed("dashboard", "--port", str(taken.getsockname()[1]))

    assert 5 == code
    assert "Nothing was started; without --port a free one is taken" in output


def test_an_agent_cannot_start_it(home: Home) -> None:
    """Neither with its mark in the environment, nor where no terminal is."""
    with home.terminal("dashboard", environment={"CLAUDECODE": "1"}) as terminal:
        assert 1 == terminal.wait_for_exit()
        assert "an agent set CLAUDECODE" in terminal.output
    said = home.cli("dashboard")

    assert (1, "") == (said.exit_code, said.output)
    assert "Only a person may start the dashboard" in said.errors


@pytest.mark.parametrize("missing", ["starlette", "uvicorn", "jinja2"])
def test_without_its_extra_it_says_what_to_install(home: Home, missing: str) -> None:
    """And starts nothing; every other command goes on."""
    code = (
        f"import sys; sys.modules[{missing!r}] = None\n"
        "from learnt.surfaces.cli.entry import main\nsys.exit(main())\n"
    )
    argv = [sys.executable, "-c", code, "dashboard", "--no-open"]
    exit_code, output = run_on_terminal(argv, home.environment, home.project)

    assert 5 == exit_code
    assert f"a package that is not installed ({missing}" in output.replace("\n", " ")
