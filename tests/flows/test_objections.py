"""A person says that what was shown does not hold any more."""

import pytest

from learnt.core.events import Actor, Kind
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.entries import Stage, level
from learnt.errors import Refused
from learnt.flows.knowledge.feedback import Word, tell
from tests.flows.stage import Stage as Scene

PROMPT = "which port does the staging gateway listen on?"
HEADLESS = {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"}


@pytest.fixture
def scene() -> Scene:
    return Scene()


def shown(scene: Scene, text: str = "The staging gateway listens on port 8443") -> EntryId:
    """A validated fact that was put before the agent in this session."""
    entry = scene.learn(text, actor=Actor.HUMAN).entry
    assert handle(entry) in scene.prompt(PROMPT, episode="p1")
    return entry


def confidence(scene: Scene, entry: EntryId) -> float:
    """How far it is trusted now."""
    found = level(scene.entry(entry), scene.outside.clock.now_ms())
    assert found is not None
    return found


@pytest.mark.parametrize(
    "said", ["this changed, it's 9000 now", "that note is out of date", "这条不对，换成 9000 了"]
)
def test_what_was_shown_counts_as_wrong_at_once(scene: Scene, said: str) -> None:
    """By the person's own word; `reset` takes it back."""
    entry = shown(scene)
    scene.prompt(said, episode="p2")
    assert 0.1 == confidence(scene, entry)
    (event,) = scene.events(Kind.FEEDBACK)
    assert (Actor.HUMAN, "invalidate") == (event.actor, event.payload["result"])


def test_a_candidate_is_retired(scene: Scene) -> None:
    """It has no confidence to lose."""
    entry = scene.learn(
        "The staging gateway listens on port 8443", actor=Actor.HUMAN, waits="request"
    ).entry
    assert handle(entry) in scene.prompt(PROMPT, episode="p1")
    scene.prompt("that note is wrong", episode="p2")
    assert Stage.RETIRED == scene.entry(entry).stage


def test_a_headless_session_objects_to_nothing(scene: Scene) -> None:
    """Nobody typed it."""
    entry = shown(scene)
    scene.prompt("this changed, it's 9000 now", episode="p2", environment=HEADLESS)
    assert 0.9 < confidence(scene, entry)


def test_of_several_it_must_be_clear_which(scene: Scene) -> None:
    """By its id, or by words that it alone has; else nothing is done."""
    first = shown(scene)
    second = scene.learn("The production gateway listens on port 443", actor=Actor.HUMAN).entry
    scene.prompt(
        "which port does the production gateway listen on, and the staging one?", episode="p2"
    )
    scene.prompt("this changed", episode="p3")
    scene.prompt(f"{second} is wrong", episode="p4")
    assert (0.9 < confidence(scene, first), 0.1) == (True, confidence(scene, second))


def test_the_agent_says_which_where_its_user_objected(scene: Scene) -> None:
    """It may invalidate what was shown, once, since the person's prompt called for it."""
    entry = shown(scene)
    other = scene.learn("The audit log keeps ninety days of entries", actor=Actor.HUMAN).entry
    word = Word(result="invalidate", actor=Actor.AGENT, session="s1")
    with pytest.raises(Refused):
        tell(scene.outside, entry, word)
    scene.prompt("hm, e-00000000000000 is outdated", episode="p2")
    tell(scene.outside, entry, word)
    assert 0.1 == confidence(scene, entry)
    with pytest.raises(Refused):
        tell(scene.outside, other, word)
