"""Admission: seed 000 v2's score to the digit (oracles 22 to 29), and what else it takes."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.knowledge.admission import (
    GRACE_DAYS,
    LEAST_SESSIONS,
    NEEDS,
    Judgement,
    classify,
    judge,
    score,
)
from learnt.core.knowledge.entries import CREDIBILITY, RELEVANCE, Confirmation, Stage

DAY_MS = 86_400_000
NOW = 400 * DAY_MS + 5


def witnessed(*said: tuple[str, str, int]) -> list[Confirmation]:
    """Witnesses by credibility, relevance, and how many days ago; each of its own session."""
    return [
        Confirmation(
            ms=NOW - days * DAY_MS,
            credibility=CREDIBILITY[who],
            relevance=RELEVANCE[what],
            session=f"s{number}",
        )
        for number, (who, what, days) in enumerate(said)
    ]


ORACLES: list[tuple[int, list[tuple[str, str, int]], float, Stage]] = [
    (22, [("tool", "core", d) for d in (0, 5, 10)], 2.856066843, Stage.VALIDATED),
    (23, [("tool", "core", 0)] * 2, 2.0, Stage.VALIDATED),
    (23, [("tool", "core", d) for d in (0, 1)], 1.990049834, Stage.CANDIDATE),
    (24, [("human", "core", d) for d in (0, 7, 14)], 2.241401644, Stage.VALIDATED),
    (25, [("agent", "auxiliary", d) for d in range(0, 50, 10)], 1.240411931, Stage.CANDIDATE),
    (26, [("agent", "core", d) for d in range(4)], 2.364416424, Stage.VALIDATED),
    (27, [("tool", "core", 0), ("human", "core", 10), ("agent", "auxiliary", 20),
          ("indirect", "marginal", 30)], 2.013938254, Stage.VALIDATED),
    (28, [("indirect", "marginal", 0)], 0.06, Stage.RETIRED),
    (29, [("tool", "core", 230)], math.exp(-2.30), Stage.CANDIDATE),
    (29, [("tool", "core", 231)], math.exp(-2.31), Stage.RETIRED),
    (29, [("indirect", "core", 109)], 0.3 * math.exp(-1.09), Stage.CANDIDATE),
    (29, [("indirect", "core", 110)], 0.3 * math.exp(-1.10), Stage.RETIRED),
    (29, [("indirect", "auxiliary", 40)], 0.15 * math.exp(-0.40), Stage.CANDIDATE),
    (29, [("indirect", "auxiliary", 41)], 0.15 * math.exp(-0.41), Stage.RETIRED),
]  # fmt: skip


@pytest.mark.parametrize(("oracle", "said", "reached", "named"), ORACLES)
def test_the_score_is_the_seeds(
    oracle: int, said: list[tuple[str, str, int]], reached: float, named: Stage
) -> None:
    """To nine digits, as its pure classification."""
    told = score(witnessed(*said), NOW)
    assert reached == pytest.approx(told, abs=5e-10), oracle
    assert named is classify(told), oracle


ENOUGH = witnessed(("tool", "core", 0), ("tool", "core", 0))


def needs(said: Sequence[Confirmation], kind: str = "schema") -> tuple[str, ...]:
    return judge(said, kind, NOW, NOW).needs


def test_two_tool_calls_of_two_sessions_are_enough() -> None:
    """The score is reached, they are credible, and they are two."""
    assert Judgement(Stage.VALIDATED) == judge(ENOUGH, "schema", NOW, NOW)


def test_what_else_it_takes_is_told() -> None:
    """Each condition on its own, and put into words."""
    assert ("score",) == needs(witnessed(("tool", "core", 0), ("agent", "core", 0)))
    agents = witnessed(*[("agent", "core", 0)] * 4)
    assert ("credible",) == needs(agents)
    assert ("sessions",) == needs([replace(one, session="s") for one in ENOUGH])
    unseen = replace(ENOUGH[1], session="")  # one nobody saw
    assert ("sessions",) == needs([ENOUGH[0], unseen])
    assert ("user",) == needs(ENOUGH, "business_rule")
    assert ("score", "credible", "sessions", "user") == needs((), "business_rule")
    assert {"score", "credible", "sessions", "user", "checks"} == set(NEEDS)
    assert 2 == LEAST_SESSIONS


def test_what_an_agent_says_takes_two_checks_or_the_user() -> None:
    """Its own judgement beside one tool call is not enough, however often it is repeated."""
    tool, agents = ENOUGH[0], witnessed(*[("agent", "core", 0)] * 3)
    assert () == needs([tool, *agents])
    assert ("checks",) == judge([tool, *agents], "schema", NOW, NOW, spoken=True).needs
    assert () == judge(ENOUGH, "schema", NOW, NOW, spoken=True).needs
    human = replace(agents[0], actor=Actor.HUMAN)
    assert () == judge([tool, *agents, human], "schema", NOW, NOW, spoken=True).needs


def test_a_business_rule_is_the_users_to_confirm() -> None:
    """One confirmation by a person is enough beside the rest."""
    said = [*ENOUGH, replace(ENOUGH[0], actor=Actor.HUMAN, session="s3")]
    assert Judgement(Stage.VALIDATED) == judge(said, "business_rule", NOW, NOW)


def test_a_fresh_candidate_has_two_weeks() -> None:
    """Nothing expires before that, however little speaks for it; then it goes."""
    weak = witnessed(("indirect", "marginal", 0))
    for age, expired in ((0, False), (GRACE_DAYS - 1, False), (GRACE_DAYS, True), (90, True)):
        found = judge(weak, "schema", NOW - age * DAY_MS, NOW)
        assert expired is (found.stage is Stage.RETIRED), age
    assert 14 == GRACE_DAYS


def test_a_witness_from_tomorrow_counts_as_one_of_today() -> None:
    """A clock that was ahead adds no weight."""
    ahead = [replace(ENOUGH[0], ms=NOW + 9 * DAY_MS)]
    assert 1.0 == score(ahead, NOW)


MANY = st.lists(
    st.builds(
        Confirmation,
        ms=st.integers(0, 500 * DAY_MS),
        credibility=st.integers(1, 1_000),
        relevance=st.integers(1, 1_000),
    ),
    max_size=12,
)


@given(MANY, st.integers(0, 500 * DAY_MS), st.integers(0, 100 * DAY_MS))
def test_time_alone_never_raises_a_score(said: list[Confirmation], now: int, later: int) -> None:
    """And each further witness does."""
    assert score(said, now + later) <= score(said, now)
    one = Confirmation(ms=now, credibility=600, relevance=1_000)
    assert score([*said, one], now) > score(said, now)


@given(MANY)
def test_the_order_of_witnesses_does_not_count(said: list[Confirmation]) -> None:
    """Two machines that heard them in another order agree."""
    assert score(said, NOW) == score(said[::-1], NOW)
