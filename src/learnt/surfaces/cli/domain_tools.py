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
    there = {one.name: one for one in domains(settings).domains}
    if not domain:
        for one in there.values():
            for called, each in one.tools.items():
                click.echo(plain(f"{one.name} {called}  {each.summary}"))
        if not any(one.tools for one in there.values()):
            click.echo("No domain that is enabled brings a tool.", err=True)
        return 0
    if domain not in there:
        known = ", ".join(there) or "none is enabled"
        raise NotFound(
            f"There is no domain {plain(domain)} here; there are: {known}. Nothing was done; "
            "`learnt doctor` tells of each that is named in the settings."
        )
    tools = there[domain].tools
    if name not in tools:
        known = ", ".join(tools) or "it brings none"
        raise NotFound(f"{domain} has no tool {plain(name)!r}: {known}. Nothing was done.")
    return tools[name].run(domain_home(settings), words)
