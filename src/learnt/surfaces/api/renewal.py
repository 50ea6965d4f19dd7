"""A skill's file with what a program's record says otherwise; all else of it stays as it is."""

from collections.abc import Mapping

from learnt.core.skills.skill_verdict import judged
from learnt.core.skills.skills import key_of
from learnt.errors import Refused
from learnt.formats import skill_md, skill_text
from learnt.formats.skill_edit import edited


def renewed(
    text: str, name: str, changes: Mapping[str, str], description: str, content: str
) -> str:
    """The text with these values (empty: without the key), description and Markdown.

    A text that the specification refuses is written anew: with all its keys, unknown ones too.
    """
    read = skill_text.read(text, name)
    metadata = read.front.get("metadata")
    inner = metadata if isinstance(metadata, dict) else {}
    try:
        if judged(read.findings, force=False).refused:
            raise Refused("Nothing of it can be kept as it is.")
        new = text
        if content.strip() != read.body.strip():
            head = text.removesuffix(read.body)
            end = "" if head.endswith("\n") else "\n"
            new = f"{head}{end}{content.strip()}\n"
        if description != read.description:
            new = edited(new, "description", description)
        if changes and not inner:
            return edited(new, "metadata", {key: value for key, value in changes.items() if value})
        for key, value in changes.items():
            new = _beneath_metadata(new, key, value or None)
        return new
    except Refused:
        front = {key: value for key, value in read.front.items() if key not in changes}
        kept = {key: value for key, value in {**inner, **changes}.items() if value}
        return skill_md.strict({**front, "metadata": kept}, key_of(name), description, content)


def _beneath_metadata(text: str, key: str, value: str | None) -> str:
    """One key below `metadata` changed, as if its lines were a front matter of their own."""
    rows = text.splitlines(keepends=True)
    without = edited(text, "metadata", None).splitlines(keepends=True)
    first = 1 + next(at for at, row in enumerate(without) if row != rows[at])
    last = first + len(rows) - len(without) - 1
    block = rows[first:last]
    further = len(block[0]) - len(block[0].lstrip()) if block else 0
    if not further or any(row[:further].strip() for row in block):
        raise Refused("Its metadata is not written one key a line. Nothing was changed.")
    mark = rows[0].removeprefix("\ufeff")
    inner = edited("".join([mark, *(row[further:] for row in block), mark]), key, value)
    indented = [block[0][:further] + row for row in inner.splitlines(keepends=True)[1:-1]]
    return "".join([*rows[:first], *indented, *rows[last:]])
