"""What a session showed of the entries put before it, by the calls that used them."""

import pytest

from learnt.core.events import Actor, Kind
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Entry
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.recall.search import entry_of
from tests.support.sessions_told import FOLDER, Home, Turn, ran, said, told

ASKS = "why does mix firmware say MIX_TARGET is not set?"
SOLUTION = Draft(
    problem="mix firmware says MIX_TARGET is not set",
    approach="What worked: `MIX_TARGET=rpi3a mix firmware`",
    cautions=("`mix firmware` fails",),
)
FACT = Draft(text="t_room.lock_reason is written by the room service alone", kind="schema")
OF_ROOMS = "who writes t_room.lock_reason?"


@pytest.fixture
def home() -> Home:
    return Home()


def known(home: Home, what: Draft) -> EntryId:
    """An entry that a person vouched for."""
    return capture(home.outside, Offer(what=what, actor=Actor.HUMAN, folder=FOLDER)).entry


def after(home: Home, entry: EntryId, *turns: Turn) -> Entry:
    """The entry after a session of these turns."""
    home.session("s1", turns)
    home.harvest("s1")
    with home.outside.ledger.reading() as reader:
        found = entry_of(reader, entry)
    assert found is not None
    return found


def test_shown_alone_changes_nothing(home: Home) -> None:
    """Nor does a call of another matter, or a mere look."""
    entry = known(home, SOLUTION)
    held = after(home, entry, said(ASKS, told("I see."), ran("cat mix.exs", "MIX_TARGET")))
    assert home.prompts[0]
    assert (0, 0) == (held.standing.alpha, held.standing.beta)
    assert [] == home.events(Kind.FEEDBACK)


def test_what_was_done_and_worked_confirms_it(home: Home) -> None:
    """At 0.3, by the call that did it, once."""
    held = after(
        home, known(home, SOLUTION), said(ASKS, ran("MIX_TARGET=rpi3a mix firmware", "ok"))
    )
    assert (300, 0) == (held.standing.alpha, held.standing.beta)
    (event,) = home.events(Kind.FEEDBACK)
    assert (Actor.TOOL, "s1") == (event.actor, event.where.session)


def test_what_was_done_and_failed_blames_it(home: Home) -> None:
    """At 1.5, as a check does."""
    failing = ran("MIX_TARGET=rpi3a mix firmware", "Compilation error in lib/a.ex", failed=True)
    held = after(home, known(home, SOLUTION), said(ASKS, failing))
    assert (0, 1_500) == (held.standing.alpha, held.standing.beta)


def test_what_was_put_right_meanwhile_is_no_blame(home: Home) -> None:
    """The last call of a turn counts."""
    failing = ran("MIX_TARGET=rpi3a mix firmware", "Compilation error in lib/a.ex", failed=True)
    held = after(
        home,
        known(home, SOLUTION),
        said(ASKS, failing, ran("MIX_TARGET=rpi3a mix firmware -v", "ok")),
    )
    assert (300, 0) == (held.standing.alpha, held.standing.beta)


def test_the_environment_is_nobodys_fault(home: Home) -> None:
    """A full disk says nothing of an approach."""
    failing = ran("MIX_TARGET=rpi3a mix firmware", "No space left on device", failed=True)
    held = after(home, known(home, SOLUTION), said(ASKS, failing))
    assert (0, 0) == (held.standing.alpha, held.standing.beta)


def test_a_check_that_touches_what_a_fact_is_about_confirms_it(home: Home) -> None:
    """By name; a check of something else does not."""
    entry = known(home, FACT)
    asked = said(OF_ROOMS, ran("pytest tests/test_rooms.py -k 't_room.lock_reason'", "1 passed"))
    assert 300 == after(home, entry, asked).standing.alpha


def test_a_failing_check_beside_a_fact_weighs_little(home: Home) -> None:
    """It may fail for a hundred reasons: 0.3."""
    entry = known(home, FACT)
    asked = said(OF_ROOMS, ran("pytest -k 't_room.lock_reason'", "1 failed", failed=True))
    assert 300 == after(home, entry, asked).standing.beta


def test_a_candidate_is_confirmed_by_its_use(home: Home) -> None:
    """A cure that worked in a second session, too, has proved itself."""
    failing = ran("mix firmware", "(Mix) MIX_TARGET is not set for this board", failed=True)
    works = ran("MIX_TARGET=rpi3a mix firmware", "Success!")
    home.session("s1", [said("build the firmware", failing, works)])
    home.harvest("s1")
    (entry,) = home.entries()
    home.session("s2", [said(ASKS, works)])
    assert f"{handle(entry.id)} UNPROVEN" in home.prompts[-1]
    assert (entry.id,) == home.harvest("s2").validated
    home.session("s3", [said(ASKS, works)])
    assert f"{handle(entry.id)} TRUST" in home.prompts[-1]


def test_it_counts_in_later_turns_too(home: Home) -> None:
    """What was shown once stays in the context."""
    turns = (
        said(ASKS, told("I see.")),
        said("then build it", ran("MIX_TARGET=rpi3a mix firmware", "ok")),
    )
    assert 300 == after(home, known(home, SOLUTION), *turns).standing.alpha


def test_a_session_that_was_not_shown_it_says_nothing(home: Home) -> None:
    """Though it does the same."""
    entry = known(home, SOLUTION)
    asked = said("please build all of it", ran("MIX_TARGET=rpi3a mix firmware", "ok"))
    assert 0 == after(home, entry, asked).standing.alpha


def test_a_command_that_only_names_it_says_nothing(home: Home) -> None:
    """Neither when it works nor when it fails: it asks nothing."""
    entry = known(home, FACT)
    works = ran("git add t_room.lock_reason", "")
    fails = ran("git add t_room.lock_reason", "fatal: pathspec", failed=True)
    held = after(home, entry, said(OF_ROOMS, works), said("again please", fails))
    assert (0, 0) == (held.standing.alpha, held.standing.beta)
