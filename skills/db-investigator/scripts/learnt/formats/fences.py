"""Markdown's fenced code: what stands in it is text about text, and none of ours.

This file goes along with an exported folder and runs on Python 3.8.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")


def outside(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The lines outside fenced code, each with its number from 0; a fence's own are left out.

    >>> list(outside(["a", "```", "b", "```", "c"]))
    [(0, 'a'), (4, 'c')]
    """
    fence = ""
    for number, line in enumerate(lines):
        if "`" not in line and "~" not in line:
            if not fence:
                yield number, line
            continue
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
        elif mark:
            fence = mark[1]
        else:
            yield number, line
