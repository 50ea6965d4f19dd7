"""What failed in a skill's uses and what cured it, by the transcripts, told in structure.

Where a transcript is gone, the hooks' reports still name the program.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from learnt.core.address import Address
from learnt.core.digest import commands
from learnt.core.digest.cures import found_in
from learnt.core.digest.remarks import NOTHING_READ
from learnt.core.digest.steps import Talk
from learnt.core.digest.telling import Found, asked_of, named_troubles, pattern_of, told
from learnt.core.events import Origin
from learnt.core.health.executions import Use
from learnt.core.health.improvement import Failure, difference
from learnt.core.health.outcomes import Trouble
from learnt.core.identifiers import plain_or_hashed
from learnt.core.recall.marks import most_telling
from learnt.core.records import Record, member, text_of
from learnt.core.safety import public
from learnt.core.sessions.turns import Turn
from learnt.errors import NotFound
from learnt.flows.health.report import episode_of_use
from learnt.flows.knowledge.harvest import transcript_of
from learnt.flows.knowledge.uses import Seen, Transcript
from learnt.flows.skills.session_evidence import lines_of
from learnt.formats.agents.transcripts import turns
from learnt.language_ports import Language
from learnt.ports import Outside, Reader

MOST: Final = 40  # uses with a failed call that are looked at, the newest

LINES: Final = 3  # of a result, that name its trouble


class Incident(Record):
    """A use in which a call failed; `asked` and `answered` are its person's own sentences."""

    use: Use
    failures: tuple[Failure, ...]
    asked: str = ""
    answered: str = ""


def incidents(outside: Outside, uses: Sequence[Use]) -> list[Incident]:
    """The newest uses in which a call failed, in order."""
    with outside.ledger.reading() as reader:
        failed: list[tuple[Use, str]] = []
        for use in reversed(uses):
            episode = episode_of_use(reader, use)
            if use.launched and (episode.failed or use.trouble is not Trouble.NONE):
                failed.append((use, episode.session))
            if len(failed) == MOST:
                break
        by_session = defaultdict(list)
        for use, session in failed:
            by_session[session].append(use)
        found: dict[Use, Incident] = {}
        for session, own in by_session.items():
            found |= _of_session(outside, reader, session, own)
    return [found[use] for use, _ in reversed(failed)]


def _of_session(
    outside: Outside, reader: Reader, session: str, uses: Iterable[Use]
) -> dict[Use, Incident]:
    reports = [each.observation for each in reader.observed(session)] if session else []
    transcript = transcript_of(outside, reader, session) or _known(outside, session)
    try:
        read = turns(lines_of(outside, transcript.path)) if transcript else []
    except NotFound:
        read = []
    seen = Seen(outside, read, reports)
    at = {plain_or_hashed(outside.ledger.key, turn.id): n for n, turn in enumerate(read)}
    found = {}
    for use in uses:
        number = at.get(use.episode)
        if number is None or use.by == "subagent":
            found[use] = Incident(use, (Failure(use.trouble, _program(reader, session, use)),))
            continue
        turn = read[number]
        after = read[number + 1] if number + 1 < len(read) else None
        found[use] = Incident(
            use,
            tuple(_failures(outside.language, seen, turn, use)),
            _own_words(outside.language, seen, turn),
            _own_words(outside.language, seen, after) if after else "",
        )
    return found


def _known(outside: Outside, session: str) -> Transcript | None:
    """The transcript of a session whose reports are gone, where it is in the index."""
    paths = (each.path for each in outside.past.known() if each.name == session)
    path = next(paths, "") if session and outside.past.wanted else ""
    return Transcript(path=path, id=session) if path else None


def _failures(language: Language, seen: Seen, turn: Turn, use: Use) -> Iterable[Failure]:
    talk = Talk([turn], seen.calls, [NOTHING_READ])
    steps = [talk.step(made, 0) for made in turn.calls]
    cures: dict[str, str] = {}
    if use.trouble is Trouble.NONE:  # what a use tried that did no good cured nothing
        for found in found_in(talk):
            text, worked = _cure(language, found, turn.folder), found.worked
            passed = pattern_of(worked) if worked else ""
            for failure in found.failures if text else ():
                cures[failure.made.id] = text + difference(pattern_of(failure), passed)
    for step in steps:
        if step.failed and (command := pattern_of(step)):
            speaking = _speaking(language, most_telling(step.result))
            lines = tuple(named_troubles(step.result, speaking)[:LINES])
            program = (*commands.programs(step.command), step.call.family)[0]
            yield Failure(use.trouble, program, command, lines, cures.get(step.made.id, ""))


def _cure(language: Language, found: Found, folder: str) -> str:
    cure = told(found, _speaking(language, asked_of(found)))
    text = "; ".join(cure.approach.split("\n")) if cure else ""
    return text.replace(f"{folder}/", "") if folder else text


def _speaking(language: Language, texts: Iterable[str]) -> set[str]:
    return {text for text in texts if language.commands(text) is not Address.NONE}


def _own_words(language: Language, seen: Seen, turn: Turn) -> str:
    """The sentences of a prompt's first paragraph that its person wrote."""
    if seen.origin_of(turn) is not Origin.USER:
        return ""
    return " ".join(language.own_part(public(turn.prompt).partition("\n\n")[0]).split())


def _program(reader: Reader, session: str, use: Use) -> str:
    """The program of the last command that failed, as long as its report is kept."""
    if use.trouble is not Trouble.COMMAND or not session:
        return ""
    seen = reader.observed(session, episode=use.episode)
    calls = (member(call, "evidence") for one in seen for call in one.observation.calls)
    bad = [text_of(member(call, "family")) for call in calls if member(call, "good") is False]
    return bad[-1] if bad else ""
