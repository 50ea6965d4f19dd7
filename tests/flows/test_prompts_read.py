"""A prompt is read once: what may be kept of it, whose words it holds, and what it says."""

import pytest

from learnt.core.events import Actor, Origin
from learnt.core.sessions.observations import NO_RESPONSE, Response
from learnt.flows.sessions.observe import EXCERPT, read_excerpt, read_prompt
from learnt.language.shipped import ShippedLanguage

LANGUAGE = ShippedLanguage()

SECRET = "hunter2hunter2"


def test_what_is_kept_holds_no_secret_and_no_private_part() -> None:
    """What is looked at holds no private part either."""
    text = f"deploy with password={SECRET} <private>to Ann</private> please"
    read = read_prompt(LANGUAGE, Actor.HUMAN, text)
    assert SECRET in read.public and SECRET not in read.redacted
    assert "Ann" not in read.public + read.redacted


@pytest.mark.parametrize(
    ("actor", "text", "origin"),
    [
        (Actor.HUMAN, "why does it fail?", Origin.USER),
        (Actor.AGENT, "why does it fail?", Origin.MIXED),
        (Actor.HUMAN, "word " * 2_000, Origin.MIXED),
    ],
)
def test_whose_words_it_holds(actor: Actor, text: str, origin: Origin) -> None:
    """A person's own, unless it is a long paste."""
    assert origin is read_prompt(LANGUAGE, actor, text).origin


def test_what_it_says_of_what_came_before() -> None:
    """In words without a secret, and for a note only where a person says it."""
    text = f"no, that's wrong, password={SECRET}"
    response = read_prompt(LANGUAGE, Actor.HUMAN, text).response
    assert "correction" == response.verdict
    assert "wrong" in response.quote and SECRET not in response.quote
    objecting = "this changed: the port is 9000 now"
    assert read_prompt(LANGUAGE, Actor.HUMAN, objecting).response.objects
    assert not read_prompt(LANGUAGE, Actor.AGENT, objecting).response.objects


def test_what_the_client_made_says_nothing() -> None:
    """Nobody typed it: it is not searched for, and no word on what came before."""
    text = "<task-notification>\n<task-id>1</task-id> no, that's wrong about the gateway port"
    read = read_prompt(LANGUAGE, Actor.HUMAN, text)
    assert (False, NO_RESPONSE) == (read.worth_recall, read.response)
    assert NO_RESPONSE == read_excerpt(LANGUAGE, text)


def test_an_excerpt_says_the_same_as_its_prompt() -> None:
    """The spool holds no more of it; that it objects to a note is told by an answered one alone."""
    text = "thanks, but the title is still red. " + "more of it " * 400
    whole = read_prompt(LANGUAGE, Actor.HUMAN, text).response
    assert Response(verdict=whole.verdict, quote=whole.quote) == read_excerpt(
        LANGUAGE, text[:EXCERPT]
    )
