"""Where each agent keeps its settings and skills, and the files that `init` puts beside them."""

import os
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from learnt.core.records import JsonObject, member, text_of
from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.formats.agents import settings_text
from learnt.formats.agents.dialects import (
    CLAUDE_CODE,
    CODEX,
    DIALECTS,
    GEMINI_CLI,
    Dialect,
    switched_off,
)
from learnt.formats.observations import lenient
from learnt.stores.plain_files import bytes_of, whole
from learnt.stores.text_files import text_of as text_of_file

if TYPE_CHECKING:
    from learnt.flows.governance.accept import Destination

_LARGEST: Final = 1 << 24
_TRUSTED: Final = "trustedFolders.json"


def user_folder(agent: Dialect = CLAUDE_CODE) -> Path:
    """An agent's folder of the user."""
    configured = os.environ.get(agent.variable) if agent.variable else None
    return Path(configured) if configured else Path.home() / agent.folder


def agent_folder(agent: Dialect, project: Path | None) -> Path:
    """An agent's folder, of the user or of a project."""
    return user_folder(agent) if project is None else project / agent.in_project


def found() -> list[Dialect]:
    """The agents that the user has: each makes a folder of its own when it starts first."""
    return [agent for agent in DIALECTS if user_folder(agent).is_dir()]


def settings_file(agent: Dialect, project: Path | None, *, shared: bool) -> Path:
    """An agent's settings, of the user or of a project: shared by a team, or by nobody."""
    own = agent.own if project is not None and not shared else ""
    return agent_folder(agent, project) / (own or agent.settings)


def servers_file(agent: Dialect) -> Path:
    """The file of the user that names an agent's MCP servers."""
    if agent is CLAUDE_CODE and not os.environ.get(agent.variable):
        return Path.home() / agent.servers  # beside its folder, unless that is named
    return user_folder(agent) / agent.servers


def settings_files(project: Path, agent: Dialect = CLAUDE_CODE) -> list[Path]:
    """An agent's settings that hold in a project; what a later one says counts."""
    shared = [settings_file(agent, project, shared=True)]
    own = [settings_file(agent, project, shared=False)] if agent.own else []
    return [settings_file(agent, None, shared=False), *shared, *own]


def managed_files(agent: Dialect, root: str = "/") -> list[Path]:
    """The settings of an agent that an administrator wrote, which no other overrules."""
    mac = sys.platform == "darwin"
    if agent is GEMINI_CLI:
        own = "/Library/Application Support/GeminiCli" if mac else "/etc/gemini-cli"
        named = os.environ.get("GEMINI_CLI_SYSTEM_SETTINGS_PATH")
        return [Path(named or f"{own}/settings.json")]
    if agent is CODEX:
        return [Path("/etc/codex/managed_config.toml"), Path("/etc/codex/requirements.toml")]
    folder = Path(root, "Library/Application Support/ClaudeCode" if mac else "etc/claude-code")
    more = sorted((folder / "managed-settings.d").glob("*.json"))
    return [folder / "managed-settings.json", *more] if agent is CLAUDE_CODE else []


def hooks_off(agent: Dialect, project: Path) -> tuple[str, str]:
    """What keeps an agent from running hooks in a project, and how to turn them on; or nothing."""
    defaults = list[Path]()  # of this machine, which a user's own overrule
    if agent is CODEX:
        defaults = [Path("/etc/codex/config.toml")]
        files = [agent_folder(agent, where) / agent.servers for where in (None, project)]
        known = member(member(_read(agent, files[0]), "projects"), str(project))
        files = files[: 1 + (member(known, "trust_level") == "trusted")]
    else:
        files = settings_files(project, agent)
    managed = list(map(str, managed_files(agent)))
    if agent is GEMINI_CLI:
        named = os.environ.get("GEMINI_CLI_SYSTEM_DEFAULTS_PATH")
        defaults = [Path(named or Path(managed[0]).with_name("system-defaults.json"))]
    layers = [(str(file), _read(agent, file)) for file in (*defaults, *files, *map(Path, managed))]
    key, file = switched_off(agent, layers, managed)
    if file:
        mend = f"Take it out of {file}."
        if Path(file) in defaults or file in managed:
            mend = "Ask your administrator."
        return f"{file} switches hooks off: {key}", mend
    if agent is GEMINI_CLI and _distrusted(project):
        file = str(user_folder(agent) / _TRUSTED)
        return f"{file} says not to trust {project}", "Start `gemini` there and type /permissions."
    return "", ""


def _distrusted(project: Path) -> bool:
    """Whether Gemini CLI was told not to trust a folder, by the longest path that holds it."""
    rules = _read(GEMINI_CLI, user_folder(GEMINI_CLI) / _TRUSTED)
    holding = {
        path: how
        for path, how in rules.items()
        if project.is_relative_to(Path(path).parent if how == "TRUST_PARENT" else path)
    }
    return bool(holding) and holding[max(holding, key=len)] == "DO_NOT_TRUST"


def _read(agent: Dialect, file: Path) -> JsonObject:
    """An agent's settings; none where it cannot read them."""
    try:
        return read_settings(agent, file)
    except (OSError, ValueError, RecursionError):
        return {}


def read_settings(agent: Dialect, file: Path) -> JsonObject:
    """An agent's settings in a file. Raises OSError, or ValueError where it cannot read them."""
    text = text_of_file(whole(file))
    return tomllib.loads(text) if file.suffix == ".toml" else settings_text.parse(text, agent)


def holding_texts() -> list[Path]:
    """Where agents keep what was said: the files of prompts first, then whatever else is theirs."""
    claude = user_folder()
    first = [claude / name for name in ("history.jsonl", "projects", "todos", "file-history")]
    others = [user_folder(agent) for agent in DIALECTS]
    return [*first, *others, Path.home() / ".local" / "share" / "opencode"]


def plugin_hooks(agent: Dialect) -> list[Path]:
    """The hook files of the user's plug-ins that are installed, and not turned off."""
    folder = user_folder(agent)
    if agent is CODEX:  # it removes what is not installed
        return sorted((folder / "plugins" / "cache").glob("*/*/*/hooks/hooks.json"))
    if agent is not CLAUDE_CODE:
        return []
    installed, settings = (
        lenient((bytes_of(path, _LARGEST) or b"").decode("utf-8", "replace"))
        for path in (folder / "plugins" / "installed_plugins.json", folder / "settings.json")
    )
    plugins, turned = member(installed, "plugins"), member(settings, "enabledPlugins")
    rows = [
        row
        for name, found in (plugins.items() if isinstance(plugins, dict) else ())
        if member(turned, name) is not False and isinstance(found, list)
        for row in found
    ]
    paths = {text_of(member(row, "installPath")) for row in rows} - {""}
    return sorted(Path(path) / "hooks" / "hooks.json" for path in paths)


def canonical_root(project: Path | None) -> Path:
    """The folder that all agents' skills lie below, of the user or of a project."""
    return (Path.home() if project is None else project) / ".agents"


def destination(project: Path | None) -> "Destination":
    """Where skills of the user, or of a project, are written, and where links lead to them."""
    from learnt.flows.governance.accept import Destination

    # Where agents that the user has look for skills, if not in `.agents/skills`.
    links = [agent_folder(agent, project) / agent.links for agent in found() if agent.links]
    if project is None:
        root = str(canonical_root(None))
        return Destination(root=root, links=tuple((str(folder), "") for folder in links))
    # A repository's own links are claims: neither the skill nor its link goes through one.
    below = tuple((str(project), f"{folder.relative_to(project)}/") for folder in links)
    return Destination(root=str(project), within=".agents/", links=below)


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
