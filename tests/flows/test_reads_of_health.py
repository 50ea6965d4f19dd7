"""`health status` and `health effect` read what they tell of, however much else there is."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from msgspec.structs import replace

from learnt.core.events import Actor, Where
from learnt.core.health.improvement import NEWEST
from learnt.core.health.outcomes import MILLION, Outcome
from learnt.core.identifiers import session_subject
from learnt.core.payloads.session_events import EpisodeClosed, SkillUse
from learnt.core.safety import owned
from learnt.flows.health.effects import LOOKED_AT, UNIT_MS, measured
from learnt.flows.health.queue import queue
from learnt.flows.health.report import skills
from learnt.flows.stored import append
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Ledger, Outside
from learnt.stores.stemming import porter
from tests.flows.stage import Stage
from tests.flows.test_effects_told import hurts, later, lived
from tests.support import in_memory


class CountedLedger:
    """A ledger that counts what is read of it."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.read: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._ledger, name)

    @contextmanager
    def reading(self) -> Iterator[Any]:
        """A look of which each event and execution is counted."""
        with self._ledger.reading() as reader:
            yield CountedReader(reader, self.read)


class CountedReader:
    """A look at such a ledger."""

    def __init__(self, reader: Any, read: Counter[str]) -> None:
        self._reader, self._read = reader, read

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)

    def _each(self, what: str, found: Iterator[Any]) -> Iterator[Any]:
        for one in found:
            self._read[what] += 1
            yield one

    def events(self, **asked: Any) -> Iterator[Any]:
        """As the ledger has them."""
        return self._each("events", self._reader.events(**asked))

    def uses(self, *asked: Any, **more: Any) -> Iterator[Any]:
        """As the ledger has them."""
        return self._each("executions", self._reader.uses(*asked, **more))


def closed(stage: Stage, count: int, skill: str = "audit") -> None:
    """So many episodes more in which a skill was used, one a session."""
    with stage.outside.ledger.writing() as writer:
        named = (SkillUse(skill=writer.keep("skill", owned(skill)), by="agent"),)
        for _ in range(count):
            session = f"{skill}{stage.outside.random.bytes(8).hex()}"
            where = Where(agent="claude-code", session=session, episode="p1")
            payload = EpisodeClosed(
                ended_by="prompt", outcome=Outcome(grade=MILLION), skills=named, took_ms=900
            )
            subject = session_subject("claude-code", session)
            append(writer, subject, Actor.LEARNT, payload, where=where)


def counted(stage: Stage) -> tuple[Outside, Counter[str]]:
    """The same home, and what is read of it from now on."""
    ledger = CountedLedger(stage.outside.ledger)
    return replace(stage.outside, ledger=cast("Ledger", ledger)), ledger.read


def test_status_and_queue_read_the_newest_executions_alone() -> None:
    """Of each skill two hundred, and the events of its last session."""
    stage = Stage()
    closed(stage, 1_000)
    closed(stage, 10, skill="deploy")
    for told in (skills, queue):
        outside, read = counted(stage)
        told(outside)
        assert read["executions"] == NEWEST + 10
        assert read["events"] <= 2


def test_an_effect_reads_its_units_and_what_was_before_the_first() -> None:
    """Not the episodes of sessions that were not eligible, however many there were."""
    read = {}
    for others in (LOOKED_AT, 4 * LOOKED_AT):
        stage = Stage(in_memory.outside(porter, ShippedLanguage(), share=1.0))
        closed(stage, others)
        later(stage, 1_000)
        entry = stage.vouched()
        lived(stage, 5, hurts)
        closed(stage, others)
        later(stage, UNIT_MS)
        outside, counts = counted(stage)
        assert [one.entry.id for one in measured(outside)] == [entry]
        read[others] = counts["events"]
    assert LOOKED_AT < read[LOOKED_AT] == read[4 * LOOKED_AT] < LOOKED_AT + 100
