"""A caution for the commonest failure, in structure alone, and never the same twice."""

from msgspec.structs import replace

from learnt.core.health.executions import Use
from learnt.core.health.improvement import Failure, caution, excused, queued
from learnt.core.health.outcomes import MILLION, Cause, Trouble
from learnt.core.identifiers import ContentRef, EventId, Subject
from learnt.core.skills.history import SkillHistory

TESTS, CORRECTED = Failure(Trouble.TEST), Failure(Trouble.CORRECTION)
NPM, MAKE = Failure(Trouble.COMMAND, "npm"), Failure(Trouble.COMMAND, "make")
FLAG = Failure(Trouble.COMMAND, "deploy", "deploy --env a", ("unknown flag: --env",))
CURED = replace(FLAG, cure="What worked: `deploy --environment a`")


def use(number: int, trouble: Trouble = Trouble.NONE, cause: Cause = Cause.NONE) -> Use:
    """A use of a skill that was graded."""
    grade = MILLION if trouble is Trouble.NONE else 0
    event, session = EventId(f"e{number}"), Subject("session:a:b")
    return Use(
        ContentRef("s"), number, event, session, f"p{number}", "agent", True, trouble, cause, grade,
        None, None, False,
    )  # fmt: skip


def test_the_commonest_failure_comes_first() -> None:
    """A command's by its program; one alone calls for nothing, nor does what a person exclaimed."""
    found = caution([[TESTS], [TESTS], [NPM], [NPM], [NPM], [MAKE], [CORRECTED]], ())
    assert found and (NPM.sign, 3) == (found.sign, found.seen)
    assert "The last command failed (`npm`): look at its result, and mend what it names." == (
        found.line
    )
    assert caution([[NPM], [MAKE], [CORRECTED], [CORRECTED], [Failure(Trouble.NONE)]], ()) is None


def test_what_was_tried_is_not_tried_again() -> None:
    """Whichever text of the skill had it; the next one comes instead, and then none."""
    uses = [[TESTS], [TESTS], [TESTS], [NPM], [NPM]]
    first = caution(uses, ())
    assert first and TESTS.sign == first.sign
    second = caution(uses, [f"# A\n\n- {first.line}\n"])
    assert second and NPM.sign == second.sign
    assert caution([[TESTS]] * 3, [first.line, second.line]) is None


def test_a_failure_whose_cure_is_known_comes_before_one_that_nobody_cured() -> None:
    """It names the command, the line that names the trouble, and what passed."""
    found = caution([[NPM, FLAG], [NPM, FLAG], [NPM, CURED], [NPM]], ())
    assert found and (3, 1) == (found.seen, found.cured)
    told = "`deploy --env a` fails: unknown flag: --env. What worked: `deploy --environment a`."
    assert told == found.line


def test_a_failure_that_no_use_cured_is_named_with_all_its_lines() -> None:
    """And the agent is told to ask."""
    failure = replace(FLAG, lines=("unknown flag: --env", "exit status 2"))
    found = caution([[failure], [failure]], ())
    assert found and "unknown flag: --env / exit status 2. No use cured it yet" in found.line


def test_the_same_excuse_three_times_in_a_row_is_a_flag() -> None:
    """From the third on; another outcome starts the count again, and five good uses clear it."""
    away = [use(n, Trouble.COMMAND, Cause.ENVIRONMENT) for n in range(4)]
    assert [] == excused(away[:2])[0]
    flags, excuse = excused(away)
    assert (["e2", "e3"], "environment") == ([flag.execution for flag in flags], excuse)
    mixed = [*away[:2], use(5), use(6, Trouble.COMMAND, Cause.ENVIRONMENT)]
    assert ([], "") == excused(mixed)
    entry = queued("deploy", [*away, use(9, Trouble.COMMAND, Cause.ENVIRONMENT)], SkillHistory())
    assert (3, "environment", True) == (entry.flagged_count, entry.excuse, entry.due)
    assert ([], "") == excused([*away, *(use(n) for n in range(10, 15))])


def test_excuses_that_take_turns_are_a_flag_too() -> None:
    """Every use failed; one that failed for the skill's own fault is flagged by its grade."""
    kinds = [Cause.ENVIRONMENT, Cause.INPUT] * 2 + [Cause.ENVIRONMENT] * 2
    turns = [use(n, Trouble.COMMAND, cause) for n, cause in enumerate(kinds)]
    flags, why = excused(turns[:5])
    assert ["e2", "e3", "e4"] == [flag.execution for flag in flags]
    assert "5 in a row failed, all excused: 3 environment, 2 input" == why
    assert queued("deploy", turns[:5], SkillHistory()).due
    assert ([], "") == excused([*turns[:2], use(7), *turns[3:5]])
    own = use(7, Trouble.COMMAND, Cause.SKILL)
    assert ([], "") == excused([*turns[:2], own, *turns[3:5]])


def test_a_skill_that_fails_is_flagged_within_five_graded_uses() -> None:
    """After twenty good ones, whatever the share of sessions that use it: uses count, not days."""
    good = [use(n) for n in range(20)]
    bad = [use(20 + n, Trouble.COMMAND, Cause.SKILL) for n in range(5)]
    first = next(
        n for n in range(1, 6) if queued("d", [*good, *bad[:n]], SkillHistory()).flagged_count
    )
    assert first <= 5
