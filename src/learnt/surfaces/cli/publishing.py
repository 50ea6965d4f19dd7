"""`knowledge publish` and `export`: topic files by proposals, and a skill that stands alone."""

import re
from pathlib import Path

import click

from learnt.core.governance.proposals import Status
from learnt.core.json_values import JsonObject
from learnt.core.knowledge.kinds import KINDS
from learnt.errors import NotFound, UsageError
from learnt.flows.governance import listing
from learnt.flows.governance.notice import Noticed, notice
from learnt.flows.knowledge import publish as publishing
from learnt.flows.knowledge.as_folder import as_folder
from learnt.surfaces import agent_files, folder_mode
from learnt.surfaces.cli.context import (
    HOME,
    JSON,
    PROJECT,
    caller,
    folder,
    ledger_as_it_is,
    ledger_of,
    plain,
    print_json,
)
from learnt.surfaces.cli.evolve import say_noticed
from learnt.surfaces.cli.proposal_view import proposal_json, say_line

_NAME = re.compile(r"[a-z0-9](?:-?[a-z0-9]){0,62}")


@click.command()
@click.option("--skill", default="", metavar="NAME", help="Beside this skill, as its references.")
@click.option("--everywhere", is_flag=True, help="The facts of every project, not of this one.")
@PROJECT
@JSON
@HOME
def publish(skill: str, *, everywhere: bool, project: str, as_json: bool, home: str | None) -> int:
    """Propose topic files and their index from what is validated; you decide on each.

    They go below the project's `.agents/knowledge` (of every project: your own), 80 lines a topic
    and eight topics at most; three related facts make a topic.
    """
    if skill and not _NAME.fullmatch(skill):
        raise UsageError(f"{skill} is no skill's name: lower-case words joined by hyphens.")
    who = caller(home)
    with ledger_of(who) as outside:
        noticed = notice(outside, map(str, agent_files.skill_folders(Path(folder(project)))))
        gone = {one.proposal for one in noticed.files if one.ownership == "gone"}
        found = publishing.publish(
            outside, folder(project), who.actor, skill=skill, everywhere=everywhere, gone=gone
        )
        waiting = len(listing.listed(outside, [Status.PENDING]))
        told = [listing.shown(outside, name) for name in (*noticed.proposed, *found.new)]
        if as_json:
            shown = [proposal_json(outside, one, project, None) for one in told]
            print_json({**_json(found), "proposals": list(shown)})
            return 0
    _say(found, noticed, told)
    if waiting:
        click.echo(f"Proposals that wait for you: {waiting}. `learnt review` takes you through.")
    return 0


def _json(found: publishing.Publication) -> JsonObject:
    return {
        "new": list(found.new),
        "unchanged": list(found.unchanged),
        "corrected": list(found.corrected),
        "waiting": list(found.waiting),
        "stale": list(found.stale),
        "findings": list(found.findings),
    }


def _say(found: publishing.Publication, noticed: Noticed, told: list[listing.Shown]) -> None:
    for one in told:
        say_line(one)
    say_noticed(noticed)
    for entry in found.corrected:
        click.echo(f"{entry} is what you made of it in its topic.")
    if found.waiting:
        count = len(found.waiting)
        click.echo(f"Waiting for company, since three related facts make a topic: {count}.")
    if found.stale:
        click.echo(f"Left out until they are found out anew: {len(found.stale)}.")
    for said in found.findings:
        click.secho(plain(said), fg="yellow")
    if found.unchanged:
        click.echo(f"As they should be: {', '.join(found.unchanged)}.")
    if not (told or found.unchanged):
        click.echo("Nothing new is to be published.")


@click.command()
@click.argument("place", metavar="DIR", type=click.Path(file_okay=False))
@click.option("--skill", "name", required=True, metavar="NAME", help="What the skill is called.")
@click.option("--path", metavar="DIR", help=f"A folder of topics (else {folder_mode.DEFAULT}).")
@click.option("--ledger", is_flag=True, help="What is validated for this project, instead.")
@PROJECT
@HOME
def export(
    place: str, *, name: str, path: str | None, ledger: bool, project: str, home: str | None
) -> int:
    """Make a skill of what is known, with the seven commands, for where Learnt is not."""
    from learnt import bootstrap
    from learnt.formats import knowledge_skill

    if not _NAME.fullmatch(name):
        raise UsageError(f"{name} is no skill's name: lower-case words joined by hyphens.")
    if ledger and path is not None:
        raise UsageError("--ledger and --path are two sources: name one of them.")
    held = _from_ledger(project, home) if ledger else _from_folder(path or folder_mode.DEFAULT)
    files = {
        "SKILL.md": knowledge_skill.skill(name, list(KINDS)),
        **{f"references/{file}": text for file, text in held.items()},
        **bootstrap.exported_scripts(),
    }
    made = f"{place}/{name}"
    bootstrap.write_exported(made, files)
    count = len(held) - 1  # but for the index
    said = "1 topic is" if count == 1 else f"{count} topics are"
    click.echo(f"{said} now the skill {made}.")
    click.echo(f"Try it: python3 {made}/{knowledge_skill.SCRIPT} scan --path {made}/references")
    return 0


def _from_folder(path: str) -> dict[str, str]:
    from learnt import bootstrap

    if not Path(path).is_dir():
        raise NotFound(
            f"There is no folder {path}. `learnt knowledge init` makes one; --ledger exports what "
            "is validated in the ledger."
        )
    topics = bootstrap.topics()
    index = topics.read(f"{path}/_index.md")
    held = {one: topics.read(f"{path}/{one}") or "" for one in topics.files(path)}
    return {"_index.md": index if index is not None else "# Topics\n", **held}


def _from_ledger(project: str, home: str | None) -> dict[str, str]:
    with ledger_as_it_is(caller(home)) as outside:
        held = {} if outside is None else as_folder(outside, folder(project))
    if not held:
        raise NotFound("No fact is validated here yet. `learnt knowledge freshness` lists them.")
    return held


COMMANDS = (publish, export)
