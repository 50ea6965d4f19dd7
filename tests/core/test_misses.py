"""Misses that belong together, against clusters made by hand."""

from collections.abc import Iterable

import pytest

from learnt.core.governance.misses import Cluster, Miss, cluster, one_word
from learnt.core.identifiers import ContentRef
from learnt.core.tokens import words

FLAGS = [
    ("feature flag gradual", 2),
    ("feature flag percent", 1),
    ("feature flag kill", 1),
]


def miss(text: str, count: int = 1) -> Miss:
    """A prompt of these words, which is its own name."""
    return Miss(prompt=ContentRef(text), terms={word: word for word in words(text)}, count=count)


def groups(clusters: Iterable[Cluster]) -> list[list[str]]:
    """The prompts of each cluster."""
    return [sorted(found.prompts) for found in clusters]


def test_prompts_about_one_thing_make_one_cluster() -> None:
    """Repeats are counted, prompts told apart, words named once and in order."""
    (found,) = cluster(miss(text, count) for text, count in FLAGS)

    assert (4, 3) == (found.count, found.distinct)
    assert ("feature", "flag") == found.pair == found.named
    assert ("feature", "flag", "gradual", "kill", "percent") == found.words
    assert ("feature flag gradual", "feature flag kill", "feature flag percent") == found.prompts


def test_a_pair_is_named_as_it_is_mostly_typed() -> None:
    """Repeats count; of spellings as frequent, the first in order."""
    typed = [("flags", 1), ("flag", 2), ("flagging", 2)]
    (found,) = cluster(
        Miss(
            prompt=ContentRef(word),
            terms={"flag": word, "featur": "features"},
            count=count,
        )
        for word, count in typed
    )

    assert (("featur", "flag"), ("features", "flag")) == (found.pair, found.named)
    assert ("features", "flag") == found.words


def test_one_shared_term_joins_nothing() -> None:
    """Each prompt is a cluster of its own."""
    found = cluster(map(miss, ["deploy staging fails", "deploy secrets rotate"]))

    assert [["deploy secrets rotate"], ["deploy staging fails"]] == sorted(groups(found))


def test_a_term_repeated_is_still_one_term() -> None:
    """Twice the same word is no pair."""
    found = cluster(map(miss, ["deploy deploy staging", "deploy deploy secrets", "deploy deploy"]))

    expected = [["deploy deploy secrets"], ["deploy deploy staging"]]
    assert expected == sorted(groups(found))


def test_a_chain_of_likenesses_is_not_one_cluster() -> None:
    """The first and the last share nothing; the one between goes with the first in spelling."""
    chain = ["aaa bbb ccc ddd", "ccc ddd eee fff", "eee fff ggg hhh"]

    found = cluster(map(miss, chain))

    assert [chain[:2], chain[2:]] == groups(found)
    assert [("ccc", "ddd"), ("eee", "fff")] == [one.pair for one in found]


def test_the_pair_of_most_prompts_comes_before_the_most_frequent() -> None:
    """Three prompts asked once outweigh two asked often; ties go to the more frequent."""
    prompts = [miss("lock wait table", 9), miss("lock wait row", 9), miss("row table scan")]
    prompts += [miss("table lock slow"), miss("lock table hang")]

    found = cluster(prompts)

    assert ("lock", "table") == next(one.pair for one in found if one.distinct == 3)
    assert ("row", "scan") not in {one.pair for one in found if one.distinct > 1}


def test_the_largest_cluster_stands_first() -> None:
    """By repeats, then by distinct prompts."""
    found = cluster([miss("lock wait"), *(miss(text, count) for text, count in FLAGS)])

    assert [4, 1] == [one.count for one in found]


def test_the_halves_of_one_chinese_word_are_no_pair() -> None:
    """Two prompts that share one word of three characters share nothing more."""
    found = cluster(map(miss, ["数据库 备份", "数据库 迁移"]))

    assert all(one.distinct == 1 for one in found)
    assert [] == cluster([miss("数据库")])


def test_two_chinese_words_are_a_pair() -> None:
    """In one run or apart, with other words around."""
    found = cluster(map(miss, ["数据库 死锁 排查", "死锁 数据库 重试"]))

    assert [2] == [one.distinct for one in found]
    assert not one_word(*found[0].pair)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("createuser", "create", True),
        ("user", "createuser", True),
        ("据库", "数据", True),
        ("数据", "据库", True),
        ("数据", "死锁", False),
        ("flag", "feature", False),
        ("ab", "bc", False),
    ],
)
def test_parts_of_one_word_are_known(one: str, other: str, expected: bool) -> None:
    """An identifier holds its parts; bigrams overlap; letters at the edge mean nothing."""
    assert expected == one_word(one, other)


def test_an_identifier_and_its_parts_are_no_pair() -> None:
    """`createUser` gives three terms, of which only the two parts are apart."""
    (found,) = cluster([miss("createUser"), miss("create user")])

    assert ("create", "user") == found.pair
    assert 2 == found.distinct


@pytest.mark.parametrize(("without", "expected"), [(2, True), (3, False)])
def test_a_pair_belongs_together_from_a_third_on(without: int, expected: bool) -> None:
    """One prompt of three that hold the rarer term is enough, one of four is not."""
    rest = [miss(f"build only{n}") for n in range(without)]
    rest += [miss(f"error just{n}") for n in range(without + 4)]

    found = cluster([*rest, miss("build error")])

    assert expected == (["build error"] in groups(found))


@pytest.mark.parametrize("text", ["", "why", "deploy", "deploy deploy", "锁表"])
def test_a_prompt_with_one_term_is_in_no_cluster(text: str) -> None:
    """One term says too little, even where another prompt holds it too."""
    assert [] == cluster([miss(text)])
    assert [] == cluster([miss(text), miss(f"{text} the")])


def test_nothing_missed_is_no_cluster() -> None:
    """No prompts, no clusters."""
    assert [] == cluster([])
