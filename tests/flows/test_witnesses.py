"""Who vouches for an entry, how far and how often: no caller counts for more than it showed."""

import json

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind, Origin, payload_of
from learnt.core.knowledge.entries import Stage as At
from learnt.core.knowledge.entries import level
from learnt.core.knowledge.gates import Admit, Merge
from learnt.core.payloads.entry_events import Remembered, Result
from learnt.errors import Refused
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.knowledge.standing import diff, log, stage_by_hand, sweep
from tests.flows.stage import ELSEWHERE, HERE, Stage
from tests.flows.test_episodes import ran, step
from tests.flows.test_living_knowledge import CORRECTED, ROOM, TIMEOUT, later, say, seen, twin
from tests.support.in_memory_files import InMemoryTranscripts


def test_what_a_person_says_too_is_validated() -> None:
    """An agent had offered it before: it is the same entry, vouched for now."""
    stage = Stage()
    name = stage.learn(ROOM).entry
    outcome = stage.learn(ROOM, actor=Actor.HUMAN)
    assert (Merge(name), At.VALIDATED) == (outcome.decision, outcome.stage)
    assert At.VALIDATED is stage.learn(ROOM, session="s2").stage


def test_a_repetition_is_on_record_and_counts_nothing() -> None:
    """The log has every offer; the witness is one."""
    stage = Stage()
    name = stage.learn(ROOM).entry
    assert not stage.learn(ROOM).counted
    assert stage.learn(ROOM, session="s2").counted
    assert 3 == len(stage.events(Kind.GATED))
    assert 2 == len(stage.entry(name).standing.confirmations)


def test_one_tool_call_is_one_witness_of_an_entry() -> None:
    """However often it is named: at the capture, a merge, a confirmation, a success."""
    stage = Stage()
    call = seen(stage, "s1")
    name = stage.learn(ROOM, evidence=call).entry
    assert not stage.learn(ROOM, evidence=call).counted
    assert not say(stage, name, "confirmed", evidence=call)
    stage_by_hand(stage.outside, name, Actor.HUMAN, At.VALIDATED)
    assert not say(stage, name, "success", evidence=call)
    assert 1 == len(stage.entry(name).standing.confirmations)


def test_sessions_that_nobody_saw_are_none() -> None:
    """Their names may be made up: they add up to no second session, and repeat one judgement."""
    stage = Stage()
    name = stage.learn(ROOM, evidence=seen(stage, "s1")).entry
    with stage.outside.ledger.reading() as reader:
        assert "made-up" not in reader.sessions_observed()
    for session in ("made-up", "another", ""):
        word = Word(result="confirmed", actor=Actor.AGENT, session=session)
        tell(stage.outside, name, word)
    told = stage.entry(name).standing.confirmations
    assert [("s1", 1_000), ("", 600)] == [(one.session, one.credibility) for one in told]
    later(stage, 1)
    tell(stage.outside, name, Word(result="confirmed", actor=Actor.AGENT, session="third"))
    assert ((name, ("sessions", "checks")),) == tuple(map(tuple, sweep(stage.outside).waiting))


def test_a_check_makes_as_new_and_only_a_failed_one_invalidates() -> None:
    """Each for what it shows; an agent's own word does neither."""
    stage = Stage()
    name = stage.learn(ROOM, actor=Actor.HUMAN).entry
    good, bad = seen(stage, "s1"), seen(stage, "s1", passed=False)
    with pytest.raises(Refused, match="shows the contrary"):
        say(stage, name, "reset", evidence=bad)
    with pytest.raises(Refused, match="shows the contrary"):
        say(stage, name, "invalidate", evidence=good)
    with pytest.raises(Refused, match="marks an entry as wrong is a check or a person"):
        say(stage, name, "invalidate")
    assert say(stage, name, "invalidate", evidence=bad)
    assert 0.1 == level(stage.entry(name), stage.outside.clock.now_ms())
    assert say(stage, name, "reset", evidence=good)
    assert 1.0 == level(stage.entry(name), stage.outside.clock.now_ms())


@pytest.mark.parametrize(
    ("result", "passed", "most"), [("success", True, 300), ("failure", False, 1_500)]
)
def test_a_tool_call_weighs_so_much_and_no_more(result: Result, passed: bool, most: int) -> None:
    """Whatever its caller says."""
    stage = Stage()
    name = stage.learn(ROOM, actor=Actor.HUMAN).entry
    with pytest.raises(Refused, match="A tool call weighs"):
        say(stage, name, result, evidence=seen(stage, "s1", passed=passed), weight=most + 1)
    assert say(stage, name, result, evidence=seen(stage, "s1", passed=passed), weight=most)


def test_a_corrected_text_may_be_confirmed_by_who_confirmed_the_old_one() -> None:
    """What was said of the other text does not count for this one, nor against it."""
    stage = Stage()
    name = stage.learn(TIMEOUT, "tool_experience", session="s1").entry
    assert say(stage, name, "confirmed", session="s2")
    corrected = stage.learn(
        CORRECTED, "tool_experience", session="s3", came_from=Origin.USER, witness="human"
    )
    assert name == corrected.entry
    assert 1 == stage.entry(name).corrected
    assert say(stage, name, "confirmed", session="s2")
    assert not say(stage, name, "confirmed", session="s2")


def test_a_validated_entry_is_not_demoted_by_its_double() -> None:
    """It is kept whatever its id, and what spoke against the other speaks against it."""
    stage = Stage()
    first = stage.learn(ROOM, session="s1").entry
    with stage.outside.ledger.writing() as writer:
        content = payload_of(Remembered, next(writer.events(kind=Kind.REMEMBERED)))
    later(stage, 1)
    double = twin(stage, content)
    stage_by_hand(stage.outside, double, Actor.HUMAN, At.VALIDATED)
    assert ((first, double),) == tuple(map(tuple, sweep(stage.outside).merged))
    assert At.VALIDATED is stage.entry(double).stage
    later(stage, 1)
    third = twin(stage, replace(content, stage=At.VALIDATED))
    say(stage, third, "failure", actor=Actor.HUMAN, weight=6_000)
    ((_, kept),) = sweep(stage.outside).merged
    assert 6_000 == stage.entry(kept).standing.beta


def test_what_is_retired_is_found_no_more_and_may_be_learnt_anew() -> None:
    """It swallows no offer and is corrected by none; the ledger's checks agree."""
    stage = Stage()
    name = stage.learn(TIMEOUT, "tool_experience", actor=Actor.HUMAN).entry
    stage_by_hand(stage.outside, name, Actor.HUMAN, At.RETIRED)
    again = stage.learn(TIMEOUT, "tool_experience", actor=Actor.HUMAN)
    assert isinstance(again.decision, Admit)
    assert name != again.entry


def test_the_log_is_of_what_a_project_sees() -> None:
    """Another project's decisions and texts are not told; with no folder all are."""
    stage = Stage()
    stage.learn(ROOM, actor=Actor.HUMAN)
    stage.learn("t_bed.size is in centimetres, never inches", actor=Actor.HUMAN, folder=ELSEWHERE)
    stage.learn("no", actor=Actor.HUMAN, folder=ELSEWHERE)
    span = range(2**62)
    told = log(stage.outside, span), log(stage.outside, span, HERE)
    assert [3, 1] == [len(one.decisions) for one in told]
    assert [ROOM] == [one.after for one in diff(stage.outside, span, HERE)]
    assert 2 == len(diff(stage.outside, span))


def transcribed(stage: Stage, command: str, result: str) -> str:
    """A call that the agent reported, and wrote down; its id."""
    call = ran(result, command)
    step(stage, "s1-p", call, session="s1", transcript="/s1.jsonl")
    made = {"type": "tool_use", "id": call["id"], "name": "Bash", "input": {"command": command}}
    back = {"type": "tool_result", "tool_use_id": call["id"], "content": result}
    lines = [
        {"type": "user", "promptId": "s1-p", "message": {"content": "go"}},
        {"type": "assistant", "message": {"id": "m1", "content": [made]}},
        {"type": "user", "message": {"content": [back]}},
    ]
    assert isinstance(stage.outside.transcripts, InMemoryTranscripts)
    stage.outside.transcripts.files["/s1.jsonl"] = "\n".join(map(json.dumps, lines)).encode()
    return str(call["id"])


@pytest.mark.parametrize(
    ("command", "result", "touches"),
    [
        ("ls", "README.md", False),
        ("mysql -e 'select * from T_ROOM'", "3 rows", True),
        ("cat schema.sql", "CREATE TABLE t_room (room_no INT)", True),
        ("mysql -e 'select * from t_user'", "t_roommates", True),
        ("mysql -e 'select * from t_user'", "empty", False),
    ],
)
def test_evidence_touches_what_it_vouches_for(command: str, result: str, touches: bool) -> None:
    """By the call or by its result, as the agent's transcript has them; nothing of it is kept."""
    stage = Stage()
    call = transcribed(stage, command, result)
    if touches:
        assert stage.learn(ROOM, evidence=call).counted
    else:
        with pytest.raises(Refused, match=f"{call} touched nothing of what it is about"):
            stage.learn(ROOM, evidence=call)
        assert [] == stage.events(Kind.REMEMBERED)
    name = stage.learn(ROOM, actor=Actor.HUMAN).entry
    if not touches:
        with pytest.raises(Refused, match="touched nothing"):
            say(stage, name, "success", evidence=call)


def test_evidence_of_a_fact_without_names_shares_its_words() -> None:
    """Two of them at least; else it is the agent's own judgement, and so is its word on one."""
    stage = Stage()
    call, text = transcribed(stage, "ls", "README.md for refunds"), "Refunds take seven days here"
    with pytest.raises(Refused, match=f"{call} touched nothing of what it is about"):
        stage.learn(text, "tool_experience", evidence=call)
    call = transcribed(stage, "cat policy.md", "A refund takes seven days")
    name = stage.learn(text, "tool_experience", evidence=call).entry
    other = transcribed(stage, "ls", "README.md")
    with pytest.raises(Refused, match="touched nothing"):
        say(stage, name, "confirmed", evidence=other)


def test_what_is_not_written_down_yet_counts_as_reported() -> None:
    """A client may write its transcript late."""
    stage = Stage()
    call = transcribed(stage, "ls", "README.md")
    stage.outside.transcripts.files.clear()  # type: ignore[attr-defined]  # the fake in memory
    assert stage.learn(ROOM, evidence=call).counted
