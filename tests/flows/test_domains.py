"""A domain's facts: captured, fading by its rate, and spoken of by what its extractor reads."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.confidence import confidence
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Entry, Stage, belief, day
from learnt.core.knowledge.signals import FoundNone, Measured, Signal, Worked
from learnt.core.knowledge.topics import OWN
from learnt.domain_ports import Domain, DomainHome, Extracted, ToolCall
from learnt.domains.loader import Loaded, about_of, load
from learnt.errors import UsageError
from learnt.flows.knowledge.capture import Offer, OfferOutcome, capture
from learnt.flows.knowledge.standing import freshness
from learnt.flows.recall.ask import ask, newest
from learnt.flows.recall.search import entry_of
from tests.support.in_memory import FixedClock
from tests.support.in_memory_files import InMemoryPrivateFiles
from tests.support.sessions_told import FOLDER, Home, said

DAY = 86_400_000
PAYS = "arm-3 pays 0.60 a pull on average, and never more than its first quote"
ASKS = "what does arm-3 pay?"
STATE = "orders.state is 'open', 'paid' or 'void'"


def enabled(home: Home, *domains: Domain) -> Home:
    """The same home with domains enabled; its own tiny one without any."""
    found = domains or load(["slots"]).domains
    kinds = Loaded(domains=tuple(found)).kinds
    own = DomainHome(folder=Path(), files=lambda name: InMemoryPrivateFiles(), now_ms=lambda: 0)
    home.outside = replace(
        home.outside, domains=tuple(found), kinds=kinds, about=about_of(tuple(found), own)
    )
    return home


@pytest.fixture
def home() -> Home:
    return enabled(Home())


def known(home: Home, text: str = PAYS, kind: str = "payoff", *about: str) -> OfferOutcome:
    """A fact that a person vouched for."""
    fact = Draft(text=text, kind=kind, entities=about or ("arm-3",))
    return capture(home.outside, Offer(what=fact, actor=Actor.HUMAN, folder=FOLDER, insisted=True))


def pulled(arm: str, result: str, *, failed: bool = False) -> dict[str, Any]:
    """A pull of an arm, as a tool of another server's."""
    return {"tool": "mcp__slots__pull", "input": {"arm": arm}, "result": result, "failed": failed}


def entry(home: Home, name: EntryId) -> Entry:
    """An entry as it is now."""
    with home.outside.ledger.reading() as reader:
        found = entry_of(reader, name)
    assert found is not None
    return found


def weights(home: Home, name: EntryId) -> tuple[int, int]:
    """What speaks for a validated entry, and against it."""
    standing = entry(home, name).standing
    return standing.alpha, standing.beta


def later(home: Home, days: int) -> None:
    """So many days go by."""
    assert isinstance(home.outside.clock, FixedClock)
    home.outside.clock.ms += days * DAY


def test_a_fact_of_a_domains_kind_is_captured_and_fades_by_its_rate(home: Home) -> None:
    """Wherever it is shown, with its layer and its kind's name."""
    one = known(home).entry
    held = entry(home, one)
    assert (Stage.VALIDATED, "payoff", "business_rules") == (held.stage, held.kind, held.topic)
    later(home, 20)
    (hit,) = ask(home.outside, ASKS, folder=FOLDER, actor=Actor.HUMAN, most=5)
    (fresh,) = freshness(home.outside, FOLDER)
    (listed,) = newest(home.outside, FOLDER, 5)
    levels = {
        round(level or 0, 4) for level in (hit.note.level, fresh.confidence, listed.note.level)
    }
    assert ({0.6703}, "payoff", "VERIFY") == (levels, hit.note.kind, hit.note.trust)
    home.session("s1", [said(ASKS)])
    assert f"{handle(one)} VERIFY" in home.prompts[0]


def test_what_a_person_says_of_its_things_is_of_its_kind(home: Home) -> None:
    """A remark in a session: about the arm that it names, and fading as payoffs do."""
    home.session("s1", [said("pull for me"), said("Remember: arm-3 pays 0.6 a pull at noon")])
    home.harvest("s1")
    (note,) = home.notes()
    assert ("payoff", ("arm-3",)) == (note.kind, note.entities)


def test_names_that_are_given_are_kept(home: Home) -> None:
    """And so is the kind; only where none are given the domain's own are taken."""
    offers = [
        Draft(text=PAYS, kind="schema", entities=("the bar",)),
        Draft(text=PAYS + " at noon", kind="schema"),
    ]
    for what in offers:
        capture(home.outside, Offer(what=what, actor=Actor.HUMAN, folder=FOLDER, insisted=True))
    assert [("schema", ("the bar",)), ("schema", ("arm-3",))] == [
        (note.kind, note.entities) for note in home.notes()
    ]


def test_a_kind_that_nobody_knows_is_refused() -> None:
    """With the kinds that there are; and nothing is recorded."""
    home = Home()
    with pytest.raises(UsageError, match="'payoff' is none that is known here: schema"):
        known(home)
    assert [] == home.entries()


def test_entries_of_a_domain_that_is_off_keep(home: Home) -> None:
    """They fade as solutions do, and are shown with their kind's name."""
    one = known(home).entry
    later(home, 20)
    home.outside = replace(home.outside, domains=(), kinds=OWN)
    (hit,) = ask(home.outside, ASKS, folder=FOLDER, actor=Actor.HUMAN, most=5)
    assert (one, "payoff", 0.8187) == (hit.note.id, hit.note.kind, round(hit.note.level or 0, 4))
    assert "payoff" == home.outside.kinds.short("payoff")


def test_the_extractors_signal_confirms_it_at_a_harvest(home: Home) -> None:
    """A hard success of 0.3 for a mean within 5 %, from now on: it fades from that day."""
    one = known(home).entry
    later(home, 20)
    home.session("s1", [said("pull arm-3 for me", pulled("arm-3", "200 pulls, mean 0.61"))])
    found = home.harvest("s1")
    assert [(one, "s1-0-0", True)] == [(u.entry, u.tool_use, u.good) for u in found.used]
    held = entry(home, one)
    today = day(home.outside.clock.now_ms())
    standing = belief(held.standing, held.kind, today)
    kinds = home.outside.kinds.policies
    assert (300, 1.0) == (held.standing.alpha, confidence(standing, today, kinds=kinds))
    (event,) = home.events(Kind.FEEDBACK)
    assert (Actor.TOOL, "s1") == (event.actor, event.where.session)


def test_a_number_outside_speaks_against_it(home: Home) -> None:
    """At 1.5, though the call itself went well; and no rule of another's confirms it by that."""
    one = known(home).entry
    home.session("s1", [said(ASKS, pulled("arm-3", "200 pulls, mean 0.21"))])
    home.harvest("s1")
    assert (0, 1_500) == weights(home, one)


def test_each_call_counts_once(home: Home) -> None:
    """Three pulls are three; harvested again they are no more."""
    one = known(home).entry
    turn = said(ASKS, *(pulled("arm-3", f"{n} pulls, mean 0.6") for n in (100, 200, 300)))
    home.session("s1", [turn])
    home.harvest("s1")
    assert (900, 0) == weights(home, one)
    lines = home.transcripts["/t/s1.jsonl"].splitlines(keepends=True)
    home.transcripts["/t/s1.jsonl"] = b"".join(lines[:-2])  # written again: read from its start
    assert (1, []) == (home.harvest("s1").turns, home.harvest("s1").used)
    assert (900, 0) == weights(home, one)


def test_a_call_that_no_hook_saw_says_nothing(home: Home) -> None:
    """A transcript is a file that anybody may write."""
    one = known(home).entry
    written = said(ASKS, pulled("arm-3", "200 pulls, mean 0.21"))
    home.session("s1", [said(ASKS)], written=[written])
    assert [] == home.harvest("s1").used
    assert (0, 0) == weights(home, one)


def test_other_projects_entries_are_not_spoken_of(home: Home) -> None:
    """Another casino's arm-3 is another arm."""
    fact = Draft(text=PAYS, kind="payoff", entities=("arm-3",))
    offer = Offer(what=fact, actor=Actor.HUMAN, folder="/projects/elsewhere", insisted=True)
    one = capture(home.outside, offer).entry
    home.session("s1", [said(ASKS, pulled("arm-3", "200 pulls, mean 0.21"))])
    home.harvest("s1")
    assert (0, 0) == weights(home, one)


def test_what_the_surroundings_broke_says_nothing(home: Home) -> None:
    """Nor does another arm."""
    one = known(home).entry
    full = pulled("arm-3", "write: No space left on device", failed=True)
    home.session("s1", [said(ASKS, full, pulled("arm-4", "200 pulls, mean 0.9"))])
    home.harvest("s1")
    assert (0, 0) == weights(home, one)


def reads(*signals: Signal, facts: tuple[Draft, ...] = (), about: str = "orders.state") -> Domain:
    """A domain whose extractor finds the same in every query."""

    def read(call: ToolCall) -> Extracted:
        if call.tool != "mcp__db__query":
            return Extracted()
        return Extracted(entities=(about,), signals=signals, facts=facts)

    return Domain(name="db", extractors=(read,))


QUERY = {
    "tool": "mcp__db__query",
    "input": {"sql": "select * from t_room, orders where orders.state = 1"},
    "result": "[]",
    "failed": False,
}
GONE = FoundNone(value="gone", kinds=("schema",))
VOID = FoundNone(value="void", kinds=("schema",))
UNCLEAR = Measured(value=1, kinds=("schema",))
WORKED = Worked(good=True, kinds=("schema",))


@pytest.mark.parametrize(
    ("signals", "asked", "expected"),
    [
        ((VOID,), "which values has orders.state?", (0, 300)),
        ((GONE,), "orders.state: which are 'gone'?", (300, 0)),
        ((VOID,), "orders.state: which are 'void'?", (0, 0)),
        ((GONE,), "which values has orders.state?", (0, 0)),
        ((UNCLEAR,), "which values has orders.state?", (0, 0)),
        ((WORKED,), "which values has orders.state?", (300, 0)),
        ((WORKED, VOID), "which values has orders.state?", (300, 0)),
    ],
)
def test_soft_signals_by_whose_value_it_was(
    signals: tuple[Signal, ...], asked: str, expected: tuple[int, int]
) -> None:
    """0.3 either way; and what is not clear counts for nothing, though the call went well."""
    home = enabled(Home(), reads(*signals))
    one = known(home, STATE, "schema", "orders.state").entry
    home.session("s1", [said(asked, QUERY)])
    assert handle(one) in home.prompts[0]
    home.harvest("s1")
    assert expected == weights(home, one)


@pytest.mark.parametrize(("good", "expected"), [(True, (300, 0)), (False, (0, 0))])
def test_two_domains_that_read_one_call_speak_once(good: bool, expected: tuple[int, int]) -> None:
    """And where they disagree, not at all."""
    one, other = reads(WORKED), reads(Worked(good=good, kinds=("schema",)))
    home = enabled(Home(), one, replace(other, name="db2"))
    name = known(home, STATE, "schema", "orders.state").entry
    home.session("s1", [said("look", QUERY)])
    home.harvest("s1")
    assert expected == weights(home, name)


def test_a_call_read_anew_does_not_turn_its_word() -> None:
    """A domain's next version may read the same result otherwise: the call has spoken."""
    home = enabled(Home(), reads(WORKED))
    name = known(home, STATE, "schema", "orders.state").entry
    home.session("s1", [said("look", QUERY, QUERY)])
    home.harvest("s1")
    assert (600, 0) == weights(home, name)
    lines = home.transcripts["/t/s1.jsonl"].splitlines(keepends=True)
    home.transcripts["/t/s1.jsonl"] = b"".join(lines[:-2])
    enabled(home, reads(Worked(good=False, kinds=("schema",))))
    assert [] == home.harvest("s1").used
    assert (600, 0) == weights(home, name)


def test_a_candidate_gains_a_witness_and_loses_nothing() -> None:
    """A hard signal is a tool's word; against a candidate none counts."""
    for good, witnesses in ((True, 2), (False, 1)):
        home = enabled(Home(), reads(Worked(good=good, kinds=("schema",))))
        text = "orders.state is 'open', 'paid' or 'void'; the billing job alone sets it"
        fact = Draft(text=text, kind="schema", entities=("orders.state",))
        one = capture(home.outside, Offer(what=fact, actor=Actor.AGENT, folder=FOLDER)).entry
        home.session("s1", [said("look", QUERY)])
        home.harvest("s1")
        found = entry(home, one).standing.confirmations
        assert witnesses == len(found)
        assert {600, 1_000} >= {each.credibility for each in found}


def test_facts_that_it_reads_go_through_the_gates() -> None:
    """As candidates with the call for their evidence; worthless ones stay out."""
    facts = (
        Draft(text="t_room.lock_reason is written by the room service alone", kind="schema"),
        Draft(text="ok", kind="schema"),
        Draft(text="t_room.lock_reason is never null", kind="gossip"),
    )
    home = enabled(Home(), reads(facts=facts, about="t_room"))
    home.session("s1", [said("look", QUERY)])
    found = home.harvest("s1")
    assert [Stage.CANDIDATE, Stage.REJECTED] == [one.stage for one in found.offered]
    (held,) = home.entries()
    assert [1_000] == [each.credibility for each in held.standing.confirmations]
    assert "tool" == held.origin


def test_an_extractor_that_fails_costs_no_harvest(make: Callable[[], Home]) -> None:
    """The session is harvested as without it."""
    home = make()
    home.session("s1", [said("all our prices are gross, never net", QUERY)])
    assert 1 == len(home.harvest("s1").taught)


@pytest.fixture
def make() -> Callable[[], Home]:
    """A home with a domain that fails at every call."""
    from learnt.domains.loader import guarded

    def read(call: ToolCall) -> Extracted:
        raise RuntimeError

    return lambda: enabled(Home(), guarded(Domain(name="ill", extractors=(read,))))
