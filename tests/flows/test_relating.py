"""An agent says how two notes stand to each other; Learnt proves what that may change."""

import pytest

from learnt.core.events import Actor, Kind, Origin
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.entries import ALIAS, SUPERSEDED, Relation
from learnt.core.knowledge.entries import Stage as Stages
from learnt.core.knowledge.relating import MOST_ANSWERS, RelateOutcome
from learnt.errors import NotFound, Refused, UsageError
from learnt.flows.governance.decisions import Decider
from learnt.flows.governance.purge import Target, purge
from learnt.flows.knowledge.relating import RelationAnswer, disputes, relate, settle, unrelate
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.flows.recall.search import said_for_sure
from tests.flows.stage import ELSEWHERE, HERE, Stage

OLD, NEW = "The gateway listens on port 8443", "The gateway listens on port 9443"
SAME = "On port 8443 the gateway listens"
PERSON = Decider(actor=Actor.HUMAN)


@pytest.fixture
def stage() -> Stage:
    return Stage()


def kept(
    stage: Stage, text: str, session: str = "s1", actor: Actor = Actor.HUMAN, kind: str = "schema"
) -> EntryId:
    """A note that its person typed behind "remember" in a session, or that an agent offered."""
    person = actor is Actor.HUMAN
    given = {"lesson": "remember", "insisted": True} if person else {"witness": "human"}
    return stage.learn(text, kind, actor=actor, session=session, **given).entry


def pair(stage: Stage, old: str = OLD, new: str = NEW) -> tuple[EntryId, EntryId]:
    """Two notes of their person, of two sessions: the newer, the older."""
    older = kept(stage, old)
    return kept(stage, new, "s2"), older


def test_what_the_person_typed_in_this_session_supersedes(stage: Stage) -> None:
    """The older is retired in favour of the newer, and one command brings it back exactly."""
    newer, older = pair(stage)
    before = stage.entry(older), stage.entry(newer)

    done = stage.relate(newer, older, session="s2")

    assert (RelateOutcome.SUPERSEDED, older) == (done.outcome, done.gone)
    gone = stage.entry(older)
    assert (Stages.RETIRED, SUPERSEDED, newer) == (gone.stage, gone.reason, gone.into)
    said = unrelate(stage.outside, newer, older, HERE, PERSON)
    assert f"[{handle(older)}] is in use again" in said
    assert before == (stage.entry(older), stage.entry(newer))


@pytest.mark.parametrize(
    ("typed_by", "session"), [(Actor.HUMAN, "s3"), (Actor.AGENT, "s2"), (Actor.HUMAN, "")]
)
def test_else_a_contradiction_is_a_dispute(stage: Stage, typed_by: Actor, session: str) -> None:
    """What the person typed in another session, what an agent brought, an unknown session."""
    older = kept(stage, OLD)
    newer = kept(stage, NEW, "s2", typed_by)
    assert RelateOutcome.DISPUTED is stage.relate(newer, older, session=session).outcome
    assert stage.entry(older).live and [older] == list(stage.entry(newer).disputes)


def test_a_session_that_an_agent_merely_names_proves_nothing(stage: Stage) -> None:
    """Where no hook saw the call, what was typed in the named session replaces no note."""
    newer, older = pair(stage)
    answer = RelationAnswer(newer, older, Relation.CONTRADICTS, session="s2", folder=HERE)
    assert RelateOutcome.DISPUTED is relate(stage.outside, answer).outcome
    assert stage.entry(older).live


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The exporter reads UTF-8", "The importer reads UTF-8"),
        ("Releases go out on Tuesdays", "We ship whenever main is green"),
        ("The app works offline", "The app does not work offline"),
    ],
)
def test_two_things_are_not_one_with_two_values(stage: Stage, old: str, new: str) -> None:
    """An agent that takes them for one, or other words, puts them in dispute and replaces none."""
    newer, older = pair(stage, old, new)
    assert RelateOutcome.DISPUTED is stage.relate(newer, older, session="s2").outcome
    assert stage.entry(older).live


def test_what_was_typed_behind_a_marker_yields_to_such_a_note_alone(stage: Stage) -> None:
    """A quote that an agent picked out of the session puts it in dispute."""
    older = kept(stage, OLD)
    picked = stage.learn(NEW, actor=Actor.HUMAN, session="s2", insisted=True, lesson="quote").entry
    assert RelateOutcome.DISPUTED is stage.relate(picked, older, session="s2").outcome


def test_which_one_is_newer_is_not_the_agents_to_say(stage: Stage) -> None:
    """Named the other way round, the older one is retired all the same."""
    newer, older = pair(stage)
    assert older == stage.relate(older, newer, session="s2").gone


def test_a_rule_is_the_persons_to_change(stage: Stage) -> None:
    """What they typed puts it in dispute; what they did not is refused, whatever the agent says."""
    rule = kept(stage, "Never push to the main branch", kind="rule")
    said = "The release bot pushes to the main branch each night, by a token of its own"
    brought = kept(stage, said, "s2", Actor.AGENT)
    with pytest.raises(Refused, match="is the user's rule"):
        stage.relate(brought, rule, session="s2")
    typed = kept(stage, "Push to the main branch", "s2")
    assert RelateOutcome.DISPUTED is stage.relate(typed, rule, session="s2").outcome
    assert stage.entry(rule).live
    old = kept(stage, OLD, kind="rule")
    assert RelateOutcome.DISPUTED is stage.relate(kept(stage, NEW, "s2"), old, session="s2").outcome
    assert stage.entry(old).live


def test_no_note_takes_a_rules_place(stage: Stage) -> None:
    """Whoever says that they are the same."""
    note = kept(stage, "Never push to the main branch of the shop")
    rule = kept(stage, "Never push to the shop's main branch", "s2", kind="rule")
    for actor in (Actor.AGENT, Actor.HUMAN):
        with pytest.raises(Refused, match="is a rule of the user's, and no other note"):
            stage.relate(rule, note, Relation.SAME, "s2", actor)
    assert stage.entry(rule).live


def test_the_same_is_shown_once_and_counts_no_more_than_before(stage: Stage) -> None:
    """The newer is hidden; the older gains nothing of it, and neither loses anything."""
    newer, older = pair(stage, OLD, SAME)
    before = stage.entry(older)
    done = stage.relate(newer, older, Relation.SAME, "s2")
    assert (RelateOutcome.MERGED, newer) == (done.outcome, done.gone)
    after, hidden = stage.entry(older), stage.entry(newer)
    assert (before.standing, before.origin, before.text) == (
        after.standing, after.origin, after.text
    )  # fmt: skip
    assert (Stages.RETIRED, ALIAS, older) == (hidden.stage, hidden.reason, hidden.into)
    unrelate(stage.outside, newer, older, HERE, PERSON)
    assert Stages.VALIDATED is stage.entry(newer).stage


def test_a_persons_note_is_not_hidden_behind_a_candidate(stage: Stage) -> None:
    """However old that is: what more speaks for is shown."""
    older = kept(stage, OLD, actor=Actor.AGENT)
    newer = kept(stage, SAME, "s2")
    assert older == stage.relate(newer, older, Relation.SAME, "s2").gone


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (OLD, NEW, "they differ in a number"),
        ("Push to main", "Never push to main", "or a negation"),
    ],
)
def test_what_plainly_differs_is_not_the_same(stage: Stage, old: str, new: str, why: str) -> None:
    """By the numbers and the negations in it, whatever the agent says."""
    newer, older = pair(stage, old, new)
    with pytest.raises(Refused, match=why):
        stage.relate(newer, older, Relation.SAME, "s2")
    assert stage.entry(newer).live and stage.entry(older).live


def test_a_persons_note_is_hidden_behind_one_like_it_alone(stage: Stage) -> None:
    """An agent hides no note of theirs behind any other; they may, and see it on their screen."""
    for old, new in (("Stamps are in UTC", "Stamps are in local time"), (OLD, "Names fold case")):
        newer, older = pair(stage, old, new)
        with pytest.raises(Refused, match="only the user merges it"):
            stage.relate(newer, older, Relation.SAME, "s2")
    assert newer == stage.relate(newer, older, Relation.SAME, actor=Actor.HUMAN).gone
    again = kept(stage, SAME, "s2")
    stage.relate(again, older, Relation.SAME, "s2")
    (line,) = stage.outside.prompts.notices("s2")
    assert SAME in line and f"unrelate {handle(older)} {handle(again)}" in line


def test_what_holds_elsewhere_is_not_hidden_behind_a_projects_note(stage: Stage) -> None:
    """It would be lost to the other projects."""
    older = kept(stage, OLD)
    everywhere = stage.learn(SAME, actor=Actor.HUMAN, session="s2", folder=None).entry
    with pytest.raises(Refused, match="hold in different places"):
        stage.relate(everywhere, older, Relation.SAME, "s2")


def test_one_that_narrows_another_is_linked_to_it(stage: Stage) -> None:
    """Nothing is lowered; and no circle is closed."""
    a, b = pair(stage)
    c = kept(stage, "On staging the gateway listens on port 7443", "s2")
    before = stage.entry(b)
    assert RelateOutcome.LINKED is stage.relate(a, b, Relation.NARROWS, "s2").outcome
    assert RelateOutcome.LINKED is stage.relate(c, a, Relation.NARROWS, "s2").outcome
    after = stage.entry(b)
    assert (before.stage, before.standing, ()) == (after.stage, after.standing, after.disputes)
    assert stage.entry(a).answer_on(b).narrows  # type: ignore[union-attr]  # it was answered
    with pytest.raises(Refused, match="already narrows the newer"):
        stage.relate(b, c, Relation.NARROWS, "s2")


def test_different_clears_a_suspicion_and_no_dispute(stage: Stage) -> None:
    """A dispute is its person's to end."""
    newer, older = pair(stage)
    assert 1 == len(stage.entry(newer).suspected) == len(stage.entry(older).suspected)
    assert RelateOutcome.CLEARED is stage.relate(newer, older, Relation.DIFFERENT, "s2").outcome
    assert () == stage.entry(newer).suspected + stage.entry(older).suspected
    third = kept(stage, "The gateway listens on port 7443", "s3")
    stage.relate(third, older)
    for relation in (Relation.DIFFERENT, Relation.SAME, Relation.NARROWS):
        stage.relate(third, older, relation, "s4")
    assert 1 == len(disputes(stage.outside, HERE))


def test_the_session_that_brought_a_foreign_side_clears_nothing(stage: Stage) -> None:
    """Another session's agent may, or the person."""
    older = kept(stage, OLD)
    brought = kept(stage, NEW, "s2", Actor.AGENT)
    with pytest.raises(Refused, match="this session itself brought"):
        stage.relate(brought, older, Relation.DIFFERENT, "s2")
    assert 1 == len(stage.entry(older).suspected)
    stage.relate(brought, older, Relation.DIFFERENT, "s3")
    assert () == stage.entry(older).suspected


def test_two_agents_who_answer_in_two_ways_are_for_the_person(stage: Stage) -> None:
    """The first answer stands; the second puts the two in dispute, which the person settles."""
    newer, older = pair(stage, OLD, SAME)
    stage.relate(newer, older, Relation.SAME, "s3")
    done = stage.relate(newer, older, Relation.CONTRADICTS, "s4")
    assert RelateOutcome.DISPUTED is done.outcome
    assert not stage.entry(newer).live and stage.entry(older).live
    (found,) = disputes(stage.outside, HERE)
    assert {newer, older} == {found.newer.id, found.older.id}

    settle(stage.outside, newer, older, PERSON)
    assert stage.entry(newer).live and not stage.entry(older).live
    with pytest.raises(Refused, match="The user decided on"):
        stage.relate(newer, older, Relation.DIFFERENT, "s5")


def test_the_same_answer_again_is_known(stage: Stage) -> None:
    """And recorded once."""
    newer, older = pair(stage)
    stage.relate(newer, older, Relation.NARROWS, "s2")
    assert RelateOutcome.KNOWN is stage.relate(newer, older, Relation.NARROWS, "s3").outcome
    assert 2 == len(stage.events(Kind.RELATED))


def test_a_session_has_eight_answers(stage: Stage) -> None:
    """The ninth is refused with the reason; another session's, and a person's, are not."""
    older = kept(stage, OLD)
    notes = [
        kept(stage, f"The gateway number {n} listens on port {n}", "s2")
        for n in range(MOST_ANSWERS + 1)
    ]
    for name in notes[:-1]:
        stage.relate(name, older, Relation.DIFFERENT, "s2")
    with pytest.raises(Refused, match="This session gave 8 answers"):
        stage.relate(notes[-1], older, Relation.DIFFERENT, "s2")
    assert stage.relate(notes[-1], older, Relation.DIFFERENT, "s3").outcome


def test_a_persons_own_answer_supersedes(stage: Stage) -> None:
    """At a terminal, of a note of theirs; whatever the older one is."""
    newer, older = pair(stage)
    assert older == stage.relate(newer, older, actor=Actor.HUMAN).gone


def test_what_is_not_there_cannot_be_related(stage: Stage) -> None:
    """A note of its own, one that is gone, one of another project, one that was erased."""
    newer, older = pair(stage)
    with pytest.raises(UsageError, match="Both are the same note"):
        stage.relate(newer, newer, Relation.SAME)
    with pytest.raises(NotFound, match="e-00000000000000"):
        stage.relate(newer, EntryId("e-00000000000000"))
    elsewhere = stage.learn(NEW, actor=Actor.HUMAN, folder=ELSEWHERE).entry
    with pytest.raises(NotFound, match=elsewhere):
        stage.relate(newer, elsewhere)
    stage_by_hand(stage.outside, older, Actor.HUMAN, Stages.RETIRED)
    with pytest.raises(Refused, match="is not in use"):
        stage.relate(newer, older)
    purge(stage.outside, Target(entry=older), Actor.HUMAN)
    with pytest.raises(NotFound, match=older):
        stage.relate(newer, older)


def test_what_another_note_stands_for_is_named(stage: Stage) -> None:
    """So that the agent relates that one."""
    newer, older = pair(stage, OLD, SAME)
    stage.relate(newer, older, Relation.SAME, "s2")
    third = kept(stage, NEW, "s3")
    with pytest.raises(Refused, match=rf"\[{handle(older)}\] took its place"):
        stage.relate(third, newer, Relation.CONTRADICTS, "s3")


def test_notes_are_named_by_their_handles(stage: Stage) -> None:
    """As an agent sees them; one that two have is refused, with both ids."""
    newer, older = pair(stage)
    given = RelationAnswer(handle(newer), handle(older), Relation.NARROWS, folder=HERE)
    assert RelateOutcome.LINKED is relate(stage.outside, given).outcome
    unrelate(stage.outside, handle(newer), handle(older), HERE, PERSON)
    assert () == stage.entry(newer).related


def test_only_a_person_takes_an_answer_back(stage: Stage) -> None:
    """And one that was given."""
    newer, older = pair(stage)
    with pytest.raises(NotFound, match="Nobody said"):
        unrelate(stage.outside, newer, older, HERE, PERSON)
    stage.relate(newer, older, Relation.NARROWS, "s2")
    with pytest.raises(Refused, match=f"learnt knowledge unrelate {newer} {older}"):
        unrelate(stage.outside, newer, older, HERE, Decider(actor=Actor.AGENT))


def test_a_candidate_in_dispute_lowers_nothing(stage: Stage) -> None:
    """Nobody vouched for it: an agent's word shakes no note of the person's."""
    older = kept(stage, OLD)
    brought = kept(stage, NEW, "s2", Actor.AGENT)
    stage.relate(brought, older, session="s2")
    assert not said_for_sure(stage.entry(brought))
    assert Origin.USER is stage.entry(older).origin
    assert "TRUST" in stage.prompt("Which port does the gateway listen on?", session="s3")
