"""Drafts: what is tidied before any gate, and which are exact duplicates."""

import pytest
from msgspec.structs import replace

from learnt.core.knowledge.drafts import MOST_ENTITIES, Draft, normalised, tidy

GOOD = Draft(problem="Port 8080 is taken", approach="Find the process and stop it")
FACT = Draft(text="orders.status is one of NEW, PAID, SHIPPED", kind="schema")


SAME = [
    ("width", replace(GOOD, problem="Ｐｏｒｔ　８０８０ is taken")),
    ("case", replace(GOOD, problem="PORT 8080 IS TAKEN", approach=GOOD.approach.upper())),
    ("spacing", replace(GOOD, problem="  Port\t8080   is taken ", approach=GOOD.approach + " ")),
    ("lines", replace(GOOD, approach="Find the process\n\nand stop it")),
    ("the rest", replace(GOOD, cautions=("c",), tags=("t",), files=("f",), language="en")),
]


@pytest.mark.parametrize(("what", "other"), SAME)
def test_duplicates_are_equal_but_for_what_does_not_count(what: str, other: Draft) -> None:
    """Width, case, spacing and line breaks are no difference, and cautions and tags neither."""
    assert normalised(GOOD) == normalised(other)


@pytest.mark.parametrize(
    "other",
    [
        replace(GOOD, problem="Port 8081 is taken"),
        replace(GOOD, approach="Find the process and kill it"),
        Draft(problem=GOOD.approach, approach=GOOD.problem),
        Draft(problem=f"{GOOD.problem} Find", approach="the process and stop it"),
    ],
)
def test_other_solutions_are_new(other: Draft) -> None:
    """Another word, or the same words parted elsewhere, is another solution."""
    assert normalised(GOOD) != normalised(other)


def test_problem_and_approach_stay_apart() -> None:
    """A line break in one of them does not pass for the one between them."""
    one = Draft(problem="ab\ncd", approach="ef")
    other = Draft(problem="ab", approach="cd\nef")

    assert normalised(one) != normalised(other)


def test_tidying_takes_out_private_parts_and_secrets() -> None:
    """From every text, and the kinds of the secrets are told, in order."""
    secret = "password=hunter2hunter2"
    given = Draft(
        problem=f"<private>who</private> {secret}",
        approach=f"a\r\nb {secret}",
        cautions=(secret,),
        tags=(secret,),
        files=(secret,),
        language=secret,
    )
    gone = "password=[redacted:secret]"

    expected = Draft(
        problem=f"[private] {gone}",
        approach=f"a\r\nb {gone}",
        cautions=(gone,),
        tags=(gone,),
        files=(gone,),
        language=gone,
    )
    tidied, found = tidy(given)

    assert expected == tidied
    assert ("secret",) * 6 == found


def test_tidying_trims_and_drops_what_is_empty_or_double() -> None:
    """Tags lose their case with their doubles; files keep it; cautions are kept as they are."""
    given = Draft(
        problem="  p  ",
        approach="\n a \n",
        cautions=(" c ", " ", "c"),
        tags=("B", " b", "", "A"),
        files=(" X", "x", "X", " "),
        language=" Go ",
    )

    expected = Draft(
        problem="p",
        approach="a",
        cautions=("c", "c"),
        tags=("b", "a"),
        files=("X", "x"),
        language="Go",
    )

    assert (expected, ()) == tidy(given)


def test_nothing_is_lost_of_a_tidy_solution() -> None:
    """Tidying what is tidy changes nothing, and an absent language stays absent."""
    assert (GOOD, ()) == tidy(GOOD)
    assert GOOD.language is None


def test_a_fact_is_about_the_names_it_mentions() -> None:
    """Unless it says itself what it is about; there are eight at most."""
    tidied, _ = tidy(FACT)
    assert ("orders.status",) == tidied.entities
    named, _ = tidy(replace(FACT, entities=(" T_ORDER ", "", "T_ORDER", "t_pay")))
    assert ("T_ORDER", "t_pay") == named.entities
    many = Draft(text=" ".join(f"t_{n}" for n in range(20)), kind="schema")
    told, _ = tidy(many)
    assert MOST_ENTITIES == len(told.entities) == 8


def test_a_fact_is_tidied_like_a_solution() -> None:
    """Secrets and private parts go from its text, its entities and its tags."""
    given = Draft(
        text=" <private>x</private> password=hunter2hunter2 ",
        kind="schema",
        entities=("token=hunter2hunter2",),
        tags=("A", "a"),
    )
    tidied, found = tidy(given)
    assert "[private] password=[redacted:secret]" == tidied.text
    assert ("token=[redacted:secret]",) == tidied.entities
    assert ("a",) == tidied.tags
    assert ("secret",) * 2 == tuple(sorted(found))


def test_a_draft_is_found_by_its_subject() -> None:
    """A solution by its problem, a fact by its text; each says its texts and its kind."""
    assert GOOD.problem == GOOD.subject
    assert FACT.text == FACT.subject
    assert ("solution", "schema") == (GOOD.kind, FACT.kind)
    assert (FACT.text,) == FACT.texts
    assert FACT.text.casefold() == normalised(FACT)
