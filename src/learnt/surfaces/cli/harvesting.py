"""`knowledge harvest`: what finished sessions taught, offered to the gates."""

from collections.abc import Sequence
from pathlib import Path

import click

from learnt.core.json_values import JsonObject, JsonValue
from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.entries import Stage
from learnt.core.knowledge.gates import REASONS, Admit, Correct, Merge, Reject
from learnt.errors import NotFound
from learnt.flows.knowledge.harvest import Harvested, Session, Taught, harvest, session_of, waiting
from learnt.ports import Outside
from learnt.surfaces.cli.context import HOME, JSON, Caller, caller, ledger_of, plain, print_json

_VERDICTS = {Admit: "new", Merge: "known", Correct: "put right", Reject: "kept out"}
_COLOURS = {"new": "green", "known": "cyan", "put right": "yellow"}
_SHORT = 160
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
    who = caller(home)
    with ledger_of(who) as outside:
        asked = _asked(outside, who, transcript, name)
        found = [_harvested(outside, one, quiet=as_json) for one in asked]
    if as_json:
        print_json({
            "sessions": [_session_json(one) for one in found],
        })
        return 0
    for one in found:
        _say(one)
    if not found:
        click.echo("No session has ended since the last harvest.")
    return 0


def _asked(outside: Outside, who: Caller, transcript: Path | None, name: str) -> Sequence[Session]:
    with outside.ledger.reading() as reader:
        if transcript is not None:
            path = str(transcript.resolve())
            known = (session_of(reader, one) for one in reader.sessions_observed())
            return [next((s for s in known if s and s.transcript == path), None)
                    or Session(transcript=path, id="", over=True)]  # fmt: skip
        if name:
            found = session_of(reader, name)
            if found is None:
                raise NotFound(
                    f"No session {name} was seen in the last days. Nothing was harvested; a "
                    "transcript can be named by its path."
                )
            return [found]
        own = session_of(reader, who.session) if who.session else None
    ended = waiting(outside)
    return [*ended, *([own] if own and own.id not in {one.id for one in ended} else [])]


def _harvested(outside: Outside, session: Session, *, quiet: bool) -> Harvested:
    if quiet:
        return harvest(outside, session)
    shown = 0

    def progress(done: int, size: int) -> None:
        nonlocal shown
        if size >= _LARGE and done - shown >= _LARGE // 2:
            shown = done
            click.echo(f"{done * 100 // size} % of {session.transcript}", err=True)

    return harvest(outside, session, progress=progress)


def _say(found: Harvested) -> None:
    name = found.session or "the transcript"
    if found.until == found.began:
        click.echo(f"{name}: nothing new since the last harvest.")
        return
    click.echo(f"{name}: {found.turns} turn(s), {len(found.taught)} lesson(s)")
    for one in found.taught:
        verdict = _verdict(one)
        label = click.style(f"{verdict:9}", fg=_COLOURS.get(verdict))
        entry = one.outcome.entry if one.outcome else ""
        click.echo(f"  {label} {one.lesson.source:10} {plain(_text(one))}")
        click.secho(f"  {'':20} {entry} {_why(one)}".rstrip(), dim=True)
    for used in found.used:
        said = "held" if used.good else "failed"
        click.echo(f"  {click.style(f'{said:9}', fg='cyan')} {'used':10} {used.entry}")
    for entry in found.validated:
        click.echo(f"  {click.style('validated', fg='green')} {'':10} {entry}: it proved itself")
    if found.skipped:
        click.echo(f"  {found.skipped} line(s) were too long to be looked at.")


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
        case Merge() if not one.outcome.counted:
            return "said before by the same witness"
    return ""


def _text(one: Taught) -> str:
    what = one.lesson.what
    text = what.text if isinstance(what, Fact) else what.problem
    text = " ".join(text.split())
    return text if len(text) <= _SHORT else text[: _SHORT - 1] + "\u2026"


def _session_json(found: Harvested) -> JsonObject:
    lessons: list[JsonValue] = [
        {
            "source": str(one.lesson.source),
            "verdict": _verdict(one),
            "entry": one.outcome.entry if one.outcome else None,
            "stage": str(one.outcome.stage) if one.outcome else None,
            "why": _why(one) or None,
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
        "used": [
            {"entry": one.entry, "held": one.good, "evidence": one.tool_use} for one in found.used
        ],
    }


COMMANDS = (harvest_command,)
