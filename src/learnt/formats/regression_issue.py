"""A regression of a skill, told in public: redacted, and with no path of the machine it was on."""

import re
from typing import Final

from learnt.core.safety import excerpt

_CHARACTERS: Final = 20_000
_BODY: Final = """The new text of the skill `{name}` did no better than the one before.
{how}

| | version | lacked of success |
| --- | --- | --- |
| before | {parent} | {before} |
| after | {version} | {after} |

## What changed

{fence}diff
{diff}
{fence}

## Rollback

    {rollback}

## Choices

- roll back: the command above, or `learnt health evaluate {name} --roll-back`
- keep: `learnt health evaluate {name} --keep`
- investigate: `learnt health evaluate {name} --investigate`

A person decides. Nothing is rolled back by itself.

<!-- {mark} -->
"""
_TEN: Final = "Before and after are ten executions each, and no proof."
_TRIED: Final = "A coin gave each session one of the two texts, until the evidence was there."


def regression(
    name: str,
    versions: tuple[str, str],
    gaps: tuple[float, float | None],
    diff: str,
    rollback: str,
    mark: str,
    *,
    tried: bool,
) -> tuple[str, str]:
    """The title and the body of an issue."""
    name = _line(name)
    # From the first change on: above it stands where the file lies.
    changes = excerpt(diff[max(0, diff.find("@@")) :].rstrip(), _CHARACTERS)
    longest = max(map(len, re.findall("`+", changes)), default=0)
    after = "not known" if gaps[1] is None else f"{gaps[1]:.3f}"
    body = _BODY.format(
        how=_TRIED if tried else _TEN,
        name=name,
        parent=_line(versions[0]),
        version=_line(versions[1]),
        before=f"{gaps[0]:.3f}",
        after=after,
        fence="`" * max(3, longest + 1),
        diff=changes,
        rollback=excerpt(" ".join(rollback.split()), 300) or "not known",
        mark=mark,
    )
    return f"Skill regression detected: {name}", body


def _line(text: str) -> str:
    return re.sub(r"[`|<>]", "", " ".join(excerpt(text, 100).split()))
