"""Sessions of the real client as its hooks were told of them, and told again as other sessions."""

import hashlib
import json
import re
import subprocess
import uuid
from pathlib import Path
from typing import Final, NamedTuple

from tests.support.claude_code import ClaudeCode

_SCRIPT: Final = 'to={folder}/$(date +%s%N).$1; env -0 > "$to.env"; cat > "$to.body"\n'
_IDS: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|toolu_[0-9a-f]{24}")


class HookCall(NamedTuple):
    """One call of a hook: its command, environment and standard input."""

    command: str
    environment: dict[str, str]
    body: str


class RecordedSession(NamedTuple):
    """All calls of hooks in one session, in order, and its transcript as it was at the end."""

    calls: tuple[HookCall, ...]
    transcript: Path

    def again(self, number: int) -> None:
        """The same once more: every id of it is another one, and so is the transcript's name."""

        def other(found: re.Match[str]) -> str:
            old, seed = found[0], f"{number} {found[0]}"
            if old.startswith("toolu_"):
                return f"toolu_{hashlib.sha256(seed.encode()).hexdigest()[:24]}"
            return str(uuid.uuid5(uuid.NAMESPACE_OID, seed))

        said = _IDS.sub(other, self.transcript.read_text("utf-8"))
        Path(_IDS.sub(other, str(self.transcript))).write_text(said, "utf-8")
        for call in self.calls:
            subprocess.run(
                ["/bin/sh", "-c", call.command], input=_IDS.sub(other, call.body),
                env=call.environment, text=True, check=True, capture_output=True, timeout=30,
            )  # fmt: skip


class HookRecorder:
    """Stands beside each hook in a client's settings, and keeps what that one is given."""

    def __init__(self, client: ClaudeCode) -> None:
        self._folder = client.folder / "recorded"
        self._folder.mkdir()
        script = self._folder / "record.sh"
        script.write_text(_SCRIPT.format(folder=self._folder), "utf-8")
        settings = json.loads(client.settings.read_text("utf-8"))
        self._commands: list[str] = []
        for entry in (entry for entries in settings["hooks"].values() for entry in entries):
            (hook,) = entry["hooks"]
            beside = f"/bin/sh {script} {len(self._commands)}"
            self._commands.append(hook["command"])
            entry["hooks"].append({"type": "command", "command": beside})
        client.settings.write_text(json.dumps(settings), "utf-8")

    def session(self, name: str) -> RecordedSession:
        """What was recorded of one session."""
        calls, transcript = [], Path()
        for file in sorted(self._folder.glob("*.body")):
            body = file.read_text("utf-8")
            told = json.loads(body)
            if told["session_id"] == name:
                pairs = file.with_suffix(".env").read_text("utf-8").split("\0")
                environment = dict(pair.split("=", 1) for pair in pairs if "=" in pair)
                command = self._commands[int(file.suffixes[-2][1:])]
                calls.append(HookCall(command, environment, body))
                transcript = Path(told["transcript_path"])
        assert calls, f"nothing was recorded of {name}"
        return RecordedSession(tuple(calls), transcript)
