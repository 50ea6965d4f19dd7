"""An entry is what its events add up to."""

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind, Origin
from learnt.core.identifiers import ContentRef, EntryId, ProjectId
from learnt.core.knowledge.entries import Confirmation, Entry, Source, Stage, Standing, level
from learnt.core.knowledge.entry_fold import step
from learnt.core.records import JsonObject, decode, encode
from tests.core.happenings import happened

SUBJECT = "entry:e-1"
REMEMBERED: JsonObject = {
    "form": "fact",
    "kind": "schema",
    "stage": "validated",
    "scope": "p-1",
    "problem": "k.problem",
    "approach": "k.approach",
    "cautions": ["k.c1", "k.c2"],
    "tags": ["k.t"],
    "files": ["k.f"],
    "language": "k.language",
    "fingerprint": "f0",
    "topic": "schema_map",
    "source": {"session": "s", "position": 0, "speaker": "k.speaker", "date": "2026-11-01"},
}
SAID = Confirmation(
    ms=1_000, credibility=800, relevance=1_000, session="1970-01-01", actor=Actor.HUMAN
)
ONCE = Standing(confirmations=(SAID,), confirmed_ms=1_000)
# A person's word on a validated entry proves it a little more.
TWICE = Standing(confirmations=(SAID, SAID), confirmed_ms=1_000, alpha=240)
ENTRY = Entry(
    id=EntryId("e-1"),
    stage=Stage.VALIDATED,
    topic="schema_map",
    standing=ONCE,
    form="fact",
    kind="schema",
    problem=ContentRef("k.problem"),
    approach=ContentRef("k.approach"),
    cautions=(ContentRef("k.c1"), ContentRef("k.c2")),
    tags=(ContentRef("k.t"),),
    files=(ContentRef("k.f"),),
    language=ContentRef("k.language"),
    scope=ProjectId("p-1"),
    fingerprint="f0",
    actor=Actor.HUMAN,
    origin=Origin.USER,
    source=Source(session="s", position=0, speaker=ContentRef("k.speaker"), date="2026-11-01"),
    remembered_ms=1_000,
)


def remembered(payload: JsonObject = REMEMBERED, origin: Origin | None = Origin.USER) -> Entry:
    """The entry after it was remembered."""
    event = happened(SUBJECT, Kind.REMEMBERED, payload, actor=Actor.HUMAN, origin=origin)
    return step(None, event)


def test_remembering_makes_the_entry() -> None:
    """Everything that its payload says, and who said it, when."""
    assert ENTRY == remembered()


def test_remembering_the_least() -> None:
    """What a payload leaves out stays unknown; a text of unknown origin is the assistant's."""
    entry = remembered({"stage": "candidate"}, origin=None)

    expected = Entry(
        id=EntryId("e-1"),
        stage=Stage.CANDIDATE,
        actor=Actor.HUMAN,
        origin=Origin.ASSISTANT,
        remembered_ms=1_000,
        standing=Standing(confirmations=(SAID,)),
    )

    assert expected == entry


def test_an_entry_holds_its_references() -> None:
    """All of them, so that a purge finds every text."""
    expected = {"problem", "approach", "c1", "c2", "t", "f", "language", "speaker"}

    assert {f"k.{name}" for name in expected} == set(ENTRY.refs)
    assert len(expected) == len(ENTRY.refs)
    assert () == Entry(id=EntryId("e"), stage=Stage.RETIRED, source=Source()).refs


@pytest.mark.parametrize(
    ("kind", "payload", "expected"),
    [
        (
            Kind.GATED,
            {"verdict": "reject", "gate": "value", "reason": "too-long"},
            replace(ENTRY, stage=Stage.REJECTED, reason="too-long"),
        ),
        (Kind.GATED, {"verdict": "merge"}, replace(ENTRY, standing=TWICE)),
        (Kind.GATED, {"verdict": "admit"}, ENTRY),
        (Kind.REUSED, {}, replace(ENTRY, reused=1)),
        (Kind.NOT_DELIVERED, {}, ENTRY),
        (Kind.PURGED, {}, Entry(id=EntryId("e-1"), stage=Stage.RETIRED, reason="purged")),
        (Kind.MISSED, {}, ENTRY),
        (Kind.SESSION_STARTED, {"source": "startup"}, ENTRY),
    ],
)
def test_each_event_does_its_own(kind: Kind, payload: JsonObject, expected: Entry) -> None:
    """And an event that does not concern an entry leaves it as it was."""
    assert expected == step(ENTRY, happened(SUBJECT, kind, payload, actor=Actor.HUMAN))


def test_confirmations_and_reuses_add_up() -> None:
    """One each time; what never arrived is taken back."""
    entry: Entry = ENTRY
    for kind in (Kind.REUSED, Kind.REUSED, Kind.NOT_DELIVERED, Kind.REUSED):
        entry = step(entry, happened(SUBJECT, kind))
    for _ in range(3):
        entry = step(entry, happened(SUBJECT, Kind.GATED, {"verdict": "merge"}, actor=Actor.HUMAN))

    assert (2, 3) == (entry.reused, len(entry.standing.confirmations) - 1)


def test_a_rejected_draft_keeps_its_reason_alone() -> None:
    """No text of it was ever kept."""
    rejected = step(None, happened(SUBJECT, Kind.GATED, {"verdict": "reject", "reason": "no"}))

    assert Entry(id=EntryId("e-1"), stage=Stage.REJECTED, reason="no") == rejected
    assert () == rejected.refs


def test_a_state_holds_no_default() -> None:
    """Equal entries are equal bytes, and a small one is small."""
    assert {"id": "e-1", "stage": "retired", "form": "solution", "kind": "solution",
            "actor": "learnt", "origin": "assistant"} == encode(
        Entry(id=EntryId("e-1"), stage=Stage.RETIRED)
    )  # fmt: skip


@pytest.mark.parametrize(
    "entry",
    [
        ENTRY,
        replace(ENTRY, reused=2, standing=TWICE, reason="r", source=None, scope=None),
        replace(ENTRY, source=Source(), language=None),
        Entry(id=EntryId("e-1"), stage=Stage.REJECTED, reason="no-problem"),
        replace(ENTRY, text=ContentRef("k.x"), entities=(ContentRef("k.y"),), corrected=2),
        replace(ENTRY, standing=Standing(c0=100, alpha=5, beta=6, shocks=((1, 2), (3, 4)))),
        Entry(id=EntryId("e-1"), stage=Stage.RETIRED, into=EntryId("e-0")),
    ],
)
def test_a_state_gives_its_entry_back(entry: Entry) -> None:
    """Nothing is lost on the way through a view."""
    assert entry == decode(Entry, encode(entry))


CANDIDATE = replace(ENTRY, stage=Stage.CANDIDATE, standing=Standing(confirmations=(SAID,)))


def told(entry: Entry, kind: Kind, payload: JsonObject, ms: int = 1_000) -> Entry:
    """The entry after a person said so."""
    return step(entry, happened(SUBJECT, kind, payload, actor=Actor.HUMAN, at=ms))


def test_feedback_on_a_validated_entry_moves_its_confidence() -> None:
    """A success and a failure by their weights; a word without one says nothing."""
    failed = told(ENTRY, Kind.FEEDBACK, {"result": "failure", "weight": 1_500})
    assert Standing(confirmations=(SAID,), confirmed_ms=1_000, beta=1_500,
                    shocks=((0, 1_500),)) == failed.standing  # fmt: skip
    answered = told(failed, Kind.FEEDBACK, {"result": "success", "weight": 300}, ms=2_000)
    assert (300, 1_500, 2_000) == (
        answered.standing.alpha, answered.standing.beta, answered.standing.confirmed_ms
    )  # fmt: skip
    silent: list[JsonObject] = [{"result": "success"}, {"result": "failure", "weight": 0}]
    for nothing in (*silent, {"result": "?"}):
        assert ENTRY == told(ENTRY, Kind.FEEDBACK, nothing)


def test_a_reset_makes_it_as_new_and_an_invalidation_as_good_as_gone() -> None:
    """What was said for it stays on record; confidence follows at once."""
    used = told(ENTRY, Kind.FEEDBACK, {"result": "failure", "weight": 1_500})
    new = told(used, Kind.FEEDBACK, {"result": "reset"}, ms=9_000)
    assert Standing(confirmations=(SAID,), confirmed_ms=9_000) == new.standing
    wrong = told(used, Kind.FEEDBACK, {"result": "invalidate"})
    assert 0.1 == level(wrong, 1_000)
    assert 1.0 == level(new, 9_000)


def test_only_the_validated_have_a_confidence() -> None:
    """A candidate has witnesses alone."""
    assert level(CANDIDATE, 1_000) is None
    assert 1.0 == level(ENTRY, 1_000)


def test_a_promotion_begins_anew_and_keeps_the_history() -> None:
    """C0 = 1, nothing for or against it, confirmed on that day (oracle 31)."""
    witnessed = told(CANDIDATE, Kind.FEEDBACK, {"result": "confirmed", "credibility": 1_000})
    proved = told(witnessed, Kind.STAGED, {"stage": "validated", "reason": "r"}, ms=50_000)
    assert Stage.VALIDATED is proved.stage
    assert Standing(confirmations=witnessed.standing.confirmations,
                    confirmed_ms=50_000) == proved.standing  # fmt: skip
    assert 2 == len(proved.standing.confirmations)


def test_a_retired_entry_stays_so() -> None:
    """With its reason, and what it was merged into; what does not live is not staged again."""
    payload: JsonObject = {"stage": "retired", "reason": "merged", "into": "e-0"}
    gone = told(CANDIDATE, Kind.STAGED, payload)
    assert (Stage.RETIRED, "merged", "e-0") == (gone.stage, gone.reason, gone.into)
    assert not gone.live
    assert gone == told(gone, Kind.STAGED, {"stage": "validated"})
    assert CANDIDATE == told(CANDIDATE, Kind.STAGED, {"stage": "rejected"})


def test_a_correction_has_its_own_witnesses_to_find() -> None:
    """The new text takes the entry's place; how often it was corrected is counted."""
    used = told(ENTRY, Kind.FEEDBACK, {"result": "success", "weight": 300})
    payload: JsonObject = {**REMEMBERED, "text": "k.new", "stage": "candidate"}
    right = told(used, Kind.REMEMBERED, payload, ms=7_000)
    assert ("k.new", 1, Stage.CANDIDATE) == (right.text, right.corrected, right.stage)
    assert Standing(confirmations=(replace(SAID, ms=7_000),)) == right.standing


def test_a_confirmation_says_how_credible_when_and_in_which_session() -> None:
    """What a merge brings along keeps its own day; an agent is believed less than a person."""
    payload: JsonObject = {"result": "confirmed", "credibility": 300, "relevance": 500,
                           "ms": 5, "session": "s9"}  # fmt: skip
    added = told(CANDIDATE, Kind.FEEDBACK, payload).standing.confirmations[-1]
    assert Confirmation(ms=5, credibility=300, relevance=500, session="s9",
                        actor=Actor.HUMAN) == added  # fmt: skip
    event = happened(SUBJECT, Kind.FEEDBACK, {"result": "confirmed"}, actor=Actor.AGENT)
    assert 600 == step(CANDIDATE, event).standing.confirmations[-1].credibility


def test_an_agent_that_repeats_itself_proves_nothing() -> None:
    """On a validated entry its word is kept, and moves no confidence."""
    event = happened(SUBJECT, Kind.FEEDBACK, {"result": "confirmed"}, actor=Actor.AGENT)
    after = step(ENTRY, event).standing
    assert (0, 1_000, 2) == (after.alpha, after.confirmed_ms, len(after.confirmations))


def test_an_entry_is_found_by_its_text_or_its_problem() -> None:
    """Once both are erased it is found no more."""
    assert "k.problem" == ENTRY.about
    assert "k.t" == replace(ENTRY, text=ContentRef("k.t")).about
    assert not replace(ENTRY, problem=None).live


def decided(entry: Entry, action: str, version: int = 0) -> Entry:
    """The entry after something was decided on whether it is shown."""
    return step(entry, happened(SUBJECT, Kind.DECIDED, {"action": action, "version": version}))


def test_units_and_a_mask_are_of_the_text_as_it_is() -> None:
    """A changed text begins again, and what was decided on the one before is nothing to it."""
    drawn = decided(decided(ENTRY, "drawn"), "drawn")
    assert (2, False, 0) == (drawn.units, drawn.masked, drawn.version)
    masked = decided(drawn, "masked")
    assert (2, True) == (masked.units, masked.masked)

    corrected = step(masked, happened(SUBJECT, Kind.REMEMBERED, REMEMBERED))
    assert (0, False, 1) == (corrected.units, corrected.masked, corrected.version)
    assert corrected == decided(decided(corrected, "drawn"), "masked")
    assert 1 == decided(corrected, "drawn", 1).units


def test_a_person_takes_a_mask_back() -> None:
    """Then its units count from nothing, and those of before no more."""
    back = decided(decided(decided(ENTRY, "drawn"), "masked"), "unmasked")

    assert (0, False, 1) == (back.units, back.masked, back.version)
    assert back == decided(back, "drawn") == decided(back, "masked")
    assert decided(back, "", 1) == back
    assert back == decode(Entry, encode(back))


STOOD: JsonObject = {"told": {"confirmed_ms": 7, "alpha": 300}, "doubt": "vague"}


@pytest.mark.parametrize("reason", ["settled in favour of another entry", "merged",
                                    "a person retired it"])  # fmt: skip
def test_a_decision_of_a_persons_is_taken_back(reason: str) -> None:
    """The entry is in use again, as it stood before; what it was merged into is forgotten."""
    gone = told(CANDIDATE, Kind.STAGED, {"stage": "retired", "reason": reason, "into": "e-2"})
    back = told(gone, Kind.STAGED, {"stage": "validated", **STOOD})

    expected = Standing(confirmed_ms=7, alpha=300)
    assert replace(CANDIDATE, stage=Stage.VALIDATED, standing=expected, doubt="vague") == back


def test_what_ended_otherwise_does_not_come_back() -> None:
    """Faded, purged, or taken back to an end: nothing changes."""
    faded = told(CANDIDATE, Kind.STAGED, {"stage": "retired", "reason": "expired"})
    purged = told(CANDIDATE, Kind.PURGED, {})

    for entry in (faded, purged):
        assert entry == told(entry, Kind.STAGED, {"stage": "candidate", **STOOD})
    assert CANDIDATE == told(CANDIDATE, Kind.STAGED, {"stage": "retired", **STOOD})


def test_a_doubt_lasts_until_a_person_looks_again() -> None:
    """A check does not take it away; a person's word that it holds does, or other words."""
    doubted = remembered({**REMEMBERED, "doubt": "general"})
    checked = step(doubted, happened(SUBJECT, Kind.FEEDBACK, {"result": "reset"}))
    looked = happened(SUBJECT, Kind.FEEDBACK, {"result": "reset"}, actor=Actor.HUMAN)

    assert ("general", "general") == (doubted.doubt, checked.doubt)
    assert "" == step(doubted, looked).doubt
    fresh = happened(SUBJECT, Kind.REMEMBERED, REMEMBERED, actor=Actor.HUMAN)
    assert "" == step(doubted, fresh).doubt
