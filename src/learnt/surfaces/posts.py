"""The worker's other ear: reports that the agent posts itself, on connections that it keeps."""

import selectors
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import learnt
from learnt.errors import EnvironmentTrouble
from learnt.formats.http_posts import DOCTOR, BadPost, Doorkeeper, Post, Posting
from learnt.formats.wire import Frame
from learnt.stores.doorway import Doorway, doorway, listen_at

PART, PARTS_A_TURN = 1 << 18, 4
POST_LIVES: Final = 2.0  # seconds for all of a request to arrive
ANSWER_TAKES: Final = 0.1  # seconds for an answer to be taken
MOST_POSTERS: Final = 64  # each session of an agent keeps a connection
Report = Callable[[Frame, float, Callable[[bytes], None], tuple[int, int]], None]


@dataclass(slots=True)
class Poster:
    """An agent that posts; `since` is when its request began, or its last one ended."""

    socket: socket.socket
    port: int
    since: float
    posting: Posting = field(default_factory=Posting)
    known: bool = False  # it showed the token once
    gone: bool = False

    def answer(self, answer: bytes) -> None:
        """Answer its post. Raises OSError where it gave up waiting."""
        self.gone = True
        # What is sent to somebody who has left would seem to arrive.
        with suppress(BlockingIOError):
            if not self.socket.recv(1, socket.MSG_PEEK):
                raise ConnectionResetError
        self.send(self.posting.answer(answer))
        self.gone = False

    def send(self, said: bytes) -> None:
        """Send something. Raises OSError where it is not taken at once."""
        self.socket.settimeout(ANSWER_TAKES)
        try:
            self.socket.sendall(said)
        finally:
            self.socket.setblocking(False)


class Posts:
    """The port of the home's doorway. `report` is given each report, and how to answer it."""

    def __init__(self, home: Path, selector: selectors.BaseSelector, report: Report) -> None:
        self._home, self._selector, self._report = home, selector, report
        self._door: Doorway | None = None
        self._listening: socket.socket | None = None
        self._posters: dict[int, Poster] = {}

    @property
    def busy(self) -> bool:
        """Whether a request is under way: a connection that is kept open is none."""
        return any(poster.posting.begun for poster in self._posters.values())

    def follow(self) -> None:
        """Listen where the home's doorway says now, or nowhere. Raises EnvironmentTrouble."""
        before, self._door = self._door, doorway(self._home)
        if self._listening and self._door and before and before.port == self._door.port:
            return
        self.close()
        if self._door is None:
            return
        try:
            self._listening = listen_at(self._door.port)
        except OSError as error:
            raise EnvironmentTrouble(
                f"Port {self._door.port} cannot be listened on. What is posted there is read from "
                "transcripts later; `learnt init --transport http` takes another port."
            ) from error
        self._selector.register(self._listening, selectors.EVENT_READ, self._accept)

    def close(self) -> None:
        """Listen no more."""
        for descriptor in list(self._posters):
            self._drop(descriptor)
        if self._listening is not None:
            self._selector.unregister(self._listening)
            self._listening.close()
            self._listening = None

    def expire(self) -> None:
        """Drop who began a request and does not end it, and who never made one."""
        for descriptor, poster in list(self._posters.items()):
            waits = poster.posting.begun or not poster.known
            if waits and time.monotonic() - poster.since > POST_LIVES:
                self._drop(descriptor)

    def _accept(self) -> None:
        assert self._listening is not None
        try:
            accepted, (_, port) = self._listening.accept()
        except OSError:
            return
        if len(self._posters) >= MOST_POSTERS:
            self._drop(min(self._posters, key=lambda d: self._posters[d].since))
        accepted.setblocking(False)
        descriptor = accepted.fileno()
        self._posters[descriptor] = Poster(accepted, port, time.monotonic())
        self._selector.register(accepted, selectors.EVENT_READ, lambda: self._read(descriptor))
        self._read(descriptor)

    def _read(self, descriptor: int) -> None:
        poster, door = self._posters.get(descriptor), self._door
        if poster is None:
            return  # it gave way a moment ago
        if not poster.posting.begun:
            poster.since = time.monotonic()
        stays = door is not None
        try:
            # One that never stops sending gets its turn, and no more than that.
            for _ in range(PARTS_A_TURN):
                if door is None or not stays:
                    break
                part = poster.socket.recv(PART)
                poster.posting.take(part)
                gate = Doorkeeper(port=door.port, token=door.token, home=str(self._home))
                while post := poster.posting.post(gate):
                    self._take(poster, post, door)
                stays = bool(part)
        except BlockingIOError:
            pass
        except BadPost as bad:
            stays = False
            with suppress(OSError):
                poster.send(poster.posting.answer(refused=bad.status))
        except OSError:
            stays = False
        if not stays:
            self._drop(descriptor)

    def _take(self, poster: Poster, post: Post, door: Doorway) -> None:
        answered, poster.known = False, True

        def deliver(answer: bytes) -> None:
            nonlocal answered
            answered = True
            poster.answer(answer)

        if post.event == DOCTOR:
            deliver(f"{self._home}\n{learnt.__file__}".encode())
            return
        frame = Frame(event=post.event, hook="http", size=post.size, body=post.body)
        self._report(frame, poster.since, deliver, (poster.port, door.port))
        if not answered:  # whatever went wrong, the agent goes on
            poster.answer(b"")
        if poster.gone:
            raise ConnectionResetError
        poster.since = time.monotonic()

    def _drop(self, descriptor: int) -> None:
        poster = self._posters.pop(descriptor)
        self._selector.unregister(poster.socket)
        poster.socket.close()
