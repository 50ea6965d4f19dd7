"""A model is asked within the day's budget, and all of it is on record."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from learnt.core.events import Actor, Kind, Where, payload_of
from learnt.core.governance.model_calls import Budget, Completion, Cost, Question
from learnt.core.governance.proposals import ProposalKind
from learnt.core.identifiers import EventId, ProposalId, Subject
from learnt.core.payloads.proposal_events import Proposed
from learnt.core.payloads.skill_events import Distilled, ModelCalled
from learnt.errors import ModelUnusable, Refused
from learnt.flows.governance.ask_model import ask, spent_today
from learnt.flows.governance.explain import explain
from learnt.flows.governance.purge import Target, purge
from learnt.flows.stored import append
from learnt.language.shipped import ShippedLanguage
from learnt.stores.stemming import porter
from tests.flows.stage import Stage
from tests.support import in_memory
from tests.support.in_memory import FixedClock
from tests.support.in_memory_model import ScriptedModel

QUESTION = Question("Be brief.", "What failed?", most_tokens=100)
SIZE = len("Be brief." + "What failed?")
BUDGET = Budget(tokens_a_day=1_000, micro_usd_a_day=1_000, micro_usd_in=1_000_000, micro_usd_out=0)
DAY_MS = 86_400_000


def calls(stage: Stage) -> list[ModelCalled]:
    return [
        payload_of(ModelCalled, event)
        for event in stage.events(Kind.HARVESTED)
        if event.subject.startswith("model:")
    ]


def test_what_a_call_cost_takes_the_place_of_its_reservation() -> None:
    """Asked at the greatest cost, answered at what was told or counted, whichever is more."""
    stage = Stage()
    said, call = ask(
        stage.outside, ScriptedModel([Completion("no", tokens_in=9)]), BUDGET, QUESTION, "distil"
    )
    asked, answered = calls(stage)

    assert "no" == said.text
    assert ("asked", SIZE + 100, SIZE) == (asked.action, asked.tokens, asked.micro_usd)
    assert ("answered", call, 9, 9) == (
        answered.action, answered.call, answered.tokens, answered.micro_usd
    )  # fmt: skip
    assert Cost(9, 9) == spent_today(stage.outside).cost


class Killed(BaseException):
    """What ends a process."""


def test_a_crash_leaves_the_reservation() -> None:
    """Whatever ends a call, its greatest cost counts; a retry reserves again."""
    stage = Stage()
    for end in (Killed(), KeyboardInterrupt()):
        with pytest.raises(type(end)):
            ask(stage.outside, ScriptedModel([end]), BUDGET, QUESTION, "distil")
    assert Cost(2 * (SIZE + 100), 2 * SIZE) == spent_today(stage.outside).cost


def test_a_failure_counts_as_reserved_unless_nothing_was_sent() -> None:
    """A time-out may be billed; a program that is missing bills nothing."""
    stage = Stage()
    for error in (ModelUnusable("late", "time-out"), ModelUnusable("gone", "missing", free=True)):
        with pytest.raises(ModelUnusable):
            ask(stage.outside, ScriptedModel([error]), BUDGET, QUESTION, "distil")
    assert ["time-out", "missing"] == [c.trouble for c in calls(stage) if c.action == "failed"]
    assert Cost(SIZE + 100, SIZE) == spent_today(stage.outside).cost


def test_a_budget_that_is_used_up_refuses_and_says_what_is_left_and_until_when() -> None:
    """Nothing is sent; the next day, in UTC, begins again."""
    clock = FixedClock()
    stage = Stage(in_memory.outside(porter, ShippedLanguage(), clock=clock))
    small = replace(BUDGET, tokens_a_day=130)
    model = ScriptedModel(["a" * 40, "b", "c"])
    ask(stage.outside, model, small, QUESTION, "distil")
    with pytest.raises(Refused, match=r"has 11\d tokens .* left .* 2023-11-15 at midnight"):
        ask(stage.outside, model, small, QUESTION, "distil")
    assert 1 == len(model.asked)
    clock.ms += DAY_MS
    assert "b" == ask(stage.outside, model, small, QUESTION, "distil")[0].text


def test_more_than_was_reserved_is_recorded_as_billed_and_stops_the_day() -> None:
    """A server that bills what no question could cost is asked no more today."""
    stage = Stage()
    model = ScriptedModel([Completion("x", tokens_in=400, tokens_out=1), "y"])
    ask(stage.outside, model, BUDGET, QUESTION, "distil")
    assert Cost(401, 400) == spent_today(stage.outside).cost
    with pytest.raises(Refused, match="cost more than its question could"):
        ask(stage.outside, model, BUDGET, QUESTION, "distil")


ENDS = st.one_of(
    st.builds(Completion, st.text(max_size=90), st.booleans(), st.integers(0, SIZE),
              st.integers(0, 100)),  # in bounds
    st.builds(Completion, st.just("x"), st.just(False), st.integers(0, 3_000),
              st.integers(0, 3_000)),  # perhaps beyond
    st.builds(ModelUnusable, st.just("no"), st.just("time-out"), free=st.booleans()),
    st.builds(Killed),
)  # fmt: skip


@given(st.lists(ENDS, max_size=25))
def test_no_sequence_of_calls_costs_more_than_the_budget(
    ends: list[Completion | BaseException],
) -> None:
    """Answers, errors, crashes and overbilling: the budget, and at most one call's excess."""
    stage, most = Stage(), BUDGET.greatest(QUESTION)
    excess = Cost()
    for end in ends:
        before = spent_today(stage.outside).cost
        try:
            ask(stage.outside, ScriptedModel([end]), BUDGET, QUESTION, "distil")
        except (ModelUnusable, Refused, Killed):
            continue
        after = spent_today(stage.outside).cost
        cost = Cost(after.tokens - before.tokens, after.micro_usd - before.micro_usd)
        if cost.tokens > most.tokens or cost.micro_usd > most.micro_usd:
            assert excess == Cost()
            excess = Cost(
                max(0, cost.tokens - most.tokens), max(0, cost.micro_usd - most.micro_usd)
            )
    told = spent_today(stage.outside).cost
    assert told.tokens <= BUDGET.tokens_a_day + excess.tokens
    assert told.micro_usd <= BUDGET.micro_usd_a_day + excess.micro_usd


def test_secrets_are_neither_sent_nor_kept() -> None:
    """Out of the question before it goes, and out of the reply before it is kept."""
    stage = Stage()
    model = ScriptedModel(["use password=hunter2hunter2"])
    secret = replace(QUESTION, text="api_key=hunter3hunter3 <private>mine</private> /home/ann/x")
    said, _ = ask(stage.outside, model, BUDGET, secret, "distil")
    with stage.outside.ledger.reading() as reader:
        kept = [reader.text(ref) or "" for ref in reader.contents_with("")]
    for text in (model.asked[0].text, said.text, *kept):
        assert not any(word in text for word in ("hunter", "mine", "ann"))


def test_why_tells_what_was_asked_and_answered_and_a_purge_erases_it() -> None:
    """With a proposal that was distilled: question, reply, model; gone with its session's texts."""
    stage = Stage()
    stage.report("SessionStart", session="s1", detail={"source": "startup"})
    _, call = ask(stage.outside, ScriptedModel(["Try it again"]), BUDGET, QUESTION, "distil")
    _, other = ask(stage.outside, ScriptedModel(["Unrelated"]), BUDGET, QUESTION, "improve")
    proposal = distilled(stage, call)

    story = explain(stage.outside, proposal)
    details = [(d.label, d.text) for step in story.events for d in step.details]
    assert ("answered", "Try it again") in details
    assert ("asked", "Be brief.\n\nWhat failed?") in details
    assert ("model", "scripted") in details
    assert 4 == len(story.events)
    assert ("answered", "Unrelated") not in details

    purge(stage.outside, Target(session="s1"), Actor.HUMAN)
    with stage.outside.ledger.reading() as reader:
        assert [] == reader.contents_with("again")
        assert [] != reader.contents_with("Unrelated")
    assert other


def distilled(stage: Stage, call: EventId) -> ProposalId:
    """A proposal that a distillation of the session s1 made, by that call."""
    name = ProposalId("skill-0123456789")
    with stage.outside.ledger.writing() as writer:
        append(
            writer, Subject(f"proposal:{name}"), Actor.LEARNT, Proposed(kind=ProposalKind.NEW_SKILL)
        )
        told = Distilled(engine="model", proposals=(name,), calls=(call,))
        where = Where(agent="claude-code", session="s1")
        append(writer, Subject("distilled:claude-code:s1"), Actor.LEARNT, told, where=where)
    return name
