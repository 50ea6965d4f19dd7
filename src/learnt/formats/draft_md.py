"""Drafts for a person to review: a skill from an entry or an agent, a route from misses."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from learnt.core.governance.misses import Cluster
from learnt.core.governance.skill_drafts import SkillDraft
from learnt.core.identifiers import ProposalId
from learnt.core.safety import neutralise
from learnt.formats import skill_md
from learnt.formats.fences import outside
from learnt.formats.injection import Note, day

ROUTES: Final = "rules/common/agent-intent-routing.md"
SECTION: Final = "## Proposed by Learnt"
_NEW_ROUTES: Final = "# Agent intent routing\n"
_BANNER: Final = (
    "> **Auto-derived draft.** Written by Learnt from a note that kept being recalled. Review,\n"
    "> refine and rename it before you share it."
)
_ROUTE_NOTE: Final = (
    "_Nothing is routed by this block: replace `TODO-agent` by an agent's name and move it to the\n"
    "right tier, or delete it._"
)
SAMPLES: Final = 3
LONGEST_SAMPLE: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrence:
    """How often and in how many sessions a note was recalled, and prompts that recalled it."""

    count: int
    sessions: int
    prompts: tuple[str, ...] = ()


def one_line(text: str, most: int = LONGEST_SAMPLE) -> str:
    """A text of anybody's as one harmless line, no longer than that."""
    line = " ".join(neutralise(text).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def _quoted(samples: Iterable[str]) -> str:
    return "\n".join(f'- "{one_line(sample)}"' for sample in samples)


def _paragraphs(text: str) -> str:
    """Text that stays text: no line of it starts a heading, a rule or a block of code."""
    return re.sub(r"^([^\S\n]*)(?=[#=`~>|+*_-])", r"\1\\", neutralise(text), flags=re.MULTILINE)


def skill(name: str, proposal: ProposalId, note: Note, seen: Recurrence) -> str:
    """The SKILL.md that an entry would become."""
    examples = _quoted(seen.prompts[:SAMPLES]) or "- (no prompt is kept)"
    cautions = "\n".join(f"- {one_line(caution, 2_000)}" for caution in note.cautions)
    tags = ", ".join(one_line(tag) for tag in note.tags)
    parts = [
        f"# {name}",
        _BANNER,
        f"## Problem\n\n{_paragraphs(note.problem)}",
        f"## Approach\n\n{_paragraphs(note.approach)}",
        f"## Gotchas\n\n{cautions}" if cautions else "",
        "## When to invoke\n\n_Replace this section by the conditions that call for it._ "
        f"Prompts that it would have served:\n\n{examples}",
        "## Origin\n\n"
        f"- Memory id: `{note.id}`\n- Captured at: {day(note.kept_ms)}\n"
        f"- Proposal: `{proposal}`" + (f"\n- Tags: {tags}" if tags else ""),
    ]
    description = f"{one_line(note.problem, 600)} (a draft that Learnt derived from {note.id})"
    body = "\n\n".join(part for part in parts if part)
    return _skill_md(name, proposal, description, body)


def _skill_md(name: str, proposal: ProposalId, description: str, body: str) -> str:
    return skill_md.render(
        name, skill_md.unmarked(description), {"learnt-proposal": proposal}, body
    )


def drafted(proposal: ProposalId, draft: SkillDraft) -> str:
    """The SKILL.md of a skill that was written for review: its body as it is."""
    return _skill_md(draft.name, proposal, one_line(draft.description, 1_000), draft.body)


def route(proposal: ProposalId, misses: Cluster, samples: Sequence[str]) -> str:
    """The block that a cluster of misses would add to the routing rules: inert until edited."""
    names, words = (
        [one_line(word).replace("`", "'") for word in terms]
        for terms in (misses.named, misses.words)
    )
    ticked = " and ".join(f"`{name}`" for name in names)
    return "\n\n".join([
        f"### TODO-agent — prompts about {', '.join(names)}",
        f"Trigger if the user mentions {ticked}.",
        "| Signal | Real human phrasing |\n|---|---|\n"
        f"| prompts that nothing known bore on | {', '.join(words)} |",
        f"**Origin:** Learnt, `{proposal}`: {misses.count} prompts found nothing that is known.",
        f"Samples:\n\n{_quoted(samples[:SAMPLES])}",
        _ROUTE_NOTE,
    ])


def with_route(rules: str | None, block: str) -> str:
    """The rules with one more block at the end of Learnt's own section; all other lines stay.

    >>> with_route("# Rules", "### TODO-agent — locks").splitlines()[2::2]
    ['## Proposed by Learnt', '### TODO-agent — locks']
    """
    lines = (_NEW_ROUTES if rules is None else rules).split("\n")
    start, end = _section(lines)
    while end and not lines[end - 1].strip():
        end -= 1  # blank lines alone stand between what was there and what is added
    head, tail = "\n".join(lines[:end]), "\n".join(lines[end:]).lstrip("\r\n")
    section = "" if start is not None else f"\n\n{SECTION}"
    after = f"\n\n{tail}" if tail.strip() else "\n"
    return f"{head}{section}\n\n{block}{after}"


def without_route(rules: str, block: str, before: str | None) -> str | None:
    """The routing rules without a block that they hold once; None where nothing is left of them.

    `before` is what the rules were before the block: a section or a file made for it goes with it.

    >>> added = with_route("# Rules", "### TODO-agent — locks")
    >>> without_route(added + "\\n## Mine\\n", "### TODO-agent — locks", "# Rules")
    '# Rules\\n\\n## Mine\\n'
    """
    head, _, tail = rules.partition(block)
    head, tail = head.rstrip("\r\n"), tail.lstrip("\r\n")
    emptied = head.endswith(SECTION) and (not tail or tail.startswith(("# ", "## ")))
    if emptied and SECTION not in (before or ""):
        head = head.removesuffix(SECTION).rstrip("\r\n")
    if before is None and not tail and head == _NEW_ROUTES.rstrip("\n"):
        return None
    return f"{head}\n\n{tail}" if tail else f"{head}\n"


def block_of(rules: str, proposal: ProposalId) -> str | None:
    """The block that names a proposal, from its heading to the next; None where none does.

    >>> block_of("# Rules\\n\\n### locks\\n\\nroute-1\\n\\n## Mine\\n", ProposalId("route-1"))
    '### locks\\n\\nroute-1'
    """
    lines = rules.split("\n")
    named = next((number for number, line in enumerate(lines) if proposal in line), None)
    if named is None:
        return None
    marks = ("# ", "## ", "### ")
    headings = [number for number, line in enumerate(lines) if line.startswith(marks)]
    start = max((number for number in headings if number <= named), default=0)
    end = min((number for number in headings if number > named), default=len(lines))
    return "\n".join(lines[start:end]).strip("\r\n")


def _section(lines: Sequence[str]) -> tuple[int | None, int]:
    """The line of Learnt's section, if there is one, and the line before which it ends."""
    start: int | None = None
    for number, line in outside(lines):
        if start is not None and line.startswith(("# ", "## ")):
            return start, number
        if line.strip() == SECTION and start is None:
            start = number
    return start, len(lines)
