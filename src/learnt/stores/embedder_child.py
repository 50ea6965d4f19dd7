"""An embedder in a process of its own, which is ended where it takes too long."""

import json
import subprocess
import time
from array import array
from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress
from threading import Timer
from typing import Any, Final

from learnt.core.recall.vectors import SPREAD, Vector
from learnt.core.records import Record
from learnt.errors import EmbedderUnusable

PAUSE: Final = 60.0  # seconds for which one that failed is not asked again


class Patience(Record):
    """Seconds for the start and for one question, and for many texts."""

    question: float = 15.0
    texts: float = 180.0


PATIENCE: Final = Patience()


class ChildEmbedder:
    """What `command` starts: see `surfaces/embedding.py`. It is started when it is asked first."""

    def __init__(self, command: Sequence[str], patience: Patience = PATIENCE) -> None:
        self._command, self._patience = command, patience
        self._process: subprocess.Popen[bytes] | None = None
        self._name = self._trouble = ""
        self.spread = SPREAD
        self._failed = 0.0

    def close(self) -> None:
        """End the process."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):  # what it did not read
                    assert pipe is not None
                    pipe.close()

    @property
    def name(self) -> str:
        if not self._name or self._process is None:
            self._started()
        return self._name

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        self._started()
        patience = self._patience.question if question else self._patience.texts
        given = {"texts": list(texts), "question": question}
        packed = self._answer(json.dumps(given).encode() + b"\n", patience).get("vectors", ())
        try:
            return [array("f", b64decode(each)) for each in packed]
        except (ValueError, TypeError) as error:
            raise self._failure("what it gives are no numbers") from error

    def _started(self) -> None:
        if self._process is not None:
            return
        if self._trouble and time.monotonic() - self._failed < PAUSE:
            raise EmbedderUnusable(self._trouble)
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise self._failure(f"it cannot be started: {error}") from error
        card = self._answer(b"", self._patience.question)
        self._name, self.spread = str(card.get("name", "")), float(card.get("spread", SPREAD))

    def _answer(self, request: bytes, seconds: float) -> dict[str, Any]:
        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        until = time.monotonic() + seconds
        timer = Timer(seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(request)
            process.stdin.flush()
            said = json.loads(process.stdout.readline())
        except (OSError, ValueError) as error:
            late = time.monotonic() >= until
            why = f"no answer within {seconds:g} seconds" if late else "its process ended"
            raise self._failure(why) from error
        finally:
            timer.cancel()
        if "error" in said:
            raise self._failure(str(said["error"]))
        answer: dict[str, Any] = said
        return answer

    def _failure(self, why: str) -> EmbedderUnusable:
        self.close()
        self._trouble = f"The embedder of [search] gives no vectors: {why}"
        self._failed = time.monotonic()
        return EmbedderUnusable(self._trouble)
