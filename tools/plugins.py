"""Writes the plug-ins and their marketplaces, or with --check says which are not as they should be.

All of them come from what `learnt init` writes: the hooks, commands, subagents and skills. Nothing
of a user's lies in a plug-in, whose folders its agent deletes: what is learnt stays in the home.
"""

import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import Final

import learnt
from learnt.formats.agents import hook_settings
from learnt.formats.agents.dialects import CLAUDE_CODE, CODEX, STARTS, Dialect
from learnt.stores import exported
from learnt.surfaces.registering import commands_and_agents, companion_skills

ROOT: Final = Path(__file__).resolve().parent.parent
CLAUDE: Final = Path("plugins/claude-code/learnt")
FOR_CODEX: Final = Path("plugins/codex/learnt")
SAID: Final = "What was learnt once is recalled in later sessions, under your control."
HOOKS_DO: Final = "Reports to Learnt, and shows what it recalls."
OWNER: Final = {"name": "The Learnt developers"}
KEYWORDS: Final = ["memory", "skills", "local-first"]
_NO_PROGRAM: Final = (
    "The plug-in of Learnt needs the program: uv tool install learnt (or pipx install learnt), "
    "then start a new session. Until then it does nothing."
)
_SERVER: Final = {"mcpServers": {"learnt": {"command": "learnt", "args": ["mcp"]}}}
_README: Final = """# Learnt, as a plug-in of {agent}

{said}

It recalls what is known of a prompt, or of a call that failed, and puts it before the agent; it
records how sessions came out, and proposes knowledge and skills of it, which wait until you decide
on a terminal of your own (`learnt review`). Everything stays on this machine.

## What it needs

The program, once: `uv tool install learnt`, or `pipx install learnt`. Without the program the
plug-in does nothing, and one line says so when a session starts.

## What it brings

{brings}

What is learnt lies in Learnt's own home, which all agents share, and never in the plug-in's
folders: it is there after the plug-in was removed. `learnt doctor` tries everything. Where hooks
are registered by `learnt init` as well, each event counts once all the same, and `learnt doctor`
says so.
{more}"""
_CLAUDE_BRINGS: Final = """- hooks for eleven events, which end silently whatever is missing;
- `/learnt:memory`, `/learnt:memory-evolve`, `/learnt:harvest`, `/learnt:learnt-draft`,
  `/learnt:learnt-tidy`;
- the skills `self-evolving-memory` and `knowledge-governor`, the subagent `skill-improver`;
- the MCP server `learnt mcp`."""
_CODEX_BRINGS: Final = """- hooks, which end silently whatever is missing;
- the skills `self-evolving-memory` and `knowledge-governor`;
- the MCP server `learnt mcp`."""
_TRUST: Final = """
Codex runs a hook only once you trust it: type /hooks, and trust those that name learnt_hook.
"""
_BY_CLAUDE: Final = """
From a copy of the repository: `claude plugin marketplace add FOLDER`, then `claude plugin install
learnt@learnt`.
"""
ICON: Final = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" role="img" \
aria-label="Learnt">
<rect width="64" height="64" rx="14" fill="#1f4d46"/>
<path d="M20 14v34h26" fill="none" stroke="#f4f1e8" stroke-width="7" stroke-linecap="round"/>
<circle cx="43" cy="24" r="7" fill="#e0a53a"/>
</svg>
"""


def pretty(value: object) -> str:
    """A JSON file's text."""
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def manifest() -> dict[str, object]:
    """What both kinds of plug-ins say of themselves."""
    return {
        "name": "learnt",
        "version": learnt.__version__,
        "description": SAID,
        "author": OWNER,
        "license": "Apache-2.0",
        "keywords": KEYWORDS,
    }


def plugin_command(event: str) -> str:
    """The command of a plug-in: a shared entry that gets its hook from the program by itself.

    Where there is no program either, a session's start tells so in one line.

    >>> plugin_command("Stop") == hook_settings.shared_command("Stop")
    True
    """
    shared = hook_settings.shared_command(event)
    if event.rpartition("/")[2] != STARTS:
        return shared
    launcher, calls = hook_settings.LAUNCHER, f'; [ -x "$h" ] && "$h" {event} '
    get = "command -v learnt >/dev/null 2>&1 && learnt hook --inline SetUp >/dev/null 2>&1"
    said = shlex.quote(json.dumps({"systemMessage": _NO_PROGRAM}))
    more = f'; [ -x "$h" ] || {{ {get}; {launcher}; }}; [ -x "$h" ] || printf %s {said}'
    return shared.replace(calls, more + calls)


def _beside(agent: Dialect, brings: str, more: str) -> dict[str, str]:
    """The files that both kinds of plug-ins have."""
    return {
        ".mcp.json": pretty(_SERVER),
        "README.md": _README.format(agent=agent.title, said=SAID, brings=brings, more=more),
        "LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8"),
        "icon.svg": ICON,
    }


def claude() -> dict[str, str]:
    """The files of Claude Code's plug-in and its marketplace, by their paths."""
    registered = hook_settings.with_hooks({}, plugin_command)
    skills = companion_skills("learnt").items()
    texts = commands_and_agents("learnt")
    texts |= {f"skills/{name}/SKILL.md": text for name, text in skills}
    files = {
        **{
            name: text.replace("mcp__learnt__", "mcp__plugin_learnt_learnt__")
            for name, text in texts.items()
        },
        ".claude-plugin/plugin.json": pretty(manifest()),
        "hooks/hooks.json": pretty({"description": HOOKS_DO, **registered}),
        **_beside(CLAUDE_CODE, _CLAUDE_BRINGS, _BY_CLAUDE),
    }
    entry = {"name": "learnt", "source": f"./{CLAUDE.as_posix()}", "description": SAID}
    market = {
        "name": "learnt", "description": SAID, "owner": OWNER, "plugins": [entry],
    }  # fmt: skip
    return {
        **{(CLAUDE / name).as_posix(): text for name, text in files.items()},
        ".claude-plugin/marketplace.json": pretty(market),
    }


def codex() -> dict[str, str]:
    """The files of Codex' plug-in and its marketplace, by their paths."""
    registered = hook_settings.with_hooks({}, plugin_command, dialect=CODEX)
    about = {"displayName": "Learnt", "shortDescription": SAID, "category": "Productivity"}
    parts = {"skills": "./skills/", "mcpServers": "./.mcp.json", "hooks": "./hooks/hooks.json"}
    files = {
        **{f"skills/{name}/SKILL.md": text for name, text in companion_skills("learnt").items()},
        ".codex-plugin/plugin.json": pretty({**manifest(), **parts, "interface": about}),
        "hooks/hooks.json": pretty(registered),
        **_beside(CODEX, _CODEX_BRINGS, _TRUST),
    }
    entry = {
        "name": "learnt",
        "source": {"source": "local", "path": f"./{FOR_CODEX.as_posix()}"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Productivity",
    }
    market = {"name": "learnt", "interface": {"displayName": "Learnt"}, "plugins": [entry]}
    return {
        **{(FOR_CODEX / name).as_posix(): text for name, text in files.items()},
        ".agents/plugins/marketplace.json": pretty(market),
    }


INVESTIGATOR: Final = Path("skills/db-investigator")  # where `npx skills add` looks
_NEEDS: Final = (
    'Needs the command `learnt` with its database extra (pipx install \\"learnt[database]\\").'
)
_ALONE: Final = (ROOT / "tools/skill_scripts/alone.md").read_text(encoding="utf-8")


def investigator() -> dict[str, str]:
    """The skill that investigates databases, with scripts of its own, by their paths."""
    package = ROOT / "src/learnt/domains/database/skills/db-investigator/SKILL.md"
    text = package.read_text(encoding="utf-8")
    own = "Uses the command `learnt`, or else its own scripts (Python 3.8, PyMySQL)."
    for old, new in ((_NEEDS, own), ("## If something is missing\n", _ALONE)):
        assert old in text
        text = text.replace(old, new)
    index = "# What is known of this database\n\n| topic | what it holds |\n|---|---|\n"
    files = {"SKILL.md": text, "references/_index.md": index, **exported.scripts()}
    for path in (ROOT / "tools" / "skill_scripts").glob("*.py"):
        files[f"scripts/{path.name}"] = path.read_text(encoding="utf-8")
    return {(INVESTIGATOR / name).as_posix(): text for name, text in files.items()}


def main() -> int:
    """Write the plug-ins; with --check only compare, 1 where one is not as it should be."""
    check, wanted = "--check" in sys.argv, {**claude(), **codex(), **investigator()}
    folders = [ROOT / CLAUDE, ROOT / FOR_CODEX, ROOT / INVESTIGATOR]
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    there = {path.relative_to(ROOT).as_posix() for path in files}
    stale = sorted(there - wanted.keys())
    for name, text in wanted.items():
        path = ROOT / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    for name in stale:
        print(f"{name}: {'stale; run python -m tools.plugins' if check else 'written'}")
    if stale and not check:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        for name, text in wanted.items():
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_text(text, encoding="utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
