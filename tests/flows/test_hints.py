"""Less sure: one line names an entry, and reading it is what counts as use."""

from learnt.core.events import Actor, Kind, payload_of
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.entries import Stage as Stages
from learnt.core.payloads.entry_events import Recalled
from learnt.flows.governance.explain import explain
from learnt.flows.governance.survey import Wanted, survey
from learnt.flows.knowledge.checking import Checker
from learnt.flows.knowledge.standing import candidates, lately, stage_by_hand
from learnt.flows.recall.ask import read
from learnt.flows.sessions.locate import look
from tests.flows.stage import ELSEWHERE, HERE, Stage

PROBLEM = "Kafka consumer rebalances forever after constructor timeout"
LIKELY = "the kafka dashboard is empty, how do I raise its retention"


def hinted(stage: Stage, prompt: str = LIKELY) -> EntryId:
    """An entry that a prompt named by a line."""
    entry = stage.remember(PROBLEM, "Raise max.poll.interval.ms").entry
    text = stage.prompt(prompt)
    assert f"\n{handle(entry)} {PROBLEM}\n" in text
    assert "Approach" not in text
    return entry


def waiting(stage: Stage, folder: str = HERE) -> list[tuple[EntryId, int]]:
    """The candidates, and by how many prompts each was looked for."""
    with stage.outside.ledger.reading() as reader:
        wanted = lately(reader, stage.outside.clock.now_ms()).wanted
    return [(each.note.id, wanted[each.note.id]) for each in candidates(stage.outside, folder)]


def readings(stage: Stage) -> list[Recalled]:
    """What is recorded of entries that were read by their ids."""
    every = (payload_of(Recalled, event) for event in stage.events(Kind.RECALLED))
    return [each for each in every if each.mode != "hook"]


def test_reading_what_a_line_named_counts_as_use_once_a_session() -> None:
    """It is in the context from then on: a prompt does not show it again."""
    stage = Stage()
    entry = hinted(stage)
    assert 0 == stage.reused(entry)

    for _ in range(2):
        (hit,) = read(stage.outside, entry, folder=HERE, actor=Actor.AGENT, session="s1")
        assert PROBLEM == hit.note.problem

    assert 1 == stage.reused(entry)
    assert ("read", "hook", (entry,)) == (readings(stage)[0].mode, readings(stage)[0].moment,
                                          readings(stage)[0].shown)  # fmt: skip
    assert "" == stage.prompt(PROBLEM)


def test_reading_what_no_line_named_is_a_question() -> None:
    """In another session, by a person, or without a hint: nothing counts as used."""
    stage = Stage()
    entry = hinted(stage)

    for actor, session in ((Actor.HUMAN, ""), (Actor.AGENT, "s2"), (Actor.AGENT, "")):
        assert read(stage.outside, entry, folder=HERE, actor=actor, session=session)

    assert ["explicit"] * 3 == [each.mode for each in readings(stage)]
    assert 0 == stage.reused(entry)


def test_what_a_project_does_not_see_is_not_read() -> None:
    """Nor what is gone, nor what commands its reader; and nothing is recorded."""
    stage = Stage()
    entry = hinted(stage)

    assert [] == read(stage.outside, entry, folder=ELSEWHERE, actor=Actor.AGENT)
    assert [] == read(stage.outside, EntryId("e-00000000000000"), folder=HERE, actor=Actor.AGENT)
    assert [] == readings(stage)


def test_status_counts_by_moment() -> None:
    """Notes, lines, and lines that were followed."""
    stage = Stage()
    entry = hinted(stage)
    stage.prompt(PROBLEM, session="s2")
    read(stage.outside, entry, folder=HERE, actor=Actor.AGENT, session="s1")

    moments = {each.moment: each for each in survey(stage.outside, HERE).moments}

    assert ("prompt", 2, 1, 1, 1) == moments["prompt"]
    assert ("failure", 0, 0, 0, 0) == moments["failure"]
    assert {"prompt", "failure", "file"} == moments.keys()


def test_a_candidate_that_bears_on_a_prompt_is_no_miss() -> None:
    """It is known, and waits for a person; what it is about need not be learnt."""
    stage = Stage()
    stage.remember(PROBLEM, "Raise max.poll.interval.ms", actor=Actor.AGENT)

    assert "" == stage.prompt(PROBLEM)

    assert [] == stage.events(Kind.MISSED)
    (event,) = stage.events(Kind.RECALLED)
    assert "candidate" == payload_of(Recalled, event).found[0].stage


def test_a_candidate_that_prompts_look_for_waits_for_a_person() -> None:
    """With how many looked for it, where its project is; not once it is vouched for."""
    stage = Stage()
    entry = stage.remember(PROBLEM, "Raise max.poll.interval.ms", actor=Actor.AGENT).entry
    assert [(entry, 0)] == waiting(stage)
    stage.prompt(PROBLEM)
    stage.prompt(PROBLEM, session="s2")

    assert [(entry, 2)] == waiting(stage)
    assert [Wanted(entry, PROBLEM, 2)] == list(survey(stage.outside, HERE).wanted)
    assert [] == waiting(stage, ELSEWHERE)
    stage_by_hand(stage.outside, entry, Actor.HUMAN, Stages.VALIDATED)
    assert [] == waiting(stage)


def test_what_is_to_be_remembered_is_no_miss() -> None:
    """Nobody looked for it: it was told."""
    stage = Stage()

    assert "" == stage.prompt("Remember: the staging gateway listens on port 8443")
    assert [] == stage.events(Kind.MISSED) + stage.events(Kind.RECALLED)
    assert "" == stage.prompt("I remember that the staging gateway listened on port 8443")
    assert 1 == len(stage.events(Kind.MISSED))


def test_the_checker_knows_the_root() -> None:
    """Where a skill that came of an entry would lie."""
    stage = Stage()
    place = look(stage.outside, HERE)
    with stage.outside.ledger.reading() as reader:
        assert place.root == Checker(stage.outside, reader, place).root


def test_why_tells_of_a_line_that_nobody_read() -> None:
    """Of the entry, and of the recall: how likely it was, and what the coin said."""
    stage = Stage()
    entry = hinted(stage)

    (told,) = (step for step in explain(stage.outside, entry).events if step.kind == "recalled")

    assert "recalled: 1 named by a line" == told.said
    (named,) = (each.text for each in told.details if each.label == "named by a line")
    assert f"{entry}; 2 shared terms, 38 % likely; shown, chance 100 %" == named
