"""Where each agent keeps its settings on this machine."""

import os
from pathlib import Path
from typing import Final

AGENTS: Final = ("claude",)


def user_settings() -> Path:
    """Claude Code's settings of the user."""
    configured = os.environ.get("CLAUDE_CONFIG_DIR")
    return (Path(configured) if configured else Path.home() / ".claude") / "settings.json"


def project_settings(project: Path, *, shared: bool) -> Path:
    """Claude Code's settings of a project: the one that is never committed, or the shared one."""
    return project / ".claude" / ("settings.json" if shared else "settings.local.json")


def plugin_hooks() -> list[Path]:
    """The hook files of the user's installed plug-ins."""
    return sorted((user_settings().parent / "plugins").glob("**/hooks/hooks.json"))
