"""What an agent's answer on two notes did is shown once on the person's own screen."""

import json

import pytest

from learnt.core.events import Actor
from learnt.core.identifiers import EntryId, handle
from learnt.core.knowledge.entries import Relation
from learnt.flows.governance.decisions import Decider
from learnt.flows.knowledge.relating import RelationAnswer, relate, unrelate
from tests.support.sessions_told import FOLDER, Home
from tests.support.transcripts import Reports

OLD, NEW = "the debug console listens on port 9229", "the debug console listens on port 9230"


@pytest.fixture
def home() -> Home:
    return Home()


class Session:
    """A session whose person types one prompt after the other."""

    def __init__(self, home: Home, name: str) -> None:
        self.home, self.name, self.number = home, name, 0
        self.reports = Reports(session=name, folder=FOLDER, transcript=home.write(name, []))
        home.report(self.reports.began())

    def types(self, text: str) -> str:
        """What the person's screen shows at a prompt, but for the notes that the agent is given."""
        self.home.report(self.reports.asked(self.number, text))
        self.home.report(self.reports.stopped(self.number))
        self.number += 1
        return str(json.loads(self.home.prompts[-1] or "{}").get("systemMessage", ""))

    def relates(self, newer: EntryId, older: EntryId, relation: Relation) -> None:
        """The agent answers in this session."""
        answer = RelationAnswer(newer, older, relation, proved=self.name, folder=FOLDER)
        relate(self.home.outside, answer)


def typed(home: Home) -> tuple[Session, EntryId, EntryId]:
    """Two notes that their person typed in two sessions, of which the second goes on."""
    Session(home, "s1").types(f"remember: {OLD}")
    (older,) = (entry.id for entry in home.entries())
    second = Session(home, "s2")
    second.types(f"remember: {NEW}")
    (newer,) = (entry.id for entry in home.entries() if entry.id != older)
    return second, newer, older


def test_what_was_replaced_is_shown_with_how_to_take_it_back(home: Home) -> None:
    """At the next prompt of that session, once; in no other session."""
    session, newer, older = typed(home)
    session.relates(newer, older, Relation.CONTRADICTS)
    undo = f"learnt knowledge unrelate {handle(newer)} {handle(older)}"
    line = f'Learnt replaced "{OLD}" with "{NEW}"; to take it back: {undo}'
    assert line not in Session(home, "s3").types("sort the imports")
    assert line == session.types("now run the linter")
    assert "" == session.types("and sort the imports")


def test_a_dispute_is_shown_with_where_to_decide(home: Home) -> None:
    """Of two notes that the agent says conflict, where it may replace none."""
    first, newer, older = typed(home)
    other = Session(home, "s3")
    other.types("now run the linter")
    other.relates(newer, older, Relation.CONTRADICTS)
    said = other.types("and sort the imports")
    assert said.endswith("conflict. To say which holds: learnt review") and OLD in said
    assert "" == first.types("now run the linter")


def test_what_changes_nothing_that_is_shown_has_no_line(home: Home) -> None:
    """A link, a suspicion that is cleared, an answer of the person's own."""
    session, newer, older = typed(home)
    for relation in (Relation.NARROWS, Relation.DIFFERENT):
        session.relates(newer, older, relation)
        unrelate(home.outside, newer, older, FOLDER, Decider(actor=Actor.HUMAN))
    own = RelationAnswer(newer, older, Relation.CONTRADICTS, Actor.HUMAN, folder=FOLDER)
    relate(home.outside, own)
    assert "" == session.types("now run the linter")
