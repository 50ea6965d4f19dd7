"""What was said in a session, as its transcript has it and as it may be shown."""

from collections.abc import Iterator
from itertools import accumulate

from learnt.core import safety
from learnt.core.identifiers import keyed_hash
from learnt.core.sessions.turns import SaidLine
from learnt.file_ports import Part, PastSession, PastTurn
from learnt.formats.agents.transcripts import spoken
from learnt.ports import Outside

_LINES = (1 << 16, 1 << 23)  # bytes in which a turn's line is looked for: most are short


def spoken_in(part: Part, prompt: str = "") -> Iterator[tuple[int, SaidLine]]:
    """What was said in a part, each with the place of its line in the transcript."""
    lines = part.data.split(b"\n")
    begins_at = list(accumulate((len(line) + 1 for line in lines), initial=part.start))
    return ((begins_at[said.line], said) for said in spoken(lines, prompt))


def readable(said: SaidLine) -> safety.Clean:
    """What was said as it may be shown: without private parts and secrets."""
    return safety.redact(safety.public(said.text))


def mark_of(outside: Outside, session: PastSession, said: SaidLine) -> str:
    """What tells a turn of a project from others; a copy in a fork has the same."""
    return keyed_hash(outside.ledger.key, "said", session.project, str(said.ms), said.text)


def turn_text(outside: Outside, turn: PastTurn) -> str | None:
    """The turn as its transcript has it; None where it is not there any more."""
    for most in _LINES:
        part = outside.transcripts.since(turn.session.path, turn.at, most)
        at, said = next(spoken_in(part), (-1, None))
        if said and at == turn.at and mark_of(outside, turn.session, said) == turn.mark:
            return readable(said)
    return None
