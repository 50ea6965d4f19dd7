"""Every command and every tool answers what it answered when the golden files were recorded."""

import json
from difflib import unified_diff

import pytest

from learnt.surfaces.cli.commands import learnt_command
from tests.docs.test_command_help import commands
from tests.golden.files import held, recorded
from tests.golden.steady import Steady


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What is answered now."""
    return recorded(tmp_path_factory.mktemp("golden"))


@pytest.mark.parametrize("name", sorted(held()))
def test_an_answer_is_what_it_was(name: str, answers: dict[str, str]) -> None:
    """Equal to the golden file, but for what differs in every run; else the lines that differ."""
    before, now = held()[name].split("\n"), answers.get(name, "").split("\n")
    assert [] == list(unified_diff(before, now, lineterm="", n=2))


def test_every_command_with_json_is_called(answers: dict[str, str]) -> None:
    """At least once, and what it answers is held."""
    calls = [call["call"] for text in answers.values() for call in json.loads(text)]
    printing = [
        name
        for name, command in commands(learnt_command)
        if any("--json" in parameter.opts for parameter in command.params)
    ]

    assert set(answers) == set(held())
    assert 20 < len(printing)
    assert [] == [name for name in printing if not any(call.startswith(name) for call in calls)]


def test_what_differs_in_every_run_is_steady() -> None:
    """Names are numbered as they are first seen; what is said of them stays."""
    steady = Steady({"/tmp/x": "FOLDER"})

    first = steady("e-065wzsb8000000 in /tmp/x at 2026-11-22 01:02:03, 0.66667, e-065wzsb8000000")
    again = steady('e-065wzsb8000001 {"took_ms": 12, "count": 12} 1.0 0.25')

    assert "entry-1 in FOLDER at 2000-01-01 00:00:00, 0.667, entry-1" == first
    assert 'entry-2 {"took_ms": 1, "count": 12} 1.0 0.25' == again
