"""`knowledge`: facts that fade unless confirmed. In folder mode files are all there is."""

import re
from pathlib import Path

import click

from learnt.core.knowledge.kinds import KINDS
from learnt.errors import NotFound, UsageError
from learnt.surfaces import folder_mode


@click.group()
def knowledge() -> None:
    """Facts in Markdown files, each with how far it can be trusted."""


class _InFolder(click.Command):
    """A command whose words and help are folder mode's own."""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Folder mode's help, of folder mode's words."""
        formatter.write(folder_mode.parser(str(self.name), "learnt knowledge").format_help())


def _command(name: str) -> click.Command:
    @click.argument("words", nargs=-1, type=click.UNPROCESSED)
    def run(*, words: tuple[str, ...]) -> int:
        return folder_mode.main([name, *words])

    run.__doc__ = folder_mode.parser(name, "learnt knowledge").description
    return click.command(name, cls=_InFolder, context_settings={"ignore_unknown_options": True})(
        run
    )


for _name in folder_mode.COMMANDS:
    knowledge.add_command(_command(_name))


@knowledge.command()
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False))
@click.option("--skill", "name", required=True, metavar="NAME", help="What the skill is called.")
@click.option("--path", default=folder_mode.DEFAULT, metavar="DIR", help="The folder of topics.")
def export(folder: str, *, name: str, path: str) -> int:
    """Make a skill of a folder of topics, with the seven commands, for where Learnt is not."""
    from learnt import bootstrap
    from learnt.formats import knowledge_skill

    if not re.fullmatch(r"[a-z0-9](?:-?[a-z0-9]){0,59}", name):
        raise UsageError(f"{name} is no skill's name: lower-case words joined by hyphens.")
    if not Path(path).is_dir():
        raise NotFound(f"There is no folder {path}. `learnt knowledge init` makes one.")
    topics = bootstrap.topics()
    index = topics.read(f"{path}/_index.md")
    held = {f"references/{one}": topics.read(f"{path}/{one}") or "" for one in topics.files(path)}
    files = {
        "SKILL.md": knowledge_skill.skill(name, list(KINDS)),
        "references/_index.md": index if index is not None else "# Topics\n",
        **held,
        **bootstrap.exported_scripts(),
    }
    place = f"{folder}/{name}"
    bootstrap.write_exported(place, files)
    click.echo(f"{len(held)} topics are now the skill {place}.")
    click.echo(f"Try it: python3 {place}/{knowledge_skill.SCRIPT} scan --path {place}/references")
    return 0
