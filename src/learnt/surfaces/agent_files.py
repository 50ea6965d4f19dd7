"""Where each agent keeps its settings and skills on this machine."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from learnt.core.skills.skills import SkillLayer, SkillSource

if TYPE_CHECKING:
    from learnt.flows.governance.accept import Destination

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


def settings_files(project: Path) -> list[Path]:
    """Claude Code's settings that hold in a project; what a later one says counts."""
    own = (project_settings(project, shared=shared) for shared in (True, False))
    return [user_settings(), *own]


def holding_texts() -> list[Path]:
    """Where agents keep what was said: the files of prompts first, then whatever else is theirs."""
    claude, home = user_folder(), Path.home()
    first = [claude / name for name in ("history.jsonl", "projects", "todos", "file-history")]
    return [*first, claude, home / ".codex", home / ".gemini"]


def list_budget() -> str:
    """The characters that Claude Code is told to list skills in; empty for no word."""
    return os.environ.get("SLASH_COMMAND_TOOL_CHAR_BUDGET", "")


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


def destination(project: Path | None) -> "Destination":
    """Where skills of the user, or of a project, are written, and where links lead to them."""
    from learnt.flows.governance.accept import Destination

    links = link_folders()
    if project is None:
        root = str(canonical_root(None))
        return Destination(root=root, links=tuple((str(folder), "") for folder in links))
    # A repository's own links are claims: neither the skill nor its link goes through one.
    below = ((str(project), ".claude/skills/"),) if links else ()
    return Destination(root=str(project), within=".agents/", links=below)


def route_files() -> tuple[str, ...]:
    """Which files of a project may hold accepted routes; the last is made where none is there."""
    from learnt.formats.draft_md import INSTRUCTIONS, ROUTES

    return (ROUTES, *INSTRUCTIONS, "CLAUDE.md" if user_folder().is_dir() else "AGENTS.md")


# Folders in which agents look for skills, below the user's own folder and below a project's.
_OF_USERS: Final = (".agents", ".codex", ".gemini", ".config/opencode", ".cursor")
_OF_PROJECTS: Final = (".agents", ".claude", ".gemini", ".opencode", ".cursor", ".github")


def skill_folders(project: Path) -> list[str]:
    """Every folder in which skills of the user, and of a project, may lie."""
    return [source.folder for source in skill_sources(project)]


def is_agents(folder: Path) -> bool:
    """Whether a folder is, or lies in, one that agents have: by its name, or by where links lead.

    Of projects those are known that the working folder lies in; of others the names alone.
    """
    named = {name for name in (*_OF_USERS, *_OF_PROJECTS) if "/" not in name}
    here = Path.cwd()
    sources = [source for at in (here, *here.parents) for source in skill_sources(at)]
    theirs = {
        Path(os.path.realpath(path))
        for source in sources
        for path in (source.folder, Path(source.folder).parent)
    }
    real = Path(os.path.realpath(folder))
    words = {word.casefold() for word in (*real.parts, *folder.absolute().parts)}
    return not named.isdisjoint(words) or not theirs.isdisjoint((real, *real.parents))


def skill_sources(project: Path | None, own: Path | None = None) -> list[SkillSource]:
    """The folders of skills of the user and of a project. `own`: one where flat files count."""
    # What several lead to is known by the first, and ours is written in `.agents`.
    ours, *others = (Path.home() / name / "skills" for name in _OF_USERS)
    user = (ours, user_folder() / "skills", *others)
    sources = [SkillSource(str(folder), SkillLayer.USER) for folder in user]
    if own is not None:
        sources.insert(0, SkillSource(str(own), SkillLayer.USER, flat=True))
    if project is not None:
        folders = (project / name / "skills" for name in _OF_PROJECTS)
        sources += [SkillSource(str(folder), SkillLayer.PROJECT) for folder in folders]
    return sources
