"""`skills install` and `skills remove`: a person sees the whole text and the findings first."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

import click
from msgspec.structs import asdict, replace

from learnt.core.events import Actor
from learnt.core.records import Record
from learnt.core.skills.replay import Shadowing
from learnt.core.skills.skills import Finding
from learnt.errors import NotFound, UsageError
from learnt.flows.governance.accept import Destination
from learnt.flows.governance.decisions import refuse_others
from learnt.flows.skills import install as installing
from learnt.flows.skills.catalogue import OpenShelf
from learnt.flows.skills.install import SKILL, InstallPlan
from learnt.formats.answers import filled
from learnt.surfaces import agent_files
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.screen import shown_whole
from learnt.surfaces.cli.shelf import readable, say_findings, say_shadowing, shelf

if TYPE_CHECKING:
    from learnt.file_ports import Fetched
    from learnt.ports import Outside

USER = click.option("--user", is_flag=True, help="For all your projects (else for this one).")
_DONE: Final = {
    "installed": "★ installed {name}: {path}",
    "unchanged": "{name} is installed already, as it is there: {path}",
    "kept": "{name} is there in another form and was kept; --force overwrites it: {path}",
    "left": "{name} was not installed.",
    "refused": "✗ {name} was refused.",
    "asked": "{name} is neither installed nor proposed yet: read it, and answer as is said below.",
    "proposed": "⏸ {name} waits for a person as {proposal}: `learnt review` shows it.",
}


class InstalledAnswer(Record):
    """A skill that was to be installed: what was checked and found, and what became of it.

    `status` is installed, unchanged, kept (what is there stays), left (a person declined), refused,
    asked (an agent is to read it first) or proposed. `passed_over` are the rules that --force
    passed over. `shadowing` is what it displaces for recorded prompts, None where nothing was open
    to decide.
    """

    name: str
    status: str
    source: str
    source_type: str
    version: str
    path: str
    files: tuple[str, ...]
    digest: str
    proposal: str
    findings: tuple[Finding, ...]
    passed_over: tuple[str, ...]
    not_linked: tuple[str, ...]
    shadowing: Shadowing | None


class InstalledAnswers(Record):
    """The skills of a source; `question` is what an agent is to read and to answer first."""

    skills: tuple[InstalledAnswer, ...]
    question: str = ""


@contextmanager
def _begun(call: Call, *, user: bool) -> Iterator[tuple[OpenShelf, Destination]]:
    """The skills that there are, and where others are installed."""
    with shelf(call) as on:
        here = on.outside.folders.facts(call.folder).root
        personal = user or here == here.home()
        to = agent_files.destination(None if personal else here)
        yield on, to if personal else replace(to, project=on.project)


@command(answers=InstalledAnswers, project=True)
@click.argument("source", default="")
@click.option("--force", is_flag=True, help="Overwrite a copy; pass over findings that allow it.")
@click.option("--domain", default="", metavar="NAME", help="The skills that a domain brings.")
@click.option("--keep", metavar="NAME", default="", help="Take your edit for what is installed.")
@USER
@click.option("--threat", multiple=True, metavar="KIND[:LINE]", help="What an agent found in it.")
@click.option("--no-threat", is_flag=True, help="An agent read it and found nothing.")
@click.option("--seal", default="", help="What the agent was shown.")
def install(
    call: Call, source: str, *, force: bool, domain: str, keep: str, user: bool,
    threat: tuple[str, ...], no_threat: bool, seal: str,
) -> int:  # fmt: skip
    """Install a skill where your agents look; without a SOURCE, the skills that come with Learnt.

    SOURCE is a folder of one skill or several, an archive, a repository's URL@COMMIT[#FOLDER], or
    OWNER/NAME of ClawHub. Of a folder here, the counts of uses that skills tell are taken over.
    Only a person installs, having seen the text and what was found in it. An agent is shown the
    text first, and answers with --seal and --threat or --no-threat: a threat refuses the skill,
    without one it becomes a proposal.
    """
    if sum(map(bool, (source, domain, keep))) > 1:
        raise UsageError("Name a SOURCE, or a --domain, or a skill to --keep.")
    if (threat and no_threat) or ((threat or no_threat) and _human(call)):
        raise UsageError("An agent answers, with --threat or --no-threat. You are asked instead.")
    waits = ""
    with _begun(call, user=user) as (on, where):
        if keep:
            refuse_others(call.who.decider, f"learnt skills install --keep {keep}")
            looked = [installing.installed(on.outside, keep, where)]
        else:
            force = force and _human(call)
            look = partial(
                installing.look, on.outside, where=where,
                skills=on.library.skills, force=force, update=not _human(call),
            )  # fmt: skip
            looked = list(map(look, _fetched(call, source, domain)))
            foreign = [each for each in looked if not _state(each) and each.fetched.kind != "seed"]
            if foreign and not _human(call):
                asked = installing.question(foreign)
                if threat or no_threat:
                    installing.answered(on.outside, asked, seal, threat, call.who.actor)
                    looked = [look(each.fetched) for each in looked]
                else:
                    waits = asked.text
        for at, each in enumerate(looked):
            if not _state(each):
                looked[at] = installing.replayed(each, on)
        if waits:
            answers = [_done(call, on.outside, each, "asked") for each in looked]
        else:
            answers = _each(call, on.outside, looked)
    refused = any(answer.status in {"refused", "left"} for answer in answers)
    return call.answer(InstalledAnswers(tuple(answers), waits), _say, int(refused))


def _human(call: Call) -> bool:
    return call.who.actor is Actor.HUMAN


def _fetched(call: Call, source: str, domain: str) -> "list[Fetched]":
    from learnt.bootstrap import fetch_skills, seed_skills

    if source:
        return fetch_skills(call.who.settings, source)
    if not (seeds := seed_skills(call.who.settings, domain)):
        raise NotFound(f"There is no domain {domain!r} that brings skills.")
    return seeds


def _each(call: Call, outside: "Outside", looked: Sequence[InstallPlan]) -> list[InstalledAnswer]:
    """Install each, or propose it; a person sees all that is open, and is asked once."""
    open_, declined = [each for each in looked if not _state(each)], False
    if _human(call) and open_:
        seen = _show(open_, err=call.as_json)
        question = f"Install {'these' if len(looked) > 1 else plain(looked[0].name)}?"
        declined = not (seen and click.confirm(question, default=False, err=call.as_json))
    return [_done(call, outside, each, "left" if declined else "") for each in looked]


def _done(call: Call, outside: "Outside", looked: InstallPlan, instead: str) -> InstalledAnswer:
    status, proposal = _state(looked) or instead, ""
    not_linked: Sequence[str] = ()
    if not status and not _human(call):
        who, status = call.who, "proposed"
        proposal = installing.propose_it(outside, looked, who.actor, who.session)
    elif status in {"", "unchanged"} and _human(call):
        not_linked = installing.install(outside, looked, call.who.actor)
    return filled(
        InstalledAnswer,
        looked,
        looked.fetched,
        status=status or "installed",
        source_type=looked.fetched.kind,
        files=tuple(sorted(looked.files)),
        proposal=proposal,
        passed_over=tuple(dict.fromkeys(finding.rule for finding in looked.verdict.passed)),
        not_linked=tuple(not_linked),
    )


def _state(looked: InstallPlan) -> str:
    """What is decided before anybody is asked; empty where it is not."""
    rules = {finding.rule for finding in looked.verdict.refused}
    if looked.fetched.kind == "seed" and rules == {"already-there"}:
        return "kept"
    if rules:
        return "refused"
    return "unchanged" if looked.settled else ""


def _show(looked: Sequence[InstallPlan], *, err: bool) -> bool:
    """Print what would be written, by screens; whether a person saw all of it.

    Of the skills that come with Learnt, where each goes.
    """
    lines: list[str] = []
    for each in looked:
        lines += [f"{plain(each.name)} from {plain(each.fetched.source)} → {plain(each.path)}"]
        uses, rate = each.former_use
        success = "" if rate is None else f", success {rate:.0%}"
        lines += [f"   used {uses} times before{success}"] if uses else []
        paths = sorted(each.files, key=lambda path: (path != SKILL, path))
        for path in () if each.fetched.kind == "seed" else paths:
            lines += [f"── {plain(path)}", *plain(readable(each.files[path])).splitlines()]
    shown = shown_whole([f"{len(lines)} lines", *lines], err=err)
    for each in looked:
        say_findings(each.findings, err=err)
        if each.shadowing is not None:
            say_shadowing(each.shadowing, err=err)
        for finding in each.verdict.passed:
            click.secho(f"--force passes over: {finding.rule}", fg="yellow", err=err)
    if any(each.fetched.kind != "seed" for each in looked):
        click.echo("Your agent can read it for you: ask it to run this command.", err=err)
    return shown


def _say(answers: InstalledAnswers) -> None:
    for answer in answers.skills:
        if answer.status == "refused":
            say_findings(answer.findings)
            if installing.NAMED in {finding.rule for finding in answer.findings}:
                click.echo("An agent named that, no rule: a person may pass over it with --force.")
        said = {name: plain(str(value)) for name, value in asdict(answer).items()}
        click.echo(_DONE[answer.status].format(**said))
        for text in answer.not_linked:
            click.secho(f"  {plain(text)}", fg="yellow")
    if answers.question:
        click.echo(answers.question, nl=False)


class Removed(Record):
    """A skill that was taken away, and where it was."""

    name: str
    path: str


@command(answers=Removed, project=True)
@click.argument("name")
@USER
def remove(call: Call, name: str, *, user: bool) -> int:
    """Take away a skill that was installed: its folder, its links and its entry in the lock."""
    refuse_others(call.who.decider, f"learnt skills remove {name}")
    with _begun(call, user=user) as (on, where):
        looked = installing.installed(on.outside, name, where)
        installing.remove(on.outside, looked, call.who.actor)
    return call.answer(Removed(looked.name, looked.path), f"Removed {looked.path}.")


COMMANDS = (install, remove)
