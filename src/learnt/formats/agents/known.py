"""The agents that Learnt works beside, in the order in which they are named."""

from collections.abc import Iterable
from typing import Final

from learnt.core.records import JsonObject, JsonValue, member
from learnt.formats.agents.claude_code import CLAUDE_CODE
from learnt.formats.agents.codex import CODEX
from learnt.formats.agents.cursor import CURSOR
from learnt.formats.agents.dialects import Dialect
from learnt.formats.agents.gemini_cli import GEMINI_CLI
from learnt.formats.agents.opencode import OPENCODE

DIALECTS: Final = (CLAUDE_CODE, CODEX, GEMINI_CLI, OPENCODE, CURSOR)
BY_NAME: Final = {dialect.name: dialect for dialect in DIALECTS}
# What Claude Code obeys in settings that an administrator wrote alone.
_MANAGED: Final = ("allowManagedHooksOnly", "strictPluginOnlyCustomization")
_BY_ID: Final = {dialect.id: dialect for dialect in DIALECTS}


def dialect_of(agent: str) -> Dialect:
    """The dialect of a session's agent; Claude Code's for one that nobody knows.

    >>> dialect_of("gemini-cli").title, dialect_of("import").title
    ('Gemini CLI', 'Claude Code')
    """
    return _BY_ID.get(agent, CLAUDE_CODE)


def switched_off(
    agent: Dialect, layers: Iterable[tuple[str, JsonObject]], managed: Iterable[str] = ()
) -> tuple[str, str]:
    """The switch of an agent's own that keeps its hooks from running, and its file; or nothing.

    `layers` are the settings that hold, each with its file; what a later one says counts.
    `managed` are the files that an administrator wrote.

    >>> switched_off(CLAUDE_CODE, [("u", {"disableAllHooks": True})])
    ('"disableAllHooks": true', 'u')
    >>> switched_off(GEMINI_CLI, [("u", {"hooksConfig": {"enabled": False}}), ("p", {})])
    ('"hooksConfig.enabled": false', 'u')
    """
    found = barred = ("", "")
    for file, told in layers:
        for key, off in agent.switches:
            section, _, name = key.rpartition(".")
            value = member(told.get(section) if section else told, name)
            value = (
                {"true": True, "false": False}.get(value, value)
                if isinstance(value, str)
                else value
            )
            if isinstance(value, bool):
                found = (f'"{key}": {str(off).lower()}', file) if value is off else ("", "")
        if agent is CLAUDE_CODE and file in managed:
            wholly = [key for key in _MANAGED if (v := told.get(key)) is True or _has(v, "hooks")]
            barred = (f'"{wholly[0]}"', file) if wholly else barred
        if _has(member(told.get("hooksConfig"), "disabled"), agent.marks.get("name", "")):
            barred = ('"Learnt" in "hooksConfig.disabled"', file)
    return barred if barred[0] else found


def _has(value: JsonValue, what: str) -> bool:
    return isinstance(value, list) and what in value
