"""Drives the real Claude Code against a scripted model, in a folder of its own.

The client sees a throw-away home and configuration, a dummy key and no network but loopback,
so a run costs nothing and touches nothing of the person who starts it.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.model_server import ModelServer, Request, Turn
from tests.support.terminal import Terminal
from tests.support.tmux import Pane

LOCAL_CLIENT = Path(__file__).parents[2] / ".tools" / "node_modules" / ".bin" / "claude"

# The client remembers an approved key by its last twenty characters.
_API_KEY = "not-a-real-key-0123456789"
# A port nothing listens on: whatever is not loopback is sent there and fails at once.
_NOWHERE = "http://127.0.0.1:9"
_ALLOWED_TOOLS = ("Bash", "Edit", "Read", "Skill", "Task")
_RUN_SECONDS = 90
_REPLY_SECONDS = 40
_SETTLED = 0.2


def find_client() -> Path | None:
    """LEARNT_TEST_CLAUDE, else the copy in the repository's .tools, else the one on PATH."""
    named = os.environ.get("LEARNT_TEST_CLAUDE")
    if named:
        return Path(named).absolute()
    if LOCAL_CLIENT.exists():
        return LOCAL_CLIENT
    installed = shutil.which("claude")
    return Path(installed) if installed else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What one run of the client printed and what it asked the model."""

    exit_code: int
    output: str
    errors: str
    requests: tuple[Request, ...]

    @property
    def session_id(self) -> str:
        """The session's id, from the stream of a headless run."""
        return str(next(m["session_id"] for m in self.messages if "session_id" in m))

    @property
    def messages(self) -> Iterator[Mapping[str, Any]]:
        return (json.loads(line) for line in self.output.splitlines() if line.startswith("{"))

    def asking(self, prompt: str) -> Request:
        """The first request whose newest text holds the prompt: what the model saw of it."""
        found = (request for request in self.requests if prompt in request.newest_text)
        request = next(found, None)
        assert request is not None, f"the model never got {prompt!r}: {self.output}{self.errors}"
        return request


class ClaudeCode:
    """A throw-away installation: its own home, configuration and projects below one folder."""

    def __init__(self, binary: Path, folder: Path) -> None:
        self.binary = binary
        self.folder = folder
        self.config = folder / "config"
        self.settings = self.config / "settings.json"
        self.more: dict[str, str] = {}  # variables of its environment besides
        for path in (self.config, folder / "home", folder / "tmp"):
            path.mkdir(parents=True)
        # Answers, in advance, what the first start of a fresh installation would ask.
        self._write_state({
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [_API_KEY[-20:]], "rejected": []},
            "projects": {},
        })

    @property
    def environment(self) -> dict[str, str]:
        """Made from nothing, since an agent around the tests would leave its own marks in it."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "TMPDIR": str(self.folder / "tmp"),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "CLAUDE_CONFIG_DIR": str(self.config),
            "ANTHROPIC_API_KEY": _API_KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_ERROR_REPORTING": "1",
            "DISABLE_AUTOUPDATER": "1",
            "HTTP_PROXY": _NOWHERE,
            "HTTPS_PROXY": _NOWHERE,
            "NO_PROXY": "127.0.0.1,localhost",
            **self.more,
        }

    def add_server(self, name: str, *command: str | Path) -> None:
        """Add an MCP server for all projects, as the client's own command does."""
        words = [self.binary, "mcp", "add", "--scope", "user", name, "--", *command]
        subprocess.run(
            list(map(str, words)),
            env=self.environment, cwd=self.folder, check=True, capture_output=True, timeout=30,
        )  # fmt: skip

    def project(self, name: str) -> Path:
        """A fresh git repository in which the client needs no question about trust."""
        path = self.folder / "projects" / name
        path.mkdir(parents=True)
        subprocess.run(["git", "init", "--quiet"], cwd=path, env=self.environment, check=True)
        state = json.loads((self.config / ".claude.json").read_text())
        state["projects"][str(path)] = {"hasTrustDialogAccepted": True}
        self._write_state(state)
        return path

    def run(
        self,
        project: Path,
        prompt: str,
        script: Sequence[Turn],
        *,
        arguments: Sequence[str] = (),
    ) -> Run:
        """One headless run: `claude -p`."""
        argv = ["--print", prompt, "--output-format", "stream-json", "--verbose", *arguments]
        with ModelServer(script) as server:
            done = subprocess.run(
                self._command(argv),
                cwd=project,
                env=self._environment_for(server),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=_RUN_SECONDS,
                check=False,
            )
            requests = tuple(server.conversation)
        return Run(
            exit_code=done.returncode, output=done.stdout, errors=done.stderr, requests=requests
        )

    def run_interactive(
        self,
        project: Path,
        exchanges: Sequence[tuple[str, str]],
        script: Sequence[Turn],
        *,
        arguments: Sequence[str] = (),
    ) -> Run:
        """One session at a terminal; an exchange is what to type and the text to wait for.

        The screen-reader mode prints plain lines instead of redrawing parts of a screen.
        """
        command = self._command(["--ax-screen-reader", *arguments])
        with (
            ModelServer(script) as server,
            Terminal(command, env=self._environment_for(server), cwd=project) as terminal,
        ):
            terminal.wait_until(lambda: _is_idle(terminal), "the prompt")
            for typed, awaited in exchanges:
                _exchange(terminal, typed, awaited)
            _type(terminal, "/exit")
            exit_code = terminal.wait_for_exit(seconds=_REPLY_SECONDS)
            requests = tuple(server.conversation)
        return Run(exit_code=exit_code, output=terminal.output, errors="", requests=requests)

    @contextmanager
    def seen(
        self, project: Path, script: Sequence[Turn], *, arguments: Sequence[str] = ()
    ) -> Iterator[tuple[Pane, ModelServer]]:
        """One session in a pane of tmux, beside its scripted model."""
        with (
            ModelServer(script) as server,
            Pane(self._command(arguments), env=self._environment_for(server), cwd=project) as pane,
        ):
            yield pane, server

    def _command(self, arguments: Sequence[str]) -> list[str]:
        # The list of tools takes all words up to the next option, so it stands last.
        fixed = ["--model", "sonnet", "--permission-mode", "default"]
        return [str(self.binary), *arguments, *fixed, "--allowedTools", *_ALLOWED_TOOLS]

    def _environment_for(self, server: ModelServer) -> dict[str, str]:
        return self.environment | {"ANTHROPIC_BASE_URL": server.url}

    def _write_state(self, state: Mapping[str, Any]) -> None:
        (self.config / ".claude.json").write_text(json.dumps(state))


def _exchange(terminal: Terminal, typed: str, awaited: str) -> None:
    start = _type(terminal, typed)
    terminal.wait_until(
        lambda: awaited in terminal.output[start:], f"{awaited!r}", seconds=_REPLY_SECONDS
    )
    terminal.wait_until(lambda: _is_idle(terminal, start), "the next prompt")


def _type(terminal: Terminal, words: str) -> int:
    """Type a line; returns where the output that follows it begins.

    Words and return go separately: in one piece they would be taken for a paste.
    """
    start = len(terminal.output)
    terminal.send(words)
    echo = words.split()[-1]
    terminal.wait_until(lambda: echo in terminal.output[start:], f"the echo of {words!r}")
    start = len(terminal.output)
    terminal.send("\r")
    return start


def _is_idle(terminal: Terminal, start: int = 0) -> bool:
    """Whether the client waits for a prompt, by its newest status line.

    A prompt sent while a Stop hook still runs would be queued, which is another case.
    """
    _, status, after = terminal.output[start:].rpartition("mode on")
    return bool(status) and "esc to interrupt" not in after and terminal.silence > _SETTLED
