"""Drives the real Codex, Gemini CLI and opencode against a scripted model, headless.

They share the throw-away user's folder with Claude Code's stand-in, so that one home of Learnt
serves them all. No network but loopback is there, and no key that is one.
"""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from tests.support.claude_code import LOCAL_CLIENT, ClaudeCode
from tests.support.model_server import Turn
from tests.support.other_models import OtherModel
from tests.support.tmux import Pane

_NOWHERE = "http://127.0.0.1:9"


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What one run printed, and what it asked the model, oldest first."""

    exit_code: int
    output: str
    errors: str
    requests: tuple[Mapping[str, Any], ...]

    def seen(self, request: int) -> str:
        """All that the model saw in one request."""
        assert self.requests, self.output + self.errors
        return json.dumps(self.requests[request], ensure_ascii=False)


class OtherClient:
    """A headless client of one of the other agents, beside an installation of Claude Code."""

    program: ClassVar[str]
    at_screen: ClassVar[Sequence[str]] = ()  # its options in a terminal
    seconds: ClassVar[int] = 60

    def __init__(self, binary: Path, beside: ClaudeCode) -> None:
        self.binary, self.folder = binary, beside.folder
        self.user = Path(beside.environment["HOME"])
        hidden = ("ANTHROPIC_", "CLAUDE_", "DISABLE_")
        kept = {k: v for k, v in beside.environment.items() if not k.startswith(hidden)}
        self.environment = {**kept, "CI": "1"}
        self.set_up()

    @classmethod
    def find(cls) -> Path | None:
        """LEARNT_TEST_ and the program's name, else the copy in .tools, else the one on PATH."""
        if named := os.environ.get(f"LEARNT_TEST_{cls.program.upper()}"):
            return Path(named).absolute()
        local = LOCAL_CLIENT.with_name(cls.program)
        installed = str(local) if local.exists() else shutil.which(cls.program)
        return Path(installed) if installed else None

    def set_up(self) -> None:
        """Answer in advance what a first start would ask."""

    def words(self, prompt: str) -> list[str]:
        """The command line of one headless run."""
        raise NotImplementedError

    def variables(self, url: str) -> dict[str, str]:
        """Where its model is."""
        raise NotImplementedError

    def run(self, project: Path, prompt: str, script: Sequence[Turn]) -> Played:
        """One headless run."""
        with OtherModel(script) as model:
            done = subprocess.run(
                [str(self.binary), *self.words(prompt)],
                cwd=project,
                env={**self.environment, **self.variables(model.url)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=self.seconds,
                check=False,
            )
            requests = tuple(model.requests)
        return Played(
            exit_code=done.returncode, output=done.stdout, errors=done.stderr, requests=requests
        )

    @contextmanager
    def seen(self, project: Path, script: Sequence[Turn]) -> Iterator[tuple[Pane, OtherModel]]:
        """One session in a pane of tmux, beside its scripted model."""
        with OtherModel(script) as model:
            given = {**self.environment, **self.variables(model.url), "TERM": "xterm-256color"}
            given.pop("CI", None)  # where it shows no screen
            self.trust(project)
            with Pane([str(self.binary), *self.at_screen], env=given, cwd=project) as pane:
                yield pane, model

    def trust(self, project: Path) -> None:
        """Answer in advance whether the folder is to be trusted."""


class Codex(OtherClient):
    """Codex. Its hooks are trusted for the run: a person does so once, by /hooks."""

    program = "codex"
    at_screen = ("--dangerously-bypass-hook-trust",)

    def set_up(self) -> None:
        (self.user / ".codex").mkdir(parents=True, exist_ok=True)
        (self.user / ".codex" / "config.toml").write_text(
            'model = "gpt-5.5"\nmodel_provider = "scripted"\ncheck_for_update_on_startup = false\n'
            '[analytics]\nenabled = false\n[model_providers.scripted]\nname = "scripted"\n'
            'base_url = ""\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\n'
            '[notice.model_migrations]\n"gpt-5.5" = "gpt-6-sol"\n',
            "utf-8",
        )

    def words(self, prompt: str) -> list[str]:
        trusted = "--dangerously-bypass-hook-trust"
        return ["exec", "--json", trusted, "-s", "workspace-write", prompt]

    def variables(self, url: str) -> dict[str, str]:
        config = self.user / ".codex" / "config.toml"
        at = f'base_url = "{url}/v1"'  # all else stays, as `init` left it
        config.write_text(re.sub('base_url = "[^"]*"', at, config.read_text("utf-8")), "utf-8")
        return {"SCRIPTED_KEY": "none", "HTTPS_PROXY": _NOWHERE, "HTTP_PROXY": _NOWHERE}

    def trust(self, project: Path) -> None:
        config, told = self.user / ".codex" / "config.toml", f'[projects."{project}"]'
        if told not in (text := config.read_text("utf-8")):
            config.write_text(f'{text}\n{told}\ntrust_level = "trusted"\n', "utf-8")


class GeminiCli(OtherClient):
    """Gemini CLI."""

    program = "gemini"
    at_screen: ClassVar[Sequence[str]] = ("-y",)

    def set_up(self) -> None:
        folder = self.user / ".gemini"
        folder.mkdir(parents=True, exist_ok=True)
        settings = {
            "security": {
                "auth": {"selectedType": "gemini-api-key"},
                "folderTrust": {"enabled": False},
            },
            "privacy": {"usageStatisticsEnabled": False},
            "telemetry": {"enabled": False},
            "general": {"disableAutoUpdate": True, "disableUpdateNag": True},
            "model": {"name": "gemini-2.5-flash"},
        }
        (folder / "settings.json").write_text(json.dumps(settings, indent=2), "utf-8")

    def words(self, prompt: str) -> list[str]:
        return ["-p", prompt, "-y", "-o", "json"]

    def variables(self, url: str) -> dict[str, str]:
        # It goes to its model by the proxy, if there is one.
        for name in ("HTTP_PROXY", "HTTPS_PROXY"):
            self.environment.pop(name, None)
        trusted = {"GEMINI_CLI_TRUST_WORKSPACE": "true"}
        return {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url, **trusted}


class OpenCode(OtherClient):
    """opencode: most of a run it waits for hosts that it cannot reach."""

    program = "opencode"
    seconds = 240

    def words(self, prompt: str) -> list[str]:
        return ["run", "--format", "json", prompt]

    def variables(self, url: str) -> dict[str, str]:
        folder = self.user / ".config" / "opencode"
        folder.mkdir(parents=True, exist_ok=True)
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
            "models": {"scripted": {"name": "scripted"}},
        }
        model = {"model": "scripted/scripted", "small_model": "scripted/scripted"}
        config = {"autoupdate": False, "share": "disabled", "provider": {"scripted": provider}}
        file = folder / "opencode.json"
        there = json.loads(file.read_text("utf-8")) if file.exists() else {}
        file.write_text(json.dumps({**there, **config, **model}), "utf-8")
        off = ("AUTOUPDATE", "LSP_DOWNLOAD", "MODELS_FETCH")
        return {f"OPENCODE_DISABLE_{name}": "1" for name in off}
