"""What a program hands over is enough or not, and becomes pieces of drafts: seed 004's rules."""

import pytest

from learnt.core.distil.distilled import (
    FailedAttempt,
    Success,
    compressed,
    handed,
    name_of,
    novel,
    reward,
    suffices,
)
from learnt.formats.skill_md import slug


def failing(count: int) -> list[FailedAttempt]:
    """So many failures that differ."""
    return [FailedAttempt(f"lemma-{n}", "the bound is loose") for n in range(count)]


@pytest.mark.parametrize(
    ("failures", "successes", "enough"), [(1, 4, False), (2, 0, True), (0, 5, True), (0, 4, False)]
)
def test_two_novel_failures_or_five_successes_are_enough(
    failures: int, successes: int, enough: bool
) -> None:
    """Oracle 54: one failure and four successes are skipped."""
    won = [Success("lemma", f"way {n}") for n in range(successes)]
    assert suffices(novel(failing(failures)), won) is enough


def test_failures_are_one_by_subject_and_the_first_80_characters_of_why() -> None:
    """Oracle 54: what differs later is the same failure; another subject is another."""
    why = "x" * 80
    alike = [FailedAttempt("a", f"{why} first"), FailedAttempt("a", f"{why} second")]
    assert novel(alike) == alike[:1]
    assert len(novel([*alike, FailedAttempt("b", why), FailedAttempt("a", why[1:])])) == 3
    assert len(novel(failing(9))) == 5


def test_a_success_of_301_characters_has_285() -> None:
    """Oracle 54: 300 characters stay as they are; of more the first 200 and the last 80 stay."""
    text = "".join(chr(97 + n % 26) for n in range(301))
    assert compressed(text[:300]) == text[:300]
    assert len(compressed(text)) == 285
    assert compressed(text) == f"{text[:200]}\n...\n{text[-80:]}"


def test_a_process_reward_is_from_minus_one_to_one() -> None:
    """Oracle 59: shown 1, refuted -0.5, an error 0, and a score of 7 counts as 1."""
    assert [reward("succeeded"), reward("refuted"), reward("error")] == [1.0, -0.5, 0.0]
    scores = [7.0, -7.0, 0.25, float("nan"), float("inf")]
    assert [reward("scored", score) for score in scores] == [1.0, -1.0, 0.25, 0.0, 1.0]


def test_a_title_names_a_skill_with_hyphens_and_else_its_session_does() -> None:
    """Oracle 55: `distilled-<session8>-<hex>` where no title can be a name."""
    title = slug("Match Lower Bounds with Parameter-Aware Algorithm Design")
    assert title == "match-lower-bounds-with-parameter-aware-algorithm-design"
    assert name_of(title, "s", "text") == title
    own = name_of("", "c2d22ab8-57ab-11ee", "text")
    assert own.startswith("distilled-c2d22ab8-") and len(own) == len("distilled-c2d22ab8-") + 6


def test_what_helped_is_told_beside_what_did_not_for_each_subject() -> None:
    """A success of another subject is no cure; a subject without one tells its pitfalls alone."""
    lost = [
        FailedAttempt("lemma-1", "loose", "Markov"),
        FailedAttempt("lemma-1", "wrong sign", "Chernoff"),
        FailedAttempt("lemma-2", "circular"),
        FailedAttempt(" ", "of nothing"),
    ]
    first, second = handed(lost, [Success("Lemma-1", "Bernstein"), Success("lemma-3", "Fano")])
    assert first.steps == ("Bernstein",)
    assert first.pitfalls == ("Markov: loose", "Chernoff: wrong sign")
    assert (second.steps, second.pitfalls) == ((), ("circular",))
