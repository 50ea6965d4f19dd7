"""An investigation of a database, played through Learnt: real statements, gates, signals, recall.

What is asked and what is offered is written down beforehand (`Script`); everything else, answers,
decisions, confirmations, what is recalled, is what the database and the code say. The clock is set.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Relation
from learnt.core.knowledge.topics import Maturity, maturity
from learnt.core.records import JsonValue
from learnt.domain_ports import DomainHome
from learnt.domains.database.domain import NAME
from learnt.domains.database.gate.verdicts import Denied
from learnt.domains.database.schema import cache
from learnt.domains.database.schema.cache import KeptTables
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import (
    Connection,
    DbAddress,
    DbSession,
    Limits,
    address,
    begun,
)
from learnt.domains.loader import about_of, load
from learnt.errors import StatementFailed
from learnt.file_ports import PrivateFiles
from learnt.flows.governance.survey import survey
from learnt.flows.knowledge.capture import Offer, OfferOutcome, capture
from learnt.flows.knowledge.harvest import Harvested
from learnt.flows.knowledge.standing import Fresh, Swept, freshness, sweep
from learnt.flows.recall.ask import ask
from learnt.flows.recall.search import entry_of
from learnt.formats.answers import to_json
from learnt.formats.injection import Note
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from tests.support import asking, in_memory
from tests.support.database_servers import PASSWORD, NotHere, Server, mariadb
from tests.support.in_memory_files import InMemoryPrivateFiles
from tests.support.samples import CORPUS
from tests.support.samples import load as load_dump
from tests.support.sessions_told import FOLDER, Home, Turn, ran
from tests.support.transcripts import Reports, call_id
from tools.walkthrough import answered

Expected = Literal["in", "known", "right", "out"]
TOOL, AGENT, USER = "tool", "agent", "user"


@dataclass(frozen=True, slots=True)
class Said:
    """Something offered: its kind, its words, who vouches for it, and the steps that led to it.

    A `tool` vouches by the call of the last of these steps, or of the task's last. `expected` is
    what the script's author would have decided, by hand and beforehand.
    """

    kind: str
    text: str
    by: str = AGENT
    led: tuple[int, ...] = ()
    about: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    expected: Expected = "out"


@dataclass(frozen=True, slots=True)
class Task:
    """A question, the statements that answer it, and what is offered afterwards.

    `holds` is what an answer must say where it is given from knowledge alone.
    """

    asked: str
    steps: tuple[str, ...]
    offers: tuple[Said, ...]
    holds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """What is asked on one day; `orders` are the owner's beforehand, `business` what they do."""

    day: int
    tasks: tuple[Task, ...]
    business: str = ""
    orders: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Script:
    """An investigation: the database's name, what it is in words, the rounds, the day after."""

    name: str
    what: str
    rounds: tuple[Round, ...]
    last_day: int


DAY_MS = 86_400_000
HOUR_MS = DAY_MS // 24
MONDAY = 1_772_409_600_000  # 2026-03-02
DECIDED: Mapping[str, Expected] = {
    "Admit": "in", "Merge": "known", "Correct": "right", "Reject": "out",
}  # fmt: skip
# What the agent says of the note that it is asked about: what the script's author expected.
_IS_TO: Mapping[Expected, Relation] = {"known": Relation.SAME, "right": Relation.CONTRADICTS}
MOST = 5  # entries that a question recalls


@dataclass(frozen=True, slots=True, kw_only=True)
class Database:
    """A database to ask: the account that may read, and the owner's ways around it.

    `logged` counts the statements that the server's own log saw, None where it has none.
    """

    address: DbAddress
    looking: DbAddress  # the account that the structure is looked at by
    password: str | None
    change: Callable[[Sequence[str]], None]
    logged: Callable[[], int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A statement and what came of it: `shown` is the call as an agent's tool has it."""

    sql: str
    shown: Turn
    rows: JsonValue = None
    failed: str = ""
    refused: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A task as it went: its steps, and what became of the offers.

    `texts` has of each offer's entry how often it had been corrected by then.
    """

    task: Task
    steps: tuple[Step, ...]
    outcomes: tuple[OfferOutcome, ...]
    texts: tuple[int, ...]

    def led_to(self, step: int) -> frozenset[tuple[EntryId, int]]:
        """The entries to which a step led, as far as the gates let its facts in."""
        told = zip(self.task.offers, self.outcomes, self.texts, strict=True)
        return frozenset(
            (one.entry, text)
            for said, one, text in told
            if step in said.led and decided(one) != "out"
        )


def decided(outcome: OfferOutcome) -> Expected:
    """What the gates decided, in a word."""
    return DECIDED[type(outcome.decision).__name__]


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A round as it went."""

    round: Round
    tasks: tuple[Asked, ...]
    statements: int
    harvested: Harvested
    swept: Swept
    doubted: tuple[Fresh, ...]  # validated, and not trusted before the day's first question
    fresh: tuple[Fresh, ...]
    entries: int
    maturity: Maturity

    @property
    def outcomes(self) -> tuple[OfferOutcome, ...]:
        """All that was offered: by the investigator, and by the harvest."""
        told = [one.outcome for one in self.harvested.taught if one.outcome is not None]
        by_hand = [outcome for task in self.tasks for outcome in task.outcomes]
        return (*by_hand, *self.harvested.offered, *told)

    @property
    def counts(self) -> Counter[str]:
        """How many of each verdict."""
        return Counter(map(decided, self.outcomes))

    @property
    def rate(self) -> float:
        """The share of what was offered that changed nothing or only confirmed."""
        return (self.counts["out"] + self.counts["known"]) / len(self.outcomes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """A question asked once more, by one who knows nothing and by one who asks Learnt first.

    `spared` are the steps that were not run, `by` the trusted entries that spared them. `same` is
    None where the last statement fails by now, whoever runs it.
    """

    asked: Asked
    without: int
    spared: tuple[int, ...]
    by: tuple[Note, ...]
    same: bool | None

    @property
    def ran(self) -> int:
        """The statements that were left to run."""
        return self.without - len(self.spared)


@dataclass(slots=True)
class Investigation:
    """The stage: a home in memory, a clock that is set, and a session with the database."""

    script: Script
    database: Database
    clock: in_memory.FixedClock = field(default_factory=lambda: in_memory.FixedClock(MONDAY))
    statements: int = 0
    home: Home = field(init=False)
    session: DbSession = field(init=False)
    _home: DomainHome = field(init=False)

    def __post_init__(self) -> None:
        files: dict[str, PrivateFiles] = {}

        def of(name: str) -> PrivateFiles:
            return files.setdefault(name, InMemoryPrivateFiles())

        outside = in_memory.outside(porter, ShippedLanguage(), clock=self.clock)
        home = DomainHome(folder=Path("/nowhere"), files=of, now_ms=self.clock.now_ms)
        found = load([NAME]).domains
        about = about_of(found, home)
        self.home = Home(
            replace(outside, domains=found, cited_things=KeptTables(home), about=about)
        )
        self.session = self._begun(self.database.address)
        self._home = home
        named = Connection(name=self.script.name, address=self.database.address)
        connections.keep(home, named)

    def _begun(self, address: DbAddress) -> DbSession:
        return begun(address, self.database.password, Limits())

    def look(self) -> None:
        """`learnt db structure --fresh`: what citations of tables are held against."""
        named = connections.named(self._home, self.script.name)
        source = cache.StructureSource(
            self._home, named, lambda _: self._begun(self.database.looking)
        )
        cache.structure(source, None, "none")

    def go_to(self, day: int) -> None:
        """Set the clock to nine o'clock of a day."""
        self.clock.ms = MONDAY + day * DAY_MS + 9 * HOUR_MS

    def ask(self, sql: str) -> Step:
        """Ask the database one thing through the gate, as `learnt db query` does."""
        printed: JsonValue
        refused = failed = ""
        rows: JsonValue = None
        try:
            found = asking.ask(self.session, sql)
        except StatementFailed as error:
            self.statements += 1
            failed = str(error)
            printed = {"failed": failed}
        else:
            if isinstance(found, Denied):
                refused = found.in_words
                printed = {"refused": refused}
            else:
                self.statements += 1
                printed = to_json(found)
                rows = to_json(found.rows)
        command = f'learnt db query --name {self.script.name} --sql "{sql}" --json'
        text = json.dumps(printed, ensure_ascii=False)
        shown = ran(command, text, failed=bool(refused or failed))
        return Step(sql=sql, shown=shown, rows=rows, failed=failed, refused=refused)

    def offer(self, said: Said, session: str, turn: int, steps: int) -> OfferOutcome:
        """Offer a fact to the gates."""
        self.clock.ms += 60_000
        shows = call_id(session, turn, said.led[-1] if said.led else steps - 1)
        offer = Offer(
            what=Draft(text=said.text, kind=said.kind, entities=said.about),
            actor=Actor.HUMAN if said.by == USER else Actor.AGENT,
            folder=FOLDER,
            session=session,
            evidence=shows if said.by == TOOL else "",
            cites=said.cites,
        )
        outcome = capture(self.home.outside, offer)
        return answered(self.home.outside, outcome, _IS_TO.get(said.expected), session, FOLDER)

    def play(self, one: Round, number: int) -> Played:
        """A day: what the business did meanwhile, the questions, and the harvest at its end."""
        self.go_to(one.day)
        self.database.change(one.orders)
        self.look()
        doubted = tuple(one for one in self.fresh() if one.trust != "TRUST")
        counted, name = self.statements, f"round-{number}"
        path = self.home.write(name, [])
        reports = Reports(session=name, folder=FOLDER, transcript=path)
        self.home.report(reports.began())
        told: list[Turn] = []
        tasks = []
        for turn, task in enumerate(one.tasks):
            tasks.append(self._task(task, turn, reports, told))
        self.home.report(reports.ended())
        harvested = self.home.harvest(name)
        self.clock.ms += HOUR_MS
        swept = sweep(self.home.outside)
        return Played(
            round=one,
            tasks=tuple(tasks),
            statements=self.statements - counted,
            harvested=harvested,
            swept=swept,
            doubted=doubted,
            fresh=tuple(self.fresh()),
            entries=len(self.home.entries()),
            maturity=maturity(survey(self.home.outside, FOLDER).record),
        )

    def _task(self, task: Task, turn: int, reports: Reports, told: list[Turn]) -> Asked:
        self.clock.ms += 60_000
        self.home.report(reports.asked(turn, task.asked))
        steps = tuple(self.ask(sql) for sql in task.steps)
        for place, step in enumerate(steps):
            self.clock.ms += 1_000
            self.home.report(reports.called(turn, place, step.shown))
        told.append({"prompt": task.asked, "steps": [step.shown for step in steps]})
        self.home.write(reports.session, told)
        outcomes, texts = [], []
        for said in task.offers:
            outcomes.append(self.offer(said, reports.session, turn, len(steps)))
            texts.append(self._text(outcomes[-1].entry))
        self.home.report(reports.stopped(turn))
        return Asked(task=task, steps=steps, outcomes=tuple(outcomes), texts=tuple(texts))

    def _text(self, entry: EntryId) -> int:
        """How often an entry was corrected."""
        with self.home.outside.ledger.reading() as reader:
            held = entry_of(reader, entry)
        return 0 if held is None else held.corrected

    def fresh(self) -> list[Fresh]:
        """What is validated, least trusted first."""
        return freshness(self.home.outside, FOLDER)

    def again(self, asked: Asked) -> Again:
        """The question once more: all its steps, and then those that no trusted entry spares.

        A step is spared if all that it led to is recalled, trusted, and says what it said then.
        """
        self.clock.ms += 60_000
        task = asked.task
        every = [self.ask(sql) for sql in task.steps]
        hits = ask(self.home.outside, task.asked, folder=FOLDER, actor=Actor.AGENT, most=MOST)
        trusted = {
            (hit.note.id, self._text(hit.note.id)): hit.note
            for hit in hits
            if hit.note.trust == "TRUST"
        }
        led = [asked.led_to(step) for step in range(len(task.steps))]
        spared = tuple(n for n, facts in enumerate(led) if facts and facts <= trusted.keys())
        left = [self.ask(sql) for n, sql in enumerate(task.steps) if n not in spared]
        used = dict.fromkeys(fact for n in spared for fact in sorted(led[n]))
        by = tuple(trusted[fact] for fact in used)
        return Again(
            asked=asked,
            without=sum(not step.refused for step in every),
            spared=tuple(n for n in spared if not every[n].refused),
            by=by,
            same=_same(task, every, left, by),
        )


def _same(
    task: Task, every: Sequence[Step], left: Sequence[Step], by: Sequence[Note]
) -> bool | None:
    """Whether the answer is the one that all statements give.

    Without the last statement knowledge answers: it says all that the statement's answer must.
    """
    if left and left[-1].sql == every[-1].sql:
        return None if every[-1].failed else left[-1].rows == every[-1].rows
    known = " ".join(note.text for note in by)
    found = json.dumps(every[-1].rows, ensure_ascii=False)
    return bool(task.holds) and all(word in known and word in found for word in task.holds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """All rounds, and the same questions afterwards; `logged` as the server counted."""

    script: Script
    rounds: tuple[Played, ...]
    again: tuple[Again, ...]
    statements: int
    logged: int | None


def played(script: Script, database: Database) -> Whole:
    """The whole investigation."""
    stage = Investigation(script, database)
    try:
        rounds = tuple(stage.play(one, number) for number, one in enumerate(script.rounds, 1))
        stage.go_to(script.last_day)
        again = tuple(stage.again(asked) for one in rounds for asked in one.tasks)
    finally:
        stage.session.close()
    logged = None if database.logged is None else database.logged()
    return Whole(
        script=script, rounds=rounds, again=again, statements=stage.statements, logged=logged
    )


_FILES = ("datacharmer__sakila-mv-schema.sql.gz", "datacharmer__sakila-mv-data.sql.gz")
# What the catalog is asked before a question among it.
_HOUSEKEEPING = (
    "START TRANSACTION%",
    "ROLLBACK%",
    "COMMIT%",
    "SET %",
    "SELECT _engine_, engine FROM information_schema.tables %",
    "SELECT routine_name FROM information_schema.routines %",
    "SELECT function FROM information_schema.sql_functions",
)


@contextmanager
def sakila(corpus: Path = CORPUS) -> Iterator[Database]:
    """The whole of it; NotHere, with the reason, where it or a server can't be had."""
    missing = [name for name in _FILES if not (corpus / name).is_file()]
    if missing:
        raise NotHere("no Sakila here: ../shared/evaluation/corpus/sql is not there")
    with mariadb() as server:
        ((version,),) = server.run("SELECT VERSION()", database="")
        if not str(version).startswith("10.11."):
            raise NotHere(f"MariaDB {version} is here: what 10.11 says differs in words")
        # What the server samples in the background decides in which order it joins, and so answers.
        server.run(
            "SET GLOBAL innodb_stats_auto_recalc = OFF",
            "SET GLOBAL innodb_stats_persistent_sample_pages = 10000",
            database="",
        )
        load_dump(server, [corpus / name for name in _FILES])
        tables = server.run("SHOW FULL TABLES WHERE Table_type = 'BASE TABLE'", database="sakila")
        server.run(f"ANALYZE TABLE {', '.join(str(row[0]) for row in tables)}", database="sakila")
        server.run(
            "SET GLOBAL log_output = 'TABLE'", "SET GLOBAL general_log = ON", database="sakila"
        )
        yield Database(
            address=address(server.url("reader", "sakila")),
            looking=address(server.url("writer", "sakila")),
            password=PASSWORD,
            change=lambda orders: _change(server, orders),
            logged=lambda: _logged(server),
        )


def _change(server: Server, orders: Sequence[str]) -> None:
    if orders:
        server.run(*orders, database="sakila")


def _logged(server: Server) -> int:
    """The statements of the account that only reads, without what a session says around them."""
    around = " AND ".join(f"argument NOT LIKE '{one}'" for one in _HOUSEKEEPING)
    (count,) = server.run(
        "SELECT COUNT(*) FROM mysql.general_log WHERE command_type = 'Query'"
        f" AND user_host LIKE 'reader%' AND {around}",
        database="sakila",
    )
    return int(count[0])
