"""What a skill displaces, by the prompts that were recorded."""

from learnt.core.health.executions import Episode, Execution
from learnt.core.health.outcomes import MILLION, Outcome
from learnt.core.identifiers import ContentRef, EventId
from learnt.core.skills.replay import AskedPrompt, Replay, joined, shadowing

GOOD, BAD = Outcome(grade=MILLION), Outcome(grade=0)


def episode(prompt: str, *uses: tuple[str, str, Outcome]) -> Episode:
    executions = tuple(Execution(skill=ContentRef(s), by=by, outcome=o) for s, by, o in uses)
    return Episode(
        event=EventId(prompt), wall_ms=1, session="s1", prompt=prompt, executions=executions
    )


def asked(text: str) -> AskedPrompt:
    return AskedPrompt(text=text, session="s1")


def test_uses_belong_to_the_prompt_of_their_episode() -> None:
    """By key, but for what was found bad; a prompt typed again adds to the first."""
    prompts = [(asked("free the locks"), "p1"), (asked("make tea"), "p2")]
    prompts.append((asked("free the locks"), "p3"))
    ended = [
        episode("p1", ("Dead_Locks", "agent", BAD)),
        episode("p2"),
        episode("p3", ("queues", "subagent", GOOD)),
    ]
    locks, tea = joined(prompts, ended, str)
    assert ({"queues"}, set()) == (locks.well, tea.well)


def test_what_is_pushed_out_and_what_loses_the_first_place_are_told_apart() -> None:
    """Those come first that were used for the prompt, with that prompt as the example."""
    lost = AskedPrompt(text="why do locks wait", well={"locks"})
    replays = [
        Replay(AskedPrompt(text="hm"), ["a", "locks"], ["new", "a"]),
        Replay(lost, ["b", "locks"], ["b", "new"]),
        Replay(AskedPrompt(text="other"), ["a", "b"], ["a", "b"]),
    ]
    guard = shadowing("new", replays)
    assert (3, 2, 0) == guard[:3]
    locks, a = guard.displaced
    assert ("locks", 2, 0, 1) == locks[:4] and locks.examples[0] == "why do locks wait"
    assert ("a", 0, 1, 0) == a[:4]
    assert ("locks",) == guard.used


def test_another_text_of_a_skill_displaces_by_what_it_gains() -> None:
    """Where it was offered before, and is no longer, it displaces nothing."""
    replays = [
        Replay(AskedPrompt(text="x"), ["own", "a"], ["a"]),
        Replay(AskedPrompt(text="y"), ["own"], ["own"]),
    ]
    assert (2, 0, 1, ()) == shadowing("own", replays)
