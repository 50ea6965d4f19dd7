"""What a skill displaces, by the prompts that were recorded."""

from dataclasses import replace

from learnt.core.health.executions import Episode, Execution
from learnt.core.health.outcomes import MILLION, Outcome, Trouble
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
    """By key; what was found bad was used, but not well; a prompt typed again adds to the first."""
    prompts = [(asked("free the locks"), "p1"), (asked("make tea"), "p2")]
    prompts.append((asked("free the locks"), "p3"))
    ended = [
        episode("p1", ("Dead_Locks", "agent", BAD)),
        episode("p2"),
        episode("p3", ("queues", "subagent", GOOD)),
    ]
    locks, tea = joined(prompts, ended, str)
    assert ({"dead-locks", "queues"}, {"queues"}) == (locks.used, locks.well)
    assert tea.over and not tea.used


def test_a_call_by_name_speaks_of_the_prompt_that_was_objected_to() -> None:
    """The very one before, if the agent had not used the skill for it; else of its own words."""
    typed = ("locks", "user", GOOD)

    def called(*ended: Episode) -> list[str]:
        prompts = [(asked(text), f"of {text}") for text in ("tea", "locks", "more")]
        return [prompt.text for prompt in joined(prompts, ended, str) if prompt.called]

    tea, well_done = episode("of tea"), episode("of locks")
    locks = replace(well_done, outcome=Outcome(trouble=Trouble.CORRECTION))
    assert [] == called(tea, well_done, episode("p7", typed))
    assert ["more"] == called(well_done, episode("of more", typed))
    assert ["locks"] == called(tea, locks, episode("p7", typed), episode("of more"))
    assert [] == called(tea, locks, episode("p7"), episode("p8", typed))
    used = replace(locks, executions=episode("", ("locks", "agent", GOOD)).executions)
    assert [] == called(used, episode("p9", typed))


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
