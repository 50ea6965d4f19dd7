"""What becomes of a draft beside the texts that are known."""

import pytest

from learnt.core.distil.distilled import (
    DistilledSkill,
    DraftOutcome,
    KnownText,
    Matter,
    outcome,
    shared,
)

ROLLBACK = Matter("helm lock held", ("rollback shop chart wait",), ("force deletes release",))
# Of its ten terms.
TERMS = "helm lock held rollback shop chart wait force deletes release".split()
NEW = DraftOutcome("new")
REPEATED = DraftOutcome("nothing", "a", why="it is said there already")
PATCHED = DraftOutcome("patch", "a", (ROLLBACK,))
OTHER = Matter("kafka offset reset", ("scale consumer zero pods",), ())


def became(*known: KnownText, parts: tuple[Matter, ...] = (ROLLBACK,)) -> DraftOutcome:
    """What becomes of a draft of these parts."""
    return outcome(DistilledSkill("t", "d", parts), known, str)


def text(key: str, count: int, **more: bool) -> KnownText:
    """A text that holds so many of the ten terms."""
    return KnownText(key, " ".join(TERMS[:count]), **more)


@pytest.mark.parametrize(
    ("count", "expected"),
    [(3, NEW), (4, PATCHED), (7, PATCHED), (8, REPEATED)],
)  # fmt: skip
def test_a_draft_repeats_a_text_as_far_as_its_terms_stand_there(
    count: int, expected: DraftOutcome
) -> None:
    """From two fifths it belongs to it, from four fifths it is said there."""
    assert expected == became(text("a", count))


def test_what_a_person_turned_down_is_not_proposed_and_no_home() -> None:
    """The like of it is nothing; what merely resembles it is a skill of its own."""
    assert DraftOutcome("nothing", "a", why="a person turned the like down") == became(
        text("a", 8, refused=True)
    )
    assert NEW == became(text("a", 7, refused=True))


def test_what_may_not_be_changed_is_no_home() -> None:
    """The next that may be is, though it fits less."""
    assert NEW == became(text("a", 7, open=False))
    assert DraftOutcome("patch", "b", (ROLLBACK,)) == became(text("a", 7, open=False), text("b", 4))
    assert REPEATED == became(text("a", 8, open=False))


def test_the_text_that_fits_best_takes_the_parts_that_it_lacks() -> None:
    """A part that is said there is not said twice."""
    less = KnownText("a", " ".join(TERMS[6:]))
    assert DraftOutcome("patch", "b", (ROLLBACK,)) == became(less, text("b", 6))
    both = KnownText("a", f"{OTHER.when} {OTHER.steps[0]} helm")
    assert DraftOutcome("patch", "a", (ROLLBACK,)) == became(both, parts=(OTHER, ROLLBACK))


def test_where_every_part_is_said_there_is_nothing_to_do() -> None:
    """Though the whole has more words that are not."""
    eight = TERMS[:8]
    parts = tuple(Matter(" ".join([*eight, *own]), ()) for own in (["uno", "due"], ["tre", "sei"]))
    known = KnownText("a", " ".join(eight))
    assert REPEATED == became(known, parts=parts)


def test_two_texts_about_the_same_become_one() -> None:
    """The one that fits less goes into the other, where much of it stands there."""
    assert DraftOutcome("merge", "a", (ROLLBACK,), "b") == became(text("a", 6), text("b", 5))
    apart = KnownText("b", " ".join(TERMS[5:] + [f"word{n}" for n in range(9)]))
    assert DraftOutcome("patch", "a", (ROLLBACK,)) == became(text("a", 6), apart)


def test_the_words_that_begin_every_step_say_nothing() -> None:
    """`Run` and `When this fails:` stand in every draft."""
    draft = Matter("When this fails: helm lock", ("Run `rollback shop`",))
    same = KnownText("a", "When this fails: gradle heap\nRun `maxheap tests`")
    assert NEW == became(same, parts=(draft,))


def test_a_text_of_three_terms_repeats_nothing() -> None:
    """Of four the share of them counts."""
    assert 0.0 == shared("lock queue drain", "lock queue drain", str)
    assert 0.75 == shared("lock queue drain stop", "lock queue drain", str)
