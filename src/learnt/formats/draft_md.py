"""Drafts for a person to review: skills from entries, agents or sessions, routes from misses."""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final

from learnt.core.distil.distilled import DistilledSkill, Matter
from learnt.core.events import Origin
from learnt.core.governance.misses import Cluster
from learnt.core.governance.skill_drafts import SkillDraft
from learnt.core.identifiers import EntryId, ProposalId, handle
from learnt.core.records import Record, member, text_of
from learnt.core.safety import neutralise
from learnt.core.skills.skills import LONGEST_DESCRIPTION
from learnt.errors import Refused
from learnt.formats import skill_md
from learnt.formats.fences import outside
from learnt.formats.injection import Note, day, one_line

ROUTES: Final = "rules/common/agent-intent-routing.md"
INSTRUCTIONS: Final = (
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    "AGENTS.md",
)  # that agents read by themselves
SECTION: Final = "## Proposed by Learnt"
# In a file that is not the rules' own the section stands between these lines.
BEGIN: Final = "<!-- learnt: accepted by you; `learnt evolve undo ID` takes one out -->"
END: Final = "<!-- /learnt -->"
_NEW_ROUTES: Final = "# Agent intent routing\n"
_ROUTE_NOTE: Final = "_Nothing is routed by this: name an agent for `TODO-agent`, or delete it._"
SAMPLES: Final = 3
LONGEST_ABOUT: Final = 600  # of a description
LONGEST_TRIGGER: Final = 120  # of a prompt in a description, which agents always read
_sample, _item = partial(one_line, most=200), partial(one_line, most=600)


# One line of several sentences is told as steps; an abbreviation ends none.
_STEP: Final = re.compile(
    r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\betc\.)(?<!\bvs\.)\s+(?=\S)|;\s+|(?<=[。！？；])(?=\S)"
)
_CLAUSE: Final = re.compile(r";\s+|；")


class DraftContext(Record):
    """What a draft tells beside its note: `wording` in its language, prompts that recalled it.

    `captured` is the note's own date, `language` and `files` what the note names.
    """

    wording: Mapping[str, str]
    prompts: tuple[str, ...] = ()
    captured: str = ""
    language: str = ""
    files: tuple[str, ...] = ()


def _quoted(samples: Iterable[str]) -> str:
    return "\n".join(f'- "{_sample(sample)}"' for sample in samples)


def _paragraphs(text: str) -> str:
    """Text that stays text: no line of it starts a heading, a rule or a block of code."""
    return re.sub(r"^([^\S\n]*)(?=[#=`~>|+*_-])", r"\1\\", neutralise(text), flags=re.MULTILINE)


def _steps(text: str, following: str) -> str:
    """What is to be done: numbered, where one line says several things."""
    steps = _parts(text, following)
    if "\n" in text.strip() or len(steps) < 2:
        return _paragraphs(text)
    return "\n".join(f"{number}. {_paragraphs(step)}" for number, step in enumerate(steps, 1))


def _parts(text: str, following: str) -> list[str]:
    sentences = (step for line in text.strip().splitlines() for step in _STEP.split(line))
    cut = (re.split(following, sentence) if following else [sentence] for sentence in sentences)
    return [part.strip() for parts in cut for part in parts if part.strip()]


def steps_of(note: Note, wording: Mapping[str, str]) -> list[str]:
    """What a note says is to be done, one step after the other."""
    _, approach = _parted(note, wording.get("condition", ""))
    return _parts(approach, wording.get("following", ""))


def _parted(note: Note, condition: str) -> tuple[str, str]:
    """The problem and what to do: one sentence "X when Y; do Z" says both."""
    text = (note.approach or note.text).strip()
    problem, *todo = _CLAUSE.split(text, maxsplit=1)
    alone = note.problem.strip() in {"", text} and "\n" not in text and not _STEP.search(problem)
    if alone and todo and condition and re.search(condition, problem, re.IGNORECASE):
        return problem, todo[0]
    return note.problem, text


def skill(name: str, proposal: ProposalId, notes: Sequence[Note], beside: DraftContext) -> str:
    """The SKILL.md that an entry, or several on one subject, would become."""
    say, note = beside.wording, notes[0]
    problem, approach = _parted(note, say.get("condition", ""))
    like = "; ".join(f"“{one_line(prompt, LONGEST_TRIGGER)}”" for prompt in beside.prompts[:2])
    use = f"{say['use']}: {like}" if like else ""
    origin = {
        "memory": ", ".join(each.id for each in notes),
        "captured": beside.captured or day(note.kept_ms),
        "tags": ", ".join(note.tags),
        "files": ", ".join(beside.files),
        "language": beside.language,
    }
    # But for these headings and the keys above the text is the note's, which the scanner reads.
    sections = {
        "problem": _paragraphs(problem),
        "approach": _steps(approach, say.get("following", "")),
        "gotchas": "\n".join(f"- {one_line(caution, 2_000)}" for caution in note.cautions),
        "when": _quoted(beside.prompts[:SAMPLES]),
    }
    if len(notes) > 1:
        known = "\n".join(f"- {one_line(each.said, 2_000)}" for each in notes)
        sections = {"known": known, "when": sections["when"]}
    told = "\n\n".join(f"## {say[key]}\n\n{text}" for key, text in sections.items() if text)
    about = "; ".join(each.problem or each.text for each in notes)
    described = one_line(about, LONGEST_ABOUT)
    described += "" if described[-1:] in ".!?…。！？" else "."
    return _skill_md(name, proposal, f"{described} {use}".strip(), f"# {name}\n\n{told}", **origin)


def _skill_md(name: str, proposal: ProposalId, description: str, body: str, **more: str) -> str:
    texts = {key: skill_md.unmarked(_sample(text)) for key, text in more.items() if text}
    metadata = {"learnt-proposal": proposal, **texts}
    return skill_md.render(name, skill_md.unmarked(description), metadata, body)


def drafted(proposal: ProposalId, draft: SkillDraft, notes: Iterable[EntryId] = ()) -> str:
    """The SKILL.md of a skill that was written for review: its body as it is.

    `notes` are those that it was made of.
    """
    described = one_line(draft.description, 1_000)
    return _skill_md(draft.name, proposal, described, draft.body, memory=", ".join(notes))


def emptied(
    name: str, proposal: ProposalId, erased: Iterable[EntryId], known: Sequence[str], own: str
) -> str:
    """A skill's text after notes of it were erased: what its other notes say, its person's lines.

    >>> emptied("a", ProposalId("v-1"), [EntryId("e-1")], [], "Mine.").split(". ")[-1]
    'Write what holds now, or delete this skill.\\n\\nMine.\\n'
    """
    gone = ", ".join(map(handle, erased))
    told = f"> **Out of date.** Notes that this was made of were erased ({gone}). Write what holds "
    said = "\n".join(f"- {one_line(each, 2_000)}" for each in known)
    about = one_line("; ".join(known), LONGEST_ABOUT)
    described = about or f"Out of date: ask the user what holds now for {name}."
    body = [f"# {name}", f"{told}now, or delete this skill.", said, own]
    return _skill_md(name, proposal, described, "\n\n".join(filter(None, body)))


def route(proposal: ProposalId, misses: Cluster, samples: Sequence[str]) -> str:
    """The block that a cluster of misses would add to the routing rules: inert until edited."""
    names, words = (
        [_sample(word).translate(str.maketrans("`|", "'/")) for word in terms]
        for terms in (misses.named, misses.words)
    )
    about = ", ".join(f"`{term}`" for term in words)
    counted = f"{misses.count} prompts of this cluster found nothing known."
    return "\n\n".join([
        f"### TODO-agent — covers prompts about {', '.join(names)}",
        f"Trigger if the user mentions {about}.",
        "| Signal | Real human phrasing |\n|---|---|\n"
        f"| repeated unrouted prompt cluster | {', '.join(words)} |",
        f"**Origin:** Learnt, `{proposal}` — {counted} Recent samples:",
        *([_quoted(samples)] if samples else []),
        _ROUTE_NOTE,
    ])


def rule(proposal: ProposalId, text: str) -> str:
    """The block that a person's rule would add to a file of instructions, in their words."""
    return f"### Rule (`{proposal}`)\n\n{_paragraphs(text.strip())}"


def with_route(rules: str | None, block: str, *, marked: bool = False) -> str:
    """The rules with one more block at the end of Learnt's own section; all other lines stay.

    With `marked` a section that is made stands between marks.

    >>> with_route("# Rules", "### TODO-agent — locks").splitlines()[2::2]
    ['## Proposed by Learnt', '### TODO-agent — locks']
    >>> with_route(None, "### TODO-agent — locks", marked=True).splitlines()[-1]
    '<!-- /learnt -->'
    """
    lines = (("" if marked else _NEW_ROUTES) if rules is None else rules).split("\n")
    start, end = _section(lines)
    while end and not lines[end - 1].strip():
        end -= 1  # blank lines alone stand between what was there and what is added
    head, tail = "\n".join(lines[:end]), "\n".join(lines[end:]).lstrip("\r\n")
    if start is None:
        section = f"{BEGIN}\n{SECTION}" if marked else SECTION
        head = f"{head}\n\n{section}" if head else section
        block = f"{block}\n\n{END}" if marked else block
    after = f"\n\n{tail}" if tail.strip() else "\n"
    return f"{head}\n\n{block}{after}"


def without_route(rules: str, block: str, before: str | None) -> str | None:
    """The routing rules without a block that they hold once; None where nothing is left of them.

    `before` is what the rules were before the block: a section or a file made for it goes with it.

    >>> added = with_route("# Rules", "### TODO-agent — locks")
    >>> without_route(added + "\\n## Mine\\n", "### TODO-agent — locks", "# Rules")
    '# Rules\\n\\n## Mine\\n'
    """
    head, _, tail = rules.partition(block)
    head, tail = head.rstrip("\r\n"), tail.lstrip("\r\n")
    emptied = head.endswith(SECTION) and (not tail or tail.startswith(("# ", "## ", END)))
    if emptied and SECTION not in (before or ""):
        head = head.removesuffix(SECTION).rstrip("\r\n")
        if head.endswith(BEGIN) and tail.startswith(END):
            head = head.removesuffix(BEGIN).rstrip("\r\n")
            tail = tail.removeprefix(END).lstrip("\r\n")
    if before is None and not tail and head in {"", _NEW_ROUTES.rstrip("\n")}:
        return None
    return "\n\n".join(filter(None, (head, tail))) if tail else f"{head}\n"


def block_of(rules: str, proposal: ProposalId) -> str | None:
    """The block that names a proposal, from its heading to the next; None where none does.

    >>> block_of("# Rules\\n\\n### locks\\n\\nroute-1\\n\\n## Mine\\n", ProposalId("route-1"))
    '### locks\\n\\nroute-1'
    """
    lines = rules.split("\n")
    named = next((number for number, line in enumerate(lines) if proposal in line), None)
    if named is None:
        return None
    marks = ("# ", "## ", "### ", END)
    headings = [number for number, line in enumerate(lines) if line.startswith(marks)]
    start = max((number for number in headings if number <= named), default=0)
    end = min((number for number in headings if number > named), default=len(lines))
    return "\n".join(lines[start:end]).strip("\r\n")


def _section(lines: Sequence[str]) -> tuple[int | None, int]:
    """The line of Learnt's section, if there is one, and the line before which it ends."""
    start: int | None = None
    for number, line in outside(lines):
        if start is not None and line.startswith(("# ", "## ", END)):
            return start, number
        if line.strip() == SECTION and start is None:
            start = number
    return start, len(lines)


# The least trusted first; of two words at most, so that none is read before what the skill says.
_ORIGINS: Final = {
    Origin.WEB: "web pages",
    Origin.MIXED: "unvouched words",
    Origin.ASSISTANT: "a model",
    Origin.TOOL: "commands",
    Origin.REPOSITORY: "the repository",
    Origin.USER: "a person",
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
        "engine": engine,
        "session": session[:8],
        "rests-on": _ORIGINS[draft.origin],
    }
    quotes = "\n".join(f'- "{_item(quote)}"' for quote in draft.quotes)
    body = "\n\n".join([
        f"# {_sample(draft.title) or name}",
        *sections(draft.parts),
        *([f"## Example\n\n{_item(draft.example)}"] if draft.example else []),
        *([f"## Evidence\n\n{quotes}"] if quotes else []),
    ])
    described = skill_md.unmarked(one_line(draft.description, 1_000))
    kept = {key: skill_md.unmarked(_sample(value)) for key, value in metadata.items() if value}
    return skill_md.render(name, described, kept, body)


def sections(parts: Iterable[Matter]) -> list[str]:
    """Each matter as a section: when, the steps, what to beware of."""
    written = []
    for number, part in enumerate(parts, 1):
        steps = "\n".join(f"{at}. {_item(step)}" for at, step in enumerate(part.steps, 1))
        pitfalls = "\n".join(f"- {_item(pitfall)}" for pitfall in part.pitfalls)
        heading = "## What to do" if number == 1 else "## And"
        beware = f"What did not work:\n\n{pitfalls}" if pitfalls else ""
        written.append("\n\n".join(filter(None, (heading, _item(part.when), steps, beware))))
    return written


def with_parts(text: str, parts: Sequence[Matter], draft: DistilledSkill | None = None) -> str:
    """A skill's text with more matters behind what it says, and in its description.

    Of a `draft` the evidence is quoted; its front matter names the least trusted origin.

    >>> print(with_parts("# A", [Matter("When b fails.", ("Run c.",))]).splitlines()[2:6])
    ['## And', '', 'When b fails.', '']
    """
    from learnt.formats import skill_text  # yaml takes longer than all the rest
    from learnt.formats.front_matter import edited, read, with_metadata

    added = [section.replace("## What to do", "## And", 1) for section in sections(parts)]
    if draft is not None:
        quotes = [f'- "{_item(quote)}"' for quote in draft.quotes]
        added += ["\n".join(["Evidence:", "", *quotes])] if quotes else []
    with suppress(Refused):  # what has no front matter has no description
        described = skill_text.read(text, "").description
        more = "; ".join(_sample(part.when) for part in parts if part.when not in described)
        if more:
            text = edited(
                text, "description", f"{described.rstrip('.')}; {more}"[:LONGEST_DESCRIPTION]
            )
        if draft is not None:
            before = text_of(member(read(text).get("metadata"), "rests-on"))
            both = {_ORIGINS[draft.origin], before}
            least = next(words for words in _ORIGINS.values() if words in both)
            text = with_metadata(text, "rests-on", least)
    return f"{text.rstrip()}\n\n" + "\n\n".join(added) + "\n"
