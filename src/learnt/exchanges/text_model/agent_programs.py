"""An agent's own program as a text model: the user's login, one question, nothing else of it.

It runs in an empty folder, without tools, hooks, memory or a kept session, in a process group that
ends with the call; and with a mark that makes every hook of Learnt's below it silent.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import Final, NamedTuple

from learnt.core.governance.actors import AGENT_MARKERS, SESSION_MARKERS
from learnt.core.governance.model_calls import Completion, Question
from learnt.core.safety import redact
from learnt.core.visible_text import visible
from learnt.errors import ModelUnusable
from learnt.formats.agents.headless import READERS, NoReply, plain
from learnt.settings import INSIDE_VARIABLE, WITHIN_MODEL

LARGEST: Final = 2_000_000  # bytes that a program may print
# Tokens that each sends of its own accord, and what it may answer beyond what was asked for.
BESIDES: Final = {"claude": 2_000, "codex": 16_000, "gemini": 8_000}
_PAUSE: Final = 0.02
_TOLD: Final = 300  # characters of what a program printed, in a message
# Between fork and exec nothing may run where there are threads. So on Linux a bare interpreter asks
# the kernel to end it with Learnt (PR_SET_PDEATHSIG, which outlives exec), and becomes the program.
_BOUND: Final = (
    "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9)\n"
    "if os.getppid() == int(sys.argv[1]): os.execv(sys.argv[2], sys.argv[2:])"
)
# What tells a program that it runs within an agent.
_LEFT_OUT: Final = frozenset({
    *AGENT_MARKERS, *SESSION_MARKERS, "CLAUDE_PID", "CLAUDE_PROJECT_DIR",
    "CLAUDE_CODE_CHILD_SESSION", "CLAUDE_CODE_MESSAGING_TOKEN", "CLAUDE_CODE_SESSION_ATTENDED",
})  # fmt: skip


class Start(NamedTuple):
    """How a program is called: its words, and what its environment needs besides."""

    words: Sequence[str]
    environment: Mapping[str, str]


class AgentModel:
    """`claude`, `codex` or `gemini`, and a model of theirs behind a colon if one is wanted."""

    def __init__(self, use: str, seconds: float) -> None:
        self.name, self._seconds = use, seconds
        self._agent, _, self._model = use.partition(":")

    def complete(self, question: Question) -> Completion:
        """Its reply. Raises ModelUnusable."""
        program = shutil.which(self._agent)
        if program is None:
            message = f"There is no program {self._agent} on the PATH. Nothing was sent."
            raise ModelUnusable(message, "missing", free=True)
        with TemporaryDirectory(prefix="learnt-model-") as folder:
            start = _STARTS[self._agent](Path(folder), question, self._model)
            own = {name: text for name, text in os.environ.items() if name not in _LEFT_OUT}
            environment = {**own, **start.environment, INSIDE_VARIABLE: WITHIN_MODEL}
            code, printed, errors = self._ran(
                [program, *start.words], question, folder, environment
            )
        try:
            return READERS[self._agent](printed)
        except NoReply as error:
            said = " ".join(redact(visible(str(error) if printed else errors)).split())[:_TOLD]
            message = f"{self._agent} gave no reply (exit {code}): {said}"
            raise ModelUnusable(message, "no reply") from error

    def _ran(
        self, words: Sequence[str], question: Question, folder: str, environment: Mapping[str, str]
    ) -> tuple[int, str, str]:
        """Its exit code and what it printed, colours left out."""
        if sys.platform == "linux" and sys.executable:
            words = [sys.executable, "-I", "-S", "-c", _BOUND, str(os.getpid()), *words]
        with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as errors:
            given.write(question.text.encode("utf-8", "replace"))
            given.seek(0)
            try:
                process = subprocess.Popen(
                    words, cwd=folder, env=environment, stdin=given, stdout=out, stderr=errors,
                    start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                message = f"{words[0]} cannot be started: {error.strerror}."
                raise ModelUnusable(message, "cannot start", free=True) from error
            try:
                self._wait(process.pid, lambda: _size(out.fileno()) + _size(errors.fileno()))
            finally:
                # It is not reaped yet: no other group has its number.
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                code = process.wait()
            out.seek(0)
            errors.seek(0)
            texts = (plain(file.read(LARGEST).decode("utf-8", "replace")) for file in (out, errors))
            return code, *texts  # type: ignore[return-value]  # two files, two texts

    def _wait(self, process: int, printed: Callable[[], int]) -> None:
        until = time.monotonic() + self._seconds
        while os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            if time.monotonic() > until:
                message = f"{self._agent} gave no reply within {self._seconds:g} seconds."
                raise ModelUnusable(message, "time-out")
            if printed() > LARGEST:
                raise ModelUnusable(f"{self._agent} printed more than {LARGEST} bytes.", "flood")
            time.sleep(_PAUSE)


def _size(descriptor: int) -> int:
    return os.fstat(descriptor).st_size


def _claude(folder: Path, question: Question, model: str) -> Start:
    words = (
        "-p --output-format json --tools= --setting-sources= --strict-mcp-config"
        " --no-session-persistence --model"
    ).split()
    limit = {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(question.most_tokens), "NO_COLOR": "1"}
    return Start([*words, model or "haiku", "--system-prompt", _system(question)], limit)


def _codex(folder: Path, question: Question, model: str) -> Start:
    system = folder / "system.md"
    system.write_text(_system(question), encoding="utf-8")
    words = (
        "exec --json --color never --ephemeral --ignore-user-config --ignore-rules -s read-only"
        " --skip-git-repo-check"
    ).split()
    for feature in "hooks shell_tool unified_exec multi_agent goals apps plugins".split():
        words += ["--disable", feature]
    words += [
        "-c",
        'web_search="disabled"',
        "-c",
        f"model_instructions_file={json.dumps(str(system))}",
    ]
    return Start([*words, *(["-m", model] if model else []), "-"], {"NO_COLOR": "1"})


def _gemini(folder: Path, question: Question, model: str) -> Start:
    # A home of its own is all that keeps its hooks, memory and sessions out: there is no option.
    system, own = folder / "system.md", folder / ".gemini"
    system.write_text(_system(question), encoding="utf-8")
    own.mkdir()
    settings = {
        "security": {"auth": {"selectedType": "gemini-api-key"}},
        "hooksConfig": {"enabled": False},
        "tools": {"core": []},
        "skills": {"enabled": False},
        "general": {"enableAutoUpdate": False},
        "privacy": {"usageStatisticsEnabled": False},
        "telemetry": {"enabled": False},
    }
    (own / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    words = ["-p", "", "-o", "json", "-e", "none", "--skip-trust", "-m", model or "flash"]
    names = {"GEMINI_CLI_HOME": str(folder), "GEMINI_SYSTEM_MD": str(system), "NO_COLOR": "1"}
    return Start(words, names)


_STARTS: Final = {"claude": _claude, "codex": _codex, "gemini": _gemini}


def _system(question: Question) -> str:
    return question.instructions or "Answer briefly."
