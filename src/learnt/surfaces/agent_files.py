"""Where each agent keeps its settings and skills on this machine."""

import os
from pathlib import Path
from typing import Final

AGENTS: Final = ("claude",)


def user_folder() -> Path:
    """Claude Code's folder of the user."""
    configured = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(configured) if configured else Path.home() / ".claude"


def user_settings() -> Path:
    """Claude Code's settings of the user."""
    return user_folder() / "settings.json"


def project_settings(project: Path, *, shared: bool) -> Path:
    """Claude Code's settings of a project: the one that is never committed, or the shared one."""
    return project / ".claude" / ("settings.json" if shared else "settings.local.json")


def plugin_hooks() -> list[Path]:
    """The hook files of the user's installed plug-ins."""
    return sorted((user_settings().parent / "plugins").glob("**/hooks/hooks.json"))


def command_folder(project: Path | None) -> Path:
    """Where Claude Code looks for slash commands, of the user or of a project."""
    return user_folder() / "commands" if project is None else project / ".claude" / "commands"


def canonical_root(project: Path | None) -> Path:
    """The folder that all agents' skills lie below, of the user or of a project."""
    return (Path.home() if project is None else project) / ".agents"


def link_folders() -> list[Path]:
    """Where Claude Code, if the user has a folder of it, looks for skills."""
    own = user_folder()
    return [own / "skills"] if own.is_dir() else []


def skill_folders(project: Path) -> list[str]:
    """Every folder in which skills of the user, and of a project, may lie."""
    folders = (canonical_root(None), user_folder(), canonical_root(project), project / ".claude")
    return [str(folder / "skills") for folder in folders]
