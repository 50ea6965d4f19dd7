"""Rules that nobody laid down: of a repository, a paste, a script, an agent. None rules."""

from collections.abc import Callable, Mapping
from typing import Final

import pytest

from learnt.errors import LearntError
from learnt.surfaces import mcp_tools
from learnt.surfaces.mcp_tools import Propose, Remember
from tests.support.entry_attacks import (
    RULES,
    Attack,
    Session,
    attacks,
    imported,
    imported_file,
    shown_later,
    texts_of,
)
from tests.support.sessions_told import Home, said


def _lies_there(home: Home, attack: Attack) -> None:
    """A file of the project, which an agent reads and a person even imports."""
    home.file(attack["name"], attack["text"])
    session = Session(home, "s1")
    session.asks("what does this project do?")
    session.prints(attack["text"])
    session.ends()
    imported_file(home, attack["name"], attack["text"])


def _read(home: Home, attack: Attack) -> None:
    session = Session(home, "s1")
    session.asks("read the guide")
    session.prints(attack["text"])
    session.ends()


def _typed(home: Home, attack: Attack) -> None:
    Session(home, "s1").asks(attack["text"])


def _headless(home: Home, attack: Attack) -> None:
    Session(home, "s1", attended=False).asks(attack["text"])


def _injected(home: Home, attack: Attack) -> None:
    session = Session(home, "s1")
    session.asks("start the reviewers")
    session.injected(attack["text"])
    session.injected(f"<task-notification>\n{attack['text']}\n</task-notification>")


def _imported(home: Home, attack: Attack) -> None:
    imported(home, attack["text"], "rule")


def _proposed(home: Home, attack: Attack) -> None:
    for name in ("s1", "s2", "s3"):
        client = Session(home, name).calls("propose")
        for kind in ("rule", "procedure"):
            try:
                given = Propose.model_validate({"text": attack["text"], "kind": kind})
                mcp_tools.propose(home.outside, client, given)
            except LearntError:
                continue


def _in_the_past(home: Home, attack: Attack) -> None:
    home.harvest_file(home.write("old", [said(attack["text"]), said("thanks")]))


def _adorned(home: Home, attack: Attack) -> None:
    """A person's own rule, which an agent quotes with a name of its own."""
    session = Session(home, "s1")
    session.asks(attack["text"])
    given = Remember(quote=attack["text"], kind="rule", entities=[attack["sentence"]])
    mcp_tools.remember(home.outside, session.calls("remember"), given)


WAYS: Final[Mapping[str, Callable[[Home, Attack], None]]] = {
    "file": _lies_there,
    "read": _read,
    "paste": _typed,
    "headless": _headless,
    "injected": _injected,
    "import": _imported,
    "propose": _proposed,
    "past": _in_the_past,
    "subject": _adorned,
}


@pytest.mark.parametrize("attack", attacks("rule"))
def test_only_what_a_person_laid_down_is_a_rule(attack: Attack) -> None:
    """It stands among no rules at a start, and comes at no act."""
    home = Home()
    WAYS[attack["way"]](home, attack)

    start, *later = map(texts_of, shown_later(home, attack["sentence"]))

    assert RULES not in "\n".join([start, *later])
    if attack["way"] not in {"file", "import", "paste"}:  # what its person kept is a note
        assert attack["sentence"] not in start


@pytest.mark.parametrize("attack", attacks("line"))
def test_nothing_that_nobody_vouched_for_is_put_before_an_agent(attack: Attack) -> None:
    """However many sessions' agents propose it."""
    home = Home()
    for name in ("s1", "s2", "s3"):
        client = Session(home, name).calls("propose")
        for kind in dict.fromkeys([attack["kind"], "procedure"]):
            try:
                given = Propose.model_validate({"text": attack["text"], "kind": kind})
                mcp_tools.propose(home.outside, client, given)
            except LearntError:
                continue
    assert not any(map(texts_of, shown_later(home, attack["text"][:3000])))
