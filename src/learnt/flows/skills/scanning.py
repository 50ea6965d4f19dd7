"""What the scanner says of a skill, whoever offers it: a source, an agent, a program."""

from collections.abc import Iterable, Mapping

from learnt.core.skills.findings import Finding
from learnt.core.skills.skill_verdict import judged
from learnt.errors import Refused
from learnt.ports import Outside


def threats(
    outside: Outside, files: Mapping[str, str | bytes], name: str, others: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """The findings on a skill's files; `others` are the names of the skills that are there."""
    from learnt.core.skills.threats import scan  # its patterns take longer than all the rest
    from learnt.formats import skill_text

    text = files.get("SKILL.md", "")
    text = text if isinstance(text, str) else text.decode("utf-8", "replace")
    described = skill_text.read(text, name).description
    if described not in " ".join(text.split()):  # YAML's escapes say something else than they show
        files = {**files, "description of SKILL.md": described}
    return scan(files, name, others, outside.language.commands, outside.language.misleads)


def refuse_threats(outside: Outside, text: str, name: str) -> None:
    """Raise Refused where a SKILL.md has a finding that keeps it from being installed."""
    if refused := judged(threats(outside, {"SKILL.md": text}, name), force=False).refused:
        listed = " ".join(f"{each.rule} (line {each.line}): {each.message}" for each in refused)
        raise Refused(f"Not proposed: {listed} Nothing was kept.")
