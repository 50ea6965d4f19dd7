"""What kind of task an episode was, by its calls."""

import pytest

from learnt.core.health.outcomes import CallEvidence, TaskKind, task


def edit(file: str) -> CallEvidence:
    """An edit that went well."""
    return CallEvidence(kind="edit", family="Edit", good=True, file=file)


RUN, FAILS = CallEvidence(kind="test", good=True), CallEvidence(kind="test", good=False)


@pytest.mark.parametrize(
    ("calls", "kind"),
    [
        ([RUN], TaskKind.TEST),
        ([edit("/home/tests/p/a.py"), RUN], TaskKind.CODE),
        ([FAILS, edit("/home/tests/p/a.py"), RUN], TaskKind.FIX),
        ([edit("/home/tests/p/a.py"), FAILS], TaskKind.CODE),
        ([FAILS, edit("/home/tests/p/README.md")], TaskKind.DOCS),
        ([edit("/home/tests/p/tests/test_a.py"), RUN], TaskKind.TEST),
        ([edit("docs/a.py"), edit("docs/a.py"), edit("b.py"), edit("c.py")], TaskKind.CODE),
        ([edit("sales.csv")], TaskKind.DATA),
        ([CallEvidence(kind="edit", good=False, file="a.py")], TaskKind.OTHER),
        ([CallEvidence(kind="look", family="ls")], TaskKind.OTHER),
        ([CallEvidence(kind="change", family="git", good=True)], TaskKind.OPERATE),
        ([CallEvidence(kind="check", family="make", good=True)], TaskKind.OPERATE),
    ],
)
def test_a_kind_follows_from_what_was_done(calls: list[CallEvidence], kind: TaskKind) -> None:
    """Not from how it ended; of files what most are, told from the project's folder."""
    assert kind is task(calls, "/home/tests/p")
