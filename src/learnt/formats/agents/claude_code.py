"""Claude Code: the agent whose words the others' are told in."""

from typing import Final

from learnt.formats.agents.dialects import Dialect, Sees, same

EVENTS: Final = (
    "SessionStart UserPromptSubmit UserPromptExpansion PreToolUse PostToolUse PostToolUseFailure"
    " PostToolBatch Stop StopFailure SubagentStop SessionEnd"
).split()
CLAUDE_CODE: Final = Dialect(
    name="claude",
    id="claude-code",
    title="Claude Code",
    tried="2.1.332",
    folder=".claude",
    in_project=".claude",
    variable="CLAUDE_CONFIG_DIR",
    settings="settings.json",
    own="settings.local.json",
    events=same(*EVENTS),
    reads=frozenset({"mark", "odd bytes", "odd members"}),
    switches=(("disableAllHooks", True),),
    servers=".claude.json",
    allow=("permissions", "allow"),
    tool="mcp__learnt__{}",
    call_id="claudecode/toolUseId",
    links="skills",
    resume="claude --resume",
    sees=Sees(person="yes"),
)
