"""A home of the version before is taken over as it is: nothing is rewritten, nothing is lost."""

import gzip
import hashlib
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from learnt.bootstrap import opened
from learnt.core.events import Kind, payload_of, sight_of
from learnt.core.governance.proposals import Proposal
from learnt.core.knowledge.confidence import trust
from learnt.core.knowledge.entries import Entry, level
from learnt.core.payloads.session_events import EpisodeClosed
from learnt.core.payloads.typed import typed
from learnt.core.projects import Project
from learnt.core.records import canonical, decode, encode
from learnt.core.sessions.sessions import Session
from learnt.errors import LedgerDamaged
from learnt.flows.sessions.answer import drain
from learnt.flows.stored import all_stored
from learnt.settings import Settings
from learnt.stores.home_folder import prepare
from tests.support.homes import Home

KEPT = Path(__file__).parents[1] / "data" / "home_before"
SHOWN: dict[str, Any] = json.loads((KEPT / "shown.json").read_text("utf-8"))
RECORDS = {record.prefix: record for record in (Entry, Session, Project, Proposal)}


@pytest.fixture
def before(home: Home) -> Home:
    """The home that was kept, unpacked."""
    prepare(home.path)
    (home.path / "key").write_bytes(b"k" * 32)
    (home.path / "key").chmod(0o600)
    (home.path / "ledger.db").write_bytes(gzip.decompress((KEPT / "ledger.db.gz").read_bytes()))
    return home


def views(home: Home) -> list[tuple[str, str]]:
    """Every view as its text."""
    return [(name, text) for name, text in home.rows("SELECT subject, state FROM views ORDER BY 1")]


def digest(held: list[tuple[str, str]]) -> str:
    text = "".join(f"{subject} {state}\n" for subject, state in held)
    return hashlib.sha256(text.encode()).hexdigest()


def damage(home: Home, statement: str) -> None:
    """Change the ledger's file behind its back."""
    with closing(sqlite3.connect(home.path / "ledger.db")) as connection, connection:
        connection.execute(statement)


SINCE = {
    Kind.SKILL,
    Kind.SUSPECTED,
    Kind.RELATED,
    Kind.TIDIED,
    Kind.CLASSED,
    Kind.PROJECT_NAMED,
    Kind.PROJECT_SWITCHED,
}  # kinds of events that the version before did not know


def test_it_holds_what_it_held(before: Home) -> None:
    """Entries with stage and confidence, proposals with status, and as many events of each kind."""
    now = SHOWN["now_ms"]
    with opened(Settings(home=before.path)) as outside, outside.ledger.reading() as reader:
        entries = list(all_stored(reader, Entry))
        proposals = list(all_stored(reader, Proposal))
        counts = {str(kind): reader.count(kind) for kind in Kind if kind not in SINCE}
    levels = {entry.id: level(entry, now) for entry in entries}

    assert SHOWN["events"] == counts
    assert SHOWN["entries"] == {
        entry.id: {
            "stage": entry.stage,
            "form": entry.form,
            "kind": entry.kind,
            "reused": entry.reused,
            "cites": len(entry.cites),
            "level": (held := levels[entry.id]) and round(held, 9),
            "trust": held and str(trust(held)),
        }
        for entry in entries
    }
    assert SHOWN["proposals"] == {
        proposal.id: {
            "kind": proposal.kind,
            "status": proposal.status,
            "count": proposal.evidence.count,
            "adopted": proposal.adopted,
        }
        for proposal in proposals
    }


def test_every_view_is_byte_for_byte_what_it_was(before: Home) -> None:
    """Read and stored again, verified, and rebuilt from the events."""
    held = views(before)
    assert SHOWN["views_sha256"] == digest(held)
    for subject, text in held:
        record = RECORDS[subject.partition(":")[0] + ":"]
        assert text == canonical(encode(decode(record, json.loads(text)))), subject

    before.verify()
    assert 0 == before.here("rebuild").exit_code

    assert SHOWN["views_sha256"] == digest(views(before))
    before.verify()


def test_every_payload_is_read(before: Home) -> None:
    """What its record stores of it is the same without what holds a default."""
    with opened(Settings(home=before.path)) as outside, outside.ledger.reading() as reader:
        events = list(reader.events())

    assert set(Kind) - SINCE == {event.kind for event in events}
    for event in events:
        payload = typed(event)
        stored = encode(payload)
        assert payload == decode(type(payload), stored)
        seen = {"seen"} if sight_of(event) else set()
        left_out = {n: event.payload[n] for n in event.payload.keys() - stored.keys() - seen}
        assert not any(left_out.values()), (event.kind, left_out)
        assert {} == {
            name: value
            for name, value in _told(stored).items()
            if value != _told(event.payload)[name]
        }


def _told(value: Any) -> Any:
    """JSON without what says nothing; that a skill was launched goes without saying."""
    if isinstance(value, dict):
        held = {name: _told(one) for name, one in value.items()}
        return {n: v for n, v in held.items() if v not in (None, "", 0, []) and n != "launched"}
    return [_told(one) for one in value] if isinstance(value, list) else value


def test_a_payload_of_an_older_version_is_read_as_todays(before: Home) -> None:
    """Before outcomes were recorded nothing was graded."""
    with opened(Settings(home=before.path)) as outside, outside.ledger.reading() as reader:
        first = next(reader.events(kind=Kind.EPISODE_CLOSED))

    assert 1 == first.version
    closed = payload_of(EpisodeClosed, first)
    assert (2, 1, None) == (closed.tools, closed.failed, closed.outcome.grade)


def test_what_waited_in_the_spool_is_taken_in(before: Home) -> None:
    """The session's open episodes are closed by it."""
    shutil.copytree(KEPT / "spool", before.path / "spool", dirs_exist_ok=True)
    with opened(Settings(home=before.path)) as outside:
        assert len(SHOWN["spooled"]) == drain(outside)

    assert [] == before.spooled()
    assert "session_end" == before.events(Kind.EPISODE_CLOSED)[-1]["ended_by"]
    before.verify()


DAMAGED = {
    "no stage": "json_remove(state, '$.stage')",
    "an unknown stage": "json_set(state, '$.stage', 'ripe')",
    "nothing": "'{}'",
}


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_view_is_told_and_made_anew(before: Home, how: str) -> None:
    """The error names the entry and the way out; nothing is changed until a rebuild."""
    damage(before, f"UPDATE views SET state = {DAMAGED[how]} WHERE subject LIKE 'entry:%'")
    held = views(before)
    said = before.here("status")

    assert (5, held) == (said.exit_code, views(before))
    assert "a stored entry" in said.errors
    assert "left as it is" in said.errors
    assert "`learnt rebuild`" in said.errors
    assert 0 == before.here("rebuild").exit_code
    assert SHOWN["views_sha256"] == digest(views(before))


@pytest.mark.parametrize(
    ("damaging", "told"),
    [
        ("UPDATE events SET version = 3 WHERE kind = 'episode_closed'", "newer than this Learnt"),
        ("UPDATE events SET payload = json_remove(payload, '$.stage') WHERE kind = 'remembered'",
         "a stored remembered has None for its stage"),
    ],
)  # fmt: skip
def test_an_event_that_cannot_be_read_is_told(before: Home, damaging: str, told: str) -> None:
    """A payload of a newer version, or one that lacks what it can't be without."""
    damage(before, damaging)

    with opened(Settings(home=before.path)) as outside, pytest.raises(LedgerDamaged, match=told):
        outside.ledger.rebuild()
