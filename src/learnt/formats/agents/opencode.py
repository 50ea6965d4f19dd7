"""opencode: no hooks of the shell, but a plug-in, which hands each event to the hook."""

import json
from collections.abc import Mapping
from typing import Final

from learnt.formats.agents import reports
from learnt.formats.agents.dialects import PROMPT, STARTS, STEP, Dialect, Sees, same
from learnt.formats.own_texts import own_text

OPENCODE: Final = Dialect(
    name="opencode",
    id=reports.OPENCODE,
    title="opencode",
    tried="1.18.33",
    folder=".config/opencode",
    in_project=".opencode",
    variable="OPENCODE_CONFIG_DIR",
    settings="plugins/learnt.js",
    form="plugin",
    reads=frozenset({"mark", "odd bytes", "odd members", "comments", "commas"}),
    events={
        **same("Stop"),
        STARTS: ("session.created", "session.compacted"),
        PROMPT: ("chat.message",),
        STEP: ("tool.execute.after",),
    },
    servers="opencode.json",
    servers_key="mcp",
    allow=("permission",),
    tool="learnt_{}",
    resume="opencode --session",
    sees=Sees(
        start="yes: beside the first prompt",
        act="no: its plug-in can change a call before it is made, and put nothing beside it",
        screen="part: a message that fades, in its terminal; `opencode run` shows none",
        failure="part: a command that exits otherwise than with 0; of a tool that breaks off "
        "it tells nothing",
        outcomes="part: of commands and files; a tool that breaks off is not told",
        skills="part: a skill that was read; one that could not be is not told",
        sessions="no: it keeps them in a store of its own",
    ),
)


def plugin(commands: Mapping[str, str]) -> str:
    """The plug-in's code, for the command of each event; it lies beside this file."""
    code = own_text("agents/opencode_plugin.js")
    return code.replace("{/* commands */}", json.dumps(dict(commands), indent=2))
