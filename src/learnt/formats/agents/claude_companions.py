"""What `init` gives Claude Code beside its hooks: slash commands, and skills that explain.

The texts lie in `companions/`, where `{learnt}` is the program as a shell reads it.
"""

from typing import Final

from learnt.formats import skill_md
from learnt.formats.own_texts import own_text

_DECIDE: Final = (
    "Only the person decides: `accept`, `reject`, `undo` and `review` refuse your calls. Never "
    "try; ask them to run `learnt review` in a terminal of their own."
)
_COMMANDS: Final = "memory memory-evolve harvest learnt-draft learnt-tidy".split()
_AGENTS: Final = ("skill-improver.md",)  # it improves one skill, and may propose alone
_SKILLS: Final = {
    "self-evolving-memory": "Use when the user asks to remember a solution, asks what is "
    "remembered, or asks about repeated recalls, missed prompts or proposals for skills and routes "
    "(Learnt).",
    "knowledge-governor": "Use before you investigate how a system, its data or its rules work, "
    "and after you found out something about them that a later session would need (Learnt).",
}


def _text(name: str, learnt: str) -> str:
    return own_text(f"agents/companions/{name}").format(learnt=learnt, _DECIDE=_DECIDE)


def commands(learnt: str) -> dict[str, str]:
    """The slash commands by file name; `learnt` is the program as a shell reads it."""
    return {f"{name}.md": _text(f"{name}.md", learnt) for name in _COMMANDS}


def agents(learnt: str) -> dict[str, str]:
    """The subagents by file name, for the program as a shell reads it."""
    return {name: _text(name, learnt) for name in _AGENTS}


def skills(learnt: str) -> dict[str, str]:
    """The text of each SKILL.md by its skill's name, for the program as a shell reads it."""
    return {
        name: skill_md.render(name, description, {"author": "learnt"}, _text(f"{name}.md", learnt))
        for name, description in _SKILLS.items()
    }
