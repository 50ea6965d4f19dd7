"""How long writers hold the ledger, and whether prompts are answered beside them.

    python -m benchmarks.locks [--entries 2000] [--rounds 40] [--prompts 1000] [--json]
    python -m benchmarks.locks --only held|beside

held: from BEGIN IMMEDIATE to the end of its COMMIT, for captures that cite a file of 12 kB, 94 kB
or 2 MB (each file is new to the process), for words on those entries, for the harvest of written
sessions, for publishing and for a skill of 1,900 files. beside: prompts over the worker's socket
while another process captures facts with citations, harvests and publishes without a pause. A
prompt is answered where the hook had its answer in time and the ledger holds what was recalled.
"""

import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from msgspec.structs import replace

from benchmarks.corpus import Corpus, Place, throwaway, worker_of
from benchmarks.report import DATA, Tables, load_now, quantile, rows, run, spread, verdict
from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.file_ports import Fetched
from learnt.flows.governance.accept import Destination
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.knowledge.harvest import harvest
from learnt.flows.knowledge.publish import publish
from learnt.flows.knowledge.uses import Transcript
from learnt.flows.skills.install import install, look
from learnt.formats.wire import encode
from learnt.ports import Outside
from learnt.surfaces import hook
from tests.support.transcripts import session_lines

HELD_P99_MS: Final = 20.0
SIZES: Final = (12_000, 94_000, 1_990_000)
SESSIONS: Final = rows(DATA / "sessions" / "sessions_dev.jsonl")
BREATH: Final = 0.02  # seconds between prompts
Row = dict[str, object]


class TimedLedger:
    """A ledger that notes how long each write transaction of it lasted, under a label."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.label = ""
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.worked: defaultdict[str, list[float]] = defaultdict(list)  # by the processor's clock

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def writing(self) -> AbstractContextManager[Any]:
        """As the ledger's own, and timed."""
        return self._timed(self._inner.writing)

    def durably_writing(self) -> AbstractContextManager[Any]:
        """Likewise."""
        return self._timed(self._inner.durably_writing)

    @contextmanager
    def _timed(self, writing: Callable[[], AbstractContextManager[Any]]) -> Iterator[Any]:
        began = worked = None
        try:
            with writing() as writer:
                began, worked = time.perf_counter(), time.process_time()
                yield writer
        finally:
            if began is not None and worked is not None:
                self.seconds[self.label].append(time.perf_counter() - began)
                self.worked[self.label].append(time.process_time() - worked)


def source(number: int, size: int) -> str:
    """Python of about so many characters, other names in each."""
    lines: list[str] = []
    length = 0
    while length < size:
        at = len(lines)
        lines.append(
            f"def handler_{number}_{at}(request, limit={at}):\n"
            f'    """What number {at} of {number} answers."""\n'
            f"    rows = [row for row in request.rows if row.total > {at * 7}]\n"
            f"    return sorted(rows, key=lambda row: row.name)[:limit]\n\n"
        )
        length += len(lines[-1])
    return "".join(lines)[:size]


def captured(outside: Outside, place: Place, corpus: Corpus, number: int, size: int) -> EntryId:
    """A fact that a person states of a file written for it."""
    path = place.project / f"src/module_{number}.py"
    path.parent.mkdir(exist_ok=True)
    path.write_text(source(number, size), encoding="utf-8")
    words = corpus.document(500_000 + number).terms[:9]
    text = f"t_{words[0]}.{words[-1]} {' '.join(words)} takes {number} s"
    symbol = f"handler_{number}_3"
    offer = Offer(
        what=Draft(text=text, kind="schema"),
        actor=Actor.HUMAN,
        folder=str(place.project),
        cites=(f"src/module_{number}.py#{symbol}",),
    )
    return capture(outside, offer).entry


def harvested(outside: Outside, place: Place, number: int) -> None:
    """The harvest of a written session under a name of its own."""
    row = SESSIONS[number % len(SESSIONS)]
    path = place.home.parent / f"transcript-{number}.jsonl"
    lines = session_lines(row["turns"], f"written-{number}", folder=str(place.project))
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    harvest(outside, Transcript(path=str(path), over=True))


def shelved(outside: Outside, place: Place, number: int) -> None:
    """A skill of 1,900 files, put in the place of the one before it."""
    text = f"---\nname: shelf\ndescription: Counts to {number}.\n---\n# Count\n"
    about = f"{number} words ".encode() * 300
    files = {f"references/{at % 40}/{at}.md": about for at in range(1_900)}
    fetched = Fetched("/shelf", "local", "shelf", {"SKILL.md": text.encode(), **files})
    where = Destination(root=str(place.project), within=".agents/")
    install(outside, look(outside, fetched, where, force=True), Actor.HUMAN)


def held(entries: int, rounds: int) -> list[Row]:
    """The seconds that each kind of write held the ledger."""
    corpus = Corpus()
    with throwaway() as place, opened(place.settings) as opened_home:
        place.fill(corpus, entries, facts=True)
        ledger = TimedLedger(opened_home.ledger)
        outside = replace(opened_home, ledger=ledger)
        number = 0
        for size in SIZES:
            for _ in range(max(1, rounds // 2) if size > 1_000_000 else rounds):
                number += 1
                ledger.label = f"capture citing {size // 1_000} kB"
                entry = captured(outside, place, corpus, number, size)
                if size < 1_000_000:
                    ledger.label = f"word on what cites {size // 1_000} kB"
                    word = Word(result="success", actor=Actor.HUMAN, folder=str(place.project))
                    tell(outside, entry, word)
        for session in range(min(rounds, 20)):
            ledger.label = "harvest"
            harvested(outside, place, session)
        for _ in range(3):
            ledger.label = "publish"
            publish(outside, str(place.project), Actor.HUMAN)
            captured(outside, place, corpus, number := number + 1, 1_000)
        for at in range(6):
            ledger.label = "skill of 1,900 files replaced" if at else "and installed"
            shelved(outside, place, at)
        return [_held_row(ledger, label) for label in ledger.seconds]


def _held_row(ledger: TimedLedger, label: str) -> Row:
    seconds = ledger.seconds[label]
    last = round(1_000 * quantile(seconds, 0.99), 3)
    row: Row = {"write": label, "transactions": len(seconds), **spread(seconds), "p99": last}
    row |= {"cpu p99": round(1_000 * quantile(ledger.worked[label], 0.99), 3), "load": load_now()}
    return row | {"verdict": verdict(last, HELD_P99_MS)}


def write_on(home: str, project: str) -> None:
    """Capture, harvest and publish until somebody ends it; each line tells of one more round."""
    corpus = Corpus()
    place = Place(home=Path(home), project=Path(project))
    number = 0
    with opened(place.settings) as outside:
        while True:
            for size in (*SIZES[:2] * 4, SIZES[2] if number % 50 == 0 else SIZES[0]):
                number += 1
                captured(outside, place, corpus, 10_000 + number, size)
            harvested(outside, place, 10_000 + number)
            publish(outside, project, Actor.HUMAN)
            print(number, flush=True)


def beside(entries: int, prompts: int) -> list[Row]:
    """Prompts over the worker's socket, alone and beside a process that writes all the time."""
    corpus, rows = Corpus(), []
    with throwaway() as place:
        place.fill(corpus, entries, facts=True)
        worker_of(place)
        rows.append(_asked(place, corpus, 0, min(100, prompts), "nothing"))
        command = [sys.executable, "-m", "benchmarks.locks", str(place.home), str(place.project)]
        writing = subprocess.Popen(command, stdout=subprocess.PIPE)
        try:
            time.sleep(2.0)  # past its own start
            rows.append(_asked(place, corpus, 10_000, prompts, "captures, harvest, publish"))
            if writing.poll() is not None:
                raise SystemExit("the writing process ended by itself")
        finally:
            writing.terminate()
            printed, _ = writing.communicate()
        rows[-1]["captured beside"] = int(printed.split()[-1]) if printed.split() else 0
    return rows


def _asked(place: Place, corpus: Corpus, first: int, prompts: int, by: str) -> Row:
    answers = (Kind.RECALLED, Kind.MISSED)
    with opened(place.settings) as outside, outside.ledger.reading() as reader:
        before = sum(map(reader.count, answers))
    taken, late = [], 0
    for number in range(first, first + prompts):
        prompt = corpus.prompt(number, len(place.entries))
        frame = place.frame("UserPromptSubmit", f"s-{number}", f"p-{number}", prompt=prompt)
        began = time.perf_counter()
        answer = hook.exchange(str(place.home), encode(frame))
        taken.append(time.perf_counter() - began)
        late += not isinstance(answer, bytes)
        time.sleep(BREATH)
    with opened(place.settings) as outside, outside.ledger.reading() as reader:
        recorded = sum(map(reader.count, answers)) - before
    lost = max(late, prompts - recorded)
    row: Row = {"beside": by, "prompts": prompts, "load": load_now(), **spread(taken)}
    row |= {"p99": round(1_000 * quantile(taken, 0.99), 3), "not in time": late}
    return row | {"not recorded": prompts - recorded, "verdict": verdict(lost, 0)}


PARTS: Final = {
    "held": "How long the write lock is held, milliseconds",
    "beside": "Prompts over the worker's socket, milliseconds",
}


def main(
    *busy: str,
    entries: int = 2_000,
    rounds: int = 40,
    prompts: int = 1_000,
    only: Literal["", "held", "beside"] = "",
) -> Tables:
    """Measure both parts; or write into the home and project of `busy` until it is ended."""
    if busy:
        write_on(*busy)
    tables = {}
    if only in {"", "held"}:
        tables["How long the write lock is held, milliseconds"] = held(entries, rounds)
    if only in {"", "beside"}:
        tables["Prompts over the worker's socket, milliseconds"] = beside(entries, prompts)
    return tables


if __name__ == "__main__":
    run(main)
