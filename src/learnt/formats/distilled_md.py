"""A distilled skill as SKILL.md: what to do, its evidence quoted, and where each comes from."""

from collections.abc import Iterable
from typing import Final

from learnt.core.distil.distilled import DistilledSkill, Matter
from learnt.core.events import Origin
from learnt.formats import skill_md
from learnt.formats.draft_md import one_line

_LONGEST_ITEM: Final = 600
_ORIGINS: Final = {
    Origin.WEB: "commands that followed a page from the web: hold it against what you know",
    Origin.MIXED: "words that nobody vouches for",
    Origin.ASSISTANT: "an agent's or a model's words",
    Origin.TOOL: "commands and their results",
    Origin.REPOSITORY: "files of the repository",
    Origin.USER: "a person's own words",
}


def rendered(
    name: str, draft: DistilledSkill, session: str, engine: str, proposal: str = ""
) -> str:
    """The SKILL.md of a draft."""
    metadata = {
        "source": "distilled",
        "tags": ", ".join(draft.tags),
        "agent_roles": ", ".join(draft.roles),
        "pipeline_stages": ", ".join(draft.stages),
        "learnt-proposal": proposal,
    }
    quotes = "\n".join(f'- "{one_line(quote, _LONGEST_ITEM)}"' for quote in draft.quotes)
    origin = f"Distilled by {engine} from session {one_line(session)[:8] or 'unknown'}. "
    body = "\n\n".join([
        f"# {one_line(draft.title) or name}",
        *sections(draft.parts),
        *([f"## Example\n\n{_item(draft.example)}"] if draft.example else []),
        *([f"## Evidence\n\n{quotes}"] if quotes else []),
        f"## Origin\n\n{origin}It rests on {_ORIGINS[draft.origin]}.",
    ])
    described = skill_md.unmarked(one_line(draft.description, 1_000))
    kept = {key: skill_md.unmarked(one_line(value)) for key, value in metadata.items() if value}
    return skill_md.render(name, described, kept, body)


def sections(parts: Iterable[Matter]) -> list[str]:
    """Each matter as a section: when, the steps, what to beware of."""
    told = []
    for number, part in enumerate(parts, 1):
        steps = "\n".join(f"{at}. {_item(step)}" for at, step in enumerate(part.steps, 1))
        pitfalls = "\n".join(f"- {_item(pitfall)}" for pitfall in part.pitfalls)
        heading = "## What to do" if number == 1 else "## And"
        beware = f"What did not work:\n\n{pitfalls}" if pitfalls else ""
        told.append("\n\n".join(filter(None, (heading, _item(part.when), steps, beware))))
    return told


def with_parts(text: str, parts: Iterable[Matter]) -> str:
    """A skill's text with more matters behind what it says.

    >>> with_parts("# A\\n", [Matter("When b fails.", ("Run c.",))])
    '# A\\n\\n## And\\n\\nWhen b fails.\\n\\n1. Run c.\\n'
    """
    added = [section.replace("## What to do", "## And", 1) for section in sections(parts)]
    return f"{text.rstrip()}\n\n" + "\n\n".join(added) + "\n"


def _item(text: str) -> str:
    return one_line(text, _LONGEST_ITEM)
