"""Sessions as people look at them: the latest in short, and one by its name."""

from typing import Final, NamedTuple

from learnt.core.identifiers import Subject
from learnt.core.sessions.sessions import Session
from learnt.flows.stored import stored
from learnt.ports import Outside, Reader


class SessionRow(NamedTuple):
    """A session in short; `ended` says how, and is empty while it goes on."""

    name: str
    agent: str
    last_ms: int
    episodes: int
    recalls: int
    misses: int
    failures: int
    ended: str


_MEMBERS: Final = SessionRow._fields[2:]


def latest_sessions(outside: Outside) -> list[SessionRow]:
    """All sessions that were reported, the latest first."""
    with outside.ledger.reading() as reader:
        rows = []
        for subject, *numbers, ended in reader.columns(Session.prefix, *_MEMBERS):
            _, agent, name = subject.split(":", 2)
            rows.append(SessionRow._make([name, agent, *(n or 0 for n in numbers), ended or ""]))
    return sorted(rows, key=lambda row: (row.last_ms, row.name), reverse=True)


def subject_named(reader: Reader, name: str) -> Subject | None:
    """The subject of the session of that name, whichever agent's; None where none was reported."""
    subjects = (Subject(row[0]) for row in reader.columns(Session.prefix))
    return next((each for each in subjects if each.split(":", 2)[2] == name), None)


def session_named(reader: Reader, name: str) -> Session | None:
    """The session of that name, as `subject_named` finds it."""
    subject = subject_named(reader, name)
    return None if subject is None else stored(reader, Session, subject)
