"""What was said in sessions becomes findable: transcripts are read into an index, and out of it.

Only sessions that hooks reported are read, each in the project that the hooks name: anybody may
have written a transcript. What is read is redacted as all that is observed.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from learnt.core import safety, tokens
from learnt.core.events import Actor
from learnt.core.identifiers import hashed_name, keyed_hash, plain_or_hashed, session_subject
from learnt.core.json_values import holds
from learnt.core.recall.conversation import asks
from learnt.core.sessions.observations import Observation
from learnt.core.sessions.turns import Heard, Turn
from learnt.errors import HomeUnusable
from learnt.file_ports import IndexedTurn, Part, PastSession, Speaker
from learnt.flows.governance.purge_scope import Scope, Target
from learnt.flows.knowledge.harvest import PART, transcript_of
from learnt.flows.knowledge.seen import Transcript, report_of
from learnt.flows.sessions.locate import located_at, look
from learnt.formats.agents.claude_transcript import heard
from learnt.ports import Outside


def unread(outside: Outside, *, over: bool = True) -> list[Transcript]:
    """The sessions with something not read in yet; unless `over` also those that go on.

    Of sessions that were purged none; none at all where the user wants none.
    """
    if not outside.past.wanted:
        return []
    until = {session.name: session.until for session in outside.past.known()}
    key = outside.ledger.key
    with outside.ledger.reading() as reader:
        reported = [transcript_of(outside, reader, name) for name in reader.sessions_observed()]
        waiting = [
            session
            for session in reported
            if session
            and session.folder
            and session.over >= over
            # What was purged is known by the hash of its name alone.
            and reader.view(session_subject(session.agent, hashed_name(key, session.id))) is None
        ]
    return [each for each in waiting if _grown(outside, each.path, until.get(each.id, 0))]


def searchable(outside: Outside) -> int | None:
    """How many sessions can be searched; None where the index cannot be used."""
    try:
        return len(outside.past.known()) if outside.past.wanted else 0
    except HomeUnusable:
        return None


def _grown(outside: Outside, path: str, until: int) -> bool:
    part = outside.transcripts.since(path, until, PART)
    return part.end > until or 0 < part.size < until


def read_in(
    outside: Outside, transcript: Transcript, pause: Callable[[], None] = lambda: None
) -> int:
    """Read a session in from where it was left; how many bytes. `pause` is called between parts.

    One that is shorter than it was is read anew; a turn is held once, however often it stands in
    transcripts.
    """
    past, key = outside.past, outside.ledger.key
    project = located_at(outside, look(outside, transcript.folder)).project
    session = past.begin(
        PastSession(transcript.id, transcript.agent, str(project), transcript.path)
    )
    with outside.ledger.reading() as reader:
        reports = [each.observation for each in reader.observed(transcript.id)]
    prompts = [report for report in reports if report.event == "UserPromptSubmit"]
    before, prompt, read = session.until, session.prompt, 0
    size = outside.transcripts.since(transcript.path, 0, 0).size
    for part in parts(outside, transcript.path, before if before <= size else 0):
        turns = []
        for at, said in heard_in(part, prompt):
            prompt = plain_or_hashed(key, said.prompt) if said.prompt else ""
            turns.append(_indexed(outside, session, at, said, prompts))
        if not past.add(session.name, before, part.end, prompt, turns):
            break  # another reads it, or it was purged meanwhile
        before, read = part.end, read + part.end - part.start
        pause()
    return read


def parts(outside: Outside, path: str, start: int = 0) -> Iterator[Part]:
    """A transcript from there on, some megabytes at a time; lines longer than that are left out."""
    last = False
    while not last:
        part = outside.transcripts.since(path, start, PART)
        if part.end > part.start:
            yield part
        start, last = part.end, part.last


def heard_in(part: Part, prompt: str = "") -> Iterator[tuple[int, Heard]]:
    """What was said in a part, each with the place of its line in the transcript."""
    lines = part.data.split(b"\n")
    begins_at = list(accumulate((len(line) + 1 for line in lines), initial=part.start))
    return ((begins_at[said.line], said) for said in heard(lines, prompt))


def readable(said: Heard) -> safety.Clean:
    """What was said as it may be shown: without private parts and secrets."""
    return safety.redact(safety.public(said.text))


def mark_of(outside: Outside, project: str, said: Heard) -> str:
    """What tells a turn from others; a copy in a fork has the same."""
    return keyed_hash(outside.ledger.key, "said", project, str(said.ms), said.text)


def _indexed(
    outside: Outside, session: PastSession, at: int, said: Heard, prompts: Sequence[Observation]
) -> IndexedTurn:
    speaker: Speaker = "agent"
    if not said.by_agent:
        report = report_of(outside, prompts, Turn(prompt=said.text, id=said.prompt))
        speaker = "person" if report and report.actor is Actor.HUMAN else "prompt"
    text = readable(said)
    mark = mark_of(outside, session.project, said)
    terms = tokens.terms(text, outside.stem)
    return IndexedTurn(at, said.ms, speaker, mark, asks(text), terms)


def forget(outside: Outside, target: Target, scope: Scope) -> None:
    """Erase from the index what a purge takes along, also what was not read in yet.

    Of a transcript that is gone every turn goes where words are erased: nobody knows which.
    """
    past, words = outside.past, scope.texts
    if target.everything:
        past.erase(None, {})
        return
    for session in unread(outside, over=False) if words else ():
        read_in(outside, session)
    going: set[str] = set()
    turns: dict[str, list[int]] = {}
    for each in past.known():
        named = any(holds(name, word) for word in words for name in (each.name, each.path))
        if named or each.name in scope.forgotten or each.project in scope.projects:
            going.add(each.name)
        elif words:
            turns[each.name] = _speaking(outside, each, words)
    if going or any(turns.values()):
        past.erase(going, turns)


def _speaking(outside: Outside, session: PastSession, words: Sequence[str]) -> list[int]:
    """The turns in which any of these words stand, or may."""
    clear = set()
    for part in parts(outside, session.path):
        for at, said in heard_in(part):
            text = readable(said)
            known = (said.text, text, *tokens.words(text))
            if not any(holds(each, word) for each in known for word in words):
                clear.add((at, mark_of(outside, session.project, said)))
    held = outside.past.turns(session.name)
    return [turn.number for turn in held if (turn.at, turn.mark) not in clear]
