"""A fetched skill as one text, which a proposal keeps, and what the scanner says of it."""

import base64
from collections.abc import Iterable, Mapping
from typing import Final

from learnt.core.governance.proposals import BETWEEN
from learnt.core.skills.skills import Finding, judged
from learnt.errors import Refused
from learnt.file_ports import Fetched
from learnt.ports import Outside

LARGEST_PACKED: Final = 2_000_000  # characters that a proposal keeps of a skill
_BINARY: Final = "\x1f"  # before a file that is packed as binary


def packed(fetched: Fetched, *, whole: bool = False) -> str:
    """A skill's source and files as one text, `whole` with SKILL.md. Raises Refused if large."""
    parts = [fetched.source, fetched.kind, fetched.name, fetched.version]
    for path, content in sorted(fetched.files.items()):
        if whole or path != "SKILL.md":
            parts += [path, _as_text(content)]
    text = BETWEEN.join(parts)
    if len(text) > LARGEST_PACKED:
        raise Refused(
            f"{fetched.source} is too large for a proposal: ask the person to run `learnt skills "
            f"install {fetched.source}` on a terminal of their own. Nothing was kept."
        )
    return text


def _as_text(content: bytes) -> str:
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        text = _BINARY
    if BETWEEN in text or _BINARY in text:
        return _BINARY + base64.b64encode(content).decode()
    return text


def unpacked(text: str, files: str) -> Fetched:
    """The skill of a SKILL.md and what `packed` made of the rest."""
    source, kind, name, version, *parts = files.split(BETWEEN)
    contents = {
        path: base64.b64decode(part) if part.startswith(_BINARY) else part.encode()
        for path, part in zip(parts[::2], parts[1::2], strict=True)
    }
    return Fetched(source, kind, name, {"SKILL.md": text.encode(), **contents}, version)


def threats(
    outside: Outside,
    files: Mapping[str, str | bytes],
    name: str,
    others: Iterable[str] = (),
    *,
    ours: bool = False,
) -> tuple[Finding, ...]:
    """The findings on a skill's files beside `others`; we wrote the front matter of `ours`."""
    from learnt.core.skills.threats import scan  # its patterns take longer than all the rest
    from learnt.formats import skill_text

    text = files.get("SKILL.md", "")
    text = text if isinstance(text, str) else text.decode("utf-8", "replace")
    described = skill_text.read(text, name).description
    if described not in " ".join(text.split()):  # YAML's escapes say something else than they show
        files = {**files, "description of SKILL.md": described}
    return scan(files, name, others, outside.language, ours=ours)


def refuse_threats(outside: Outside, text: str, name: str) -> None:
    """Raise Refused where a SKILL.md has a finding that keeps it from being installed."""
    if refused := judged(
        threats(outside, {"SKILL.md": text}, name, ours=True), force=False
    ).refused:
        listed = " ".join(f"{each.rule} (line {each.line}): {each.message}" for each in refused)
        raise Refused(f"Not proposed: {listed} Nothing was kept.")
