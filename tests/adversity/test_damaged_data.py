"""A data file of the language room is missing or damaged: said clearly, and nothing is lost."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import PACKAGE

PROMPT = {
    "session_id": "s1",
    "hook_event_name": "UserPromptSubmit",
    "prompt_id": "p1",
    "permission_mode": "default",
    "prompt": "the gateway drops its connections again, what was that?",
}
RUN = "import sys; from learnt.surfaces.cli.entry import main; sys.exit(main())"


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A folder with the package whose English replies are cut off."""
    folder = tmp_path / "half-installed"
    shutil.copytree(PACKAGE, folder / "learnt", ignore=shutil.ignore_patterns("__pycache__"))
    path = folder / "learnt" / "language" / "en" / "replies.txt"
    path.write_text(path.read_text("utf-8")[:-20], "utf-8")
    commands = folder / "learnt" / "language" / "zh" / "commands.txt"
    commands.unlink()
    return folder


def learnt(package: Path, home: Path, *words: str, given: str = "") -> tuple[int, str, str]:
    """One run of a package's command line: its exit code and what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words, "--home", str(home)],
        input=given,
        capture_output=True,
        text=True,
        check=False,
        cwd=package,
        env={"PATH": os.environ["PATH"], "HOME": str(home.parent), "PYTHONPATH": str(package)},
    )
    return done.returncode, done.stdout, done.stderr


def test_a_hook_says_nothing_and_its_prompt_waits(damaged: Path, tmp_path: Path) -> None:
    """The prompt goes through; its report is taken in once Learnt is whole again."""
    home = tmp_path / "home"
    words = ("hook", "--inline", "UserPromptSubmit")
    whole = PACKAGE.parent
    learnt(whole, home, "status")
    given = json.dumps({**PROMPT, "cwd": str(tmp_path)})

    assert (0, "", "") == learnt(damaged, home, *words, given=given)

    (report,) = (home / "spool").glob("*.json")
    assert "p1" == json.loads(report.read_text("utf-8"))["episode"]
    assert "EnvironmentTrouble" in (home / "logs" / "hook-errors.log").read_text("utf-8")
    later = json.dumps({**PROMPT, "cwd": str(tmp_path), "prompt_id": "p2"})
    assert (0, "", "") == learnt(whole, home, *words, given=later)
    assert [] == list((home / "spool").glob("*.json"))


def test_a_command_names_the_file_and_what_to_do(damaged: Path, tmp_path: Path) -> None:
    """Exit 5, for the machine, and nothing is captured."""
    home = tmp_path / "home"
    words = ("knowledge", "capture", "the gateway listens on port 8443", "--kind", "business_rule")

    code, _, told = learnt(damaged, home, *words)

    assert 5 == code
    assert "zh/commands.txt is not usable: it is missing" in told
    assert "Nothing was changed. Install Learnt again" in told
    assert "8443" not in learnt(PACKAGE.parent, home, "recall")[1]
