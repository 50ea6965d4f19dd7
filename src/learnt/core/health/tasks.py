"""What kind of task an episode was, by what was done in it: by nobody's words, nor by its end.

Effects are told by it. It is known only after what is shown was shown, which may have changed it:
so it describes, and nothing is decided by it.
"""

import re
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import Final

from learnt.core.health.outcomes import CallEvidence


class TaskKind(StrEnum):
    """A kind of task. The value is the stored form."""

    FIX = "fix"  # code is edited after something failed
    CODE = "code"
    TEST = "test"  # tests are edited, or run and nothing edited
    DOCS = "docs"
    DATA = "data"
    OPERATE = "operate"  # commands alone that change or build something
    OTHER = "other"


_FILES: Final = (
    (
        TaskKind.TEST,
        re.compile(r"(?:^|/)(?:tests?|specs?|__tests__)/|(?:^|/)test_|[_.](?:test|spec)\."),
    ),
    (TaskKind.DOCS, re.compile(r"(?:^|/)docs?/|\.(?:md|mdx|rst|txt|adoc|tex)$|(?:^|/)[A-Z]+$")),
    (TaskKind.DATA, re.compile(r"\.(?:csv|tsv|jsonl|ndjson|parquet|xlsx|ipynb)$")),
)


def task(calls: Iterable[CallEvidence], root: str = "") -> TaskKind:
    """The kind of an episode by its calls in order: what most of the edited files are, at first.

    Files are looked at from the folder `root`.

    >>> edit = CallEvidence(kind="edit", good=True, file="a.py")
    >>> task([CallEvidence(kind="test", good=False), edit]).value
    'fix'
    >>> task([CallEvidence(kind="edit", good=True, file="docs/a.md")]).value, task([]).value
    ('docs', 'other')
    """
    failed = mends = False
    files: dict[str, TaskKind] = {}
    ran: set[str] = set()
    for call in calls:
        if call.kind == "edit":
            if call.good is not False:
                file = call.file.removeprefix(f"{root}/")
                of_file = (kind for kind, pattern in _FILES if pattern.search(file))
                files[call.file] = next(of_file, TaskKind.CODE)
                mends = mends or failed
        else:
            ran.add("change" if call.changes else call.kind)
            failed = call.good is False if call.kind in {"test", "check"} else failed
    if files:
        most = Counter(files.values()).most_common(1)[0][0]
        return TaskKind.FIX if most is TaskKind.CODE and mends else most
    if "test" in ran:
        return TaskKind.TEST
    return TaskKind.OPERATE if ran & {"change", "check"} else TaskKind.OTHER


def stored(text: str) -> TaskKind:
    """The kind of a stored text; other where none is, or of a version that knew others.

    >>> stored("docs").value, stored("").value
    ('docs', 'other')
    """
    return next((kind for kind in TaskKind if kind.value == text), TaskKind.OTHER)
