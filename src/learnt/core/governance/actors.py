"""Who acts: derived from what the process can see of its surroundings, never from a claim."""

import re
from collections.abc import Mapping
from typing import Final

from learnt.core.events import Actor, Origin
from learnt.core.marked import LONG_PASTE

# Each is set by a coding agent in the commands that it runs.
AGENT_MARKERS: Final = (
    "AGENT AGENT_SESSION_ID AI_AGENT AUGMENT_AGENT CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLINE_ACTIVE"
    " CODEX_CI CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID"
    " COPILOT_AGENT_SESSION_ID COPILOT_CLI CRUSH CURSOR_AGENT GEMINI_CLI GOOSE_TERMINAL GROK_AGENT"
    " OPENCODE OPENCODE_CLIENT PI_CODING_AGENT QWEN_CODE ROO_ACTIVE TRAE_AI_SHELL_ID"
    " WINDSURF_CASCADE_TERMINAL"
).split()
# What agents call the session whose commands they run.
SESSION_MARKERS: Final = (
    "CLAUDE_CODE_SESSION_ID CODEX_THREAD_ID AGENT_SESSION_ID COPILOT_AGENT_SESSION_ID"
).split()
# The client submits these itself: a subagent that finished, a command's own output.
_NOBODY_TYPED = re.compile(
    r"\s*<(?:task-notification|system-reminder|local-command-\w+|command-\w+|bash-\w+)\b"
)


def doubt(environment: Mapping[str, str], terminals: Mapping[str, bool]) -> str:
    """Why a command is not a person's: an agent's marker, or no terminal; empty where it is.

    >>> doubt({}, {"input": True}), doubt({}, {"input": True, "output": False})
    ('', 'its output is no terminal')
    >>> doubt({"CLAUDECODE": "1"}, {"input": True})
    'an agent set CLAUDECODE'
    """
    marked = next((marker for marker in AGENT_MARKERS if environment.get(marker)), None)
    if marked is not None:
        return f"an agent set {marked}"
    missing = [name for name, terminal in terminals.items() if not terminal]
    verb = "are no terminals" if len(missing) > 1 else "is no terminal"
    return f"its {' and '.join(missing)} {verb}" if missing else ""


def at_terminal(environment: Mapping[str, str], terminals: Mapping[str, bool]) -> Actor:
    """Who typed a command: a person where there is no `doubt`.

    >>> at_terminal({}, {"input": True}), at_terminal({"CLAUDECODE": "1"}, {"input": True})
    (<Actor.HUMAN: 'human'>, <Actor.AGENT: 'agent'>)
    """
    return Actor.AGENT if doubt(environment, terminals) else Actor.HUMAN


def session(environment: Mapping[str, str]) -> str:
    """The agent's session that a command belongs to; empty where none says so.

    >>> session({"CLAUDE_CODE_SESSION_ID": "c2d2"}), session({})
    ('c2d2', '')
    """
    return next((name for mark in SESSION_MARKERS if (name := environment.get(mark))), "")


def in_hook(environment: Mapping[str, str]) -> Actor:
    """Who typed a prompt, by the agent's own flags: inside a hook the marker is always set.

    >>> in_hook({"CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"})
    <Actor.HUMAN: 'human'>
    >>> in_hook({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED": "0"})
    <Actor.AGENT: 'agent'>
    """
    interactive = environment.get("CLAUDE_CODE_ENTRYPOINT") == "cli"
    attended = environment.get("CLAUDE_CODE_SESSION_ATTENDED", "1") == "1"
    return Actor.HUMAN if interactive and attended else Actor.AGENT


def typed(prompt: str) -> bool:
    """Whether a prompt is one that somebody typed, not one the agent's client made.

    >>> typed("why?"), typed("<task-notification>\\n<task-id>1</task-id>")
    (True, False)
    """
    return _NOBODY_TYPED.match(prompt) is None


def origin_of_prompt(actor: Actor, prompt: str) -> Origin:
    """Where a prompt's text came from: a person's own words, or a mixture nobody vouches for.

    >>> origin_of_prompt(Actor.HUMAN, "why?"), origin_of_prompt(Actor.AGENT, "why?")
    (<Origin.USER: 'user'>, <Origin.MIXED: 'mixed'>)
    """
    own = actor is Actor.HUMAN and len(prompt) <= LONG_PASTE
    return Origin.USER if own else Origin.MIXED
