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
    "text", ["The default branch is develop", "The API retries a failed call 3 times"]
)
def test_a_persons_own_words_are_not_too_general(home: Home, text: str) -> None:
    """They are kept as they stand."""
    assert 0 == home.here("remember", text, typed="").exit_code
    assert [text] == kept(home)
