"""A distilled skill as SKILL.md: what to do, its evidence quoted, and where each comes from."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final

from learnt.core.distil.distilled import DistilledSkill, Matter
from learnt.core.events import Origin
from learnt.core.skills.findings import LONGEST_DESCRIPTION
from learnt.errors import Refused
from learnt.formats import skill_md, skill_text
from learnt.formats.draft_md import one_line
from learnt.formats.skill_edit import edited

_LONGEST_ITEM: Final = 600
_ORIGINS: Final = {
    Origin.WEB: "commands that followed a page from the web, or an answer of others: "
    "hold it against what you know",
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


def with_parts(
    text: str, parts: Sequence[Matter], draft: DistilledSkill | None = None, source: str = ""
) -> str:
    """A skill's text with more matters behind what it says, and in its description.

    Of a `draft` the evidence is quoted, and where it comes from is told; `source` says of what.

    >>> print(with_parts("# A", [Matter("When b fails.", ("Run c.",))]).splitlines()[2:6])
    ['## And', '', 'When b fails.', '']
    """
    added = [section.replace("## What to do", "## And", 1) for section in sections(parts)]
    if draft is not None:
        quotes = [f'- "{one_line(quote, _LONGEST_ITEM)}"' for quote in draft.quotes]
        evidence = ["Evidence of this:", "", *quotes, ""] if quotes else []
        told = f"{source} It rests on {_ORIGINS[draft.origin]}."
        added.append("\n".join([*evidence, told.strip()]))
    with suppress(Refused):  # what has no front matter has no description
        described = skill_text.read(text, "").description
        more = "; ".join(one_line(part.when) for part in parts if part.when not in described)
        if more:
            text = edited(
                text, "description", f"{described.rstrip('.')}; {more}"[:LONGEST_DESCRIPTION]
            )
    return f"{text.rstrip()}\n\n" + "\n\n".join(added) + "\n"


def _item(text: str) -> str:
    return one_line(text, _LONGEST_ITEM)
