"""A program that embeds Learnt is checked by its types, against a package that is installed."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.installations import Installation

PROGRAM = """
from pathlib import Path

import learnt


def ask(question: str) -> list[str]:
    with learnt.Home(Path("kept")) as home:
        kept = home.remember(question, kind="schema", about=["t_room"])
        home.feedback(kept.id, "success", evidence="last")
        reveal_type(home.why(kept.id).events)
        return [entry.text for entry in home.recall(question, most=3).entries]


def chosen(task: learnt.Task) -> str:
    try:
        registry = learnt.SkillRegistry(Path("skills"))
    except learnt.LearntError as error:
        return str(error)
    learnt.ContinualLearningLoop(registry).post_run([], [], session_id=learnt.__version__)
    injector = learnt.SkillInjector(registry)
    skills: list[learnt.SkillRecord] = injector.top_k(task, role="writer")
    return injector.render_for_prompt(skills)
"""
WRONG = """
import learnt

home = learnt.Home("kept")
home.feedback("e-1", "splendid")
home.recall("how?", most="3")
learnt.Nothing
"""


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_a_program_is_checked_by_its_types(tmp_path: Path) -> None:
    """Strictly: a sound one passes, and each wrong call is found."""
    installation = Installation(tmp_path / "environment")
    (tmp_path / "sound.py").write_text(PROGRAM, "utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"),
         "--python-executable", str(installation.python), "sound.py", "wrong.py"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    told = done.stdout.splitlines()
    assert any('sound.py:11: note: Revealed type is "tuple[learnt.flows' in line for line in told)
    wrong = [line.partition(": error")[0] for line in told if ": error" in line]
    assert [f"wrong.py:{number}" for number in (4, 5, 6, 7)] == wrong, done.stdout + done.stderr
