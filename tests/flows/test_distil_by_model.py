"""A session distilled by a scripted model: a proposal, or a failure on record."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from learnt.core.distil.distilled import FailedAttempt, Mode
from learnt.core.events import Actor, Kind, Where, payload_of
from learnt.core.governance.model_calls import Budget, Completion
from learnt.core.knowledge.entries import Entry, Stage
from learnt.core.payloads.skill_events import Distilled, ModelCalled
from learnt.core.records import JsonObject
from learnt.errors import LearntError, ModelUnusable, Refused
from learnt.flows.governance.explain import explain
from learnt.flows.governance.listing import shown
from learnt.flows.governance.purge import Target, purge
from learnt.flows.knowledge.harvest import transcript_of
from learnt.flows.skills.catalogue import shelf_of
from learnt.flows.skills.distil import Asking, Distillation, distil
from learnt.flows.skills.session_evidence import look
from learnt.flows.stored import all_stored
from learnt.stores.sqlite_skills import SqliteSkills
from tests.support.in_memory_model import ScriptedModel
from tests.support.sessions_told import Home, Turn, ran, said

BUDGET = Budget(50_000, 0)
GOOD = json.dumps({
    "title": "Free the lock of helm",
    "description": "When helm says that its lock is held.",
    "when": "helm upgrade fails: lock is held",
    "steps": ["Run `helm rollback shop 41 --wait`", "Upgrade again"],
})
FAILING = said(
    "roll the shop out",
    ran("helm upgrade shop charts/shop", "Error: UPGRADE FAILED: lock is held", failed=True),
    ran("kubectl get pods", "error: no configuration has been provided", failed=True),
    ran("helm rollback shop 41 --wait", "Rollback was a success"),
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[SqliteSkills]:
    made = SqliteSkills([], tmp_path / "skills.index")
    yield made
    made.close()


def distilled(
    home: Home,
    library: SqliteSkills,
    model: ScriptedModel,
    budget: Budget = BUDGET,
    *,
    turn: Turn = FAILING,
    asked: bool = False,
    mode: Mode = "skills_only",
) -> Distillation:
    """The session s1, by that model."""
    home.session("s1", [turn], attended=True)
    outside = home.outside
    with outside.ledger.reading() as reader:
        session = transcript_of(outside, reader, "s1")
    assert session is not None
    seen = shelf_of(outside, library)
    return distil(seen, session, Asking(outside, model, budget), asked=asked, mode=mode)


def told(home: Home) -> tuple[list[ModelCalled], list[Distilled]]:
    """What is on record of calls and of distillations."""
    with home.outside.ledger.reading() as reader:
        events = list(reader.events(kind=Kind.HARVESTED))
    return (
        [payload_of(ModelCalled, e) for e in events if e.subject.startswith("model:")],
        [payload_of(Distilled, e) for e in events if e.subject.startswith("distilled:")],
    )


def test_a_reply_becomes_a_proposal_that_why_explains(library: SqliteSkills) -> None:
    """With the evidence quoted, where it comes from, what was asked and what was answered."""
    home, model = Home(), ScriptedModel([GOOD])
    fate = distilled(home, library, model).fates[0]

    draft = shown(home.outside, fate.proposal).draft or ""
    assert "new" == fate.what and "helm rollback shop 41 --wait" in draft
    assert "lock is held" in model.asked[0].text and "## Evidence" in draft
    assert 'rests-on: "a model"' in draft
    details = {d.label: d.text for step in explain(home.outside, fate.proposal).events
               for d in step.details}  # fmt: skip
    assert "lock is held" in details["asked"] and "Free the lock" in details["answered"]


ANSWERS: dict[str, str | Completion] = {
    "prose": "I think you should free the lock first.",
    "broken": GOOD[:-20],
    "a refusal": "I cannot help with that.",
    "empty": "",
    "cut off": Completion(GOOD[:60], cut=True),
    "another language": "\u6211\u4e0d\u80fd\u8fd9\u6837\u505a\u3002",
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_a_malformed_reply_is_repaired_once_or_on_record(library: SqliteSkills, kind: str) -> None:
    """The second question says what was wrong and has its own reservation; a third is not asked.

    Who asked is told that the reply was malformed, and which record shows it.
    """
    home, mended = Home(), Home()
    assert distilled(mended, library, ScriptedModel([ANSWERS[kind], GOOD])).fates

    model = ScriptedModel([ANSWERS[kind], ANSWERS[kind], GOOD])
    made = distilled(home, library, model)
    assert () == made.fates and "malformed" in made.finding and "asked again" in made.finding
    calls, distillations = told(home)
    assert (steps := explain(home.outside, made.finding.split("`")[1].split()[-1]).events)
    assert any(call.trouble in step.said for call in calls if call.trouble for step in steps)
    assert ["distil", "distil", "repair", "repair"] == [call.purpose for call in calls]
    assert ["asked", "answered"] * 2 == [call.action for call in calls]
    assert all(call.trouble for call in calls if call.action == "answered")
    assert (0, 2) == (distillations[0].drafts, len(distillations[0].calls))
    assert "cannot be used" in model.asked[1].text


def test_where_nobody_answers_nothing_is_distilled_and_it_may_be_tried_again(
    library: SqliteSkills,
) -> None:
    """A time-out, or no budget: the error is told, and the session counts as not distilled."""
    ends: list[tuple[ScriptedModel, Budget, type[LearntError]]] = [
        (ScriptedModel([ModelUnusable("late", "time-out")]), BUDGET, ModelUnusable),
        (ScriptedModel([GOOD]), Budget(10, 0), Refused),
    ]
    for model, budget, error in ends:
        home = Home()
        with pytest.raises(error):
            distilled(home, library, model, budget)
        assert [] == told(home)[1]
    late = Home()
    model = ScriptedModel(["no", ModelUnusable("late", "time-out")])
    assert "malformed (no skill in it): nothing" in distilled(late, library, model).finding
    assert "time-out" == told(late)[0][-1].trouble


def test_without_evidence_nobody_is_asked(library: SqliteSkills) -> None:
    """Also where a person asked for it; one side alone is enough to ask."""
    for turn, questions in ((said("hello"), 0), (said("look", ran("make docs", "done")), 1)):
        home, model = Home(), ScriptedModel([GOOD])
        made = distilled(home, library, model, turn=turn, asked=True)
        assert (questions, questions) == (len(model.asked), len(made.fates))
        assert questions or "nothing was sent" in made.finding


def test_nothing_to_teach_is_a_good_reply(library: SqliteSkills) -> None:
    """Asked once, and no trouble on record."""
    home = Home()
    assert () == distilled(home, library, ScriptedModel(['{"skill": null}'])).fates
    assert [""] * 2 == [call.trouble for call in told(home)[0]]


def test_a_call_whose_distillation_was_cut_off_goes_with_its_session(library: SqliteSkills) -> None:
    """What was asked and answered tells its session, so that a purge of it finds both."""
    home = Home()
    with pytest.raises(ModelUnusable):
        distilled(home, library, ScriptedModel([ModelUnusable("late", "time-out")]))
    outside, drafts = home.outside, Asking(home.outside, ScriptedModel([GOOD]), BUDGET).drafts
    with outside.ledger.reading() as reader:
        session = transcript_of(outside, reader, "s1")
    assert session is not None
    where = Where(agent="claude-code", session="s1")
    drafts(look(outside, session), [FailedAttempt("helm", "lock is held", "")], where)
    purge(outside, Target(session="s1"), Actor.HUMAN)
    with outside.ledger.reading() as reader:
        assert [] == [*reader.contents_with("lock is held"), *reader.contents_with("Free the")]


STOP = {
    "category": "pitfalls",
    "title": "Stop",
    "content": "Stop the Kafka consumers before the topic orders is compacted.",
    "confidence": 0.8,
}


SKILL: JsonObject = json.loads(GOOD)


@pytest.mark.parametrize("skill", [SKILL, {"skill": SKILL}, {"skill": None}, {}])
def test_a_model_names_memories_beside_a_skill(library: SqliteSkills, skill: JsonObject) -> None:
    """In the same reply; each is a candidate of a model's or nothing; the answer counts them."""
    unsure = {**STOP, "confidence": 0.4}
    for given, counted in (
        ([STOP], (1, 1)), ([STOP, unsure, {"title": 1}], (2, 1)), ([], (0, 0)), ("none", (0, 0)),
    ):  # fmt: skip
        home, model = Home(), ScriptedModel([json.dumps({**skill, "memories": given})])
        made = distilled(home, library, model)
        with home.outside.ledger.reading() as reader:
            entries = list(all_stored(reader, Entry))
        assert [Stage.CANDIDATE] * counted[1] == [each.stage for each in entries]
        assert {Actor.MODEL} >= {each.actor for each in entries}
        assert counted == (made.memories, made.remembered)
        assert 1 == len(model.asked) and "memories" in model.asked[0].schema


def test_of_a_page_no_memories_are_asked_for(library: SqliteSkills) -> None:
    """Whoever wrote it would have a word in what is known; nor are any taken that come unasked."""
    page = {
        "tool": "WebFetch",
        "input": {"url": "https://a.example"},
        "result": "x",
        "failed": False,
    }
    model = ScriptedModel([json.dumps({**json.loads(GOOD), "memories": [STOP]})])
    turn = {**FAILING, "steps": [{**page, "failed": False}, *FAILING["steps"]]}
    made = distilled(Home(), library, model, turn=turn)
    assert "memories" not in model.asked[0].schema
    assert (0, 1) == (made.memories, len(made.fates))


def test_what_is_surest_is_sent_first_by_a_process_reward(library: SqliteSkills) -> None:
    """With `rl` a failure that was overcome comes before one that nothing helped."""
    turn = said(
        "roll it out",
        ran("kubectl get pods", "error: no configuration has been provided", failed=True),
        ran("helm upgrade shop charts/shop", "Error: UPGRADE FAILED: lock is held", failed=True),
        ran("helm rollback shop 41 --wait", "Rollback was a success"),
        ran("helm upgrade shop charts/shop", "upgraded"),
    )
    modes: dict[Mode, bool] = {"skills_only": False, "rl": True, "madmax": True}
    for mode, helm_first in modes.items():
        model = ScriptedModel([GOOD])
        distilled(Home(), library, model, turn=turn, mode=mode)
        text = model.asked[0].text
        assert helm_first is (text.index("FAILURE: helm") < text.index("FAILURE: kubectl"))
    one = said("look", ran("make docs", "done"))
    little: dict[Mode, int] = {"rl": 0, "madmax": 1}
    for mode, questions in little.items():
        model = ScriptedModel([GOOD])
        distilled(Home(), library, model, turn=one, mode=mode)
        assert questions == len(model.asked)
