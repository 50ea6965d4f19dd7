"""Learnt replaced while it is in use: hooks end well, no report is lost, the new one comes."""

import json
import os
import threading
import time
from pathlib import Path
from typing import Self

import pytest

from learnt.formats.agents.hook_settings import command
from learnt.settings import Settings
from learnt.surfaces import worker_client
from tests.support.cases import first
from tests.support.homes import PROMPT, Home, wait_until
from tests.support.installations import Installation


@pytest.fixture
def installation(tmp_path: Path, home: Home) -> Installation:
    """An installation whose worker serves the home."""
    made = Installation(tmp_path / "venv")
    made.learnt("worker", "start", "--home", str(home.path))
    return made


def version_of(home: Home) -> str | None:
    """The version of the worker that answers, if one does."""
    card = worker_client.ping(Settings(home=home.path).home)
    return None if card is None else card.version


class Load:
    """Hooks fired without a pause until told to stop."""

    def __init__(self, home: Home) -> None:
        self._home, self._over = home, threading.Event()
        self.sent: list[str] = []
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join(30)

    def _run(self) -> None:
        while not self._over.is_set():
            session = f"s{len(self.sent)}"
            event = ("UserPromptSubmit", "Stop", "SessionEnd")[len(self.sent) % 3]
            self._home.fire(event, self._home.payload(event, session, prompt=PROMPT))
            self.sent.append(session)


def all_kept(home: Home, sent: list[str]) -> None:
    """Every session's report is in the ledger, once."""
    home.drained()
    kept = [one["session"] for one in home.inbox() if one["event"] != "Late"]
    assert sorted(kept) == sorted(sent)
    home.verify()


def test_an_upgrade_under_load_loses_nothing(home: Home, installation: Installation) -> None:
    """Package files are replaced while hooks fire: a worker of the new version takes over."""
    home.remember()
    assert version_of(home) == "0.1.0"
    with Load(home) as load:
        time.sleep(0.3)
        installation.put("0.2.0")
        wait_until(lambda: version_of(home) == "0.2.0", "the new worker", seconds=20)
    asked = home.answered(session="after")

    all_kept(home, load.sent + ["after"] * len(asked))


@pytest.mark.slow
def test_a_worker_whose_package_is_removed_leaves(home: Home, installation: Installation) -> None:
    """Uninstalled behind its back, the worker leaves; hooks spool for the next installation."""
    home.remember()
    with Load(home) as load:
        installation.remove()
        wait_until(lambda: version_of(home) is None, "the worker leaves")
    sent = [*load.sent, "waiting"]
    home.stop_turn("waiting")
    assert home.spooled()

    installation.put("0.3.0")
    (home.path / "run" / "starting").unlink(missing_ok=True)
    home.fire("SessionStart", home.payload("SessionStart", "after", source="startup"))
    wait_until(lambda: version_of(home) == "0.3.0", "the new worker")
    all_kept(home, [*sent, "after"])


def test_hook_files_replaced_under_load_lose_nothing(home: Home) -> None:
    """The home's copies of the hook are replaced again and again while hooks fire."""
    home.start_worker()
    folder = home.path / "bin"
    with Load(home) as load:
        for number in range(30):
            for path in folder.glob("*.py"):
                text = path.read_text(encoding="utf-8").split("\n# upgraded", maxsplit=1)[0]
                fresh = path.with_suffix(".new")
                fresh.write_text(
                    f"{text}\n# upgraded {'again ' * (number % 3)}\n", encoding="utf-8"
                )
                fresh.replace(path)
            time.sleep(0.02)

    assert home.hook_errors() == []
    all_kept(home, load.sent)


def test_a_worker_brings_a_hook_of_another_version_up_to_date(home: Home) -> None:
    """After an upgrade the first worker replaces the hook's files in the home."""
    (home.path / "bin" / "learnt_hook.py").write_text("def main(event, home): ...\n", "utf-8")
    home.start_worker()
    home.remember()

    home.answered()


def test_the_interpreter_that_ran_the_hook_is_replaced(
    home: Home, installation: Installation
) -> None:
    """A hook command whose interpreter is gone for a moment ends silently, then works again."""
    line = command(str(installation.python), str(home.path), "Stop")
    payload = home.payload("Stop", "before")
    home.fire("Stop", payload, command=line)
    gone = installation.python.with_name("gone")
    installation.python.rename(gone)
    assert home.fire("Stop", home.payload("Stop", "missing"), command=line).output == b""
    gone.rename(installation.python)
    home.fire("Stop", home.payload("Stop", "after"), command=line)
    home.drained()

    assert [one["session"] for one in home.inbox("Stop")] == ["before", "after"]


@pytest.mark.slow
def test_who_asks_for_a_worker_waits_longer_than_a_hook(
    home: Home, installation: Installation
) -> None:
    """A worker that takes a second to come up has come up, and is no trouble."""
    home.cli("worker", "stop")
    late = "import sys, time\nif 'surfaces.worker' in str(sys.orig_argv): time.sleep(1)\n"
    (installation.site / "sitecustomize.py").write_text(late, encoding="utf-8")

    said = installation.learnt("worker", "start", "--home", str(home.path))
    assert "The worker runs as process" in said.stdout


@pytest.mark.parametrize("words", first(1, [["/bin/false"], ["/gone"], []]))
def test_a_worker_that_ends_at_once_is_told_at_once(home: Home, words: list[str]) -> None:
    """Nobody waits for a process that is over: the command says so and where to look."""
    (home.path / "bin" / "worker.json").write_text(json.dumps(words), encoding="utf-8")
    began = time.monotonic()

    assert worker_client.start(home.path) is None
    assert time.monotonic() - began < 5


@pytest.mark.slow
def test_a_worker_that_finds_itself_out_of_date_is_not_started_over_and_over(
    home: Home, installation: Installation
) -> None:
    """Stale bytecode makes each new worker an old one: hooks try again now and then only."""
    home.cli("worker", "stop")
    root = installation.package / "__init__.py"
    before = root.stat()
    text = root.read_text(encoding="utf-8").replace("0.1.0", "0.2.0")
    root.write_text(text, encoding="utf-8")
    os.utime(root, ns=(before.st_atime_ns, before.st_mtime_ns))  # the bytecode passes for fresh
    starts = home.folder / "starts"
    note = f"open({str(starts)!r}, 'a').write('x')\n"
    (installation.site / "sitecustomize.py").write_text(note, encoding="utf-8")
    with Load(home) as load:
        time.sleep(2)
    left = starts.stat().st_size if starts.exists() else 0
    (installation.site / "sitecustomize.py").unlink()

    assert left <= 3
    home.take_in()
    all_kept(home, load.sent)
