"""`knowledge`: facts that fade unless confirmed. In folder mode files are all there is."""

import click

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
