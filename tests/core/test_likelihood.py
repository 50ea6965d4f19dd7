"""How likely an entry bears on what is asked: by rare words, the same in every home."""

import math

import pytest

from learnt.core.recall.ranking import (
    AHEAD,
    ALIKE,
    BODY,
    GIVEN,
    LIKELY,
    NAMED,
    NOTHING,
    OF_BODY,
    PASTED,
    SUBJECT,
    SURE,
    Share,
    likelihood,
    likelihoods,
    mass,
    rarity,
)


def test_the_fitted_numbers() -> None:
    """What `train.recall` fitted; a change needs its benchmark run again."""
    assert (-4.4, 0.85, 0.7, 1.4) == (NOTHING, SUBJECT, BODY, AHEAD)
    assert (0.7, 0.5, 3) == (OF_BODY, PASTED, ALIKE)
    assert (0.75, 0.5, 0.1, 0.035) == (GIVEN, SURE, NAMED, LIKELY)


@pytest.mark.parametrize("total", [1, 5, 60, 2_060, 100_000])
def test_a_word_of_one_entry_weighs_one_in_every_home(total: int) -> None:
    """And so does one that stands in none."""
    assert [1.0, 1.0] == [rarity(1, total), rarity(0, total)]


def test_a_commoner_word_weighs_less() -> None:
    """Down to next to nothing where every entry has it."""
    falling = [rarity(documents, 1_000) for documents in range(1, 1_001, 50)]

    assert falling == sorted(falling, reverse=True)
    assert 0 < falling[-1] < 0.1


@pytest.mark.parametrize(
    ("asked", "there", "expected"),
    [
        ([("lock",), ("key",)], {"lock", "key"}, 2.0),
        ([("lock",), ("lock",)], {"lock"}, 1.0),
        ([("lock",)], {"key"}, 0.0),
        ([()], {"key"}, 0.0),
        ([("websocket", "web", "socket")], {"websocket", "web", "socket"}, 1.0),
        ([("websocket", "web", "socket")], {"socket"}, 1.0),
        ([("websocket", "web", "socket"), ("socket",)], {"websocket", "web", "socket"}, 1.0),
        ([("socket",), ("websocket", "web", "socket")], {"websocket", "web", "socket"}, 1.0),
        ([("死锁",)], {"死锁"}, 1.0),
        ([("数据", "据库")], {"数据", "据库"}, 1.5),
        ([("数据", "据库", "库死", "死锁")], {"数据", "据库", "库死", "死锁"}, 2.5),
        ([("数据", "据库", "库死", "死锁")], {"数据", "死锁"}, 2.0),
        ([("数据", "据库"), ("数据",)], {"数据", "据库"}, 1.5),
    ],
)
def test_a_mass_counts_words_and_not_their_parts(
    asked: list[tuple[str, ...]], there: set[str], expected: float
) -> None:
    """A compound is one word however much of it is there, a run half of its characters."""
    assert expected == mass(asked, there, {})


def test_rare_words_count_for_more() -> None:
    """Of a compound its rarest spelling counts."""
    rarities = {"web": 0.2, "websocket": 0.9, "lock": 0.5}

    assert 1.4 == mass([("websocket", "web"), ("lock",)], {"websocket", "web", "lock"}, rarities)


def test_the_odds_are_a_sum() -> None:
    """Of words shared in the subject, in the body, and those by which it is ahead."""
    odds = NOTHING + 2 * SUBJECT + BODY + AHEAD * (2 + OF_BODY - 1)

    assert 1 / (1 + math.exp(-odds)) == pytest.approx(likelihood(Share(2.0, 1.0), 1.0))
    assert 2 + OF_BODY == Share(2.0, 1.0).both


def test_each_is_compared_with_the_best_other() -> None:
    """The best with the second, the others with the best; one alone with nothing."""
    one, two, three = (Share(float(count), 0.0) for count in (1, 2, 3))

    assert [] == likelihoods([])
    assert [likelihood(three, 0.0)] == likelihoods([three])
    assert [likelihood(one, 3.0), likelihood(three, 2.0), likelihood(two, 3.0)] == (
        likelihoods([one, three, two])
    )


def test_what_was_noted_several_times_is_no_rival_of_itself() -> None:
    """Three terms of both subjects in the prompt: both may bear on it, and the third is behind."""
    terms = frozenset({"stripe", "webhook", "signature"})
    first, second = Share(3.0, 0.0, terms), Share(3.5, 0.0, terms | {"port"})
    third = Share(2.0, 0.0, frozenset({"stripe", "webhook"}))

    assert [likelihood(first, 2.0), likelihood(second, 2.0), likelihood(third, 3.5)] == (
        likelihoods([first, second, third])
    )


def test_nothing_shared_is_nothing_likely() -> None:
    """Whatever else there is; and much that is shared is sure."""
    assert likelihood(Share(0.0, 0.0), 0.0) < LIKELY / 2
    assert likelihood(Share(6.0, 3.0), 0.0) > 0.99
