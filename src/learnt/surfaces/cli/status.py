"""`status` and `doctor`: what there is, what waits for a person, and every part tried."""

from collections.abc import Collection, Iterable, Iterator
from functools import partial

import click

from learnt.core.events import Actor
from learnt.core.health.improvement import start_improver
from learnt.core.identifiers import handle
from learnt.core.records import Record
from learnt.errors import UsageError
from learnt.flows.governance import survey as surveying
from learnt.flows.governance.projects import moved_notice
from learnt.flows.health.queue import queue, unnamed
from learnt.formats.contents import crowded
from learnt.formats.injection import moment
from learnt.settings import configured, without_config
from learnt.surfaces import worker_client
from learnt.surfaces.answers.home import MATURITY_SAID, HomeStatus, Probe, home_status
from learnt.surfaces.cli.configuring import EFFECTS, SHARES, set_to
from learnt.surfaces.cli.context import Call, command, plain, plain_path, settings_of
from learnt.surfaces.cli.health import say_episode
from learnt.surfaces.cli.screen import cut, padded


class Checked(Record):
    """What was tried on this machine."""

    probes: tuple[Probe, ...]


@command(answers=Checked, project=True)
@click.option("--set-aside", "aside", is_flag=True, help="Move a damaged ledger out of the way.")
@click.option("--ask-model", is_flag=True, help="Ask the model that is set: it may cost money.")
def doctor(call: Call, *, aside: bool, ask_model: bool) -> int:
    """Try every part on this machine, and say what to do about what fails.

    Exit code 1 where anything is a problem.
    """
    from learnt.stores.sqlite_schema import set_aside
    from learnt.surfaces.probes import probes  # `status` needs none of it

    tried = []
    try:
        settings = call.who.settings
    except UsageError as error:
        settings = settings_of(call.home_option, without_config)
        todo = "Until then no command runs; a worker that does goes on with what it had."
        tried.append(Probe("settings", "problem", str(error), todo))
    if aside:
        worker_client.stop(settings.home)
        click.echo(set_aside(settings.home))
    tried += probes(settings, call.project, ask_model=ask_model)
    code = int(any(probe.level == "problem" for probe in tried))
    return call.answer(Checked(probes=tuple(tried)), _say_checked, code)


_MARKS = {"ok": ("✓", "green"), "warning": ("!", "yellow"), "problem": ("✗", "red")}


def _say_checked(checked: Checked) -> None:
    for probe in checked.probes:
        mark, colour = _MARKS[probe.level]
        name = padded(plain(probe.name), 13)
        click.echo(f"{click.style(mark, fg=colour)} {name} {plain(probe.said)}")
        if probe.todo and probe.level != "ok":
            click.echo(f"  {' ' * 13} → {plain(probe.todo)}")


@command(answers=HomeStatus, project=True)
def status(call: Call) -> int:
    """What is remembered, how it is used, and whether Learnt is at work.

    On a terminal it asks once about a project that looks like a copy of another, and after fifty
    sessions whether Learnt is to measure if notes help.
    """
    home = call.home
    with call.asking(waits=False) as outside:
        state = home_status(outside, call.folder, home)
        failing = queue(outside).values() if state.failing and not call.as_json else ()
        new = unnamed(outside, failing, call.who.actor)
        call.answer(state, partial(_say_status, new))
        person = call.who.actor is Actor.HUMAN and not call.as_json
        if not (person or call.as_json) and (moved := moved_notice(outside, call.folder)):
            click.echo(plain(moved))
        for question in surveying.open_questions(outside) if person else ():
            same = click.confirm(
                plain(
                    f"Project {question.name} ({question.project}) has the history "
                    f"of {question.other_name} ({question.other}). Share their knowledge?"
                ),
                default=False,
            )
            surveying.settle(outside, question, same=same, actor=call.who.actor)
        if person and state.sessions >= ENOUGH and not configured(home)[EFFECTS][1]:
            yes = click.confirm(
                "Learnt can measure whether notes help by withholding a few: `learnt config "
                "effects on`. Turn it on?",
                default=False,
            )
            share = SHARES["on" if yes else "off"]
            click.echo(plain_path(set_to(call.who.settings, EFFECTS, share)))
    return 0


MOST_NAMED = 3  # notes
ENOUGH = 50  # sessions, until it asks whether notes are to be withheld by chance


def _say_status(new: Collection[str], state: HomeStatus) -> None:
    click.secho("In this home, of all projects", bold=True)
    _say_rows([("home", state.home), *_of_all(state), *_worker(state)])
    click.secho("In this project", bold=True)
    unproven = f", {state.candidates_here} of them unproven" if state.candidates_here else ""
    reached = f"{state.maturity}, {state.record.validated} validated"
    _say_rows([
        ("project", state.project or "not seen yet"),
        ("entries", f"{state.entries_here} hold here{unproven}"),
        ("maturity", f"{reached}: {MATURITY_SAID[state.maturity]}"),
    ])  # fmt: skip
    if state.own.unseen:
        why = ", ".join(f"`learnt why {handle(name)}`" for name in state.own.unseen[:MOST_NAMED])
        what = "note(s) are not shown to agents because their text looks like a command"
        click.secho(f"{len(state.own.unseen)} {what}: {why}", fg="yellow")
    if told := crowded(state.own.rules):
        click.echo(told)
    for sign in state.signs if state.record.validated else ():
        click.secho(f"  {'✓' if sign.points else '·'} {sign.said}", dim=True)
    _say_skills(new, state)
    for wanted in state.wanted:
        vouch = f"`learnt knowledge promote {wanted.entry}`"
        click.echo(
            f"Looked for by {wanted.prompts} prompt(s), and unproven: {cut(wanted.text)} "
            f"({vouch} vouches for it)"
        )
    _say_latest(state)
    if state.suspicions_here:
        pairs = f"{state.suspicions_here} pair(s) of notes may repeat or contradict each other"
        click.echo(f"{pairs}: your agent can say so by /learnt-tidy (`learnt knowledge tidy`).")
    counted = state.waiting.items()
    if waiting := ", ".join(f"{n} {_WAITS.get(sort, f'{sort}(s)')}" for sort, n in counted):
        click.secho(f"{waiting} wait for you: `learnt review`.", fg="yellow")
    else:
        click.echo("Nothing waits for you.")


def _say_skills(new: Collection[str], state: HomeStatus) -> None:
    for skill in state.outdated:
        click.secho(plain(f"{skill.summary}: `learnt review` has its new text."), fg="yellow")
    for name in new:
        click.secho(plain(f"{name} keeps failing: {start_improver(name)}"), fg="yellow")
    if before := len(state.failing) - len(new):
        click.echo(f"{before} skill(s) keep failing as before: `learnt health queue`.")
    for name in state.in_trial:
        click.echo(plain(f"{name}: two of its texts are compared: `learnt skills trial {name}`."))


def _worker(state: HomeStatus) -> Iterator[tuple[str, str]]:
    """Whether what answers the agent is at work, and what is amiss with it."""
    worker = state.worker
    yield "worker", f"running, process {worker.pid}" if worker else "not running; a hook starts it"
    at_times = (
        ("late", state.not_delivered, "answers came too late and were taken back"),
        ("hook", state.hook_edited, "of its files were edited: `learnt doctor`"),
        ("spool", state.spool_waiting, "reports of the agent's hooks wait to be taken in"),
    )
    yield from ((name, f"{count} {what}") for name, count, what in at_times if count)


def _of_all(state: HomeStatus) -> Iterator[tuple[str, str]]:
    total = ", ".join(f"{count} {stage}" for stage, count in sorted(state.entries.items()))
    count = state.sessions_searchable
    searchable = "no search: `learnt doctor`" if count is None else f"{count} can be searched"
    attended = f"{state.sessions_attended} with a person at the keyboard"
    odd = f"{state.human_events_not_plain} of them not from a plain terminal"
    yield "entries", total or "none yet"
    yield "sessions", f"{state.sessions}, {attended}; {searchable}"
    yield "prompts", f"{state.recalls} found a note, {state.misses} found none"
    yield "reuse", f"{state.reuses} (each entry once a session)"
    for each in state.moments:
        if each.recalls:
            told = f"{each.notes} note(s) given, {each.hints} hinted at, {each.read} read"
            late = "; what came too late is among them" if state.not_delivered else ""
            yield each.moment, told + late
    yield "by people", f"{state.human_events} events on record, {odd}"


def _say_latest(state: HomeStatus) -> None:
    """What was last recalled, done and swept, in whatever project."""
    if state.last or state.last_episodes or state.at_once:
        click.secho("Latest, of all projects", bold=True)
    for each in state.last:
        told = "; ".join(f"{cut(one.said)} ({one.entry})" for one in each.given)
        told = "came too late" if each.late else told or "nothing new"
        click.secho(f"  {moment(each.wall_ms)}  {told}  why: {each.event}", dim=True)
    if state.last_episodes:
        click.secho("episodes", bold=True)
    for episode in state.last_episodes:
        say_episode(episode)
    for at_once in state.at_once:
        short, undo = cut(at_once.text), f"`learnt knowledge expire {at_once.entry}`"
        click.echo(f"Counts since you typed remember: {short} ({undo} takes it back)")
    if state.swept:
        told = ", ".join(f"{count} {stage}" for stage, count in sorted(state.swept.items()))
        click.echo(f"Swept by the evidence in the last week: {told} (`learnt knowledge log`).")
    if state.quotes_full:
        click.secho(
            f"In {state.quotes_full} session(s) of this week an agent saved as many of your "
            "sentences as it may (8): `learnt review`.", fg="yellow",
        )  # fmt: skip
    if state.masked:
        click.secho(f"{state.masked} masked, since they hurt: `learnt health effect`.", fg="yellow")


def _say_rows(rows: Iterable[tuple[str, str]]) -> None:
    for name, text in rows:
        click.echo(f"{click.style(name.ljust(9), bold=True)} {text}")


_WAITS = {
    "stale": "to be looked at again", "rules": "group(s) of notes that read as rules",
    "as-it-stands": "kept as it stands",
}  # fmt: skip
