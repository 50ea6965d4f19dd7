"""What a person sees: a program in a pane of tmux, whose text is the screen's."""

import os
import shutil
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from tests.support.homes import skip

_ROWS, _COLUMNS = 50, 150
_SETTLED = 0.5  # seconds


class Pane:
    """A program in a tmux of its own, which ends with it."""

    def __init__(self, argv: Sequence[str], *, env: Mapping[str, str], cwd: Path) -> None:
        if shutil.which("tmux") is None:
            skip("no tmux")
        self._argv, self._env, self._cwd = argv, env, cwd
        self._socket = str(cwd.parent / "tmux.sock")

    def __enter__(self) -> Self:
        variables = [f"{name}={value}" for name, value in self._env.items()]
        size = ["-x", str(_COLUMNS), "-y", str(_ROWS), "-c", str(self._cwd)]
        self._tmux("-f", "/dev/null", "new-session", "-d", *size,
                   "env", "-i", *variables, *self._argv)  # fmt: skip
        return self

    def __exit__(self, *error: object) -> None:
        self._tmux("kill-server")

    def _tmux(self, *words: str) -> str:
        given = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", "LANG": "C.UTF-8"}
        done = subprocess.run(
            ["tmux", "-S", self._socket, *words],
            env=given, capture_output=True, text=True, timeout=20, check=False,
        )  # fmt: skip
        return done.stdout

    @property
    def lines(self) -> list[str]:
        """The screen and what scrolled off it."""
        return self._tmux("capture-pane", "-p", "-S", "-500").splitlines()

    @property
    def text(self) -> str:
        """The same, each run of white space as one space."""
        return " ".join(" ".join(self.lines).split())

    def type(self, words: str) -> None:
        """Type words and return: apart, since in one piece they would be taken for a paste."""
        self._settle()
        self._tmux("send-keys", "-l", words)
        self.until(words.split()[-1])
        self._settle()
        self.press("Enter")

    def _settle(self) -> None:
        """Wait until the screen stays as it is for a moment: a busy client loses keys."""
        before = ""
        while before != (shown := self.text):
            before = shown
            time.sleep(_SETTLED)

    def press(self, key: str) -> None:
        """Press a key."""
        self._tmux("send-keys", key)

    def until(self, text: str, *, seconds: float = 40) -> None:
        """Wait until the screen shows a text."""
        deadline = time.monotonic() + seconds
        while text not in (shown := self.text):
            assert time.monotonic() < deadline, f"no {text!r} on the screen: {shown}"
            time.sleep(0.05)
