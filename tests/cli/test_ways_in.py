"""One sentence is enough to be remembered; what it is, is guessed and said."""

import pytest

from tests.support.homes import Home

PORT = "The staging gateway listens on port 8443"


def kept(home: Home) -> list[str]:
    """What is remembered."""
    return [entry["text"] for entry in home.here("recall", "--json").json["entries"]]


def test_one_sentence_is_enough(home: Home) -> None:
    """A person's, validated, and told as what it was taken for."""
    said = home.here("remember", PORT, typed="")

    assert 0 == said.exit_code, said.output
    assert "for this project, as a tool_experience." in said.output
    assert [PORT] == kept(home)


def test_without_anything_a_person_is_asked(home: Home) -> None:
    """For a sentence, or a problem and what worked."""
    assert 0 == home.here("remember", typed=f"{PORT}\n").exit_code
    solved = home.here("remember", typed="\nThe proxy drops uploads\nRaise its body limit\n")

    assert 0 == solved.exit_code, solved.output
    assert ["The proxy drops uploads\nRaise its body limit", PORT] == kept(home)


@pytest.mark.parametrize("words", [(), ("--problem", "x y"), (PORT, "--approach", "x y")])
def test_half_of_a_solution_is_refused(home: Home, words: tuple[str, ...]) -> None:
    """With what to give; nothing is kept."""
    said = home.here("remember", *words)

    assert (2, True) == (
        said.exit_code,
        "Give one sentence, or --problem and --approach" in said.errors,
    )


def test_the_kind_of_a_fact_is_guessed(home: Home) -> None:
    """And said, with how to name another."""
    said = home.here("knowledge", "capture", "Invoices must never be deleted once sent", typed="")

    assert "Taken for a business_rule; --kind says otherwise." in said.output


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("The default branch is develop", ""),
        ("The API retries a failed call 3 times", ""),
        ("be careful", "it says nothing"),
        ("SELECT * FROM t_booking WHERE id = ?", "it is"),
        ("Always test your code", "it is an order to whoever reads it"),
        ("We should perhaps move to Redis some day, to be discussed", "it is"),
        ("Query pattern: find bookings: SELECT * FROM t_booking WHERE guest_id = ?", "it is"),
    ],
)
@pytest.mark.parametrize("by", [("remember",), ("knowledge", "capture")])
def test_a_persons_own_words_are_not_refused_for_their_worth(
    home: Home, by: tuple[str, ...], text: str, why: str
) -> None:
    """They are kept as they stand, with the reason."""
    said = home.here(*by, text, typed="")

    assert 0 == said.exit_code, said
    assert f"kept as it stands: {why}" in said.output.casefold() or not why
    assert [text] == kept(home)


@pytest.mark.parametrize(
    ("text", "why"), [("the", "it says nothing"), ("be careful " * 60, "too long")]
)
def test_what_is_empty_or_too_long_is_refused_of_a_person_as_well(
    home: Home, text: str, why: str
) -> None:
    """With the reason; nothing is kept."""
    said = home.here("remember", text, typed="")

    assert (1, True) == (said.exit_code, why in said.errors), said
    assert [] == kept(home)


def test_an_agents_words_are_judged_as_before(home: Home) -> None:
    """What says nothing is none of the knowledge that it may offer."""
    assert 1 == home.here("remember", "be careful").exit_code
