"""`mcp`: the server that an agent's client starts."""

import click

from learnt.errors import EnvironmentTrouble
from learnt.surfaces.cli.context import HOME

_EXTRA = frozenset({"mcp", "mcp_types", "pydantic", "anyio"})


@click.command()
@click.option(
    "--project",
    metavar="DIR",
    type=click.Path(file_okay=False),
    help="The folder whose project is meant (else CLAUDE_PROJECT_DIR, else the current one).",
)
@HOME
def mcp(project: str | None, *, home: str | None) -> int:
    """Serve an agent over standard input and output (Model Context Protocol).

    The agent can recall, propose knowledge and skills, confirm, say how an entry held, and ask
    for the status and the story of an id, also where its shell is sandboxed. It can approve
    nothing. Needs the extra `mcp`: pipx install "learnt[mcp]".

    \b
    Claude Code:   claude mcp add --scope user learnt -- learnt mcp
    Other clients: {"mcpServers": {"learnt": {"command": "learnt", "args": ["mcp"]}}}
    """
    named = home or click.get_current_context().find_root().params.get("home")
    try:
        from learnt.surfaces.mcp_server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise EnvironmentTrouble(
            f"The MCP server needs a package that is not installed ({error.name}): "
            'pipx install "learnt[mcp]", or pip install "learnt[mcp]" where Learnt is. Nothing '
            "was started; every other command works without it."
        ) from error
    return serve(named, project)
