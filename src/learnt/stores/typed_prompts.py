"""What people type in sessions that go on, a file for each session: the proof of quotes."""

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from learnt.core.records import JsonObject, text_of
from learnt.core.safety import Clean
from learnt.file_ports import TypedPrompt
from learnt.formats.observations import lenient
from learnt.stores.plain_files import bytes_of

FOLDER: Final = "prompts"
_PROMPTS, _NOTICES = ".jsonl", ".notices"
LARGEST: Final = 4 << 20  # bytes of a session's file; one that is full begins again


class FilePrompts:
    """Lines of JSON, mode 0600; what was cut off by a crash counts for nothing."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER

    def keep(self, session: str, text: Clean, *, person: bool) -> None:
        self._add(session, {"prompt": text, "person": person})

    def called(self, session: str, call: str) -> None:
        self._add(session, {"call": call})

    def of(self, session: str) -> list[TypedPrompt]:
        return [
            TypedPrompt(text_of(line["prompt"]), line.get("person") is True)
            for line in self._lines(self._path(session))
            if "prompt" in line
        ]

    def session_of(self, call: str) -> str:
        for path in self._folder.glob(f"*{_PROMPTS}") if call else ():
            for line in self._lines(path):
                if line.get("call") == call:
                    return text_of(line.get("session"))
        return ""

    def notice(self, session: str, line: str) -> None:
        self._add(session, {"notice": line}, _NOTICES)

    def notices(self, session: str) -> list[str]:
        lines: list[str] = []
        for name in {session, ""}:
            path = self._path(name, _NOTICES)
            if path.exists():
                lines += [text_of(line.get("notice")) for line in self._lines(path)]
                path.unlink(missing_ok=True)
        return list(filter(None, lines))

    def forget(self, session: str) -> None:
        for kind in (_PROMPTS, _NOTICES):
            self._path(session, kind).unlink(missing_ok=True)

    def forget_before(self, ms: int) -> None:
        for path in self._folder.glob("*.*"):
            with suppress(FileNotFoundError):
                if path.lstat().st_mtime * 1_000 < ms:
                    path.unlink()

    def _path(self, session: str, kind: str = _PROMPTS) -> Path:
        # A session's name is anybody's word: it never becomes a part of a path.
        digest = hashlib.sha256(session.encode("utf-8", "surrogatepass")).hexdigest()
        return self._folder / f"{digest[:32]}{kind}"

    def _add(self, session: str, line: JsonObject, kind: str = _PROMPTS) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path(session, kind)
        text = json.dumps({"session": session, **line}) + "\n"
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
        with os.fdopen(os.open(path, flags, 0o600), "ab", buffering=0) as file:
            if file.tell() > LARGEST:
                file.truncate(0)
            file.write(text.encode())

    def _lines(self, path: Path) -> Iterator[JsonObject]:
        data = bytes_of(path, 2 * LARGEST, os.O_NOFOLLOW) or b""
        for line in data.decode("utf-8", "replace").splitlines():
            value = lenient(line)
            if isinstance(value, dict):
                yield value
