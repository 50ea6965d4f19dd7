"""`tool`: the commands that enabled domains bring."""

import click

from learnt.bootstrap import domain_home, domains
from learnt.errors import NotFound
from learnt.surfaces.cli.context import Call, command, plain

_PASSED_ON = {"ignore_unknown_options": True, "allow_interspersed_args": False}


@command(context_settings=_PASSED_ON)
@click.argument("domain", required=False, default="")
@click.argument("name", required=False, default="")
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def tool(call: Call, domain: str, name: str, words: tuple[str, ...]) -> int:
    """Run a tool that an enabled domain brings; without words, list them.

    What follows the tool's name is its own.
    """
    settings = call.who.settings
    tools = {enabled.name: enabled.tools for enabled in domains(settings).domains}
    if not domain:
        for owner, brought in tools.items():
            for tool_name, each in brought.items():
                click.echo(plain(f"{owner} {tool_name}  {each.summary}"))
        if not any(tools.values()):
            click.echo("No domain that is enabled brings a tool.", err=True)
        return 0
    if domain not in tools:
        raise NotFound(
            f"There is no domain {plain(domain)} here; there are: "
            f"{', '.join(tools) or 'none is enabled'}. Nothing was done; "
            "`learnt doctor` tells of each that is named in the settings."
        )
    if name not in tools[domain]:
        names = ", ".join(tools[domain]) or "it brings none"
        raise NotFound(f"{domain} has no tool {plain(name)!r}: {names}. Nothing was done.")
    return tools[domain][name].run(domain_home(settings), words)
