"""`status`, `why`, `rebuild`, `purge`: what there is, why, whether it adds up, and its erasure."""

import click

from learnt.core.events import Actor
from learnt.core.governance.proposals import Status
from learnt.core.identifiers import ENTRY_ID, EntryId, ProjectId
from learnt.core.json_values import JsonObject, strings
from learnt.core.knowledge.maturity import Maturity, Record, maturity, signs
from learnt.errors import Refused, UsageError
from learnt.flows.governance import explain as explaining
from learnt.flows.governance import listing
from learnt.flows.governance import purge as purging
from learnt.flows.governance import survey as surveying
from learnt.flows.health import report
from learnt.formats.injection import moment
from learnt.surfaces import worker_client
from learnt.surfaces.cli.context import (
    HOME,
    JSON,
    PROJECT,
    YES,
    Caller,
    caller,
    confirm,
    folder,
    ledger_of,
    plain,
    print_json,
)
from learnt.surfaces.cli.health import episode_json, say_episode


@click.command()
@PROJECT
@JSON
@HOME
def status(*, project: str, as_json: bool, home: str | None) -> int:
    """What is remembered, how it is used, and whether Learnt is at work.

    On a terminal it asks once about a project that looks like a copy of another.
    """
    who = caller(home)
    with ledger_of(who) as outside:
        found = surveying.survey(outside, folder(project))
        questions = surveying.open_questions(outside)
        card = worker_client.ping(who.home)
        waiting = len(listing.listed(outside, [Status.PENDING]))
        ended = report.last_episodes(outside)
        if as_json:
            said = _status_json(found, who, card, len(questions))
            told: list[JsonObject] = [episode_json(episode) for episode in ended]
            print_json({**said, "proposals_waiting": waiting, "last_episodes": told})
            return 0
        _say_status(found, who, card)
        if ended:
            click.secho("episodes", bold=True)
        for episode in ended:
            say_episode(episode)
        if waiting:
            click.secho(f"{waiting} proposal(s) wait for you: `learnt review`.", fg="yellow")
        for question in questions if who.actor is Actor.HUMAN else ():
            same = click.confirm(
                f"Project {question.name} ({question.project}) has the remote and the history of "
                f"{question.other_name} ({question.other}). Share their knowledge?",
                default=False,
            )
            surveying.settle(outside, question, same=same, actor=who.actor)
    return 0


def _status_json(
    found: surveying.Survey, who: Caller, card: worker_client.Card | None, questions: int
) -> JsonObject:
    return {
        "home": str(who.home),
        "project": found.project,
        "entries": found.stages,
        "entries_here": found.here,
        "sessions": found.sessions,
        "sessions_attended": found.human_sessions,
        "episodes": found.episodes,
        "recalls": found.recalls,
        "misses": found.misses,
        "not_delivered": found.undelivered,
        "reuses": found.reuses,
        "maturity": maturity(found.record),
        "signs": [{"said": s.said, "points": s.points} for s in signs(found.record)],
        "spool_waiting": found.waiting,
        "worker": None if card is None else {"pid": card.pid, "version": card.version},
        "open_questions": questions,
    }


MOST_LINES = 8  # of one text, in a story


def _in_words(record: Record) -> str:
    said = {
        Maturity.NASCENT: "most of what is worked on gives new knowledge",
        Maturity.GROWING: "what matters is there, less and less comes in",
        Maturity.MATURE: "it changes only where what it is about changes",
    }
    reached = maturity(record)
    return f"{reached}, {record.validated} validated: {said[reached]}"


def _say_status(found: surveying.Survey, who: Caller, card: worker_client.Card | None) -> None:
    total = ", ".join(f"{count} {stage}" for stage, count in sorted(found.stages.items()))
    rows = [
        ("home", str(who.home)),
        ("project", found.project or "not seen yet"),
        ("entries", f"{total or 'none yet'}; {found.here} hold here"),
        ("sessions", f"{found.sessions}, {found.human_sessions} with a person at the keyboard"),
        ("prompts", f"{found.recalls} recalled, {found.misses} missed"),
        ("reuse", f"{found.reuses} (each entry once a session)"),
        ("worker", f"running, process {card.pid}" if card else "not running; a hook starts it"),
    ]
    if found.undelivered:
        rows.append(("late", f"{found.undelivered} answers came too late and were taken back"))
    if found.waiting:
        rows.append(("spool", f"{found.waiting} reports waiting"))
    rows.append(("maturity", _in_words(found.record)))
    for name, text in rows:
        click.echo(f"{click.style(name.ljust(9), bold=True)} {text}")
    for sign in signs(found.record) if found.record.validated else ():
        click.echo(click.style(f"  {'✓' if sign.points else '·'} {sign.said}", dim=True))
    for event in found.last:
        shown = ", ".join(strings(event.payload.get("shown"))) or "nothing new"
        click.echo(click.style(f"  {moment(event.wall_ms)}  {shown}  why: {event.id}", dim=True))


@click.command()
@click.argument("name")
@JSON
@HOME
def why(name: str, *, as_json: bool, home: str | None) -> int:
    """The story of an entry, a session, a project or an event, from its first observation."""
    who = caller(home)
    with ledger_of(who) as outside:
        story = explaining.explain(outside, name)
    if as_json:
        print_json(_story_json(story))
        return 0
    click.echo(click.style(story.subject, bold=True))
    for step in story.steps:
        when = click.style(moment(step.wall_ms), dim=True)
        click.echo(f"{when}  {step.said}, by {step.actor}")
        for label, text in step.details:
            lines = text.split("\n")
            click.echo(plain("\n      ".join([f"    {label}: {lines[0]}", *lines[1:MOST_LINES]])))
            if len(lines) > MOST_LINES:
                click.echo("      …")
    return 0


def _story_json(story: explaining.Story) -> JsonObject:
    return {
        "subject": story.subject,
        "state": story.state,
        "events": [
            {
                "id": step.event,
                "wall_ms": step.wall_ms,
                "kind": step.kind,
                "actor": step.actor,
                "said": step.said,
                "details": [{"label": label, "text": text} for label, text in step.details],
            }
            for step in story.steps
        ],
    }


@click.command()
@click.option("--verify", is_flag=True, help="Compare only, byte for byte; change nothing.")
@JSON
@HOME
def rebuild(*, verify: bool, as_json: bool, home: str | None) -> int:
    """Recompute every view and index from the events.

    With --verify the exit code is 1 where anything differs.
    """
    who = caller(home)
    with ledger_of(who) as outside:
        different = list(outside.ledger.verify())
        if not verify:
            outside.ledger.rebuild()
    if as_json:
        print_json({"different": different, "rebuilt": not verify})
    elif not different:
        click.echo("Every view and index is, byte for byte, what the events give.")
    else:
        click.echo(f"{len(different)} differed from what the events give:")
        for name in different[:20]:
            click.echo(f"  {name}")
        advice = "Run `learnt rebuild` to mend them." if verify else "They were rebuilt."
        click.echo(advice)
    return 1 if different and verify else 0


@click.command()
@click.option("--entry", metavar="ID", help="One entry and its texts.")
@click.option("--session", metavar="ID", help="What a session's prompts and reports left.")
@click.option("--all-of-project", metavar="ID", help="A project's entries, sessions and names.")
@click.option("--text", metavar="WORDS", help="Every text, report and log that holds these words.")
@click.option("--everything", is_flag=True, help="All texts in this home.")
@click.option("--dry-run", is_flag=True, help="Say what would go; erase nothing.")
@YES
@JSON
@HOME
def purge(
    *,
    entry: str | None,
    session: str | None,
    all_of_project: str | None,
    text: str | None,
    everything: bool,
    dry_run: bool,
    yes: bool,
    as_json: bool,
    home: str | None,
) -> int:
    """Erase texts for good: every copy that Learnt made.

    The events stay, with references that lead nowhere. What is not Learnt's to erase is listed:
    the agent's transcripts; git's history is yours to look through.
    """
    who = caller(home)
    if who.actor is not Actor.HUMAN and not (yes and not _by_agent()):
        raise Refused(
            "Only a person may purge: ask them to run this on a terminal. Nothing was erased."
        )
    target = _target(entry, session, all_of_project, text, everything=everything)
    with ledger_of(who) as outside:
        planned = purging.plan(outside, target)
        if dry_run:
            _report(planned, as_json=as_json, verb="Would erase")
            return 0
        question = f"Erase {planned.contents} text(s) of {len(planned.entries)} entries for good?"
        if not confirm(question, who, yes=yes):
            click.echo("Nothing was erased.")
            return 1
        _report(purging.purge(outside, target, who.actor), as_json=as_json, verb="Erased")
    return 0


def _by_agent() -> bool:
    import os

    from learnt.core.governance.actors import at_terminal

    return at_terminal(os.environ, {}) is not Actor.HUMAN


def _target(
    entry: str | None,
    session: str | None,
    project: str | None,
    text: str | None,
    *,
    everything: bool,
) -> purging.Target:
    given = [value for value in (entry, session, project, text) if value] + [""] * everything
    if len(given) != 1:
        raise UsageError(
            "Name one thing to purge: --entry, --session, --all-of-project, --text or "
            "--everything. Nothing was erased."
        )
    if entry is not None and not ENTRY_ID.fullmatch(entry):
        raise UsageError(f"{entry} is not an entry's id, such as e-0123456789abcd.")
    return purging.Target(
        entry=EntryId(entry) if entry else None,
        session=session,
        project=ProjectId(project) if project else None,
        text=text,
        everything=everything,
    )


def _report(done: purging.Purged, *, as_json: bool, verb: str) -> None:
    if as_json:
        print_json({
            "entries": list(done.entries),
            "sessions": list(done.sessions),
            "contents": done.contents,
            "observations": done.observations,
            "files": list(done.files),
            "not_ours": list(done.not_ours),
        })
        return
    click.echo(
        f"{verb} {done.contents} text(s) of {len(done.entries)} entries and "
        f"{len(done.sessions)} sessions, {done.observations} reports, {len(done.files)} files."
    )
    if done.not_ours:
        click.echo("Not Learnt's to erase; these may hold copies:")
        for path in done.not_ours:
            click.echo(f"  {path}")
