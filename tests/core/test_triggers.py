"""A description learns from the prompts that its skill was wanted for."""

from collections.abc import Sequence

from learnt.core.governance.proposals import Gain
from learnt.core.skills.replay import LEAST, Example, Tuned, tuned
from learnt.core.skills.skills import LONGEST_DESCRIPTION
from learnt.stores.stemming import porter

ABOUT = "Frees waiting queues."


def offers(description: str, prompts: Sequence[str]) -> list[bool]:
    """A skill is offered where a prompt has a word of its description."""
    words = {porter(word.strip(".,")) for word in description.lower().split()}
    return [bool(words & {porter(word) for word in prompt.lower().split()}) for prompt in prompts]


def talk(wanted: Sequence[str], others: Sequence[str], sessions: int = 6) -> list[Example]:
    """Prompts for which the skill was wanted, and others, in each of so many sessions."""
    return [
        Example(f"{prompt} {number}", f"s{number}", prompt in wanted)
        for number in range(sessions)
        for prompt in (*wanted, *others)
    ]


WANTED = ("the consumers are in deadlock again", "payments stall since the release")
OTHERS = ("brew tea for the release", "paint the wall", "write the letter again", "queue up music")


def test_words_that_part_wanted_prompts_from_others_are_added() -> None:
    """Not those that other prompts have as often; the author's sentence stays."""
    result = tuned(ABOUT, talk(WANTED, OTHERS), porter, offers)
    assert {"consumers", "deadlock", "payments", "stall", "since"} >= set(result.words)
    assert {"deadlock", "stall"} <= set(result.words)
    assert result.description.startswith(f"{ABOUT} Also for: ")
    assert result.better and result.gain is not None


def test_the_gain_is_counted_on_sessions_that_were_held_out() -> None:
    """Every other one: three of six, with six wanted prompts and twelve others."""
    gain = tuned(ABOUT, talk(WANTED, OTHERS), porter, offers).gain
    assert gain == Gain(gained=6, still=3, quiet=9)
    assert str(gain) == (
        "of 6 held-out prompts that it was wanted for, offered for 0 before and 6 after; in vain "
        "for 3 before and 3 after, of 12"
    )


def test_words_of_one_half_that_do_not_carry_over_are_no_gain() -> None:
    """The sessions that are held out speak otherwise: nothing is better."""
    examples = [
        Example(f"{'deadlock' if number % 2 else 'stall'} happens", f"s{number}", wanted=True)
        for number in range(12)
    ]
    examples += [Example("happens daily", f"s{number}", wanted=False) for number in range(12)]
    result = tuned(ABOUT, examples, porter, offers)
    assert ("stall",) == result.words
    assert not result.better


def test_too_little_says_how_much_is_missing() -> None:
    """Each half needs so many prompts: one session fills one half alone."""
    one = tuned(ABOUT, talk(WANTED * 3, (), sessions=1), porter, offers)
    assert Tuned(lacking=LEAST) == one
    assert Tuned(lacking=2 * LEAST - 2) == tuned(ABOUT, talk(("x", "y"), (), 1), porter, offers)


def test_prompts_offered_in_vain_weigh_against_a_word() -> None:
    """A word that brings as many false offers as hits does not pass."""
    others = [f"deadlock of {word}" for word in ("tea", "music", "letters", "walls", "games")]
    examples = talk(("consumers in deadlock",), (), 8)
    held = [Example(text, f"s{number}", wanted=False) for number in range(8) for text in others]
    result = tuned("Frees.", [*examples, *held], porter, offers)
    assert "deadlock" not in result.words and "consumers" in result.words


def test_a_description_stays_within_the_specification() -> None:
    """At most 1,024 characters: words that do not fit are left out, all of them if need be."""
    for length in (LONGEST_DESCRIPTION - 30, LONGEST_DESCRIPTION - 5):
        about = ("x" * 9 + " ") * (length // 10)
        result = tuned(about, talk(WANTED, OTHERS), porter, offers)
        assert len(result.description) <= LONGEST_DESCRIPTION
        assert bool(result.words) is (length < LONGEST_DESCRIPTION - 10)


def test_redacted_parts_and_numbers_are_no_words() -> None:
    """What stands in for a secret says nothing of the skill."""
    prompts = ("deploy with [redacted:token] on 8443 as ok",)
    result = tuned(ABOUT, talk(prompts, OTHERS, 12), porter, offers)
    assert ("deploy",) == result.words
