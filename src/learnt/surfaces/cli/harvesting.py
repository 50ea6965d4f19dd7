"""`knowledge harvest`: what finished sessions taught, offered to the gates."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import click

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import REASONS, Admit, Merge, Reject, Verdict
from learnt.core.records import Record
from learnt.errors import NotFound, UsageError
from learnt.flows.knowledge.harvest import (
    Harvested,
    Taught,
    harvest,
    transcript_of,
    transcripts,
    waiting,
)
from learnt.flows.knowledge.uses import Transcript
from learnt.formats.answers import filled
from learnt.ports import Outside
from learnt.surfaces.cli.context import Call, Id, command, plain
from learnt.surfaces.cli.screen import fitting

SESSION = click.option(
    "--session", "name", default="", type=Id("session"), help="One session that Learnt saw."
)
_WORDS = {"admit": "new", "merge": "known", "correct": "corrected", "reject": "kept out"}
_COLOURS = {"admit": "green", "merge": "cyan", "correct": "yellow"}
_MARGIN, _LEAST = 24, 40  # columns before a text, and the fewest for it


class GatedLesson(Record):
    """What a session taught, and what the gates made of it; why, where there is a reason."""

    source: str
    origin: str
    verdict: Verdict | Literal["refused"]
    why: str | None
    kind: str
    text: str
    entry: EntryId | None = None
    stage: str | None = None


class ReadFact(Record):
    """A fact that a domain read in a result, and what the gates made of it."""

    entry: EntryId
    verdict: Verdict
    stage: str


class UsedEntry(Record):
    """An entry that a call used, whether it held, and the id of the call."""

    entry: EntryId
    held: bool
    evidence: str


class HarvestedSession(Record):
    """One session: `from` and `until` are the bytes of its transcript that were harvested."""

    session: str | None
    turns: int
    validated: tuple[EntryId, ...]
    from_: int
    until: int
    size: int
    skipped_lines: int
    lessons: tuple[GatedLesson, ...]
    read: tuple[ReadFact, ...]
    used: tuple[UsedEntry, ...]


class Harvest(Record):
    """The sessions that were harvested."""

    sessions: tuple[HarvestedSession, ...]


@command("harvest", answers=Harvest)
@click.argument("transcript", required=False, type=click.Path(path_type=Path))
@SESSION
def harvest_command(call: Call, transcript: Path | None, name: str) -> int:
    """Take from finished sessions what they taught, as candidates, each part once.

    Without words: all that have ended since, and the session that calls. Sessions are harvested by
    themselves when they end. Of a TRANSCRIPT that no hook reported nobody knows whose words it
    holds: what is taken from it is never shown before it is confirmed.
    """
    if transcript is not None and name:
        raise UsageError("Either a transcript or --session, not both. Nothing was harvested.")
    with call.ledger() as outside:
        sessions = sessions_of(outside, call.who.session, transcript, name, waiting)
        done = [harvest(outside, session) for session in sessions]
    if transcript is not None and not done[0].readable and not done[0].began:
        raise NotFound(
            f"{transcript} holds no record that Learnt can read: it is none of Claude Code's, or "
            "of a version not known yet. Nothing was harvested; it is looked at again next time."
        )
    return call.answer(Harvest(sessions=tuple(map(_session, done))), _say)


def sessions_of(
    outside: Outside,
    own_session: str,
    transcript: Path | None,
    name: str,
    waiting: Callable[[Outside], Sequence[Transcript]],
) -> Sequence[Transcript]:
    """The session of a transcript or a name; else what waits, and the own. Raises NotFound."""
    with outside.ledger.reading() as reader:
        if transcript is not None:
            path = str(transcript.resolve())
            reported = (known for known in transcripts(outside, reader) if known.path == path)
            return [next(reported, Transcript(path=path, over=True))]
        named = name or own_session
        session = transcript_of(outside, reader, named)
    if name:
        if session is None:
            raise NotFound(
                f"No session {name} was seen in the last days. Nothing was done; a "
                "transcript can be named by its path."
            )
        return [session]
    ended = waiting(outside)
    calling = [session] if session and session.id not in {other.id for other in ended} else []
    return [*ended, *calling]


def _session(done: Harvested) -> HarvestedSession:
    return filled(
        HarvestedSession,
        done,
        session=done.session or None,
        from_=done.began,
        skipped_lines=done.skipped,
        lessons=tuple(map(_lesson, done.taught)),
        read=tuple(filled(ReadFact, fact, verdict=fact.decision.verdict) for fact in done.offered),
        used=tuple(UsedEntry(used.entry, used.good, used.tool_use) for used in done.used),
    )


def _lesson(taught: Taught) -> GatedLesson:
    what, outcome, why = taught.lesson.what, taught.outcome, taught.refused
    decision = outcome.decision if outcome else None
    if isinstance(decision, Reject):
        why = REASONS.get(decision.reason, decision.reason)
    elif isinstance(decision, Admit):
        asked = outcome is not None and outcome.stage is Stage.VALIDATED
        why = "validated: the user asked for it to be remembered" if asked else "a candidate"
    elif isinstance(decision, Merge) and outcome is not None and not outcome.counted:
        why = "said before by the same witness"
    return filled(
        GatedLesson,
        outcome,
        taught.lesson,
        verdict="refused" if decision is None else decision.verdict,
        why=why or None,
        kind=what.kind,
        text=what.text if what.is_fact else what.problem,
    )


def _say(harvested: Harvest) -> None:
    for session in harvested.sessions:
        _say_session(session)
    if not harvested.sessions:
        click.echo("No session has ended since the last harvest.")
    if any(lesson.entry for session in harvested.sessions for lesson in session.lessons):
        click.echo("`learnt why ID` tells all of one, `learnt knowledge confirm --id ID` vouches.")


def _say_session(session: HarvestedSession) -> None:
    name = session.session or "the transcript"
    waits = "; its last turn waits until the session ends" if session.until < session.size else ""
    if session.until == session.from_:
        click.echo(f"{name}: nothing new since the last harvest{waits}.")
        return
    counted = f"{session.turns} turn(s), {len(session.lessons)} lesson(s){waits}"
    click.echo(click.style(f"{name}: ", bold=True) + counted)
    room = max(_LEAST, shutil.get_terminal_size().columns - _MARGIN)
    for lesson in session.lessons:
        text = fitting(plain(" ".join(lesson.text.split())), room)
        _say_line(lesson.verdict, lesson.source, text)
        click.secho(f"  {'':20} {lesson.entry or ''} {lesson.why or ''}".rstrip(), dim=True)
    for fact in session.read:
        _say_line(fact.verdict, "read", fact.entry)
    for used in session.used:
        _say_line("held" if used.held else "failed", "used", used.entry, "cyan")
    for entry in session.validated:
        _say_line("validated", "", f"{entry}: it proved itself", "green")
    if session.skipped_lines:
        click.echo(f"  {session.skipped_lines} line(s) were too long to be looked at.")


def _say_line(verdict: str, source: str, text: str, colour: str | None = None) -> None:
    label = click.style(f"{_WORDS.get(verdict, verdict):9}", fg=colour or _COLOURS.get(verdict))
    click.echo(f"  {label} {source:10} {text}")


COMMANDS = (harvest_command,)
