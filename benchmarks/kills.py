"""Whether an acknowledged observation is ever lost or doubled when processes are killed.

    python -m benchmarks.kills [--events 1000] [--json]

Eight writer processes report sessions in both ways, in turn: by the hook's spool file, and straight
into the ledger as the worker does. Each prints a line once a report is kept. They and a drainer get
a real SIGKILL at random moments and are started again with the first report that they did not
acknowledge. In the end every acknowledged report must be in the inbox once, and none of its events
doubled.
"""

import json
import os
import random  # noqa: TID251  # seeded
import selectors
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import IO, Any, Final

from benchmarks.corpus import SEED, Place, throwaway
from benchmarks.report import ROOT, run
from learnt.bootstrap import opened
from learnt.flows.sessions.answer import drain, respond
from learnt.formats.wire import Frame
from learnt.settings import Settings
from learnt.stores.sqlite_schema import FILE_NAME
from learnt.surfaces import hook_slow

WRITERS: Final = 8
EPISODES: Final = 4  # of a session
STEPS: Final = 4  # of an episode, and its prompt
A_SESSION: Final = 2 + EPISODES * (1 + STEPS)
LIVES: Final = (0.05, 1.5)  # seconds from a process' first word to its SIGKILL, at random between


def report(place: Place, writer: int, number: int) -> Frame:
    """A writer's report of a number: sessions begin, have prompts and steps, and end."""
    session, at = f"s-{writer}-{number // A_SESSION}", number % A_SESSION
    episode = f"{session}-{(at - 1) // (1 + STEPS)}"
    # Where the transcript lies is in the inbox as it was given: it carries the report's number.
    serial = {"transcript_path": f"{writer} {number}"}
    if at == 0:
        return place.frame("SessionStart", session, "", source="startup", **serial)
    if at == A_SESSION - 1:
        return place.frame("SessionEnd", session, "", reason="other", **serial)
    if (at - 1) % (1 + STEPS) == 0:
        prompt = f"please mend the broken thing of number {number}"
        return place.frame("UserPromptSubmit", session, episode, prompt=prompt, **serial)
    call = {"tool_name": "Read", "tool_use_id": f"toolu-{writer}-{number}", "tool_response": "ok"}
    return place.frame("PostToolBatch", session, episode, tool_calls=[call], **serial)


def be_writer(place: Place, writer: int, first: int, last: int) -> None:
    """Report from one number to another, with a line after each that is kept."""
    sys.path.insert(0, str(place.home / "bin"))
    with opened(Settings(home=place.home)) as outside:
        for number in range(first, last):
            frame = report(place, writer, number)
            if number % 2:
                respond(outside, frame, lambda: False)
            else:
                hook_slow.spool(str(place.home), frame.event, frame.body, frame.size, late=False)
            print(number, flush=True)


def be_drainer(place: Place) -> None:
    """Empty the spool for as long as it lives, as the worker does."""
    with opened(Settings(home=place.home)) as outside:
        print("up", flush=True)
        while True:
            if not drain(outside, 40):
                time.sleep(0.01)


class Run:
    """The processes, what they acknowledged, and when each is to be killed."""

    def __init__(self, place: Place, events: int) -> None:
        self._place, self._events = place, events
        self._dice = random.Random(SEED)
        self._selector = selectors.DefaultSelector()
        self._running: dict[int, subprocess.Popen[bytes]] = {}
        self._dies_at: dict[int, float] = {}
        self._read: dict[int, bytes] = {}
        self.acknowledged = dict.fromkeys(range(WRITERS), 0)
        self.kills = 0

    def play(self) -> None:
        """Until every writer's reports are acknowledged; the drainer is number WRITERS."""
        try:
            for number in range(WRITERS + 1):
                self._start(number)
            while any(number < WRITERS for number in self._running):
                for key, _ in self._selector.select(0.01):
                    self._hear(key.data)
                now = time.monotonic()
                for number in [n for n, at in self._dies_at.items() if at < now]:
                    self._kill(number)
        finally:
            for number in list(self._running):
                self._running[number].kill()
                self._bury(number)

    def _start(self, number: int) -> None:
        about = (number, self.acknowledged[number], self._events) if number < WRITERS else ()
        role = map(str, about)
        home, project = str(self._place.home), str(self._place.project)
        self._running[number] = started = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.kills", home, project, *role],
            stdout=subprocess.PIPE,
            env={**self._place.environment, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
        )
        self._read[number] = b""
        self._selector.register(_pipe(started), selectors.EVENT_READ, number)

    def _hear(self, number: int) -> None:
        """Take in what a process said; its end, where that is what it said."""
        part = os.read(_pipe(self._running[number]).fileno(), 1 << 16)
        if not part:
            self._end(number)
            return
        if number not in self._dies_at:
            self._dies_at[number] = time.monotonic() + self._dice.uniform(*LIVES)
        self._note(number, part)

    def _note(self, number: int, part: bytes) -> None:
        # A line without its end was not said: the report counts as not acknowledged.
        *lines, self._read[number] = (self._read[number] + part).split(b"\n")
        if lines and number < WRITERS:
            self.acknowledged[number] = int(lines[-1]) + 1

    def _kill(self, number: int) -> None:
        process = self._running[number]
        process.send_signal(signal.SIGKILL)
        self.kills += 1
        while part := os.read(_pipe(process).fileno(), 1 << 16):
            self._note(number, part)
        self._end(number)

    def _end(self, number: int) -> None:
        self._bury(number)
        if number == WRITERS or self.acknowledged[number] < self._events:
            self._start(number)

    def _bury(self, number: int) -> None:
        process = self._running.pop(number)
        self._dies_at.pop(number, None)
        self._selector.unregister(_pipe(process))
        _pipe(process).close()
        process.wait()


def _pipe(process: subprocess.Popen[bytes]) -> IO[bytes]:
    assert process.stdout is not None
    return process.stdout


def measure(events: int = 1_000) -> dict[str, object]:
    """Play it, take in what waits, and count what is missing or there twice."""
    with throwaway() as place:
        # A mark from the future keeps the spooling hooks from starting a worker beside all this.
        mark = place.home / "run" / "starting"
        mark.touch()
        os.utime(mark, (mark.stat().st_atime, mark.stat().st_mtime + 1e6))
        run, start = Run(place, events), time.monotonic()
        run.play()
        seconds = time.monotonic() - start
        with opened(place.settings) as outside:
            while drain(outside):
                pass
            different = outside.ledger.verify()
        found = _counted(place.home, events)
        left = [path.name for path in (place.home / "spool").iterdir()]
        aside = list((place.home / "aside").iterdir())
    return {
        "acknowledged": sum(run.acknowledged.values()),
        "kills": run.kills,
        "seconds": round(seconds, 1),
        **found,
        "views that differ": len(different),
        "set aside": len(aside),
        "torn files left": len(left),
        "verdict": f"goals 0 lost, 0 doubled: {_verdict(found, different)}",
    }


def _verdict(found: dict[str, Any], different: object) -> str:
    wrong = found["lost"] or found["doubled"] or found["events doubled"] or different
    return "MISSED" if wrong else "met"


def _counted(home: Path, events: int) -> dict[str, int]:
    with closing(sqlite3.connect(home / FILE_NAME)) as ledger:
        bodies = ledger.execute("SELECT body FROM inbox").fetchall()
        kept = Counter(json.loads(body)["transcript"] for (body,) in bodies)
        # A session begins and ends once; an episode closes once, and its prompt is answered once.
        # What a report adds that comes late closes an episode again, by a number.
        happened = ledger.execute(
            "SELECT kind, count(*) FROM events WHERE session IS NOT NULL "
            "GROUP BY kind, session, payload ->> 'again', "
            "iif(kind IN ('session_started', 'session_ended'), '', episode)"
        ).fetchall()
    wanted = [f"{writer} {number}" for writer in range(WRITERS) for number in range(events)]
    return {
        "lost": sum(kept[serial] == 0 for serial in wanted),
        "doubled": sum(max(0, kept[serial] - 1) for serial in wanted),
        "events": sum(count for *_, count in happened),
        "events doubled": sum(count - 1 for *_, count in happened),
    }


def main(*role: str, events: int = 1_000) -> dict[str, object]:
    """Measure with so many reports of each writer; or be one of the processes.

    `role` is a home, its project, and of a writer its number, its first report and its last.
    """
    if role:
        place = Place(home=Path(role[0]), project=Path(role[1]))
        if len(role) == 2:
            be_drainer(place)
        else:
            be_writer(place, *map(int, role[2:]))
        return {}
    return {"Eight writers and a drainer, killed at random": [measure(events)]}


if __name__ == "__main__":
    run(main)
