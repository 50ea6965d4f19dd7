"""Whatever is derived and wrong is noticed by a check, and mended by a rebuild."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Actor, NewEvent, Where
from learnt.core.identifiers import Subject
from learnt.core.knowledge.drafts import Draft
from learnt.core.payloads.entry_events import Missed
from learnt.flows.knowledge.capture import Offer, capture
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.stores.sqlite_schema import FILE_NAME
from learnt.stores.sqlite_views import SNAPSHOT_EVERY

WRONG = [
    "UPDATE views SET state = replace(state, 'validated', 'candidate')",
    "UPDATE views SET events = events + 1 WHERE subject LIKE 'session:%'",
    "UPDATE views SET ms = ms + 1 WHERE subject LIKE 'project:%'",
    "DELETE FROM views WHERE subject LIKE 'entry:%'",
    'INSERT INTO views VALUES (\'entry:e-0\', 1, 0, \'a\', 1, \'{"id":"e-0","stage":"retired"}\')',
    "UPDATE snapshots SET state = '{}'",
    "DELETE FROM aliases",
    "UPDATE aliases SET project = 'p-0000000000'",
    "UPDATE documents SET body = body || ' more'",
    "UPDATE documents SET fingerprint = 'x'",
    "DELETE FROM documents",
    "UPDATE terms SET documents = documents + 1",
    "DELETE FROM terms WHERE documents = 1",
]


def filled(outside: Outside) -> None:
    """An entry, a project, and a session so long that a snapshot of it is kept."""
    solution = Draft(problem="Port 8080 is taken", approach="Find the process and stop it")
    capture(outside, Offer(what=solution, actor=Actor.HUMAN, folder="/somewhere"))
    missed = NewEvent(
        subject=Subject("session:claude-code:s"),
        actor=Actor.HUMAN,
        where=Where(session="s"),
        payload=Missed(),
    )
    with outside.ledger.writing() as writer:
        for _ in range(SNAPSHOT_EVERY + 1):
            writer.append(missed)


@pytest.mark.parametrize("statement", WRONG)
def test_what_is_wrong_is_noticed_and_mended(statement: str, tmp_path: Path) -> None:
    """A check names it and changes nothing; after a rebuild nothing is left to name."""
    with opened(Settings(home=tmp_path)) as outside:
        filled(outside)
        assert [] == list(outside.ledger.verify())
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as connection:
            assert 0 < connection.execute(statement).rowcount
            connection.commit()

        noticed = list(outside.ledger.verify())

        assert noticed == list(outside.ledger.verify()) != []
        outside.ledger.rebuild()
        assert [] == list(outside.ledger.verify())
