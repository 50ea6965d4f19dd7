"""The real Claude Code, once Learnt was removed or its hook broken: the user is told, no error."""

from collections.abc import Callable
from pathlib import Path

import pytest

import learnt as package
from tests.support.beside_client import Learnt
from tests.support.model_server import say


def removed(folder: Path) -> None:
    """As if the environment of the installation were deleted."""
    hook = folder / "learnt_hook.py"
    text = hook.read_text("utf-8")
    hook.write_text(text.replace(package.__file__, "/gone/site/learnt/__init__.py"), "utf-8")


def broken(folder: Path) -> None:
    """The hook's own file is gone."""
    (folder / "learnt_hook.py").unlink()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("harm", "said"), [(removed, "Learnt is not installed any more"), (broken, "do not run any")]
)
def test_a_sessions_start_tells_the_user(
    learnt: Learnt, harm: Callable[[Path], None], said: str
) -> None:
    """On the screen, with how to take the hooks out; the prompt is answered all the same."""
    learnt.init()
    harm(learnt.home / "bin")
    project = learnt.client.project("alpha")

    run = learnt.client.run_interactive(project, [("hello there", "Answer.")], [say("Answer.")])

    shown = " ".join(run.output.split())
    assert said in shown and "learnt uninstall" in shown
    assert "hook error" not in shown.lower()
