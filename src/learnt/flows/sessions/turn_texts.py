"""Sessions as people look at them, and what was said in one, as it may be shown."""

from collections.abc import Iterator
from itertools import accumulate
from typing import Final

from learnt.core import safety
from learnt.core.identifiers import Subject, keyed_hash
from learnt.core.records import Row
from learnt.core.sessions.sessions import Session
from learnt.core.sessions.turns import SaidLine
from learnt.file_ports import Part, PastSession, PastTurn
from learnt.flows.stored import stored
from learnt.formats.agents.transcripts import spoken
from learnt.ports import Outside, Reader

_LINES = (1 << 16, 1 << 23)  # bytes in which a turn's line is looked for: most are short


def spoken_in(part: Part, prompt: str = "") -> Iterator[tuple[int, SaidLine]]:
    """What was said in a part, each with the place of its line in the transcript."""
    lines = part.data.split(b"\n")
    begins_at = list(accumulate((len(line) + 1 for line in lines), initial=part.start))
    return ((begins_at[line.line], line) for line in spoken(lines, prompt))


def readable(line: SaidLine) -> safety.Clean:
    """What was said as it may be shown: without private parts and secrets."""
    return safety.redact(safety.public(line.text))


def mark_of(outside: Outside, session: PastSession, line: SaidLine) -> str:
    """What tells a turn of a project from others; a copy in a fork has the same."""
    return keyed_hash(outside.ledger.key, "said", session.project, str(line.ms), line.text)


def turn_text(outside: Outside, turn: PastTurn) -> str | None:
    """The turn as its transcript has it; None where it is not there any more."""
    for most in _LINES:
        part = outside.transcripts.since(turn.session.path, turn.at, most)
        at, line = next(spoken_in(part), (-1, None))
        if line and at == turn.at and mark_of(outside, turn.session, line) == turn.mark:
            return readable(line)
    return None


class SessionRow(Row):
    """A session in short; `ended` says how, and is empty while it goes on."""

    name: str
    agent: str
    last_ms: int
    episodes: int
    recalls: int
    misses: int
    failures: int
    ended: str


_MEMBERS: Final = SessionRow.__struct_fields__[2:]


def latest_sessions(outside: Outside) -> list[SessionRow]:
    """All sessions that were reported, the latest first."""
    with outside.ledger.reading() as reader:
        rows = []
        for subject, *numbers, ended in reader.columns(Session.prefix, *_MEMBERS):
            _, agent, name = subject.split(":", 2)
            rows.append(SessionRow(*[name, agent, *(n or 0 for n in numbers), ended or ""]))
    return sorted(rows, key=lambda row: (row.last_ms, row.name), reverse=True)


def subject_named(reader: Reader, name: str) -> Subject | None:
    """The subject of the session of that name, whichever agent's; None where none was reported."""
    subjects = (Subject(row[0]) for row in reader.columns(Session.prefix))
    return next((subject for subject in subjects if subject.split(":", 2)[2] == name), None)


def session_named(reader: Reader, name: str) -> Session | None:
    """The session of that name, as `subject_named` finds it."""
    subject = subject_named(reader, name)
    return None if subject is None else stored(reader, Session, subject)
