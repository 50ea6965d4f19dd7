"""Who acts: derived from what the process can see of its surroundings, never from a claim."""

import re
from collections.abc import Mapping
from typing import Final

from learnt.core.events import Actor, Origin

# Each is set by a coding agent in the commands that it runs.
AGENT_MARKERS: Final = (
    "AGENT",
    "AI_AGENT",
    "CLAUDECODE",
    "CLAUDE_CODE_ENTRYPOINT",
    "CODEX_SANDBOX",
    "CODEX_THREAD_ID",
    "CURSOR_AGENT",
    "GEMINI_CLI",
    "OPENCODE",
)

LONG_PASTE: Final = 4_000
# The client submits these itself: a subagent that finished, a command's own output.
_NOBODY_TYPED = re.compile(
    r"\s*<(?:task-notification|system-reminder|local-command-\w+|command-\w+|bash-\w+)\b"
)


def at_terminal(environment: Mapping[str, str], *, interactive: bool) -> Actor:
    """Who typed a command: a human needs a terminal on both ends and no agent's marker.

    >>> at_terminal({}, interactive=True), at_terminal({"CLAUDECODE": "1"}, interactive=True)
    (<Actor.HUMAN: 'human'>, <Actor.AGENT: 'agent'>)
    """
    marked = any(environment.get(marker) for marker in AGENT_MARKERS)
    return Actor.HUMAN if interactive and not marked else Actor.AGENT


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
