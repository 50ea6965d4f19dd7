"""Laws of relating: whatever is said of notes and taken back, nothing of them changes."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Entry, Relation
from learnt.errors import LearntError
from learnt.flows.governance.decisions import Decider
from learnt.flows.knowledge.relating import unrelate
from tests.flows.stage import HERE, Stage

TEXTS = (
    "The gateway listens on port 8443",
    "The gateway listens on port 9443",
    "On port 8443 the gateway listens",
    "The gateway of staging listens on port 8443",
)
ACTORS = (Actor.HUMAN, Actor.AGENT, Actor.HUMAN, Actor.AGENT)
STEPS = st.lists(
    st.tuples(
        st.integers(0, 3), st.integers(0, 3), st.sampled_from([*Relation, None]),
        st.sampled_from(["s1", "s2", "s3"]), st.sampled_from([Actor.AGENT, Actor.HUMAN]),
    ),
    max_size=12,
)  # fmt: skip
Step = tuple[int, int, Relation | None, str, Actor]


def told() -> tuple[Stage, list[EntryId]]:
    """Four notes on one matter, two of them their person's."""
    stage = Stage()
    names = [
        stage.learn(text, actor=actor, session=f"s{at % 2 + 1}", lesson="remember").entry
        for at, (text, actor) in enumerate(zip(TEXTS, ACTORS, strict=True))
    ]
    return stage, names


def played(stage: Stage, names: Sequence[EntryId], steps: Sequence[Step]) -> None:
    """Answers, and answers that are taken back; what is refused changes nothing."""
    for one, other, relation, session, actor in steps:
        try:
            if relation is None:
                unrelate(stage.outside, names[one], names[other], HERE, Decider(actor=Actor.HUMAN))
            else:
                stage.relate(names[one], names[other], relation, session, actor)
        except LearntError:
            continue


def own(entry: Entry) -> tuple[object, ...]:
    """What no answer may change: its texts, what speaks for it, whose it is."""
    return entry.refs, entry.standing, entry.origin, entry.actor, entry.kind, entry.scope


@settings(max_examples=60)
@given(STEPS)
def test_no_answer_changes_what_a_note_says_or_rests_on(steps: list[Step]) -> None:
    """No text, no evidence, no witness and no origin, whoever answers what in which order."""
    stage, names = told()
    before = [own(stage.entry(name)) for name in names]
    played(stage, names, steps)
    assert before == [own(stage.entry(name)) for name in names]


@settings(max_examples=60)
@given(STEPS)
def test_what_is_taken_back_is_as_it_was(steps: list[Step]) -> None:
    """Every answer that stands, one after the other, in any order."""
    stage, names = told()
    before = [stage.entry(name) for name in names]
    played(stage, names, steps)
    for name in names:
        for answer in reversed(stage.entry(name).related):
            unrelate(stage.outside, name, answer.other, HERE, Decider(actor=Actor.HUMAN))
    assert before == [stage.entry(name) for name in names]
