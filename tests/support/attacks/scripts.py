"""A case's script, run by bash below the test, without a terminal and with an end."""

import json
import os
import signal
import subprocess
from collections.abc import Mapping
from contextlib import suppress

from tests.support.homes import LEARNT, PROMPT, Home

LONGEST = 20  # seconds


def variables(home: Home, **more: str) -> dict[str, str]:
    """What a script is told: the program, the home, a hook's command and its payload."""
    scratch = home.folder / "scratch"
    scratch.mkdir(exist_ok=True)
    return {
        **home.environment,
        "LEARNT": str(LEARNT),
        "PROJECT": str(home.project),
        "CONFIG": str(home.config),
        "USER_HOME": str(home.folder / "user"),
        "HOOK": home.command("UserPromptSubmit"),
        "PAYLOAD": json.dumps(home.payload("UserPromptSubmit", "scripted", prompt=PROMPT)),
        "TMP": str(scratch),
        "TMPDIR": str(scratch),
        **more,
    }


def played(home: Home, script: str, given: Mapping[str, str]) -> str:
    """Run a script to its end; what it printed."""
    with subprocess.Popen(
        ["bash", "-c", script],
        env=dict(given),
        cwd=home.project,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
    return output.decode("utf-8", "replace")
