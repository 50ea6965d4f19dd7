"""The plug-ins: generated as `init` writes, valid by the agent's own word, harmless alone."""

import json
import subprocess
import time
from pathlib import Path

import pytest

from learnt.formats.agents.dialects import EVENTS
from learnt.stores import hook_files
from learnt.surfaces.hook import DOCTOR
from tests.support.claude_code import find_client
from tests.support.forked import LEARNT
from tests.support.homes import Home, wait_until
from tools import plugins
from tools.plugins import plugin_command

FOLDER = plugins.ROOT / plugins.CLAUDE


def test_the_files_are_those_that_init_would_write() -> None:
    """Nothing in them was changed by hand, and nothing stale is left."""
    told = {name: (plugins.ROOT / name).read_text(encoding="utf-8") for name in plugins.claude()}

    assert told == plugins.claude()
    hooks = json.loads(told[f"{plugins.CLAUDE}/hooks/hooks.json"])["hooks"]
    assert list(hooks) == EVENTS
    readme = told[f"{plugins.CLAUDE}/README.md"]
    assert len(readme.split()) >= 40
    assert not any(str(Path.home()) in text for text in told.values())


@pytest.mark.parametrize("path", [FOLDER, plugins.ROOT], ids=["plug-in", "marketplace"])
def test_the_agent_finds_nothing_to_say_of_them(path: Path, tmp_path: Path) -> None:
    """`claude plugin validate --strict`, as its directory would check it."""
    client = find_client()
    if client is None:
        pytest.skip("no Claude Code: set LEARNT_TEST_CLAUDE or install it into .tools")
    words = [str(client), "plugin", "validate", "--strict"]
    words += ["--profile", "directory"] if path == FOLDER else []
    given = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run([*words, str(path)], env=given, capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr


def test_without_the_program_a_plug_in_costs_a_shell_and_says_it_once(home: Home) -> None:
    """Every event ends silently and keeps nothing; a session's start tells what to install."""
    nowhere = home.folder / "nowhere"
    given = {"PATH": "/usr/bin:/bin", "LEARNT_HOME": str(nowhere), "HOME": str(nowhere)}
    for event in EVENTS:
        started = time.monotonic()
        fired = home.fire(
            event, home.payload(event), environment=given, command=plugin_command(event)
        )
        if event != "SessionStart":
            assert (fired.output, not nowhere.exists()) == (b"", True), event
            continue
        told = json.loads(fired.output)["systemMessage"]
        assert "uv tool install learnt" in told and time.monotonic() - started < 5


def test_a_plug_in_alone_is_enough_where_the_program_is(home: Home) -> None:
    """A session's start gets the hook from the program, and the plug-in reports from then on."""
    hook_files.remove(home.path)
    path = f"{LEARNT.parent}:/usr/bin:/bin"
    given = {"PATH": path, "LEARNT_HOME": str(home.path)}
    start = home.payload("SessionStart", source="startup")
    home.fire("SessionStart", start, environment=given, command=plugin_command("SessionStart"))
    wait_until(lambda: bool(home.inbox("SessionStart")), "the start that was reported")
    asked = plugin_command("SessionStart").replace('" SessionStart ', f'" {DOCTOR} ')
    assert home.fire("Stop", environment=given, command=asked).output.startswith(
        str(home.path).encode()
    )
