"""How long the dashboard's pages take on the server, over many entries and events.

    python -m benchmarks.pages [--entries 10000] [--events 100000] [--rounds 20] [--home DIR]
                              [--browser]

The home has the corpus's documents, half of them facts, and sessions of twelve prompts that recall
them, with outcomes, skills, coins and disputes, over half a year. Each page is asked for over a
real connection as a browser asks; what a page names differs from round to round. The goal is a p95
of 300 ms. With --home the filled home is kept there, and used again.
"""

import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count, islice
from pathlib import Path
from random import Random  # noqa: TID251  # seeded: the same home in every run
from typing import Final

from playwright.sync_api import sync_playwright

from benchmarks.corpus import Corpus
from benchmarks.report import Tables, load_now, run, spread, verdict
from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind
from learnt.core.health.outcomes import Cause, Trouble
from learnt.core.identifiers import EntryId
from learnt.settings import Settings
from tests.support.browser import seen
from tests.support.dashboards import opened_dashboard
from tests.support.homes import Home
from tests.support.lived_in import Past, Turn

GOAL_MS: Final = 300.0
PAINT_MS: Final = 1_000.0
_PAINT: Final = "() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
DAYS: Final = 180
TURNS: Final = 12
EVENTS_A_SESSION: Final = 36
SKILLS: Final = tuple(f"skill-{number:02}" for number in range(24))
KINDS: Final = ("schema", "business_rule", "procedure", "tool_experience", "query_pattern")
TOPICS: Final = ("", "schema_map", "business_rules", "investigation_flows")
SLICE: Final = 500  # entries or sessions in one transaction


def fill(home: Home, entries: int, events: int) -> None:
    """Entries over the first half of the time, sessions over the second."""
    corpus, dice = Corpus(), Random(7)
    known: list[EntryId] = []
    with opened(Settings(home=home.path)) as outside:
        told = Past(outside, str(home.project))
        with told.writing():
            told.begin(DAYS + 1)
        for numbers in _batched(range(entries), SLICE):
            with told.writing():
                for number in numbers:
                    days = DAYS - number * DAYS / 2 / entries
                    known.append(_entry(told, corpus, number, days, dice, known))
        with outside.ledger.reading() as reader:
            before = sum(reader.count(kind) for kind in Kind)
        sessions = max(1, round((events - before) / EVENTS_A_SESSION))
        for numbers in _batched(range(sessions), SLICE):
            with told.writing():
                for number in numbers:
                    days = DAYS / 2 - number * DAYS / 2 / sessions
                    _session(told, corpus, number, days, dice, known)
        outside.ledger.tidy()


def _entry(
    told: Past, corpus: Corpus, number: int, days: float, dice: Random, known: list[EntryId]
) -> EntryId:
    document = corpus.document(number)
    actor = Actor.AGENT if number % 9 == 0 else Actor.HUMAN
    everywhere = number % 5 == 4
    if number % 2:
        entry = told.entry(
            days, document.fact.text, kind=KINDS[number % len(KINDS)], actor=actor,
            topic=TOPICS[number % len(TOPICS)], everywhere=everywhere,
        )  # fmt: skip
    else:
        what = document.solution
        entry = told.entry(
            days, problem=what.problem, approach=what.approach, actor=actor, everywhere=everywhere
        )
    if number % 10 == 3:
        told.word(entry, days - 1, result=dice.choice(["success", "failure"]), weight=300)
    if number % 97 == 1 and known:
        told.dispute(entry, known[-1], days - 1)
    return entry


def _session(
    told: Past, corpus: Corpus, number: int, days: float, dice: Random, known: list[EntryId]
) -> None:
    turns = []
    for turn in range(TURNS):
        trouble = dice.choices([Trouble.NONE, Trouble.TEST, Trouble.CORRECTION], [8, 1, 1])[0]
        grade = None if turn % 3 else float(trouble is Trouble.NONE)
        # A quarter of what is known is recalled again and again, as in life.
        shown = [known[int(len(known) * dice.random() ** 2)]] if turn % 4 else []
        turns.append(
            Turn(
                prompt=corpus.prompt(number * TURNS + turn, len(known)),
                shown=shown,
                trouble=trouble,
                cause=Cause.SKILL if trouble is not Trouble.NONE else Cause.NONE,
                grade=grade,
                quotes={"test": "12 passed"} if grade else {},
                skill=dice.choice(SKILLS) if turn % 4 == 1 else "",
            )
        )
    name = f"session-{number:05}"
    told.session(name, days, turns)
    for entry in {each for turn in turns[:2] for each in turn.shown}:
        told.drawn(entry, name, days, shown=bool(dice.getrandbits(1)))


def addresses(home: Home) -> Mapping[str, Iterator[str]]:
    """Each page's addresses, another one each round."""
    corpus = Corpus()
    with opened(Settings(home=home.path)) as outside, outside.ledger.reading() as reader:
        entries = [view.subject.partition(":")[2] for view in reader.views("entry:")]
        newest = list(reader.events(kind=Kind.RECALLED, newest=2_000))
    dice = Random(11)
    asked = (corpus.prompt(number, len(entries)).replace(" ", "+") for number in count(900_000))
    words = ("+".join(prompt.split("+")[:4]) for prompt in asked)
    sessions = [event.where.session for event in newest if event.where.session]

    def of(pattern: str, values: list[str]) -> Iterator[str]:
        while True:
            yield pattern.format(dice.choice(values))

    numbers = [str(n) for n in range(1, 100)]
    return {
        "Today": of("/", [""]),
        "Today, an entry changed": of("/", [""]),
        "Review": of("/review?part={}", numbers[:10]),
        "Review, an entry changed": of("/review?part={}", numbers[:10]),
        "Knowledge": of("/knowledge?part={}", numbers),
        "Knowledge, an entry changed": of("/knowledge?stage=validated&part={}", numbers),
        "Knowledge, searched": (f"/knowledge?words={each}" for each in words),
        "Knowledge, by trust": of(
            "/knowledge?trust=VERIFY&kind={}", ["schema", "solution", "procedure"]
        ),
        "Knowledge, disputed": of("/knowledge?disputed=yes{}", [""]),
        "An entry": of("/entry/{}", entries),
        "An entry that is recalled much": of("/entry/{}", entries[:50]),
        "Decay": of("/decay?days={}", numbers),
        "Skills": of("/skills", [""]),
        "A skill": of("/skills/{}", list(SKILLS)),
        "Effects": of("/effects?part={}", numbers[:20]),
        "Sessions": of("/sessions?part={}", numbers[:30]),
        "Sessions, searched": (f"/sessions?words={each}" for each in words),
        "A session": of("/sessions/{}", sessions),
        "Misses": of("/misses", [""]),
        "Ledger": of("/ledger?before={}", [str(event.stamp.ms) for event in newest]),
        "Why an entry": of("/ledger/{}", entries),
        "Why an event": of("/ledger/{}", [event.id for event in newest]),
        "Doctor": of("/doctor", [""]),
    }


def measured(home: Home, rounds: int) -> list[dict[str, object]]:
    """Each page, asked for so often after one that warms up, in turn."""
    rows: list[dict[str, object]] = []
    with opened_dashboard(home) as page:
        page.enter()
        for name, paths in addresses(home).items():
            taken, worked, size = [], [], 0
            for number in range(rounds + 1):
                path = next(paths)
                if name.endswith("an entry changed"):
                    _say(home, path)
                start, began = time.perf_counter(), time.process_time()
                answer = page.ask(path)
                seconds, cpu = time.perf_counter() - start, time.process_time() - began
                if answer.code != 200:
                    raise SystemExit(f"{path}: {answer.code}\n{answer.text[-1500:]}")
                if number:
                    taken.append(seconds)
                    worked.append(cpu)
                size = max(size, len(answer.text.encode()))
            told = spread(taken, 1)
            row: dict[str, object] = {"page": name, "rounds": rounds, **told}
            row["cpu p95"] = spread(worked, 1)["p95"]  # which others on the machine do not lengthen
            rows.append(row | {"KiB": size >> 10, "verdict": verdict(told["p95"], GOAL_MS)})
    return rows


def _say(home: Home, fact: str) -> None:
    with opened(Settings(home=home.path)) as outside:
        told = Past(outside, str(home.project))
        with told.writing():
            told.entry(0, f"Something else holds since {time.perf_counter()}: {fact}")


def painted(home: Home) -> list[dict[str, object]]:
    """When the first content of each page is painted in Chromium, after it was asked for."""
    program = shutil.which("chromium")
    if program is None:
        return []
    rows: list[dict[str, object]] = []
    with opened_dashboard(home) as page, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        with seen(browser, page) as window:
            for name, paths in addresses(home).items():
                taken = []
                for path in islice(paths, 5):
                    window.go(path)
                    paint = window.page.wait_for_function(_PAINT).json_value()
                    taken.append(paint / 1_000)
                told = spread(taken, 0)
                goal = verdict(told["p50"], PAINT_MS)
                rows.append({"page": name, "first paint p50": told["p50"], "verdict": goal})
        browser.close()
    return rows


def _batched(numbers: Iterable[int], most: int) -> Iterator[list[int]]:
    left = iter(numbers)
    while part := list(islice(left, most)):
        yield part


@contextmanager
def _filled(kept: Path | None, entries: int, events: int) -> Iterator[Home]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        home = Home(kept or Path(scratch))
        if not home.path.exists():
            home.install()
            fill(home, entries, events)
        yield home


def main(
    *,
    entries: int = 10_000,
    events: int = 100_000,
    rounds: int = 20,
    browser: bool = False,
    home: Path | None = None,
) -> Tables:
    """Fill and measure; with --browser also when Chromium paints."""
    with _filled(home, entries, events) as filled:
        rows, paints = measured(filled, rounds), painted(filled) if browser else []
        with opened(Settings(home=filled.path)) as outside, outside.ledger.reading() as reader:
            events = sum(reader.count(kind) for kind in Kind)
    title = f"{entries:,} entries, {events:,} events; load {load_now()}"
    return {title: rows, "in Chromium": paints}


if __name__ == "__main__":
    run(main)
