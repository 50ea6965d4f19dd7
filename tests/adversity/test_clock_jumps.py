"""A clock that jumps: stamps rise all the same, and every view is what the events give."""

import itertools
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, Stamp
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.gates import Admit
from learnt.core.records import strings
from learnt.core.sessions.observations import Observation
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.recall.ask import ask
from learnt.flows.recall.offering import answer_prompt
from learnt.flows.sessions.observe import read_prompt, report
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores import home_folder
from learnt.stores.git_program import DiskFolders
from learnt.stores.home_folder import FileModelDoor
from learnt.stores.plain_files import DiskCitedFiles, DiskTranscripts
from learnt.stores.skill_shelf import DiskSkillShelf
from learnt.stores.spool import FileSpool
from learnt.stores.sqlite_ledger import SqliteLedger
from learnt.stores.sqlite_past import SqlitePast
from learnt.stores.sqlite_reader import Surroundings
from learnt.stores.stemming import porter
from learnt.stores.text_files import DiskDocuments
from learnt.stores.traces import FileTraces
from learnt.stores.typed_prompts import FilePrompts
from tests.support.homes import APPROACH, PROBLEM, PROMPT
from tests.support.in_memory import CountedRandom

NOW, DAY, YEAR = 1_790_000_000_000, 86_400_000, 365 * 86_400_000
WAYS = {
    "back and forth": (NOW, NOW - 1, NOW, NOW - YEAR, NOW + 1, NOW - DAY, NOW + 2 * DAY, NOW),
    "standing still": (NOW,),
    "ever backwards": tuple(NOW - number * 1_000 for number in range(200)),
    "a start in 1970": (0, 1, 0, NOW, 0, NOW),
    "before 1970": (-1, -YEAR, 0, NOW),
    "far ahead, then right": (NOW + 50 * YEAR, NOW, NOW + 1, NOW + 2),
    "the end of the calendar": (NOW, 253_402_300_799_999, NOW),
    "beyond the calendar": (NOW, 1 << 47, NOW, 1 << 48, NOW),
}


@dataclass
class JumpingClock:
    """Gives the times of a list, over and over."""

    times: Iterator[int]

    def now_ms(self) -> int:
        return next(self.times)


@contextmanager
def outside_at(home: Path, times: tuple[int, ...]) -> Iterator[Outside]:
    """An outside on disk whose clock jumps."""
    home_folder.prepare(home)
    clock, random = JumpingClock(itertools.cycle(times)), CountedRandom()
    around = Surroundings(key=b"k" * 32, clock=clock, random=random, stem=porter)
    ledger = SqliteLedger(home, around)
    try:
        yield Outside(
            ledger=ledger,
            spool=FileSpool(home),
            traces=FileTraces(home),
            folders=DiskFolders(),
            documents=DiskDocuments(),
            shelf=DiskSkillShelf(),
            transcripts=DiskTranscripts(),
            past=SqlitePast(),
            prompts=FilePrompts(home),
            cited_files=DiskCitedFiles(),
            model_door=FileModelDoor(home),
            clock=clock,
            random=random,
            stem=porter,
            language=ShippedLanguage(),
        )
    finally:
        ledger.close()


def solution(number: int) -> Offer:
    problem = f"{PROBLEM} in module number{number}"
    given = Draft(problem=problem, approach=APPROACH, tags=("gradle", f"t{number}"))
    return Offer(what=given, actor=Actor.HUMAN, folder="/work/project")


def live(outside: Outside, rounds: int) -> None:
    """Remember, prompt, work, compact and end, again and again."""
    number = itertools.count()

    def seen(event: str, session: str, **given: object) -> Observation:
        observation = Observation(
            id=f"{next(number):08}",
            ms=outside.clock.now_ms(),
            event=event,
            session=session,
            cwd="/work/project",
        )
        return replace(observation, **given)  # fields by name

    for round_ in range(rounds):
        session = f"s{round_ // 3}"
        assert isinstance(capture(outside, solution(round_)).decision, Admit)
        source = ("startup", "resume", "compact")[round_ % 3]
        report(outside, seen("SessionStart", session, detail={"source": source}))
        prompt = seen("UserPromptSubmit", session, episode=f"p{round_}")
        asked = read_prompt(outside.language, prompt.actor, f"{PROMPT} number{round_}")
        assert answer_prompt(outside, prompt, asked, lambda: False)
        report(outside, seen("PostToolBatch", session, episode=f"p{round_}"))
        report(outside, seen("SessionEnd", session, detail={"reason": str(round_)}))


def all_events(outside: Outside) -> list[Event]:
    with outside.ledger.reading() as reader:
        return list(reader.events())


@pytest.mark.parametrize("way", WAYS)
def test_stamps_rise_whatever_the_clock_does(tmp_path: Path, way: str) -> None:
    """Each event is stamped after the one before it, and folding again gives the same views."""
    with outside_at(tmp_path / "home", WAYS[way]) as outside:
        live(outside, 3)
        for number in range(100, 104):
            capture(outside, solution(number))
        stamps = [event.stamp for event in all_events(outside)]
        arrived = arrival(tmp_path / "home")

        assert arrived == sorted(arrived)
        assert len(set(arrived)) == len(arrived)
        assert stamps == arrived
        assert list(outside.ledger.verify()) == []
        outside.ledger.rebuild()
        assert list(outside.ledger.verify()) == []
        assert len({event.id for event in all_events(outside)}) == len(stamps)


def arrival(home: Path) -> list[Stamp]:
    """The stamps in the order in which the events were written."""
    with closing(sqlite3.connect(home / "ledger.db")) as connection:
        rows = connection.execute("SELECT ms, counter, home FROM events ORDER BY seq").fetchall()
    return [Stamp(*row) for row in rows]


def test_a_long_life_with_a_jumping_clock_folds_alike(tmp_path: Path) -> None:
    """A hundred rounds with snapshots between: views equal their fold, uses and shows add up."""
    with outside_at(tmp_path / "home", WAYS["back and forth"]) as outside:
        live(outside, 60)

        assert list(outside.ledger.verify()) == []
        found = ask(outside, PROMPT, folder="/work/project", actor=Actor.HUMAN, most=5)
        assert all(APPROACH in hit.note.approach for hit in found)
        reused = sum(event.kind is Kind.REUSED for event in all_events(outside))
        counted = sum(
            len(strings(event.payload["counted"]))
            for event in all_events(outside)
            if event.kind is Kind.RECALLED and event.payload["mode"] == "hook"
        )
        assert reused == counted > 0


def test_what_was_kept_in_a_far_year_can_still_be_shown(tmp_path: Path) -> None:
    """An entry kept while the clock was absurd is injected and explained without an error."""
    for number, ms in enumerate((-(1 << 47), 0, 1 << 47, 1 << 50)):
        with outside_at(tmp_path / str(number), (ms,)) as outside:
            live(outside, 1)
            hits = ask(outside, PROMPT, folder="/work/project", actor=Actor.HUMAN, most=5)
            assert len(hits) == 1


def test_the_clock_has_no_part_in_what_is_kept(tmp_path: Path) -> None:
    """Two ledgers with different clocks hold the same events but for their times."""
    told = []
    for name in ("standing still", "back and forth"):
        with outside_at(tmp_path / name.replace(" ", "-"), WAYS[name]) as outside:
            live(outside, 6)
            told.append([(event.kind, event.where.session) for event in all_events(outside)])
    assert told[0] == told[1]


def test_a_ledger_ahead_of_the_clock_stays_quick(tmp_path: Path) -> None:
    """Where a stamp lies fifty years ahead, the counter goes on; writing is not slower for it."""
    # A capture reads the clock before it is written, too.
    ahead = (NOW + 50 * YEAR,) * 4
    with outside_at(tmp_path / "home", (*ahead, *(NOW,) * 10_000)) as outside:
        started = time.monotonic()
        live(outside, 30)
        assert time.monotonic() - started < 10
        last = all_events(outside)[-1].stamp
        assert last.ms == NOW + 50 * YEAR
        assert last.counter > 100
        assert list(outside.ledger.verify()) == []
