"""Parts of Learnt that are gone, a teammate who has none of it, and the guard against itself."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import learnt
from learnt.formats.agents.dialects import EVENTS
from learnt.formats.agents.hook_settings import command, shared_command
from learnt.stores import hook_files
from tests.support.answers import Fired
from tests.support.cases import chosen, first
from tests.support.homes import PROMPT, Home, until_told, wait_until


def _remove(name: str) -> Callable[[Home], None]:
    def remove(home: Home) -> None:
        (home.path / "bin" / name).unlink()

    return remove


def _truncate(name: str) -> Callable[[Home], None]:
    def truncate(home: Home) -> None:
        path = home.path / "bin" / name
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])

    return truncate


def _replace(name: str, text: str) -> Callable[[Home], None]:
    def replace(home: Home) -> None:
        (home.path / "bin" / name).write_text(text, encoding="utf-8")

    return replace


HALVES = ("learnt_hook.py", "learnt_hook_slow.py", "learnt_safety.py", "learnt_observations.py")
DAMAGES: dict[str, Callable[[Home], None]] = {
    **{f"no {name}": _remove(name) for name in HALVES},
    **{f"half of {name}": _truncate(name) for name in HALVES},
    "a hook that exits 2": _replace("learnt_hook.py", "import sys\nsys.exit(2)\n"),
    "a hook that prints": _replace("learnt_hook.py", "def main(e, h):\n    raise SystemExit(2)\n"),
    "a slow half that exits": _replace("learnt_hook_slow.py", "raise SystemExit(2)\n"),
    "no bin": lambda home: shutil.rmtree(home.path / "bin"),
}


@pytest.mark.parametrize(
    "damage",
    chosen(DAMAGES, "no learnt_hook.py", "half of learnt_hook_slow.py", "a hook that exits 2"),
)
def test_a_damaged_hook_is_silent_and_exits_0(home: Home, damage: str) -> None:
    """Whichever of its files is gone, cut in half or wrong: exit 0 on every event, not a word.

    But where it cannot run at all a session's start says so, to its user, in one line.
    """
    DAMAGES[damage](home)
    for event in EVENTS:
        said = home.fire(event, home.payload(event, prompt=PROMPT)).output
        assert said == b"" or (event == "SessionStart" and told_of(said, "do not run any more"))


def told_of(output: bytes, words: str) -> bool:
    """Whether it is a message to the user, of one line, that says these words."""
    (said,) = json.loads(output).values()
    return words in said and "\n" not in said


@pytest.mark.parametrize("name", first(1, HALVES[1:]))
def test_a_running_worker_needs_no_slow_half(home: Home, name: str) -> None:
    """With a worker up, a hook without its slow half still reports all but a session's end."""
    home.remember()
    home.start_worker()
    (home.path / "bin" / name).unlink()
    home.fire("SessionStart", home.payload("SessionStart", source="startup"))
    asked = home.answered()
    home.stop_turn()
    home.drained()

    events = [one["event"] for one in home.inbox() if one["event"] != "Late"]
    assert events == ["SessionStart", *["UserPromptSubmit"] * len(asked), "Stop"]


def test_an_interpreter_that_is_gone_is_silent(home: Home) -> None:
    """A command whose interpreter is missing, no program or a folder exits 0 in silence.

    Only a session's start tells its user, with what takes the hooks out.
    """
    plain = home.folder / "plain"
    plain.write_text("no program", encoding="utf-8")
    for interpreter in ("/no/such/python", str(plain), str(home.folder), "", "/bin/false"):
        for event in EVENTS:
            line = command(interpreter, str(home.path), event)
            said = home.fire(event, home.payload(event), command=line).output
            if event == "SessionStart":
                assert told_of(said, "`learnt uninstall` takes them out")
            else:
                assert said == b""


def test_doctor_says_which_part_is_missing(home: Home) -> None:
    """Each missing part is a finding of `doctor`, with what to do about it, and exit code 1."""
    home.here("init")
    assert home.here("doctor").exit_code == 0
    gone = home.path / "bin" / "learnt_hook_slow.py"
    gone.rename(home.folder / "kept")
    said = home.here("doctor", "--json")
    home.here("init")
    settings = home.config / "settings.json"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace(hook_files.interpreter(), "/no/such/python"), "utf-8")
    told = home.here("doctor", "--json")

    for said_, name in ((said, "hook files"), (told, "hook")):
        (found,) = [p for p in said_.json["probes"] if p["name"] == name]
        assert said_.exit_code == 1
        assert found["level"] == "problem", found
        assert "learnt init" in found["todo"]


def test_doctor_runs_what_is_registered(home: Home) -> None:
    """Not what it would register: another home's hook, one that leads nowhere, a gone package."""
    home.here("init")
    settings = home.config / "settings.json"
    text, here = settings.read_text("utf-8"), f"--home {home.path}"
    hook = home.path / "bin" / "learnt_hook.py"
    code = hook.read_text("utf-8")

    def said() -> Any:
        (found,) = [p for p in home.here("doctor", "--json").json["probes"] if p["name"] == "hook"]
        return found

    assert "ok" == said()["level"]
    elsewhere = home.folder / "elsewhere"
    for written, level, why in (
        (text.replace(here, f"--home {elsewhere}"), "problem", "No module named 'learnt_hook'"),
        (text.replace("learnt_hook.main(", "learnt_hook.absent("), "problem", "no attribute"),
        (text.replace("import learnt_hook; ", "import learnt_hook; 1/0; ", 1), "problem", "zero"),
    ):
        settings.write_text(written, "utf-8")
        found = said()
        assert (level, True) == (found["level"], why in found["said"]), found
        assert str(settings) in found["said"] and "`learnt uninstall`" in found["todo"]
    shutil.copytree(home.path / "bin", elsewhere / "bin")
    settings.write_text(text.replace(here, f"--home {elsewhere}"), "utf-8")
    assert f"another home, {elsewhere}" in said()["said"]
    settings.write_text(text, "utf-8")
    hook.write_text(code.replace(learnt.__file__, "/gone/learnt/__init__.py"), "utf-8")
    assert "an installation that is gone: /gone/learnt" in said()["said"]


@pytest.mark.parametrize("name", first(1, ["settings.json", "settings.local.json"]))
def test_doctor_runs_nothing_that_a_project_brings_along(home: Home, name: str) -> None:
    """What a clone calls a hook of Learnt's is named, and run only if `init` writes just that."""
    home.here("init", "--scope", "project", "--shared")
    file = home.project / ".claude" / name
    settings = json.loads((home.project / ".claude" / "settings.json").read_text("utf-8"))
    planted = home.command("Stop").replace(hook_files.interpreter(), f"touch {home.folder}/owned;")
    settings["hooks"]["Stop"] = [{"hooks": [{"type": "command", "command": planted}]}]
    file.write_text(json.dumps(settings), "utf-8")

    (found,) = [p for p in home.here("doctor", "--json").json["probes"] if p["name"] == "hook"]
    assert ("warning", True) == (found["level"], f"{file} calls what `init` did" in found["said"])
    assert not (home.folder / "owned").exists()


def test_doctor_understands_an_interpreter_with_a_space_in_its_path(home: Home) -> None:
    """A quoted interpreter in the registered command is tried, not taken for missing."""
    spaced = home.folder / "a b"
    spaced.mkdir()
    (spaced / "python 3").symlink_to(hook_files.interpreter())
    home.here("init")
    settings = home.config / "settings.json"
    text = settings.read_text(encoding="utf-8")
    plain, quoted = hook_files.interpreter(), shlex.quote(str(spaced / "python 3"))
    settings.write_text(text.replace(plain, quoted), "utf-8")

    (found,) = [p for p in home.here("doctor", "--json").json["probes"] if p["name"] == "hook"]
    assert found["level"] == "ok", found


# --- the shared entry -----------------------------------------------------------------------


def test_a_teammates_clone_without_learnt_notices_nothing(home: Home) -> None:
    """The shared entry exits 0 in silence where Learnt is not installed, whatever HOME is."""
    homes: tuple[str | None, ...] = (str(home.folder / "user"), "/nonexistent", "", None)
    for there in homes:
        for event in EVENTS:
            given = {"HOME": there, "LEARNT_HOME": None}
            line = shared_command(event)
            assert (
                home.fire(event, home.payload(event), environment=given, command=line).output == b""
            )
    assert list((home.folder / "user").iterdir()) == []


def test_a_shared_entry_reaches_the_learnt_that_is_there(home: Home) -> None:
    """With LEARNT_HOME, or Learnt where it is by default, the shared entry works as one's own."""
    home.remember()
    hook_files.set_up(home.path)
    home.start_worker()
    line = shared_command("UserPromptSubmit")
    environment = {"LEARNT_HOME": str(home.path)}

    def asked() -> Fired:
        payload = home.payload("UserPromptSubmit", prompt=PROMPT)
        return home.fire("UserPromptSubmit", payload, environment=environment, command=line)

    until_told(asked)


@pytest.mark.skipif(sys.platform != "linux", reason="where data lies by default is the system's")
@pytest.mark.parametrize("xdg", first(1, [False, True]))
def test_a_shared_entry_finds_the_default_home(home: Home, tmp_path: Path, xdg: bool) -> None:
    """`init --scope project --shared` with no home named registers an entry that leads there."""
    data = tmp_path / "data" if xdg else home.folder / "user" / ".local" / "share"
    variables = {"LEARNT_HOME": None, "XDG_DATA_HOME": str(data) if xdg else None}
    said = home.cli("init", "--scope", "project", "--shared", environment=variables)
    assert said.exit_code == 0, said
    real, home.path = home.path, data / "learnt"
    try:
        line = shared_command("SessionEnd")
        payload = home.payload("SessionEnd", reason="other")
        home.fire("SessionEnd", payload, environment=variables, command=line)
        assert len(home.spooled()) == 1
    finally:
        home.close()
        home.path = real


# --- the guard against recursion --------------------------------------------------------------


@pytest.mark.parametrize("value", first(1, ["1", "worker", ""]))
def test_inside_learnt_a_hook_does_nothing(home: Home, value: str) -> None:
    """With LEARNT_INSIDE set nothing is reported, spooled, started or printed."""
    home.remember()
    home.start_worker()
    before = home.rows("SELECT count(*) FROM inbox")
    for event in EVENTS:
        payload = home.payload(event, prompt=PROMPT)
        assert home.fire(event, payload, environment={"LEARNT_INSIDE": value}).output == b""
        words = [str(Path(sys.executable).parent / "learnt"), "hook", "--inline", event]
        line = shlex.join([*words, "--home", str(home.path)])
        if value and event in {"UserPromptSubmit", "SessionEnd"}:
            given = {"LEARNT_INSIDE": value}
            assert home.fire(event, payload, environment=given, command=line).output == b""

    assert home.spooled() == []
    assert home.rows("SELECT count(*) FROM inbox") == before


def test_without_a_worker_the_guard_starts_none(home: Home) -> None:
    """With LEARNT_INSIDE set no worker comes up, and the input need not be read."""
    process = home.begin("SessionStart", {"LEARNT_INSIDE": "1"})
    started = time.monotonic()
    output, errors = process.communicate(b"{" * 10_000_000, timeout=20)

    assert (process.returncode, output, errors) == (0, b"", b"")
    assert time.monotonic() - started < 1
    assert home.worker() is None
    assert not (home.path / "run" / "starting").exists()


# --- the agent's secrets --------------------------------------------------------------------

SECRETS = {
    "ANTHROPIC_API_KEY": "hush-api-key-7391",
    "CLAUDE_CODE_MESSAGING_TOKEN": "hush-messaging-token-7392",
    "AWS_SECRET_ACCESS_KEY": "hush-aws-7393",
    "DATABASE_URL": "postgres://u:hush-7394@h/d",
    "LEARNT_SOMETHING": "hush-7395",
    "CLAUDE_CODE_OAUTH_TOKEN": "hush-7396",
}


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="only Linux tells")
def test_the_worker_has_none_of_the_agents_secrets(home: Home) -> None:
    """A worker that a hook started, its jobs and every file of the home are free of them."""
    subprocess.run(["git", "init", "-q", str(home.project)], check=True)
    for event in ("SessionStart", "UserPromptSubmit", "PostToolBatch", "Stop"):
        home.fire(event, home.payload(event, prompt=PROMPT), environment=SECRETS)
    pid = home.worker()
    assert pid is not None
    environment = (Path("/proc") / str(pid) / "environ").read_bytes()
    names = {entry.split(b"=")[0].decode() for entry in environment.split(b"\0") if entry}
    os.kill(pid, 0)
    home.fire("SessionEnd", home.payload("SessionEnd", reason="other"), environment=SECRETS)
    home.drained()

    assert b"hush" not in environment
    assert names <= {"CI", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "PATH", "TMPDIR", "TZ", "USER"}
    wait_until(lambda: len(home.inbox()) >= 5, "all reports")
    for path in home.path.rglob("*"):
        if path.is_file():
            assert b"hush" not in path.read_bytes(), path


def test_a_failing_hook_writes_no_secret_into_its_log(home: Home) -> None:
    """What a hook writes down of its own failure has kinds and places, no text of the payload."""
    (home.path / "spool").rmdir()
    (home.path / "spool").write_text("in the way", encoding="utf-8")
    payload = home.payload("UserPromptSubmit", prompt="hush-7397 what is going on here")
    home.fire("UserPromptSubmit", payload, environment=SECRETS)

    (error,) = home.hook_errors()
    assert error["event"] == "UserPromptSubmit"
    assert set(error) == {"ms", "event", "error", "line", "errno", "python"}
    assert "hush" not in (home.path / "logs" / "hook-errors.log").read_text("utf-8")
