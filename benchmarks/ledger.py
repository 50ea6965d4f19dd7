"""What the ledger does in a given time, and whether it loses anything when processes are killed.

    python -m benchmarks.ledger [--sizes 10000,100000] [--only recall,cap,...] [--json]

recall: prompts, with and without `learnt rebuild --verify` running beside: finding (from the
prompt to the text to show), answering (finding, and recording what was shown) and answering over
the worker's socket. The goal is finding's, in bare starts of an interpreter measured just before:
2 and 10 ms where one takes 8.2, as on the machine the goal was set on. memory: the worker's
resident memory. spool: one file.
kills: eight writers and a drainer, killed at random. rates: appending, by events a transaction.
gates: a capture, all gates passed. cap: what the cap on postings costs in hits. All in throw-away
homes with a synthetic memory.
"""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import product
from pathlib import Path
from typing import Final

from benchmarks import kills
from benchmarks.corpus import Corpus, Place, throwaway, worker_of
from benchmarks.report import (
    SIZES,
    Tables,
    bare_start,
    load_now,
    quantile,
    run,
    spread,
    verdict,
)
from learnt.bootstrap import opened
from learnt.core.events import Actor, NewEvent
from learnt.core.identifiers import Subject
from learnt.core.knowledge.drafts import Draft
from learnt.core.payloads.session_events import SessionStarted
from learnt.core.recall.asking import MOST_TERMS
from learnt.core.sessions.sessions import Session
from learnt.core.tokens import words
from learnt.errors import LedgerBusy
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.recall.offering import choose
from learnt.flows.sessions.answer import respond
from learnt.flows.sessions.locate import find, look
from learnt.formats.wire import Frame, encode
from learnt.ports import Outside
from learnt.stores import sqlite_search
from learnt.stores.sqlite_schema import FILE_NAME
from learnt.stores.stemming import porter
from learnt.surfaces import hook, hook_slow
from learnt.surfaces.worker import ANSWER_WITHIN, PATIENCE_MS

SMALL: Final = 10_000  # up to this size the first goal holds, above it the second
RECALL_P95_STARTS: Final = (2.0 / 8.2, 10.0 / 8.2)
RESIDENT_MB: Final = 150
SPOOL_MS: Final = 1.0
KIND: Final = "schema"
CAPTURE_P95_STARTS: Final = 20 / 8.2  # 20 ms where an interpreter starts in 8.2
MOST_WORDS: Final = 18  # of a fact, as in the labelled pairs
WARM_UP: Final = 20
PAUSE: Final = 0.01
Row = dict[str, object]
Taken = tuple[list[float], list[float], int]  # seconds, of the processor, answers given


@contextmanager
def heavy(place: Place) -> Iterator[list[int]]:
    """`learnt rebuild --verify` of the home, over and over; the exit codes are there at the end."""
    learnt = str(Path(sys.executable).with_name("learnt"))
    loop = 'while :; do "$0" rebuild --verify --home "$1" >/dev/null 2>&1; echo $?; done'
    running = subprocess.Popen(
        ["/bin/sh", "-c", loop, learnt, str(place.home)],
        stdout=subprocess.PIPE,
        env=place.environment,
        start_new_session=True,
    )
    codes: list[int] = []
    try:
        time.sleep(0.5)  # until it is past its own start
        yield codes
    finally:
        os.killpg(running.pid, signal.SIGKILL)
        printed, _ = running.communicate()
        codes += [int(line) for line in printed.split()]


def recall(place: Place, corpus: Corpus, rounds: int) -> list[Row]:
    """Prompts in the worker's own code and over its socket, with and without a heavy job."""
    size = len(place.entries)
    rows: list[Row] = []
    ways = {"finding": _finding, "answering": _answering, "over the socket": _over_socket}
    for way, ask in ways.items():
        for beside in ("nothing", "rebuild --verify"):
            # Each run asks what no other asked: an answered prompt is not answered again.
            first = 10_000 * (1 + len(rows))
            load, bare = load_now(), bare_start()
            if beside == "nothing":
                taken, worked, injected = ask(place, corpus, first, rounds)
                jobs: object = ""
            else:
                with heavy(place) as codes:
                    taken, worked, injected = ask(place, corpus, first, rounds)
                jobs = f"{len(codes)} ({sum(code != 0 for code in codes)} failed)"
            goal = round(RECALL_P95_STARTS[size > SMALL], 3) if way == "finding" else None
            ratio = round(1_000 * quantile(taken, 0.95) / bare, 3)
            row: Row = {"entries": size, "way": way, "beside": beside, "prompts": rounds}
            row |= {"load": load, "bare": bare, **spread(taken), **_work(worked)}
            row |= {"injected": f"{injected}/{rounds}", "jobs": jobs, "p95/bare": ratio}
            row["verdict"] = verdict(ratio, goal)
            rows.append(row)
    return rows


def _work(seconds: list[float]) -> Row:
    """The processor's time, which other programs on the machine do not lengthen as they do ours."""
    if not seconds:
        return {}
    marks = spread(seconds)
    return {"cpu p50": marks["p50"], "cpu p95": marks["p95"]}


def _asked(first: int, rounds: int, prepare: Callable[[int], Callable[[], object]]) -> Taken:
    """Ask so often, after some to warm up; what `prepare` gives for a number is what is timed."""
    taken, worked, injected = [], [], 0
    for number in range(first, first + WARM_UP + rounds):
        ask = prepare(number)
        start, began = time.perf_counter(), time.process_time()
        answer = ask()
        if number >= first + WARM_UP:
            taken.append(time.perf_counter() - start)
            worked.append(time.process_time() - began)
            injected += bool(answer)
        # Prompts come apart: what a prompt leaves to be done later must not hit the next.
        time.sleep(PAUSE)
    return taken, worked, injected


def _frame(place: Place, corpus: Corpus, number: int) -> Frame:
    size = len(place.entries)
    session, episode = f"s-{size}-{number}", f"p-{size}-{number}"
    return place.frame("UserPromptSubmit", session, episode, prompt=corpus.prompt(number, size))


def _in_time() -> Callable[[], bool]:
    until = time.perf_counter() + ANSWER_WITHIN
    return lambda: time.perf_counter() > until


def _finding(place: Place, corpus: Corpus, first: int, rounds: int) -> Taken:
    with opened(place.settings, patience_ms=PATIENCE_MS) as outside:

        def find_text(prompt: str, session: Session) -> str:
            expired, folder = _in_time(), look(outside, str(place.project))
            # A search that is given up is one of so many milliseconds that gave nothing.
            with (
                suppress(LedgerBusy),
                outside.ledger.within(expired),
                outside.ledger.reading() as reader,
            ):
                return choose(outside, reader, prompt, session, folder).text
            return ""

        def prepare(number: int) -> Callable[[], str]:
            session = Session(agent="claude-code", id=f"s-{number}")
            return partial(find_text, corpus.prompt(number, len(place.entries)), session)

        return _asked(first, rounds, prepare)


def _answering(place: Place, corpus: Corpus, first: int, rounds: int) -> Taken:
    with opened(place.settings, patience_ms=PATIENCE_MS) as outside:

        def prepare(number: int) -> Callable[[], object]:
            frame = _frame(place, corpus, number)
            return lambda: respond(outside, frame, _in_time())

        return _asked(first, rounds, prepare)


def _over_socket(place: Place, corpus: Corpus, first: int, rounds: int) -> Taken:
    def exchanged(message: bytes) -> object:
        answer = hook.exchange(str(place.home), message)
        return isinstance(answer, bytes) and answer

    worker_of(place)
    taken, _, injected = _asked(
        first, rounds, lambda number: partial(exchanged, encode(_frame(place, corpus, number)))
    )
    return taken, [], injected


def memory(place: Place, corpus: Corpus) -> Row:
    """The worker's resident memory after two hundred recalls."""
    worker = worker_of(place)
    _over_socket(place, corpus, 900_000, 200)
    status = Path(f"/proc/{worker}/status")
    if not status.exists():
        return {"entries": len(place.entries), "VmRSS MB": None, "verdict": "not measured here"}
    lines = dict(line.split(":", 1) for line in status.read_text("utf-8").splitlines())
    resident = int(lines["VmRSS"].split()[0]) / 1024
    goal = RESIDENT_MB if len(place.entries) > SMALL else None
    row: Row = {"entries": len(place.entries), "VmRSS MB": round(resident, 1), "goal": goal}
    return row | {"verdict": verdict(resident, goal)}


def spool(writes: int) -> Row:
    """What a hook pays for one file in a fresh spool."""
    with throwaway() as place:
        sys.path.insert(0, str(place.home / "bin"))
        try:
            taken = []
            for number in range(writes):
                body = place.payload("SessionEnd", f"s-{number}", "", reason="other")
                start = time.perf_counter()
                hook_slow.spool(str(place.home), "SessionEnd", body, len(body), late=False)
                taken.append(time.perf_counter() - start)
        finally:
            sys.path.remove(str(place.home / "bin"))
    row: Row = {"files": writes, **spread(taken), "load": load_now(), "goal p50": SPOOL_MS}
    return row | {"verdict": verdict(1_000 * quantile(taken, 0.5), SPOOL_MS)}


def rates(seconds: float) -> list[Row]:
    """Events a second, by how many share a transaction, as the worker writes and as it drains."""
    rows = []
    with throwaway() as place, opened(place.settings) as outside:
        for together in (1, 20, 200):
            row: Row = {"events a transaction": together}
            for name, writing in (
                ("events/s", outside.ledger.writing),
                ("events/s on disk", outside.ledger.durably_writing),
            ):
                start, done = time.perf_counter(), 0
                while time.perf_counter() - start < seconds:
                    with writing() as writer:
                        for _ in range(together):
                            # A subject of many events, so that views and snapshots are written.
                            subject = Subject(f"session:benchmark:{name}-{together}-{done // 50}")
                            writer.append(_draft(subject))
                            done += 1
                row[name] = round(done / (time.perf_counter() - start))
            rows.append(row | {"load": load_now()})
    return rows


def _draft(subject: Subject) -> NewEvent:
    return NewEvent(
        subject=subject,
        actor=Actor.TOOL,
        payload=SessionStarted(source="startup", attended=True),
    )


def cap(place: Place, corpus: Corpus, queries: int) -> list[Row]:
    """Known items and prompts found among the first eight, by the cap on postings."""
    size, rows = len(place.entries), []
    with opened(place.settings) as outside, outside.ledger.reading() as reader:
        located = find(reader, look(outside, str(place.project)))
    scopes = located.household if located else ()
    connection = sqlite3.connect(place.home / FILE_NAME)
    counts = sqlite_search.TermCounts(connection)
    for name, postings in product(("known item", "prompt"), (sqlite_search.POSTINGS, 10**9)):
        taken, hits = [], 0
        for number in range(queries):
            if name == "prompt":
                about, asked = corpus.question(number, size)
            else:
                about, item = corpus.known_item(number, size)
                asked = " ".join(item)
            terms = list(dict.fromkeys(porter(word) for word in words(asked)))[:MOST_TERMS]
            start = time.perf_counter()
            found = sqlite_search.match(connection, counts, terms, scopes, 8, postings)
            taken.append(time.perf_counter() - start)
            hits += place.entries[about] in {match.entry for match in found.best}
        row: Row = {"entries": size, "asked": name, "postings": postings, "queries": queries}
        rows.append(row | {"hit@8": round(hits / queries, 3), **spread(taken), "load": load_now()})
    connection.close()
    return rows


def gates(sizes: Sequence[int], rounds: int = 300) -> list[Row]:
    """How long a capture takes, all gates passed, in a ledger of so many facts."""
    corpus = Corpus()
    rows: list[Row] = []
    with throwaway() as place:
        for size in sizes:
            place.fill(corpus, size, facts=True)
            load, bare = load_now(), bare_start()
            with opened(place.settings) as outside:
                outside.ledger.tidy()
                taken = [
                    _captured(outside, place, corpus, n, size) for n in range(rounds + WARM_UP)
                ]
            ratio = 1_000 * quantile(taken[WARM_UP:], 0.95) / bare
            rows.append({
                "entries": size, "captures": rounds, "load": load, "bare": bare,
                **spread(taken[WARM_UP:]), "p95/bare": round(ratio, 3),
                "verdict": verdict(ratio, CAPTURE_P95_STARTS),
            })  # fmt: skip
    return rows


def _captured(outside: Outside, place: Place, corpus: Corpus, number: int, size: int) -> float:
    _, text = corpus.question(10_000 + number, size)
    words = text.split()[:MOST_WORDS]
    fact = Draft(text=f"t_{words[0]}.{words[-1]} {' '.join(words)} {number} s", kind=KIND)
    offer = Offer(what=fact, actor=Actor.AGENT, folder=str(place.project), session=f"s{number}")
    began = time.perf_counter()
    capture(outside, offer)
    return time.perf_counter() - began


def measure(only: set[str], sizes: list[int], rounds: int) -> dict[str, list[Row]]:
    """The parts that were asked for."""
    found: dict[str, list[Row]] = {}
    small: dict[str, Callable[[], list[Row]]] = {
        "spool": lambda: [spool(300)],
        "rates": lambda: rates(2.0),
        "kills": lambda: [kills.measure()],
        "gates": lambda: gates(sizes),
    }
    for name, part in small.items():
        if name in only:
            found[name] = part()
    if only & {"recall", "memory", "cap"}:
        corpus = Corpus()
        with throwaway() as place:
            for size in sizes:
                place.fill(corpus, size)
                if "recall" in only:
                    found.setdefault("recall", []).extend(recall(place, corpus, rounds))
                if "memory" in only:
                    found.setdefault("memory", []).append(memory(place, corpus))
                if "cap" in only:
                    found.setdefault("cap", []).extend(cap(place, corpus, 150))
    return found


PARTS: Final = {
    "spool": "One spool file, milliseconds",
    "rates": "Appending",
    "gates": "Capture, all gates, milliseconds",
    "kills": "Eight writers and a drainer, killed at random",
    "recall": "One prompt in the worker, milliseconds",
    "memory": "The worker's resident memory after 200 recalls",
    "cap": "Hits by the cap on postings, milliseconds",
}


def main(
    *, sizes: tuple[int, ...] = SIZES, rounds: int = 300, only: tuple[str, ...] = (*PARTS,)
) -> Tables:
    """Measure the parts that are asked for, with so many prompts for each way of recall."""
    found = measure({*only}, sorted(sizes), rounds)
    return {PARTS[name]: rows for name, rows in found.items()}


if __name__ == "__main__":
    run(main)
