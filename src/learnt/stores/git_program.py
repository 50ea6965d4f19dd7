"""The `git` program, asked in a folder. It runs no program that the repository names."""

import os
import subprocess
from collections.abc import Mapping
from typing import Final

_SECONDS: Final = 20
# A repository's own settings name programs: none of them is to run for a question.
_QUIET: Final = ("-c", "core.fsmonitor=false", "-c", f"core.hooksPath={os.devnull}")
_ALONE: Final = {
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_PAGER": "cat",
    "GIT_SSH_COMMAND": "false",
    "GIT_TERMINAL_PROMPT": "0",
}


def git(
    folder: str,
    *words: str,
    said: str | None = None,
    more: Mapping[str, str] | None = None,
    seconds: float = _SECONDS,
) -> str | None:
    """What git prints, without the space around it; None where it fails or there is no git.

    `said` is its standard input, `more` what its environment has besides.
    """
    command = ["git", "-C", folder, *_QUIET, *words]
    environment = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")} | _ALONE
    try:
        done = subprocess.run(
            command,
            input=(said or "").encode(),
            capture_output=True,
            timeout=seconds,
            env={**environment, **(more or {})},
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return None if done.returncode else done.stdout.decode("utf-8", "replace").strip()
