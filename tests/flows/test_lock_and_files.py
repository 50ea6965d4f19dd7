"""On the disk: two programs at once, and a lock that is not held while files are read."""

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind, NewEvent
from learnt.core.identifiers import Subject
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Entry
from learnt.core.knowledge.gates import Admit, Merge
from learnt.core.payloads.session_events import SessionStarted
from learnt.core.safety import owned
from learnt.flows.governance.accept import Destination, accept
from learnt.flows.governance.decisions import Decider
from learnt.flows.governance.notice import notice
from learnt.flows.governance.purge import Target, purge
from learnt.flows.health.closing import WINDOW_MS
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.knowledge.harvest import harvest
from learnt.flows.knowledge.publish import publish
from learnt.flows.knowledge.uses import Transcript
from learnt.flows.sessions.answer import drain
from learnt.flows.sessions.observe import close_stale
from learnt.flows.stored import all_stored
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores import home_folder
from learnt.stores.sqlite_ledger import SqliteLedger
from learnt.stores.sqlite_reader import Surroundings
from learnt.stores.stemming import porter
from tests.flows.proposing import planned
from tests.flows.stage import HERE, PROMPT, Stage
from tests.support import in_memory
from tests.support.in_memory_files import InMemoryCitedFiles, InMemoryDocuments, InMemoryTranscripts
from tests.support.ledgers import Watched
from tests.support.transcripts import session_lines

FACT = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
OTHERS = (
    "t_order.amount holds cents, t_invoice.amount whole euros",
    "t_user.phone is encrypted; search by t_user.phone_hash",
)
PATH = "src/rooms.py"
ROOMS = "def find_room(hotel, number):\n    return rooms[hotel, number]\n"


def live(outside: Outside) -> list[Entry]:
    with outside.ledger.reading() as reader:
        return [entry for entry in all_stored(reader, Entry) if entry.live]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    place = tmp_path / "home"
    home_folder.prepare(place)
    return place


_SEEDS = count()  # so that no two programs draw the same ids


def random_bytes() -> in_memory.CountedRandom:
    return in_memory.CountedRandom(drawn=1_000_000 * next(_SEEDS))


def connected(home: Path, patience_ms: int = 5_000) -> SqliteLedger:
    clock, random = in_memory.FixedClock(), random_bytes()
    around = Surroundings(key=b"k" * 32, clock=clock, random=random, stem=porter)
    return SqliteLedger(home, around, patience_ms=patience_ms)


def test_two_captures_of_one_fact_at_once_give_one_entry(home: Path) -> None:
    """Whoever is second finds the first, however close they are."""
    at_once = threading.Barrier(2)
    decisions: list[object] = []

    def captures() -> None:
        with closing(connected(home)) as ledger:
            outside = replace(
                in_memory.outside(porter, ShippedLanguage()),
                ledger=ledger,
                random=random_bytes(),
            )
            for number in range(12):
                what = Draft(
                    text=f"t_room_{number}.room_no is unique only with hotel_id, not alone",
                    kind="schema",
                )
                at_once.wait()
                offer = Offer(what=what, actor=Actor.HUMAN, folder=HERE)
                decisions.append(type(capture(outside, offer).decision))

    threads = [threading.Thread(target=captures) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with closing(connected(home)) as ledger:
        entries = live(replace(in_memory.outside(porter, ShippedLanguage()), ledger=ledger))
    assert (12, 12, 12) == (len(entries), decisions.count(Admit), decisions.count(Merge))


class Disturbed(Stage):
    """A home on the disk. While anything but its ledger is asked, another program writes to it."""

    def __init__(self, home: Path) -> None:
        ledger, self.other = connected(home), connected(home, patience_ms=0)
        self.written, plain = 0, in_memory.outside(porter, ShippedLanguage())
        self.cited = Watched(plain.cited_files, self.write)
        self.transcripts = Watched(plain.transcripts, self.write)
        self.documents = Watched(plain.documents, self.write)
        self.traces = Watched(plain.traces, self.write)
        super().__init__(
            outside=replace(
                plain,
                ledger=ledger,
                cited_files=self.cited,
                transcripts=self.transcripts,
                documents=self.documents,
                traces=self.traces,
            )
        )

    def write(self) -> None:
        """Somebody else records something; LedgerBusy where the lock is held."""
        self.written += 1
        with self.other.writing() as writer:
            subject, payload = (
                Subject(f"session:other:{self.written}"),
                SessionStarted(source="startup"),
            )
            writer.append(NewEvent(subject=subject, actor=Actor.TOOL, payload=payload))


@pytest.fixture
def disturbed(home: Path) -> Iterator[Disturbed]:
    stage = Disturbed(home)
    with closing(stage.other), closing(stage.outside.ledger):  # type: ignore[type-var]  # on disk
        yield stage


def captured_with_evidence(stage: Disturbed) -> None:
    text = "\n".join(session_lines(TURNS, "s1", folder=HERE)) + "\n"
    transcripts: InMemoryTranscripts = stage.transcripts.inner
    transcripts.files["/t/s1.jsonl"] = text.encode()
    call = {"id": "s1-0-0", "tool": "Bash", "failed": False}
    stage.report(
        "PostToolBatch", episode="s1-p0", transcript="/t/s1.jsonl", detail={"calls": [call]}
    )
    stage.learn(FACT, evidence="s1-0-0", cites=(PATH,), entities=("t_room",))


TURNS = [
    {
        "prompt": "look at the rooms",
        "steps": [
            {"tool": "Bash", "input": {"command": "psql -c t_room"}, "result": "1", "failed": False}
        ],
    }
]


def told(stage: Disturbed) -> None:
    name = stage.learn(FACT, actor=Actor.HUMAN, cites=(PATH,)).entry
    tell(stage.outside, name, Word(result="confirmed", actor=Actor.HUMAN, folder=HERE))


def harvested(stage: Disturbed) -> None:
    turn = {"prompt": "remember: the staging gateway listens on port 8443", "steps": []}
    text = "\n".join(session_lines([turn], "s2", folder=HERE)) + "\n"
    transcripts: InMemoryTranscripts = stage.transcripts.inner
    transcripts.files["/t/s2.jsonl"] = text.encode()
    assert harvest(stage.outside, Transcript(path="/t/s2.jsonl", over=True)).taught


def accepted(stage: Disturbed) -> None:
    for text in (FACT, *OTHERS):
        stage.learn(text, actor=Actor.HUMAN)
    place, person = Destination(root="/w"), Decider(actor=Actor.HUMAN)
    for name in publish(stage.outside, HERE, Actor.HUMAN).new:
        accept(stage.outside, planned(stage.outside, name, place), person)
    documents: InMemoryDocuments = stage.documents.inner
    documents.files["/w/knowledge/schema_map.md"] += "\nmore\n"
    assert notice(stage.outside, []).proposed


def purged(stage: Disturbed) -> None:
    accepted(stage)
    copies = purge(stage.outside, Target(everything=True), Actor.HUMAN).not_ours
    assert "/w/knowledge/schema_map.md" in copies


def unstopped(stage: Disturbed) -> None:
    for episode in ("p1", "p2"):
        stage.prompt(PROMPT, episode=episode, transcript="/t/s1.jsonl")


def drained(stage: Disturbed) -> None:
    for episode in ("p1", "p2"):
        seen = stage.observation("UserPromptSubmit", episode=episode, transcript="/t/s1.jsonl")
        stage.outside.spool.put(replace(seen, excerpt=owned("go on")))
    assert 2 == drain(stage.outside)


def stale(stage: Disturbed) -> None:
    ms = stage.outside.clock.now_ms() - 2 * WINDOW_MS
    stage.prompt(PROMPT, episode="p1", transcript="/t/s1.jsonl", ms=ms)
    assert 1 == close_stale(stage.outside)


Play = Callable[[Disturbed], None]


@pytest.mark.parametrize(
    ("play", "reads"),
    [
        (captured_with_evidence, {"read", "tail"}),
        (told, {"read"}),
        (harvested, {"since"}),
        (accepted, {"read", "write"}),
        (purged, {"erase_with", "drop_caches", "elsewhere"}),
        (unstopped, {"tail"}),
        (drained, {"tail"}),
        (stale, {"tail"}),
    ],
)
def test_the_lock_is_not_held_while_files_are_read(
    disturbed: Disturbed, play: Play, reads: set[str]
) -> None:
    """Another program, which does not wait at all, can write during each look at a file."""
    files: InMemoryCitedFiles = disturbed.cited.inner
    files.files[f"{HERE}/{PATH}"] = ROOMS.encode()
    play(disturbed)
    parts = (disturbed.cited, disturbed.transcripts, disturbed.documents, disturbed.traces)
    assert reads <= {call for part in parts for call in part.calls}
    with disturbed.outside.ledger.reading() as reader:
        started = [e for e in reader.events(kind=Kind.SESSION_STARTED) if "other" in e.subject]
    assert disturbed.written == len(started) > 0
