"""What was said in a project's earlier sessions is found, and read in the agent's transcripts."""

from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple

from learnt.core.recall.conversation import times
from learnt.core.recall.ranking import MOST_TERMS
from learnt.core.records import UNTOLD
from learnt.core.sessions.turns import Heard
from learnt.core.tokens import words
from learnt.errors import NotFound, UsageError
from learnt.file_ports import PastSession, PastTurn, Speaker
from learnt.flows.sessions.locate import find, look
from learnt.flows.sessions.past import heard_in, mark_of, readable
from learnt.formats.agents.claude_transcript import resuming
from learnt.formats.injection import moment
from learnt.ports import Outside

_LINES = (1 << 16, 1 << 23)  # bytes in which a turn's line is looked for: most are short
_BEFORE, _EXCERPT = 150, 600  # characters


class SaidTurn(NamedTuple):
    """What was said in an earlier session; `number` is its place there, from 0.

    A `prompt` is one that nobody was seen typing. `gone`: the transcript is there no more, or was
    written anew, and with it the text. `resume` goes on with the session.
    """

    session: str
    number: int
    when: str
    speaker: Speaker
    text: str
    gone: bool
    resume: str
    score: Annotated[float, UNTOLD] = 0.0


class SaidTurns(NamedTuple):
    """What was said: of a question the best first, of a session in its order."""

    turns: tuple[SaidTurn, ...]


class EarlierSession(NamedTuple):
    """A session that can be searched; `gone` as of a turn, `begins` is what was asked first."""

    session: str
    began: str
    ended: str
    turns: int
    begins: str
    gone: bool
    resume: str


class EarlierSessions(NamedTuple):
    """The sessions of a project, the latest first."""

    sessions: tuple[EarlierSession, ...]


def search_sessions(outside: Outside, question: str, *, folder: str, most: int) -> SaidTurns:
    """The turns of a folder's project that fit a question best. Raises UsageError where it is off.

    Nothing is recorded.
    """
    terms = dict.fromkeys(map(outside.stem, list(dict.fromkeys(words(question)))[:MOST_TERMS]))
    found = outside.past.match(list(terms), times(question), _projects(outside, folder), most)
    return SaidTurns(tuple(_said(outside, turn, question) for turn in found))


def said_in(outside: Outside, name: str, *, folder: str) -> SaidTurns:
    """All that was said in a session of a folder's project, by its name or the beginning of it.

    Raises NotFound for none, or more than one; UsageError where it is off.
    """
    known = outside.past.known(_projects(outside, folder))
    fitting = [session for session in known if name and session.name.startswith(name)]
    exact = [session for session in fitting if session.name == name]
    if len(exact or fitting) != 1:
        raise NotFound(
            f"{len(fitting) or 'No'} sessions of this project begin with {name}. `learnt sessions "
            "list` names them; one is there once it has ended and was read in."
        )
    turns = outside.past.turns((exact or fitting)[0].name)
    return SaidTurns(tuple(_said(outside, turn, None) for turn in turns))


def sessions_of(outside: Outside, folder: str, most: int) -> EarlierSessions:
    """The latest sessions of a folder's project that can be searched. Raises UsageError if off."""
    known = outside.past.known(_projects(outside, folder))[:most]
    return EarlierSessions(tuple(_earlier(outside, session) for session in known))


def _projects(outside: Outside, folder: str) -> tuple[str, ...]:
    if not outside.past.wanted:
        raise UsageError(
            "Sessions are not searched: [sessions] search is off in the home's config.toml."
        )
    place = look(outside, folder)
    with outside.ledger.reading() as reader:
        located = find(reader, place)
    return located.household if located else ()


def _earlier(outside: Outside, session: PastSession) -> EarlierSession:
    first = next(iter(outside.past.turns(session.name)), None)
    begins = None if first is None else _read(outside, first)
    text = "" if begins is None else readable(begins)
    return EarlierSession(
        session=session.name,
        began=moment(session.began_ms),
        ended=moment(session.ended_ms),
        turns=session.turns,
        begins=" ".join(text.split())[:_EXCERPT],
        gone=begins is None,
        resume=resuming(session.name),
    )


def _said(outside: Outside, turn: PastTurn, question: str | None) -> SaidTurn:
    said = _read(outside, turn)
    text = "" if said is None else readable(said)
    return SaidTurn(
        session=turn.session.name,
        number=turn.number,
        when=moment(turn.ms),
        speaker=turn.speaker,
        text=text if question is None else _excerpt(text, words(question)),
        gone=said is None,
        resume=resuming(turn.session.name),
        score=round(turn.score, 6),
    )


def _read(outside: Outside, turn: PastTurn) -> Heard | None:
    """The turn as its transcript has it; None where it is not there any more."""
    return next(_at(outside, turn), None)


def _at(outside: Outside, turn: PastTurn) -> Iterator[Heard]:
    for most in _LINES:
        part = outside.transcripts.since(turn.session.path, turn.at, most)
        for at, said in heard_in(part):
            if at == turn.at and mark_of(outside, turn.session.project, said) == turn.mark:
                yield said
            break


def _excerpt(text: str, asked: Iterable[str]) -> str:
    """The part of a text around the first word that was asked for.

    >>> _excerpt("The port is 8443.", ["port"])
    'The port is 8443.'
    """
    folded = text.casefold()
    places = [place for word in asked if (place := folded.find(word)) >= 0]
    start = max(0, min(places, default=0) - _BEFORE)
    cut = text[start : start + _EXCERPT]
    return f"{'…' * bool(start)}{cut}{'…' * (start + _EXCERPT < len(text))}"
