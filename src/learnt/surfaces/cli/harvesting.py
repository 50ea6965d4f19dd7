"""`knowledge harvest`: what finished sessions taught, offered to the gates."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import click

from learnt.core.json_values import JsonObject, JsonValue
from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import REASONS, Admit, Correct, Merge, Reject
from learnt.errors import NotFound, UsageError
from learnt.flows.knowledge.harvest import Harvested, Session, Taught, harvest, session_of, waiting
from learnt.ports import Outside
from learnt.surfaces.cli.columns import fitting
from learnt.surfaces.cli.context import HOME, JSON, Caller, caller, ledger_of, plain, print_json

_VERDICTS = {Admit: "new", Merge: "known", Correct: "put right", Reject: "kept out"}
_COLOURS = {"new": "green", "known": "cyan", "put right": "yellow"}
_MARGIN, _LEAST = 24, 40  # columns before a text, and the fewest for it
_LARGE = 32 << 20  # bytes from which on progress is shown


@click.command("harvest")
@click.argument("transcript", required=False, type=click.Path(path_type=Path))
@click.option("--session", "name", default="", metavar="ID", help="One session that Learnt saw.")
@JSON
@HOME
def harvest_command(transcript: Path | None, name: str, *, as_json: bool, home: str | None) -> int:
    """Take from finished sessions what they taught, as candidates, each part once.

    Without words: all that have ended since, and the session that calls. Sessions are harvested by
    themselves when they end. Of a TRANSCRIPT that no hook reported nobody knows whose words it
    holds: what is taken from it is never shown before it is confirmed.
    """
    if transcript is not None and name:
        raise UsageError("Either a transcript or --session, not both. Nothing was harvested.")
    who = caller(home)
    with ledger_of(who) as outside:
        asked = _asked(outside, who, transcript, name)
        found = [_harvested(outside, one, quiet=as_json) for one in asked]
    if transcript is not None and not found[0].readable and not found[0].began:
        raise NotFound(
            f"{transcript} holds no record that Learnt can read: it is none of Claude Code's, or "
            "of a version not known yet. Nothing was harvested; it is looked at anew next time."
        )
    if as_json:
        print_json({
            "sessions": [_session_json(one) for one in found],
        })
        return 0
    for one in found:
        _say(one)
    if not found:
        click.echo("No session has ended since the last harvest.")
    if any(one.outcome for session in found for one in session.taught):
        click.echo("`learnt why ID` tells all of one, `learnt knowledge confirm --id ID` vouches.")
    return 0


def _asked(outside: Outside, who: Caller, transcript: Path | None, name: str) -> Sequence[Session]:
    with outside.ledger.reading() as reader:
        if transcript is not None:
            path = str(transcript.resolve())
            known = (session_of(outside, reader, one) for one in reader.sessions_observed())
            reported = next((one for one in known if one and one.transcript == path), None)
            return [reported or Session(transcript=path, over=True)]
        if name:
            found = session_of(outside, reader, name)
            if found is None:
                raise NotFound(
                    f"No session {name} was seen in the last days. Nothing was harvested; a "
                    "transcript can be named by its path."
                )
            return [found]
        own = session_of(outside, reader, who.session) if who.session else None
    ended = waiting(outside)
    return [*ended, *([own] if own and own.id not in {one.id for one in ended} else [])]


def _harvested(outside: Outside, session: Session, *, quiet: bool) -> Harvested:
    shown = 0

    def progress(done: int, size: int) -> None:
        nonlocal shown
        if not quiet and size >= _LARGE and done - shown >= _LARGE // 2:
            shown = done
            click.echo(f"{done * 100 // size} % of {session.transcript}", err=True)

    return harvest(outside, session, progress=progress)


def _say(found: Harvested) -> None:
    name = found.session or "the transcript"
    if found.until == found.began:
        click.echo(f"{name}: nothing new since the last harvest{_waits(found)}.")
        return
    counted = f"{found.turns} turn(s), {len(found.taught)} lesson(s){_waits(found)}"
    click.echo(click.style(f"{name}: ", bold=True) + counted)
    for one in found.taught:
        verdict = _verdict(one)
        label = click.style(f"{verdict:9}", fg=_COLOURS.get(verdict))
        click.echo(f"  {label} {one.lesson.source:10} {_fitting(_text(one), _MARGIN)}")
        entry = one.outcome.entry if one.outcome else ""
        click.secho(f"  {'':20} {entry} {_why(one)}".rstrip(), dim=True)
    for read in found.offered:
        verdict = _VERDICTS[type(read.decision)]
        label = click.style(f"{verdict:9}", fg=_COLOURS.get(verdict))
        click.echo(f"  {label} {'read':10} {read.entry}")
    for used in found.used:
        said = "held" if used.good else "failed"
        click.echo(f"  {click.style(f'{said:9}', fg='cyan')} {'used':10} {used.entry}")
    for entry in found.validated:
        click.echo(f"  {click.style('validated', fg='green')} {'':10} {entry}: it proved itself")
    if found.skipped:
        click.echo(f"  {found.skipped} line(s) were too long to be looked at.")


def _waits(found: Harvested) -> str:
    """That something is still to come, where it is."""
    return "; its last turn waits until the session ends" if found.until < found.size else ""


def _fitting(text: str, taken: int) -> str:
    """A text cut to what is left of a terminal's line; wide characters take two places."""
    room = max(_LEAST, shutil.get_terminal_size().columns - taken)
    return fitting(plain(" ".join(text.split())), room)


def _verdict(one: Taught) -> str:
    return "refused" if one.outcome is None else _VERDICTS[type(one.outcome.decision)]


def _why(one: Taught) -> str:
    if one.outcome is None:
        return one.refused
    match one.outcome.decision:
        case Reject(_, reason):
            return REASONS.get(reason, reason)
        case Admit() if one.outcome.stage is Stage.VALIDATED:
            return "validated: the user asked for it to be remembered"
        case Admit():
            return "a candidate"
        case Merge() if not one.outcome.counted:
            return "said before by the same witness"
    return ""


def _text(one: Taught) -> str:
    what = one.lesson.what
    return what.text if isinstance(what, Fact) else what.problem


def _session_json(found: Harvested) -> JsonObject:
    lessons: list[JsonValue] = [
        {
            "source": str(one.lesson.source),
            "origin": str(one.lesson.origin),
            "verdict": _verdict(one),
            "entry": one.outcome.entry if one.outcome else None,
            "stage": str(one.outcome.stage) if one.outcome else None,
            "why": _why(one) or None,
            "kind": one.lesson.what.kind,
            "text": _text(one),
        }
        for one in found.taught
    ]
    return {
        "session": found.session or None,
        "turns": found.turns,
        "validated": list(found.validated),
        "from": found.began,
        "until": found.until,
        "size": found.size,
        "skipped_lines": found.skipped,
        "lessons": lessons,
        "read": [
            {"entry": one.entry, "verdict": _VERDICTS[type(one.decision)], "stage": str(one.stage)}
            for one in found.offered
        ],
        "used": [
            {"entry": one.entry, "held": one.good, "evidence": one.tool_use} for one in found.used
        ],
    }


COMMANDS = (harvest_command,)
