"""`knowledge publish` and `export`: topic files by proposals, and a skill that stands alone."""

import re
from pathlib import Path

import click

from learnt.core.knowledge.kinds import KINDS
from learnt.errors import NotFound, UsageError
from learnt.flows.governance import listing
from learnt.flows.governance.notice import Noticed, notice
from learnt.flows.knowledge import folder
from learnt.flows.knowledge import publish as publishing
from learnt.formats import topic_md
from learnt.formats.answers import filled
from learnt.stores import exported
from learnt.stores.topic_files import DiskTopics
from learnt.surfaces import folder_mode
from learnt.surfaces.agent_files import skill_folders
from learnt.surfaces.cli.context import Call, command, plain
from learnt.surfaces.cli.evolve import Shown, say_line, say_noticed, shown

_NAME = re.compile(r"[a-z0-9](?:-?[a-z0-9]){0,62}")


class PublishedTopics(publishing.Publication, kw_only=True):
    """What publishing gave, and the proposals that are new."""

    proposals: tuple[Shown, ...]


@command(answers=PublishedTopics, project=True)
@click.option("--skill", default="", metavar="NAME", help="Beside this skill, as its references.")
@click.option("--everywhere", is_flag=True, help="The facts of every project, not of this one.")
def publish(call: Call, skill: str, *, everywhere: bool) -> int:
    """Propose topic files and their index from what is validated; you decide on each.

    They go below the project's `.agents/knowledge` (of every project: your own), 80 lines a topic
    and eight topics at most; three related facts make a topic.
    """
    if skill:
        _check_name(skill)
    with call.ledger() as outside:
        noticed = notice(outside, skill_folders(call.project))
        gone = {file.proposal for file in noticed.files if file.ownership == "gone"}
        done = publishing.publish(
            outside, call.folder, call.who.actor, skill=skill, everywhere=everywhere, gone=gone
        )
        waiting = len(listing.waiting(outside))
        names = (*noticed.proposed, *done.new)
        proposals = tuple(shown(call, outside, name) for name in names)
    answer = filled(PublishedTopics, done, proposals=proposals)
    return call.answer(answer, lambda answer: _say(answer, noticed, waiting))


def _say(answer: PublishedTopics, noticed: Noticed, waiting: int) -> None:
    alone, stale = len(answer.waiting), len(answer.stale)
    click.echo(
        f"Validated facts: {answer.facts + alone + stale}, {answer.facts} of them in topics."
    )
    if alone:
        click.echo(f"  {alone} wait for company, since three related facts make a topic.")
    if stale:
        click.echo(f"  {stale} left out until found out again: `learnt knowledge freshness`.")
    for proposal in answer.proposals:
        say_line(proposal)
    say_noticed(noticed)
    for entry in answer.corrected:
        click.echo(f"{entry} is what you made of it in its topic.")
    for finding in answer.findings:
        click.secho(plain(finding), fg="yellow")
    if answer.unchanged:
        click.echo(f"As they should be: {', '.join(answer.unchanged)}.")
    if not answer.proposals:
        click.echo("Nothing new is proposed.")
    if waiting:
        told = "Proposals that wait for you, of every kind and project"
        click.echo(f"{told}: {waiting}. `learnt review` takes you through.")


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise UsageError(f"{name} is no skill's name: lower-case words joined by hyphens.")


@command(project=True)
@click.argument("place", metavar="DIR", type=click.Path(file_okay=False))
@click.option("--skill", "name", required=True, metavar="NAME", help="What the skill is called.")
@click.option("--path", metavar="DIR", help=f"A folder of topics (else {folder_mode.DEFAULT}).")
@click.option("--ledger", is_flag=True, help="What is validated for this project, instead.")
def export(call: Call, place: str, *, name: str, path: str | None, ledger: bool) -> int:
    """Make a skill of what is known, with the seven commands, for where Learnt is not."""
    _check_name(name)
    if ledger and path is not None:
        raise UsageError("--ledger and --path are two sources: name one of them.")
    if ledger:
        topics = call.look(lambda outside: publishing.as_folder(outside, call.folder), {})
        if not topics:
            raise NotFound(
                "No fact is validated here yet. `learnt knowledge freshness` lists them."
            )
    else:
        path, disk = path or folder_mode.DEFAULT, DiskTopics()
        if not Path(path).is_dir():
            raise NotFound(
                f"There is no folder {path}. `learnt knowledge init` makes one; --ledger exports "
                "what is validated in the ledger."
            )
        texts = {name: disk.read(f"{path}/{name}") or "" for name in disk.files(path)}
        topics = {folder.INDEX: folder.index(disk, path, folder_mode.today()), **texts}
    files = {
        "SKILL.md": topic_md.skill(name, list(KINDS)),
        **{f"references/{file}": text for file, text in topics.items()},
        **exported.scripts(),
    }
    made = f"{place}/{name}"
    exported.write_folder(made, files)
    count = len(topics) - 1  # but for the index
    counted = "1 topic is" if count == 1 else f"{count} topics are"
    click.echo(f"{counted} now the skill {made}.")
    click.echo(f"Try it: python3 {made}/{topic_md.SCRIPT} scan --path {made}/references")
    return 0


COMMANDS = (publish, export)
