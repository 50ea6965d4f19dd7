"""What was said in sessions becomes findable: transcripts are read into an index, and out of it.

Only sessions that hooks reported are read, each in the project that the hooks name: anybody may
have written a transcript. What is read is redacted as all that is observed.
"""

from collections.abc import Callable, Collection, Iterator, Sequence

from msgspec.structs import replace

from learnt.core import tokens
from learnt.core.events import Actor
from learnt.core.identifiers import hashed_name, session_subject
from learnt.core.recall.conversation import QUESTION
from learnt.core.records import holds
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.turns import SaidLine, Turn
from learnt.file_ports import Part, PastSession, PastTurn, Speaker
from learnt.flows.knowledge.harvest import PART, transcripts
from learnt.flows.knowledge.uses import Transcript, report_of
from learnt.flows.sessions.locate import located_at, look
from learnt.flows.sessions.turn_texts import mark_of, readable, spoken_in
from learnt.ports import Outside, Reader

_LATEST_MS = 253_402_300_799_000  # the last second of the year 9999


def unread(outside: Outside, *, over: bool = True) -> list[Transcript]:
    """The sessions to be read in, purged ones aside; unless `over`, also those that go on."""
    if not outside.past.wanted:
        return []
    until = {session.name: session.until for session in outside.past.known()}
    with outside.ledger.reading() as reader:
        waiting = [
            session
            for session in transcripts(outside, reader)
            if session.folder and session.over >= over
            if not _purged(outside, reader, session)
        ]

    def has_grown(session: Transcript) -> bool:
        at = until.get(session.id, 0)
        part = outside.transcripts.since(session.path, at, PART)
        return part.end > at or 0 < part.size < at  # or it was rewritten

    return [*filter(has_grown, waiting)]


def _purged(outside: Outside, reader: Reader, session: Transcript) -> bool:
    """Whether the ledger knows a session by its name's hash: it was purged, or oddly named."""
    name = hashed_name(outside.ledger.key, session.id)
    return reader.view(session_subject(session.agent, name)) is not None


def read_in(
    outside: Outside, transcript: Transcript, pause: Callable[[], None] = lambda: None
) -> None:
    """Read a session in from where it was left, each turn once; `pause` comes between parts."""
    project = located_at(outside, look(outside, transcript.folder)).project
    new = PastSession(transcript.id, str(project), transcript.path)
    at = next((session for session in outside.past.known() if session.name == new.name), new)
    with outside.ledger.reading() as reader:
        reports = [session.observation for session in reader.observed(transcript.id)]
    prompts = [report for report in reports if report.event == "UserPromptSubmit"]
    size = outside.transcripts.since(transcript.path, 0, 0).size
    prompt = ""
    for part in _parts(outside, transcript.path, at.until if at.until <= size else 0):
        spoken = list(spoken_in(part, prompt))
        prompt = spoken[-1][1].prompt if spoken else prompt
        turns = [_turn(outside, at, place, line, prompts) for place, line in spoken]
        asks = bytes(line.text.endswith(QUESTION) for _, line in spoken)
        after = replace(at, path=transcript.path, until=part.end, asks=asks)
        if not outside.past.add(at, after, turns):
            return  # another reads it, or words of it were purged meanwhile
        at = after
        with outside.ledger.reading() as reader:
            if _purged(outside, reader, transcript):  # which may have looked before this was added
                outside.past.erase([at.name], {})
                return
        pause()


def _parts(outside: Outside, path: str, start: int = 0) -> Iterator[Part]:
    """A transcript from there on, some megabytes at a time; lines longer than that are left out."""
    last = False
    while not last:
        part = outside.transcripts.since(path, start, PART)
        if part.end > part.start:
            yield part
        start, last = part.end, part.last


def _turn(
    outside: Outside, at: PastSession, place: int, line: SaidLine, prompts: Sequence[Observation]
) -> PastTurn:
    speaker: Speaker = "agent"
    if not line.by_agent:
        report = report_of(outside, prompts, Turn(prompt=line.text, id=line.prompt))
        speaker = "person" if report and report.actor is Actor.HUMAN else "prompt"
    terms = tokens.terms(readable(line), outside.stem)
    ms = min(max(line.ms, 0), _LATEST_MS)
    return PastTurn(at, 0, place, ms, speaker, mark_of(outside, at, line), terms)


def forget(
    outside: Outside, words: Sequence[str], names: Collection[str], projects: Collection[str]
) -> None:
    """Erase sessions, projects and words from the index; with words turns of lost transcripts."""
    for session in unread(outside, over=False) if words else ():
        read_in(outside, session)
    going: set[str] = set()
    turns: dict[str, list[int]] = {}
    for past in outside.past.known():
        named = any(holds(name, word) for word in words for name in (past.name, past.path))
        if named or past.name in names or past.project in projects:
            going.add(past.name)
        elif words:
            turns[past.name] = _speaking(outside, past, words)
    if going or any(turns.values()):
        outside.past.erase(going, turns)


def _speaking(outside: Outside, session: PastSession, words: Sequence[str]) -> list[int]:
    """The turns in which any of these words stand, or may."""
    clear = set()
    for part in _parts(outside, session.path):
        for place, line in spoken_in(part):
            text = readable(line)
            known = (line.text, text, *tokens.words(text))
            if not any(holds(spelling, word) for spelling in known for word in words):
                clear.add((place, mark_of(outside, session, line)))
    turns = outside.past.turns(session.name)
    return [turn.number for turn in turns if (turn.at, turn.mark) not in clear]
