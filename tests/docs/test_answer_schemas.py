"""The schemas of what `--json` prints: current, complete, and true of what is printed."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from learnt.surfaces.cli.commands import learnt_command
from tests.golden.files import FOLDER
from tools.schemas import Schemas, overview, page, printing

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "answers.schema.json").read_text("utf-8"))
COMMANDS = dict(printing(learnt_command))


def printed(command: str) -> list[Any]:
    """What the golden files have of a command."""
    paths = (FOLDER / "json").glob("*.json")
    calls = [call for path in paths for call in json.loads(path.read_text("utf-8"))]
    return [
        call["answer"]
        for call in calls
        if "answer" in call and f"{call['call']} ".startswith(f"{command} ")
    ]


def test_they_are_current() -> None:
    """The page and the document are what is generated from the records."""
    assert page() == (DOCS / "answers.schema.json").read_text("utf-8")
    assert overview() == (DOCS / "json.md").read_text("utf-8")


def test_every_command_says_what_it_prints() -> None:
    """Whoever has `--json` has the type of its answer, those of domains as well."""
    assert None not in COMMANDS.values()
    assert set(COMMANDS) == set(SCHEMA["properties"])


def test_the_document_is_a_schema() -> None:
    """A validator reads it as one."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_what_is_printed_fits(command: str) -> None:
    """Every golden answer of a command is valid by its schema; a member more or less is not."""
    schema = {"$defs": SCHEMA["$defs"], **SCHEMA["properties"][command]}
    fits = jsonschema.Draft202012Validator(schema).is_valid
    answers = printed(command)

    assert answers
    assert all(fits(answer) for answer in answers)
    assert not fits({**(answers[0] or {}), "more": 1})


@pytest.mark.parametrize("kind", [object, complex, set[int]])
def test_a_type_that_no_answer_may_hold_is_refused(kind: Any) -> None:
    """Nothing is guessed."""
    with pytest.raises(TypeError, match="no part of an answer"):
        Schemas().of(kind)
