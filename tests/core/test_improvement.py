"""A caution for the commonest failure, in structure alone, and never the same twice."""

from learnt.core.health.improvement import Failure, caution
from learnt.core.health.outcomes import Trouble

TESTS, CORRECTED = Failure(Trouble.TEST), Failure(Trouble.CORRECTION)
NPM, MAKE = Failure(Trouble.COMMAND, "npm"), Failure(Trouble.COMMAND, "make")


def test_the_commonest_failure_comes_first() -> None:
    """A command's by its program; one alone calls for nothing."""
    found = caution([TESTS, TESTS, NPM, NPM, NPM, MAKE, CORRECTED], ())
    assert found and (NPM, 3) == (found.failure, found.seen)
    assert "The last command failed (`npm`): look at its result, and mend what it names." == (
        found.line
    )
    assert caution([NPM, MAKE, CORRECTED, Failure(Trouble.NONE), Failure(Trouble.NONE)], ()) is None


def test_what_was_tried_is_not_tried_again() -> None:
    """Whichever text of the skill had it; the next one comes instead, and then none."""
    first = caution([TESTS, TESTS, TESTS, CORRECTED, CORRECTED], ())
    assert first and TESTS == first.failure
    second = caution([TESTS, TESTS, TESTS, CORRECTED, CORRECTED], [f"# A\n\n- {first.line}\n"])
    assert second and CORRECTED == second.failure
    assert caution([TESTS] * 3, [first.line, second.line]) is None
