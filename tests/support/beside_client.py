"""The command line of the project beside a throw-away client of the real agent."""

import json
import os
import re
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tests.support import forked
from tests.support.claude_code import ClaudeCode
from tests.support.terminal import dialogue

LEARNT = forked.LEARNT
ENTRY_ID = re.compile(r"e-[0-9a-z]{14}")

PROBLEM = "The gradle build fails with unsupported class file major version 65"
APPROACH = "Export JAVA_HOME so that the wrapper runs on the vendored zulu toolchain"
CAUTION = "The daemon keeps the old toolchain until it is stopped"


class Learnt:
    """The command line of the project, with a home of its own, beside a throw-away client."""

    def __init__(self, client: ClaudeCode) -> None:
        self.client = client
        self.home = client.folder / "learnt"

    def __call__(self, *arguments: str) -> str:
        done = forked.ran(
            self._words(arguments), env=self.client.environment, cwd=self.client.folder
        )
        output, errors = done.stdout.decode(), done.stderr.decode()
        # `doctor` ends with 1 where it has found a problem: that is its answer.
        may = {0, 1} if "doctor" in arguments else {0}
        assert done.returncode in may, f"{arguments}: {done.returncode}\n{output}{errors}"
        return output

    def json(self, *arguments: str) -> dict[str, Any]:
        value = json.loads(self(*arguments, "--json"))
        assert isinstance(value, dict)
        return value

    def init(self) -> None:
        self("init", "--agent", "claude", "--scope", "user")

    def remember(self, project: Path, *options: str) -> str:
        """Keep the solution as a person at a terminal does; the id of its entry."""
        what = ("--problem", PROBLEM, "--approach", APPROACH, "--caution", CAUTION)
        told = (*what, "--project", str(project), *options)
        output = self.typed("remember", *told)
        found = ENTRY_ID.search(output)
        assert found, output
        return found[0]

    def typed(self, *arguments: str, answers: Sequence[str] = ()) -> str:
        """What a person at a terminal, who answers questions, gets of a command that ends well."""
        with forked.ForkedTerminal(
            self._words(arguments), env=self.client.environment, cwd=self.client.folder
        ) as terminal:
            exit_code, output = dialogue(terminal, answers)
        assert exit_code == 0, f"{arguments}: {exit_code}\n{output}"
        return output

    def stop(self) -> None:
        """Stop the worker; whatever still runs in the folder after that is killed."""
        forked.ran(
            self._words(("worker", "stop")), env=self.client.environment, cwd=self.client.folder
        )
        for process in _processes_naming(self.client.folder):
            os.kill(process, signal.SIGKILL)

    def _words(self, arguments: Sequence[str]) -> list[str]:
        return ["--home", str(self.home), *arguments]


def _processes_naming(folder: Path) -> Iterator[int]:
    """Processes with the folder in their command line or environment (where /proc tells)."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            told = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue  # ended meanwhile, or another user's
        if os.fsencode(folder) in told and int(process.name) != os.getpid():
            yield int(process.name)
