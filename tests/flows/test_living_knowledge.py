"""Facts on their way: in through the gates, witnessed, validated, corrected, and out again."""

import pytest

from learnt.core.events import Actor, Kind, NewEvent, payload_of
from learnt.core.identifiers import EntryId, entry_id, entry_subject
from learnt.core.knowledge.entries import Stage as At
from learnt.core.knowledge.entries import level
from learnt.core.knowledge.gates import Admit, Correct, Merge
from learnt.core.payloads.entry_events import Remembered, Result
from learnt.errors import NotFound, Refused
from learnt.flows.governance.explain import explain
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.knowledge.standing import freshness, stage_by_hand, sweep
from tests.flows.stage import ELSEWHERE, HERE, Stage
from tests.flows.test_episodes import ran, step
from tests.support.in_memory import FixedClock

DAY_MS = 86_400_000
ROOM = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
TIMEOUT = "The booking gateway drops idle connections after 60 seconds"
CORRECTED = "no, the booking gateway drops idle connections after 90 seconds, not 60 seconds"
OTHER_TIMEOUT = "The booking gateway drops idle connections after 90 seconds"


def later(stage: Stage, days: int) -> None:
    """Let days go by."""
    assert isinstance(stage.outside.clock, FixedClock)
    stage.outside.clock.ms += days * DAY_MS


def seen(stage: Stage, session: str, *, passed: bool = True) -> str:
    """A tool call that the agent reported; its id."""
    response = "4 passed in 1s" if passed else "Exit code 1\n1 failed, 3 passed in 1s"
    call = ran(response)
    step(stage, f"{session}-p", call, session=session)
    return str(call["id"])


def say(stage: Stage, entry: EntryId, result: Result, **given: object) -> bool:
    stage.begin(str(given.get("session", "s1")))
    word = Word(result=result, **{"actor": Actor.AGENT, "session": "s1", **given})  # type: ignore[arg-type]  # a table
    return tell(stage.outside, entry, word)[1]


def test_an_agents_fact_is_a_candidate_with_one_witness() -> None:
    """Its own word, 0.6, in its session."""
    stage = Stage()
    outcome = stage.learn(ROOM)
    assert (Admit("schema_map"), At.CANDIDATE) == (outcome.decision, outcome.stage)
    (witness,) = stage.entry(outcome.entry).standing.confirmations
    assert (600, 1_000, "s1") == (witness.credibility, witness.relevance, witness.session)


def test_a_persons_fact_is_validated_at_once() -> None:
    """Confirmed today, at full confidence."""
    stage = Stage()
    entry = stage.entry(stage.learn(TIMEOUT, "business_rule", actor=Actor.HUMAN).entry)
    assert (At.VALIDATED, 1.0) == (entry.stage, level(entry, stage.outside.clock.now_ms()))


def test_a_duplicate_adds_its_confirmation_once_a_session() -> None:
    """One entry, two events of its history (oracle 31); an agent's repetition adds nothing."""
    stage = Stage()
    first = stage.learn(ROOM)
    for session in ("s1", "s2", "s2"):
        assert Merge(first.entry) == stage.learn(ROOM.upper(), session=session).decision
    told = stage.entry(first.entry).standing.confirmations
    assert ["s1", "s2"] == [one.session for one in told]
    assert 1 == len(stage.events(Kind.REMEMBERED))


def test_a_tool_call_vouches_for_what_it_shows() -> None:
    """The witness is a tool, of the session that made the call; a failed one shows nothing."""
    stage = Stage()
    outcome = stage.learn(ROOM, evidence=seen(stage, "s7"))
    (witness,) = stage.entry(outcome.entry).standing.confirmations
    assert (1_000, "s7") == (witness.credibility, witness.session)
    with pytest.raises(Refused, match="failed: it shows nothing"):
        stage.learn(TIMEOUT, evidence=seen(stage, "s7", passed=False))
    with pytest.raises(NotFound, match="No tool call t-none was seen"):
        stage.learn(TIMEOUT, evidence="t-none")
    assert 1 == len(stage.events(Kind.REMEMBERED))


def test_the_last_call_of_the_session_is_evidence_without_an_id() -> None:
    """An agent does not see its calls' ids. What Learnt itself printed shows nothing."""
    stage = Stage()
    seen(stage, "s1", passed=False)
    seen(stage, "s1")
    step(stage, "s1-p", ran("TRUST 1.00 t_room", "learnt knowledge query t_room"), session="s1")
    seen(stage, "s2", passed=False)
    name = stage.learn(ROOM, evidence="last").entry
    assert 1_000 == stage.entry(name).standing.confirmations[0].credibility
    with pytest.raises(Refused, match="failed: it shows the contrary"):
        say(stage, name, "confirmed", evidence="last", session="s2")
    for session in ("", "s3"):
        with pytest.raises(NotFound, match="No tool call of this session"):
            say(stage, name, "confirmed", evidence="last", session=session)


def test_a_candidate_that_proved_itself_is_validated() -> None:
    """By two tool calls of two sessions; promotion begins again and keeps the history."""
    stage = Stage()
    name = stage.learn(ROOM, evidence=seen(stage, "s1")).entry
    assert ((name, ("score", "sessions", "checks")),) == tuple(
        map(tuple, sweep(stage.outside).waiting)
    )
    assert say(stage, name, "confirmed", evidence=seen(stage, "s2"))
    assert (name,) == sweep(stage.outside).promoted
    entry = stage.entry(name)
    held = entry.standing
    assert (At.VALIDATED, 1_000, 0, 0, 2) == (
        entry.stage, held.c0, held.alpha, held.beta, len(held.confirmations)
    )  # fmt: skip
    assert () == sweep(stage.outside).promoted


def test_a_business_rule_waits_for_the_user() -> None:
    """However many tools speak for it."""
    stage = Stage()
    name = stage.learn(TIMEOUT, "business_rule", evidence=seen(stage, "s1")).entry
    for session in ("s2", "s3"):
        say(stage, name, "confirmed", evidence=seen(stage, session))
    assert ((name, ("user",)),) == tuple(map(tuple, sweep(stage.outside).waiting))
    say(stage, name, "confirmed", actor=Actor.HUMAN, session="")
    assert (name,) == sweep(stage.outside).promoted


def test_what_nothing_speaks_for_is_retired_after_the_grace() -> None:
    """Not before; its story stays, and it is found no more."""
    stage = Stage()
    name = stage.learn(ROOM, witness="indirect").entry
    later(stage, 100)
    assert () == sweep(stage.outside).expired
    later(stage, 100)
    assert (name,) == sweep(stage.outside).expired
    assert (At.RETIRED, "expired") == (stage.entry(name).stage, stage.entry(name).reason)
    assert "" == stage.prompt("Does t_room.room_no repeat across hotels?")
    assert "retired: expired" in [one.said for one in explain(stage.outside, name).events][-1]


def test_what_a_person_corrects_is_corrected_in_place() -> None:
    """The same entry with the new text; the old one stays in its story; it begins again."""
    stage = Stage()
    name = stage.learn(TIMEOUT, "business_rule", actor=Actor.HUMAN).entry
    outcome = stage.learn(CORRECTED, "business_rule", actor=Actor.HUMAN, session="s2")
    assert isinstance(outcome.decision, Correct)
    assert name == outcome.entry == outcome.decision.entry
    told = explain(stage.outside, name)
    texts = [
        next(d.text for d in step.details if d.label == "text")
        for step in told.events
        if step.kind == "remembered"
    ]
    assert [TIMEOUT, CORRECTED] == texts
    entry = stage.entry(name)
    assert (1, 0, 1) == (
        entry.corrected, entry.standing.beta, len(entry.standing.confirmations)
    )  # fmt: skip


def test_what_seems_to_contradict_stands_beside_it() -> None:
    """Whoever says it: rules neither refuse it nor lower what was there."""
    stage = Stage()
    name = stage.learn(TIMEOUT, "business_rule", actor=Actor.HUMAN).entry
    before = stage.entry(name)
    for actor in (Actor.AGENT, Actor.HUMAN):
        outcome = stage.learn(f"{OTHER_TIMEOUT} {actor}", "business_rule", actor=actor)
        assert isinstance(outcome.decision, Admit)
    after = stage.entry(name)
    assert (before.standing, before.stage) == (after.standing, after.stage)
    assert 2 == len(after.suspected)


def test_one_projects_fact_does_not_put_anothers_right() -> None:
    """Nor that of all projects: the exception stands beside it."""
    stage = Stage()
    everywhere = stage.learn(TIMEOUT, "business_rule", folder=None).entry
    elsewhere = stage.learn(TIMEOUT, "business_rule", folder=ELSEWHERE)
    here = stage.learn(OTHER_TIMEOUT, "business_rule")
    assert isinstance(here.decision, Admit)
    assert 3 == len({everywhere, elsewhere.entry, here.entry}) or elsewhere.entry == everywhere
    assert 0 == stage.entry(everywhere).corrected


REFUSED: list[tuple[Result, dict[str, object], str]] = [
    ("success", {"weight": 301}, "weighs 0.3 at most"),
    ("failure", {"weight": 1_500}, "weighs 0.3 at most"),
    ("confirmed", {"credibility": 800}, "is believed 0.6 at most"),
    ("reset", {}, "a check or a person"),
]


@pytest.mark.parametrize(("result", "given", "said"), REFUSED)
def test_an_agents_own_word_goes_only_so_far(
    result: Result, given: dict[str, object], said: str
) -> None:
    """More takes a tool call that shows it, or a person; nothing is recorded."""
    stage = Stage()
    name = stage.learn(ROOM, actor=Actor.HUMAN).entry
    with pytest.raises(Refused, match=said):
        say(stage, name, result, **given)
    assert [] == stage.events(Kind.FEEDBACK)
    assert say(stage, name, result, **given, actor=Actor.HUMAN)


def test_an_agents_own_word_counts_once_a_session() -> None:
    """Whoever calls from outside a session has one a day."""
    stage = Stage()
    name = stage.learn(ROOM, actor=Actor.HUMAN).entry
    assert say(stage, name, "failure")
    assert not say(stage, name, "failure")
    assert say(stage, name, "failure", session="s2")
    assert say(stage, name, "failure", session="")
    assert not say(stage, name, "failure", session="")
    later(stage, 1)
    assert say(stage, name, "failure", session="")
    assert 1_200 == stage.entry(name).standing.beta


def test_a_tool_call_counts_once_each_way_and_for_what_it_shows() -> None:
    """A failed one disproves, a passed one proves; neither does the contrary."""
    stage = Stage()
    name = stage.learn(ROOM, actor=Actor.HUMAN).entry
    good, bad = seen(stage, "s1"), seen(stage, "s1", passed=False)
    assert say(stage, name, "success", evidence=good)
    assert not say(stage, name, "success", evidence=good)
    assert say(stage, name, "failure", evidence=bad)
    held = stage.entry(name).standing
    assert (300, 1_500) == (held.alpha, held.beta)
    with pytest.raises(Refused, match=f"{bad} failed: it shows the contrary"):
        say(stage, name, "success", evidence=bad)


def test_a_candidate_has_no_confidence_to_move() -> None:
    """It is confirmed or not; what is gone is not spoken of."""
    stage = Stage()
    name = stage.learn(ROOM).entry
    with pytest.raises(Refused, match="is a candidate"):
        say(stage, name, "success", actor=Actor.HUMAN)
    stage_by_hand(stage.outside, name, Actor.HUMAN, At.RETIRED)
    with pytest.raises(NotFound, match="is retired"):
        say(stage, name, "confirmed")
    with pytest.raises(NotFound, match="There is no entry e-0"):
        say(stage, EntryId("e-0"), "confirmed")


def test_only_a_person_decides_on_one_entry_alone() -> None:
    """An agent may ask for a sweep, which goes by the evidence."""
    stage = Stage()
    name = stage.learn(ROOM).entry
    for to in (At.VALIDATED, At.RETIRED):
        with pytest.raises(Refused, match="Only a person"):
            stage_by_hand(stage.outside, name, Actor.AGENT, to)
    stage_by_hand(stage.outside, name, Actor.HUMAN, At.VALIDATED)
    assert At.VALIDATED is stage.entry(name).stage
    with pytest.raises(Refused, match="is validated already"):
        stage_by_hand(stage.outside, name, Actor.HUMAN, At.VALIDATED)


def test_two_entries_of_one_text_become_one() -> None:
    """When their projects turn out to be one: the lower id wins and has both their witnesses."""
    stage = Stage()
    first = stage.learn(ROOM, session="s1").entry
    with stage.outside.ledger.writing() as writer:
        copied = next(writer.events(kind=Kind.REMEMBERED))
    later(stage, 3)
    # As another machine brings it along: the same text and scope under another id.
    double = twin(stage, payload_of(Remembered, copied))
    swept = sweep(stage.outside)
    assert ((double, first),) == tuple(map(tuple, swept.merged))
    gone, kept = stage.entry(double), stage.entry(first)
    assert (At.RETIRED, "merged", first) == (gone.stage, gone.reason, gone.into)
    assert [600, 600] == [one.credibility for one in kept.standing.confirmations]
    assert 3 * DAY_MS == kept.standing.confirmations[1].ms - kept.standing.confirmations[0].ms


def twin(stage: Stage, content: Remembered) -> EntryId:
    name = entry_id(stage.outside.clock.now_ms(), b"abc")
    with stage.outside.ledger.writing() as writer:
        writer.append(NewEvent(subject=entry_subject(name), actor=Actor.AGENT, payload=content))
    return name


def test_a_finished_investigation_is_offered_upward() -> None:
    """Two facts of the structure ask for the query, two queries for the procedure."""
    stage = Stage()
    about = ("t_order",)
    facts = [
        ("t_order.status 7 means the payment was reversed by the bank", "schema", ""),
        ("t_order.pay_time is filled only after settlement, at 03:00", "schema", "query_pattern"),
        ("To find reversed orders join t_order with t_refund on order_no", "query_pattern", ""),
        ("Count t_order by day with status <> 9, which are test orders", "query_pattern",
         "procedure"),
    ]  # fmt: skip
    for text, kind, leads in facts:
        outcome = stage.learn(text, kind, entities=about)
        assert isinstance(outcome.decision, Admit), outcome.ruling
        assert leads == outcome.upward, text
    other = stage.learn("t_user.phone is stored encrypted with AES", entities=("t_user",))
    assert "" == other.upward


def test_freshness_names_the_least_trusted_first() -> None:
    """Of what this project sees."""
    stage = Stage()
    rule = stage.learn(TIMEOUT, "business_rule", actor=Actor.HUMAN, folder=None).entry
    fact = stage.learn(ROOM, actor=Actor.HUMAN).entry
    stage.learn("t_order.amount is in cents, not in euros", actor=Actor.HUMAN, folder=ELSEWHERE)
    stage.learn("t_hotel.zone holds the IANA name of the time zone")
    later(stage, 40)
    found = freshness(stage.outside, HERE)
    assert [(rule, "VERIFY"), (fact, "TRUST")] == [(one.entry.id, one.trust) for one in found]
