"""What was said in a project's earlier sessions is found, and read in the agent's transcripts."""

from collections.abc import Sequence

from learnt.core.local_time import local
from learnt.core.recall.asking import MOST_TERMS
from learnt.core.recall.closeness import SHARE, raised
from learnt.core.recall.conversation import times
from learnt.core.records import Record
from learnt.core.tokens import words
from learnt.errors import HomeUnusable, NotFound, UsageError
from learnt.file_ports import PastTurn, Speaker
from learnt.flows.recall.meaning import meant_question, near, said_in_project
from learnt.flows.sessions.locate import find, look, refuse_off
from learnt.flows.sessions.turn_texts import turn_text
from learnt.formats.agents.transcripts import resuming
from learnt.formats.injection import zoned
from learnt.ports import Outside

POOL = 200  # of the turns that are nearest by meaning
_BEFORE, _EXCERPT = 150, 600  # characters


class SaidTurn(Record):
    """What was said in an earlier session; `number` is its place there, from 0.

    A `prompt` is one that nobody was seen typing. `gone`: the transcript is there no more, or was
    written fresh, and with it the text. `resume` goes on with the session.
    """

    session: str
    number: int
    when: str
    speaker: Speaker
    text: str
    gone: bool
    resume: str


class SaidTurns(Record):
    """What was said: the best first, all of a session in order, or how the latest began."""

    turns: tuple[SaidTurn, ...]


def search_sessions(outside: Outside, question: str, *, folder: str, most: int) -> SaidTurns:
    """The turns of a project that fit a question best. Raises UsageError where that is off."""
    projects, asked = _projects(outside, folder), words(question)
    terms = {*map(outside.stem, list(dict.fromkeys(asked))[:MOST_TERMS])}
    meant = meant_question(outside, question)
    cosines = near(outside, meant, [said_in_project(project) for project in projects], POOL)
    weights = raised({}, cosines, SHARE / (meant.spread if meant else 1.0))
    dated = times(question, local(outside.clock.now_ms()).date())
    turns = outside.past.match(sorted(terms), dated, projects, most, weights)
    return SaidTurns(tuple(_said(outside, turn, asked) for turn in turns))


def said_in(outside: Outside, name: str, *, folder: str) -> SaidTurns:
    """All that was said in a session of a folder's project. Raises NotFound, or UsageError."""
    projects = _projects(outside, folder)
    turns = [turn for turn in outside.past.turns(name) if turn.session.project in projects]
    if not turns:
        raise NotFound(
            f"No session {name} of this project can be searched. `learnt sessions list` names "
            "them; one is there once it has ended and was read in."
        )
    return SaidTurns(tuple(_said(outside, turn) for turn in turns))


def sessions_of(outside: Outside, folder: str, most: int) -> SaidTurns:
    """How the latest sessions of a folder's project began. Raises UsageError as the others do."""
    projects = _projects(outside, folder)
    known = [session.name for session in outside.past.known() if session.project in projects]
    first = (turn for name in known[:most] for turn in outside.past.turns(name)[:1])
    return SaidTurns(tuple(_said(outside, turn, ()) for turn in first))


def searchable(outside: Outside) -> int | None:
    """How many sessions can be searched; None where the index cannot be used."""
    try:
        return len(outside.past.known()) if outside.past.wanted else 0
    except HomeUnusable:
        return None


def _projects(outside: Outside, folder: str) -> tuple[str, ...]:
    if not outside.past.wanted:
        raise UsageError(
            "Sessions are not searched: [sessions] search is off in the home's config.toml."
        )
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        located = find(reader, place)
    refuse_off(located)
    return located.household if located else ()


def _said(outside: Outside, turn: PastTurn, asked: Sequence[str] | None = None) -> SaidTurn:
    """The turn with its text; of a text that was asked for, the part around the first word."""
    whole = turn_text(outside, turn)
    text = whole or ""
    if asked is not None:
        places = [place for word in asked if (place := text.casefold().find(word)) >= 0]
        start = max(0, min(places, default=0) - _BEFORE)
        end = start + _EXCERPT
        text = f"{'…' * bool(start)}{text[start:end]}{'…' * (end < len(text))}"
    return SaidTurn(
        session=turn.session.name,
        number=turn.number,
        when=zoned(turn.ms),
        speaker=turn.speaker,
        text=text,
        gone=whole is None,
        resume=resuming(turn.session.name, turn.session.path),
    )
