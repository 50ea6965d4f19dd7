"""The worker: one resident process a home that answers hooks and keeps the ledger.

It holds a lock for as long as it lives, listens on a socket in the home, and leaves when no session
lives and nobody needed it for half an hour, when its own code was replaced, or when its home is
gone. It follows config.toml as it changes (`open_home.py`). Whatever takes long runs in a child
process: `jobs.py`.
"""

import argparse
import gc
import json
import os
import selectors
import socket
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from msgspec.structs import replace

import learnt
from learnt.core.events import Kind
from learnt.core.marked import asks_to_remember
from learnt.core.recall.marks import of_error
from learnt.core.safety import redact
from learnt.core.sessions.observations import LONGEST_PATH
from learnt.errors import LearntError, LedgerDamaged, LedgerNewer, UsageError, raised_at
from learnt.flows.governance.outdated import outdated
from learnt.flows.sessions.answer import (
    delivered,
    drain,
    keep_late,
    left_open,
    respond,
    undeliverable,
)
from learnt.formats.agents.dialects import STARTS, Answer
from learnt.formats.observations import parse
from learnt.formats.wire import BadFrame, Frame, encode_answer
from learnt.settings import INSIDE_VARIABLE, SearchSettings, load, without_config
from learnt.stores.home_folder import maintenance_is_due, prepare
from learnt.stores.hook_files import install
from learnt.stores.plain_files import bytes_of
from learnt.stores.processes import hook_sight, is_alive, runner_of
from learnt.surfaces.open_home import OpenHome, code_on_disk, identity
from learnt.surfaces.worker_client import (
    MOST_CONNECTIONS,
    PING,
    STOP,
    HookConnection,
    listen,
    locked,
    peer,
)

ANSWER_WITHIN: Final = 0.100
# A session's start waits longer, and so does the prompt that started this worker.
START_WITHIN, NEW = 0.9, 2.0  # seconds
CONNECTION_LIVES: Final = 2.0
PART, PARTS_A_TURN = 1 << 18, 4
TICK: Final = 0.5
SESSION_LIVES: Final = 12 * 3_600.0  # seconds after its last report, where no process is seen
DRAINED_AT_ONCE: Final = 4  # reports: a hook may come meanwhile
PATIENCE_MS: Final = 60
LOOK_EVERY, HARVEST_EVERY = 1.0, 5.0  # seconds
EMBED_EVERY, MORE = 5.0, 75  # seconds; the exit code of a job that left something to do
CHANGES: Final = (Kind.GATED, Kind.REMEMBERED, Kind.STAGED, Kind.PURGED)  # of what has vectors
# What may leave a skill behind its notes.
OF_NOTES: Final = (*CHANGES, Kind.FEEDBACK, Kind.RELATED, Kind.APPLIED)
MAINTENANCE_LOOKED_FOR, QUIET = 60.0, 0.2  # seconds
MOST_LEFT_OPEN, MOST_JOBS = 16, 500  # wishes; jobs that wait
LARGEST_LOG: Final = 256 * 1024


class Worker:
    """The loop: hooks first, then the spool, then jobs, then settings, then whether to stay."""

    def __init__(self, home: OpenHome, listening: socket.socket) -> None:
        self._home, self._listening = home, listening
        self._idle_seconds = home.settings.idle_seconds
        self._selector = selectors.DefaultSelector()
        self._selector.register(listening, selectors.EVENT_READ, self._accept)
        self._connections: dict[int, HookConnection] = {}
        self._runners: dict[int, float] = {}  # agents' processes, 0 for any unseen: last heard of
        self._began = self._busy_at = time.monotonic()
        self._maintain_at = 0.0
        self._code, self._place = code_on_disk(), identity(home.settings.home / "run")
        self._jobs: deque[tuple[str, ...]] = deque(maxlen=MOST_JOBS)
        self._job: subprocess.Popen[bytes] | None = None
        self._described: deque[str] = deque(maxlen=MOST_JOBS)  # folders
        self._look_at = self._harvest_at = self._embed_at = 0.0
        self._ended = ""  # the event of the last session's end that was harvested
        self._stepped: tuple[int, ...] = ()
        self._embedded: tuple[tuple[int, ...], SearchSettings] | None = None
        self._leaving = self._unsettled = self._ready = self._spooled = False
        self._untold: dict[str, Answer] = {}
        self._left_open: deque[Frame] = deque(maxlen=MOST_LEFT_OPEN)
        self._parts = _parts(home)

    def run(self) -> None:
        """Serve until there is a reason to leave."""
        next(self._parts)  # what a prompt needs
        of_error("")  # the patterns of failures are read before a hook waits for them
        asks_to_remember("-")
        gc.freeze()  # what was loaded stays: to look for garbage in it takes a hook's time
        while not self._leaving:
            wait = TICK if self._ready and not self._connections else 0.05
            ready = self._selector.select(0 if self._spooled else wait)
            # After a long sleep the first look ends empty: hooks still come before the spool.
            for key, _ in ready or self._selector.select(0):
                self._guarded(key.data)
            for descriptor, connection in list(self._connections.items()):
                if time.monotonic() - connection.since > CONNECTION_LIVES:
                    self._drop(descriptor)
            self._spooled = False
            quiet = self._settle, self._drain, self._follow, self._get_ready, self._keep_late
            for work in (*(() if self._connections else quiet), self._find_jobs, self._run_jobs):
                self._guarded(work)
            if self._should_leave():
                return

    def _accept(self) -> None:
        try:
            accepted, _ = self._listening.accept()
        except OSError:
            return
        process, user = peer(accepted)
        if user != os.geteuid():
            accepted.close()
            return
        if len(self._connections) >= MOST_CONNECTIONS:
            # Whoever has been silent longest gives way: a hook says all it has at once.
            self._drop(min(self._connections, key=lambda d: self._connections[d].since))
        accepted.setblocking(False)
        descriptor, sight = accepted.fileno(), hook_sight(process)
        self._connections[descriptor] = HookConnection(accepted, time.monotonic(), sight, process)
        self._selector.register(accepted, selectors.EVENT_READ, partial(self._read, descriptor))
        self._read(descriptor)

    def _read(self, descriptor: int) -> None:
        connection, gone = self._connections.get(descriptor), False
        if connection is None:
            return  # it gave way a moment ago
        try:
            # One that never stops sending gets its turn, and no more than that.
            for _ in range(PARTS_A_TURN):
                part = connection.socket.recv(PART)
                connection.received += part
                if gone := not part:
                    break
        except OSError as error:
            gone = not isinstance(error, BlockingIOError)
        # A hook that gave up waiting has left a whole report all the same.
        try:
            frame = connection.frame()
        except BadFrame:
            frame, gone = None, True
        if frame is None:
            if gone:
                self._drop(descriptor)
        else:
            self._busy_at = time.monotonic()
            self._guarded(partial(self._answer, connection, frame))
            self._drop(descriptor)

    def _answer(self, connection: HookConnection, frame: Frame) -> None:
        connection.socket.settimeout(ANSWER_WITHIN)
        if frame.event in {PING, STOP}:
            self._leaving = frame.event == STOP
            card = json.dumps({"pid": os.getpid(), "version": learnt.__version__})
            connection.socket.sendall(encode_answer(card.encode()))
            return
        frame = replace(frame, sight=connection.sight)
        patient = frame.event == STARTS or time.monotonic() - self._began < NEW
        deadline = connection.since + (START_WITHIN if patient else ANSWER_WITHIN)
        self._busy_at, self._unsettled = time.monotonic(), True
        outside = self._home.outside
        named = frame.environment.get("CLAUDE_PID", "")
        runner = int(named) if named.isdecimal() else runner_of(connection.process)
        self._runners[runner if runner > 1 else 0] = time.monotonic()
        answer = respond(outside, frame, lambda: time.monotonic() > deadline, self._untold)
        try:
            connection.socket.sendall(encode_answer(answer))
            if answer and self._untold:
                delivered(frame, self._untold)
        except OSError:
            if answer:
                undeliverable(outside, frame)
        if not answer and left_open(frame):
            self._left_open.append(frame)
        if frame.event == STARTS:
            folder = frame.environment.get("CLAUDE_PROJECT_DIR") or parse(frame.body).get("cwd")
            self._describe(folder if isinstance(folder, str) else "")

    def _describe(self, folder: str) -> None:
        """Have git tell, in a child, what it knows of a folder not yet described."""
        sound = "\x00" not in folder and 0 < len(folder) <= LONGEST_PATH
        if sound and folder not in self._described:
            self._described.append(folder)
            self._jobs.append(("describe", folder))
            if self._home.outside.dense is not None:
                self._jobs.append(("embed", folder))

    def _find_jobs(self) -> None:
        """Have children do what sessions that ended, and notes that changed, call for."""
        now = time.monotonic()
        if now < self._look_at:
            return
        self._look_at = now + LOOK_EVERY
        outside = self._home.outside
        with outside.ledger.reading() as reader:
            moment, search = reader.moment(), self._home.settings.search
            last = next(reader.events(kind=Kind.SESSION_ENDED, newest=1), None)
            if last is not None and last.id != self._ended and now >= self._harvest_at:
                # Whoever took the report of the end in.
                self._ended, self._harvest_at = last.id, now + HARVEST_EVERY
                self._jobs.append(("harvest",))
            if outside.dense is not None and now >= self._embed_at:
                before, self._embedded = self._embedded, (moment, search)
                self._embed_at = now + EMBED_EVERY
                if not before or before[1] != search or reader.touched(before[0], CHANGES):
                    self._jobs.append(("embed",))
            if not self._connections:
                stepped, self._stepped = self._stepped, moment
                changed = not stepped or reader.touched(stepped, OF_NOTES)
                if changed and outdated(outside, reader):  # a skill is behind its notes
                    self._jobs.append(("step",))

    def _drop(self, descriptor: int) -> None:
        connection = self._connections.pop(descriptor)
        self._selector.unregister(connection.socket)
        connection.socket.close()

    def _settle(self) -> None:
        """Have what was reported safe from a power cut."""
        if self._unsettled:
            self._home.outside.ledger.settle()
            self._unsettled = False

    def _drain(self) -> None:
        # The spool is found by its path: another home in this one's place has its own ledger.
        if self._here() and drain(self._home.outside, DRAINED_AT_ONCE, self._untold):
            self._busy_at, self._spooled = time.monotonic(), True

    def _follow(self) -> None:
        if self._here():  # else opening would make again what was removed
            self._home.follow()

    def _here(self) -> bool:
        return self._place == identity(self._home.settings.home / "run")

    def _get_ready(self) -> None:
        """Load a part of what few prompts need: a hook may come meanwhile."""
        if not self._ready and time.monotonic() - self._busy_at > QUIET:
            self._ready = next(self._parts, self) is self

    def _keep_late(self) -> None:
        """Decide on a wish that a busy ledger left open."""
        if self._left_open:
            keep_late(self._home.outside, self._left_open.popleft(), self._untold)

    def _run_jobs(self) -> None:
        if self._job is not None:
            if self._job.poll() is None:
                return
            if self._job.returncode == MORE:
                self._embedded = None
        self._job = None
        if time.monotonic() > self._maintain_at:
            self._maintain_at = time.monotonic() + MAINTENANCE_LOOKED_FOR
            now = self._home.outside.clock.now_ms() / 1_000
            if maintenance_is_due(self._home.settings.home, now):
                self._jobs.append(("maintain",))
        if self._jobs and not self._home.wrong:  # a child reads config.toml, too
            name, *words = self._jobs.popleft()
            home = str(self._home.settings.home)
            command = [sys.executable, "-I", "-m", "learnt.surfaces.jobs", "--home", home, name]
            self._job = subprocess.Popen([*command, "--", *words], stdin=subprocess.DEVNULL)

    def _should_leave(self) -> bool:
        if self._job is not None and self._job.poll() is None:
            return False
        idle = time.monotonic() - self._busy_at > self._idle_seconds
        replaced = self._code is None or self._code != code_on_disk()
        self._runners = living(self._runners, time.monotonic()) if idle else self._runners
        return (idle and not self._runners) or replaced or not self._here()

    def _guarded(self, work: Callable[[], object]) -> None:
        """A failure of one report is written down and costs that report alone."""
        try:
            work()
        except Exception as error:  # noqa: BLE001  # the worker's boundary: one bad frame, one line
            log(error, self._home.settings.home)
            # Nothing can be kept there: hooks spool by themselves once nobody answers.
            self._leaving |= isinstance(error, LedgerNewer | LedgerDamaged)


def living(runners: Mapping[int, float], now: float) -> dict[int, float]:
    """Those whose session lives: the client's process does, or it reported within half a day."""
    since = now - SESSION_LIVES
    return {p: at for p, at in runners.items() if (is_alive(p) if p else at > since)}


def _parts(home: OpenHome) -> Iterator[None]:
    """Load what prompts need: first what all do, then what few do; then judge notes ahead."""
    from learnt.flows.recall.contents import judged_ahead  # loaded for a session's start

    loading = home.outside.language.warm_up()
    yield next(loading)
    from learnt.flows.knowledge import remembering  # noqa: F401  # loaded for a later prompt

    yield from loading
    yield from judged_ahead(lambda: home.outside)
    gc.freeze()


def log(error: Exception, home: Path) -> None:
    """One line in the worker's log: the error's kind and place, and our own words if it has any."""
    text = redact(str(error)) if isinstance(error, LearntError) else ""
    line = json.dumps({"error": type(error).__name__, "at": raised_at(error), "said": text})
    path = home / "logs" / "worker.log"
    written = (bytes_of(path, 1 << 24) or b"").decode("utf-8", "replace").splitlines()
    if written[-1:] != [line]:  # a lasting trouble must not fill the disk
        print(line, file=sys.stderr, flush=True)  # noqa: T201  # stderr is the log


def main() -> int:
    """Be the worker of the home named on the command line, unless there is one."""
    parser = argparse.ArgumentParser(prog="learnt worker")
    parser.add_argument("--home", required=True)
    environment, named = dict(os.environ), parser.parse_args().home
    try:
        settings = load(environment, named)
    except UsageError as error:
        log(error, without_config(environment, named).home)
        return error.exit_code
    os.environ.setdefault(INSIDE_VARIABLE, "worker")
    os.umask(0o077)
    prepare(settings.home)
    lock = locked(settings.home)
    if lock is None or code_on_disk() is None:
        # Out of date before it began (an upgrade under way, stale bytecode): the mark that a worker
        # starts stays, so that the next hook does not start another at once.
        return 0
    path = settings.home / "logs" / "worker.log"
    if path.exists() and path.stat().st_size > LARGEST_LOG:
        path.replace(path.with_suffix(".log.1"))
    install(settings.home, only_present=True)
    try:
        with (
            OpenHome(settings, environment, patience_ms=PATIENCE_MS) as home,
            listen(settings.home) as ears,
        ):
            for mark in ("starting", "gone"):
                (settings.home / "run" / mark).unlink(missing_ok=True)
            worker = Worker(home, ears)
            try:
                worker.run()
            finally:
                Path("worker.sock").unlink(missing_ok=True)
    except LearntError as error:
        log(error, settings.home)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
