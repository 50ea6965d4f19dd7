"""A folder of knowledge, exported: a skill that works where Learnt is not installed."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import skills_ref

from tests.support.cases import first
from tests.support.homes import Home, skip

PYTHONS = ["this", "python3.8", "python3.9", "python3.10", "python3.12"]


@pytest.fixture
def exported(home: Home) -> Path:
    """An exported skill with two facts, far from the project."""
    for kind, words in (("schema", "状态 3 means repair"), ("business_rule", "refunds in 7 days")):
        done = home.here("knowledge", "inject", "--type", kind, "--content", words,
                         "--target", "rooms.md", "--entities", "t_room")  # fmt: skip
        assert done.exit_code == 0, done
    out = home.folder / "out"
    done = home.here("knowledge", "export", str(out), "--skill", "rooms-db")
    assert (0, True) == (done.exit_code, "1 topic is now the skill" in done.output), done
    return out / "rooms-db"


def interpreter(name: str) -> str:
    """An interpreter by its name, if it runs here: on the path, or where pyenv keeps its own."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    number = name.removeprefix("python")
    named = [shutil.which(name), *map(str, sorted(kept.glob(f"{number}.*/bin/python")))]
    for found in [sys.executable] if name == "this" else named:
        if (
            found
            and not subprocess.run([found, "-c", ""], check=False, capture_output=True).returncode
        ):
            return found
    skip(f"{name} does not run on this machine")
    raise AssertionError("skipped")


def run(python: str, skill: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The skill's script in an interpreter that knows of nothing else."""
    command = [python, "-I", "-S", str(skill / "scripts" / "knowledge.py"), *words]
    return subprocess.run(
        command, cwd="/", env={"PYTHONIOENCODING": "utf-8"}, capture_output=True, text=True,
        encoding="utf-8", check=False,
    )  # fmt: skip


@pytest.mark.parametrize("name", first(1, PYTHONS))
def test_the_seven_commands_work_alone(exported: Path, name: str) -> None:
    """With any Python from 3.8 on, from any folder, and nothing is left beside the files."""
    python, topics = interpreter(name), str(exported / "references")
    before = {path for path in exported.rglob("*")}
    found = run(python, exported, "search", "--entities", "T_ROOM", "--json")
    entries = json.loads(found.stdout)["entries"]
    assert {"状态 3 means repair", "refunds in 7 days"} == {one["text"] for one in entries}, found
    first = entries[0]["id"]
    assert run(python, exported, "scan", "--path", topics).returncode == 0
    failed = run(python, exported, "feedback", "--id", first, "--result", "failure", "--json")
    assert json.loads(failed.stdout)["entries"][0]["beta"] == 1.5
    assert run(python, exported, "scan", "--path", topics).returncode == 1
    assert run(python, exported, "invalidate", "--id", first).returncode == 0
    assert run(python, exported, "scan", "--path", topics).returncode == 2
    assert run(python, exported, "reset", "--id", first).returncode == 0
    assert run(python, exported, "init").returncode == 0
    added = run(
        python, exported, "inject", "--type", "schema", "--content", "x", "--target", "n.md"
    )
    assert added.returncode == 0, added
    assert run(python, exported, "nonsense").returncode == 1
    assert run(python, exported, "feedback", "--id", "nope", "--result", "success").returncode == 1
    assert {exported / "references" / "n.md"} == {path for path in exported.rglob("*")} - before


def test_it_says_the_same_as_learnt_itself(home: Home, exported: Path) -> None:
    """One and the same code."""
    words = ("scan", "--path", str(exported / "references"), "--json")
    own = home.here("knowledge", *words)
    assert json.loads(own.output) == json.loads(run(sys.executable, exported, *words).stdout)


def test_the_skill_is_valid_short_and_names_no_formula(exported: Path) -> None:
    """By the reference validator; what an agent reads says when to run what."""
    assert skills_ref.validate(exported) == []
    text = (exported / "SKILL.md").read_text("utf-8")
    assert len(text.split()) < 600
    assert not any(word in text for word in ("exp(", "alpha", "beta", "λ", "half-life", "C0"))
    for command in ("search", "feedback", "invalidate", "reset", "inject", "scan"):
        assert f"`{command}" in text or f"{command}\n" in text


def test_what_is_there_is_left(home: Home, exported: Path) -> None:
    """A folder in the way, a name that is none, a folder that is not there."""
    before = {path: path.stat().st_mtime_ns for path in exported.rglob("*")}
    out = str(exported.parent)
    for words, code in (((out, "--skill", "rooms-db"), 1), ((out, "--skill", "../x"), 2),
                        ((out, "--skill", "y", "--path", "nowhere"), 3)):  # fmt: skip
        said = home.here("knowledge", "export", *words)
        assert (code, True) == (said.exit_code, said.errors.startswith("learnt: ")), said
    assert before == {path: path.stat().st_mtime_ns for path in exported.rglob("*")}
    assert ["rooms-db"] == [path.name for path in exported.parent.iterdir()]


# What an interpreter on Windows lacks and refuses, of what the scripts might use.
AS_ON_WINDOWS = """
import os, runpy, sys
for name in ("fcntl", "pwd", "grp", "resource", "termios"):
    sys.modules[name] = None
for name in ("O_DIRECTORY", "O_CLOEXEC", "O_NOFOLLOW", "geteuid", "getuid", "fchmod", "fork"):
    delattr(os, name)
unix_open = os.open
def windows_open(path, *rest, **more):
    if os.path.isdir(path):
        raise PermissionError(13, "Permission denied", path)
    return unix_open(path, *rest, **more)
os.open = windows_open
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def start_as_on_windows(skill: Path, *words: str) -> "subprocess.Popen[str]":
    """The skill's script where `fcntl` is not there and a folder has no descriptor."""
    script = str(skill / "scripts" / "knowledge.py")
    return subprocess.Popen(
        [sys.executable, "-I", "-S", "-X", "utf8=0", "-c", AS_ON_WINDOWS, script, *words],
        env={"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0"}, text=True, encoding="utf-8",
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def injected(number: int) -> tuple[str, ...]:
    return ("inject", "--type", "schema", "--content", f"状态 {number}", "--target", "n.md")


def test_it_runs_on_windows(exported: Path) -> None:
    """Without `fcntl`, where a pipe's letters are a code page's, and with a killed one's lock."""
    before, topics = set(exported.rglob("*")), exported / "references"
    (topics / ".lock").touch()
    for words in (injected(1), ("search", "--entities", "t_room"), ("scan", "--path", str(topics))):
        process = start_as_on_windows(exported, *words)
        said = process.communicate(timeout=30)
        assert (0, "") == (process.returncode, said[1]), said
    assert {topics / "n.md"} == set(exported.rglob("*")) - before


def test_many_write_one_topic_on_windows(exported: Path) -> None:
    """At once, and none takes away what another wrote."""
    running = [start_as_on_windows(exported, *injected(number)) for number in range(8)]
    said = [process.communicate(timeout=60) for process in running]
    assert [0] * 8 == [process.returncode for process in running], said
    text = (exported / "references" / "n.md").read_text("utf-8")
    assert all(f"状态 {number}\n" in text for number in range(8)), text


def test_a_folder_that_is_closed_on_windows_says_so(exported: Path) -> None:
    """Nothing is waited for without end, and nothing is changed."""
    (exported / "references" / ".lock").mkdir()
    before = (exported / "references" / "rooms.md").read_bytes()
    process = start_as_on_windows(exported, *injected(1), "--target", "rooms.md")
    said = process.communicate(timeout=30)
    assert (1, True) == (process.returncode, "Nothing was changed" in said[1]), said
    assert before == (exported / "references" / "rooms.md").read_bytes()
