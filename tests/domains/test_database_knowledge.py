"""What is known of a database, through sessions that ask it: confirmed, blamed, drifted."""

import json
from typing import Any

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.topics import Maturity, maturity
from learnt.domains.database.domain import NAME
from learnt.domains.loader import about_of, load
from learnt.flows.governance.survey import survey
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.feedback import Word, tell
from learnt.flows.recall.ask import ask
from learnt.flows.recall.search import entry_of
from tests.support.in_memory import FixedClock
from tests.support.kept_structure import Kept, table
from tests.support.sessions_told import FOLDER, Home, ran, said

RATING = "film.rating is 'G', 'PG' or 'R'; there is no other value"


@pytest.fixture
def home() -> Home:
    made = Home()
    found, kept = load([NAME]).domains, Kept()
    film, rental = table("film", "film_id", "title", "rating"), table("rental", "return_date")
    kept.structure(kept.database("shop"), film, rental)
    made.outside = replace(made.outside, domains=found, about=about_of(found, kept.home))
    return made


def known(home: Home, text: str, kind: str, *about: str, cites: tuple[str, ...] = ()) -> EntryId:
    """A fact that a person vouched for."""
    fact = Draft(text=text, kind=kind, entities=about)
    offer = Offer(what=fact, actor=Actor.HUMAN, folder=FOLDER, insisted=True, cites=cites)
    return capture(home.outside, offer).entry


def query(sql: str, *rows: tuple[Any, ...], failed: str = "") -> dict[str, Any]:
    """A question by Learnt's own command."""
    names = [f"c{n}" for n in range(len(rows[0]) if rows else 1)]
    answer: dict[str, Any] = {"columns": names, "rows": rows, "row_count": len(rows)}
    printed = {"failed": failed} if failed else {**answer, "truncated": False}
    text = json.dumps(printed)
    command = f'learnt db query --name shop --sql "{sql}" --json'
    return ran(command, f"Exit code 1\n{text}" if failed else text, failed=bool(failed))


def by_server(sql: str, result: str, *, failed: bool = False) -> dict[str, Any]:
    """A question to another server of tools."""
    return {"tool": "mcp__mysql__query", "input": {"sql": sql}, "result": result, "failed": failed}


def weights(home: Home, name: EntryId) -> tuple[int, int]:
    """What speaks for an entry, and against it."""
    with home.outside.ledger.reading() as reader:
        held = entry_of(reader, name)
    assert held is not None
    return held.standing.alpha, held.standing.beta


def test_statements_that_ran_confirm_what_they_rest_on(home: Home) -> None:
    """Each by 0.3; those on other columns say nothing."""
    one = known(home, RATING, "schema", "film", "film.rating")
    steps = (
        query("SELECT title FROM film WHERE rating = 'G'", ("ACE",)),
        by_server("select rating, count(*) from film group by rating", '[{"rating": "G", "n": 3}]'),
        query("SELECT title FROM film", ("ACE",)),
    )
    home.session("s1", [said("which films are for children?", *steps)])
    home.harvest("s1")
    assert (600, 0) == weights(home, one)


def test_what_a_person_said_is_held_against_the_next_sessions_statements(home: Home) -> None:
    """It is about the table and the column that it names, as anybody would say it."""
    told = "Remember: in the rental table return_date is NULL as long as the film is out"
    home.session("s1", [said("hello"), said(told)])
    home.harvest("s1")
    (one,) = home.entries()
    assert ("schema", ("rental", "return_date")) == (one.kind, home.notes()[0].entities)

    sql = "SELECT count(*) FROM rental WHERE return_date IS NULL"
    home.session("s2", [said("how many films are out?", query(sql, (183,)))])
    home.harvest("s2")
    confirmed = weights(home, one.id)
    gone = query(sql, failed="Unknown column 'return_date' in 'WHERE'")
    home.session("s3", [said("how many films are out?", gone)])
    home.harvest("s3")
    assert ((300, 0), (300, 1_500)) == (confirmed, weights(home, one.id))


@pytest.mark.parametrize(
    "step",
    [
        query("SELECT rating FORM film", failed="The server could not run it: in your SQL"),
        query("SELECT * FROM film WHERE rating IN ('G', 'PG', 'R')"),
        ran("learnt db query --sql \"UPDATE film SET rating = 'R'\" --json",
            'Exit code 1\n{"refused": "it does not only read: UPDATE"}', failed=True),
        ran("mysql shop -e \"delete from film where rating = 'R'\""),
        by_server("update film set rating = 'X'", "done") | {"tool": "mcp__mysql__execute"},
    ],
)  # fmt: skip
def test_a_question_that_shows_nothing_says_nothing(home: Home, step: dict[str, Any]) -> None:
    """Of what was put before the agent either: a slip, a timeout, a refusal, no rows."""
    one = known(home, RATING, "schema", "film", "film.rating")
    home.session("s1", [said("what ratings has film.rating?", step)])
    assert handle(one) in home.prompts[0]
    home.harvest("s1")
    assert (0, 0) == weights(home, one)


def test_what_failed_before_a_fact_was_known_does_not_speak_against_it(home: Home) -> None:
    """The column was made meanwhile, in the same session."""
    wrong = "The server could not run it: Unknown column 'rating' in 'SELECT'"
    step = query("SELECT rating FROM film", failed=wrong)
    home.session("s1", [said("ratings?", step), said("it is made now"), said("go on")], ended=False)
    clock = home.outside.clock
    assert isinstance(clock, FixedClock)
    clock.ms = 1_900_000_000_000  # behind whatever a transcript tells
    late = known(home, RATING, "schema", "film", "film.rating")
    home.harvest("s1")
    assert (0, 0) == weights(home, late)


def test_a_path_of_joins_that_worked_in_two_sessions_is_known(home: Home) -> None:
    """As a candidate of the first; validated by the second."""
    sql = (
        "SELECT c.name FROM rental r JOIN inventory i ON r.inventory_id = i.inventory_id"
        " JOIN film_category c ON c.film_id = i.film_id"
    )
    stages = []
    for name in ("s1", "s2"):
        home.session(name, [said("what is rented?", query(sql, ("Sports",)))])
        home.harvest(name)
        stages.append([entry.stage for entry in home.entries()])
    assert [[Stage.CANDIDATE], [Stage.VALIDATED]] == stages


class Changing:
    """A database whose table of films can be changed."""

    def __init__(self) -> None:
        self.now: str | None = "as it was"

    def digest(self, table: str) -> str | None:
        """What the table is like now."""
        return self.now if table == "film" else None


def test_a_change_of_structure_makes_what_cites_it_drift_and_moves_maturity_back(
    home: Home,
) -> None:
    """A mature home is growing again, until somebody looked and found that it holds.

    A statement that runs tells of the columns that it names alone.
    """
    tables = Changing()
    home.outside = replace(home.outside, cited_things=tables)
    one = known(home, RATING, "schema", "film", "rating", cites=("table:film",))
    for number in range(10):
        known(home, f"t_{number}.state {number} means that room {number} is let", "schema", "t")
    for _ in range(20):
        fact = Draft(text="ok", kind="schema")
        capture(home.outside, Offer(what=fact, actor=Actor.AGENT, folder=FOLDER))

    def now() -> tuple[str, Maturity]:
        (hit,) = ask(home.outside, "film.rating", folder=FOLDER, actor=Actor.HUMAN, most=1)
        return hit.note.trust, maturity(survey(home.outside, FOLDER).record)

    assert ("TRUST", Maturity.MATURE) == now()
    tables.now = "another"
    assert ("VERIFY", Maturity.GROWING) == now()
    home.session("s1", [said("look", query("SELECT rating FROM film", ("G",)))])
    home.harvest("s1")
    assert ((300, 0), "VERIFY") == (weights(home, one), now()[0])
    tell(home.outside, one, Word(result="success", actor=Actor.HUMAN, folder=FOLDER))
    assert ("TRUST", Maturity.MATURE) == now()
