"""What kind of task an episode was, by its calls."""

import pytest

from learnt.core.health.outcomes import Call
from learnt.core.health.tasks import Task, task


def edit(file: str) -> Call:
    """An edit that went well."""
    return Call(kind="edit", family="Edit", good=True, file=file)


RUN, FAILS = Call(kind="test", good=True), Call(kind="test", good=False)


@pytest.mark.parametrize(
    ("calls", "kind"),
    [
        ([RUN], Task.TEST),
        ([edit("/home/tests/p/a.py"), RUN], Task.CODE),
        ([FAILS, edit("/home/tests/p/a.py"), RUN], Task.FIX),
        ([edit("/home/tests/p/a.py"), FAILS], Task.CODE),
        ([FAILS, edit("/home/tests/p/README.md")], Task.DOCS),
        ([edit("/home/tests/p/tests/test_a.py"), RUN], Task.TEST),
        ([edit("docs/a.py"), edit("docs/a.py"), edit("b.py"), edit("c.py")], Task.CODE),
        ([edit("sales.csv")], Task.DATA),
        ([Call(kind="edit", good=False, file="a.py")], Task.OTHER),
        ([Call(kind="look", family="ls")], Task.OTHER),
        ([Call(kind="change", family="git", good=True)], Task.OPERATE),
        ([Call(kind="check", family="make", good=True)], Task.OPERATE),
    ],
)
def test_a_kind_follows_from_what_was_done(calls: list[Call], kind: Task) -> None:
    """Not from how it ended; of files what most are, told from the project's folder."""
    assert kind is task(calls, "/home/tests/p")
