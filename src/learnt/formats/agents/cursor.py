"""Cursor: hooks by its documents; it was not run."""

from typing import Final

from learnt.formats.agents import reports
from learnt.formats.agents.dialects import PROMPT, STARTS, STEP, Dialect, Sees

CURSOR: Final = Dialect(
    name="cursor",
    id=reports.CURSOR,
    title="Cursor",
    tried="its documents of 2026; not run",
    folder=".cursor",
    in_project=".cursor",
    variable="",
    settings="hooks.json",
    form="list",
    reads=frozenset({"odd members"}),
    events={
        STARTS: ("sessionStart", "preCompact"),
        PROMPT: ("beforeSubmitPrompt",),
        STEP: ("postToolUse", "postToolUseFailure"),
        "Stop": ("stop",),
        "SessionEnd": ("sessionEnd",),
    },
    servers="mcp.json",
    links="skills",
    sees=Sees(
        start="part: by its documents at a session's start, not after a compaction",
        act="no: its hook before a call allows or denies it, and puts nothing beside it",
        screen="no: by its documents only a prompt that is stopped shows a line",
        prompt="no: its hook can let a prompt through or stop it, and put nothing beside it; only "
        "a session's start can, before there is a prompt",
        failure="no: its hook of a failed call answers nothing",
        file="no: by its documents a hook after a call may add context, but users report that it "
        "does not reach the model",
        skills="yes: by the read of SKILL.md",
        sessions="no: it keeps them in a store of its own",
    ),
    deaf=frozenset({"compact"}),
    todo="Beside a prompt no note can be put before Cursor's model by a hook: it asks Learnt's MCP "
    "server.",
)
