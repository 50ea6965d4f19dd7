"""The schemas of what is answered: current, complete, and true of each answer."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from learnt.formats.answers import Schemas
from learnt.surfaces.cli.commands import learnt_command
from tests.golden.files import FOLDER
from tools.schemas import SEED_NAMES, overview, page, printing, tools_page

DOCS = Path(__file__).parents[2] / "docs"
SCHEMA = json.loads((DOCS / "answers.schema.json").read_text("utf-8"))
TOOLS = json.loads((DOCS / "tools.schema.json").read_text("utf-8"))
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
    """The page and the documents are what is generated from the records."""
    assert page() == (DOCS / "answers.schema.json").read_text("utf-8")
    assert tools_page() == (DOCS / "tools.schema.json").read_text("utf-8")
    assert overview() == (DOCS / "json.md").read_text("utf-8")


def test_each_name_of_seed_002_has_its_own_here() -> None:
    """What the page names beside it are members of a proposal, or of its evidence."""
    shown, evidence = (
        SCHEMA["$defs"][name]["properties"] for name in ("Shown", "ProposalEvidence")
    )
    members = {*shown, *(f"evidence.{name}" for name in evidence), "learnt why ID"}
    named = {name for here in SEED_NAMES.values() for name in re.findall(r"`([^`]+)`", here)}

    assert named <= members
    assert {"id", "evidence.memoryId", "proposal.target_path", "applied_path"} <= {*SEED_NAMES}


def test_every_command_says_what_it_prints() -> None:
    """Whoever has `--json` has the type of its answer, those of domains as well."""
    assert None not in COMMANDS.values()
    assert set(COMMANDS) == set(SCHEMA["properties"])


def test_the_documents_are_schemas() -> None:
    """A validator reads them as such."""
    for schema in (SCHEMA, *(schema for tool in TOOLS.values() for schema in tool.values())):
        jsonschema.Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_what_is_printed_fits(command: str) -> None:
    """Every golden answer of a command is valid by its schema; a member more or less is not."""
    schema = {"$defs": SCHEMA["$defs"], **SCHEMA["properties"][command]}
    fits = jsonschema.Draft202012Validator(schema).is_valid
    answers = printed(command)

    assert answers
    assert all(fits(answer) for answer in answers)
    assert not fits({**(answers[0] or {}), "more": 1})


@pytest.mark.parametrize("tool", sorted(TOOLS))
def test_what_a_tool_takes_and_answers_fits(tool: str) -> None:
    """Every golden call of it is valid by its schemas; a member more is not."""
    calls = json.loads((FOLDER / "mcp" / "tools.json").read_text("utf-8"))
    answered = [call for call in calls if call["call"] == tool and "answer" in call]
    takes, answers = (
        jsonschema.Draft202012Validator(TOOLS[tool][part]).is_valid for part in ("takes", "answers")
    )

    assert answered
    for call in answered:
        assert takes(call["given"]) and not takes({**call["given"], "more": 1})
        assert answers(call["answer"]) and not answers({**call["answer"], "more": 1})


def test_a_tool_answers_what_the_command_prints() -> None:
    """The same record: each member that an agent is told is one that the command prints, alike."""
    for tool, command in (
        ("recall", "recall"), ("recall", "knowledge query"), ("propose", "remember"),
        ("propose", "knowledge capture"), ("status", "status"), ("why", "why"),
        ("confirm", "knowledge confirm"), ("feedback", "knowledge feedback"),
    ):  # fmt: skip
        told = TOOLS[tool]["answers"]
        answers = [told["$defs"][name] for name in _records(told)] if "anyOf" in told else [told]
        printed_as = [SCHEMA["$defs"][name] for name in _records(SCHEMA["properties"][command])]
        assert any(
            answer["properties"].items() <= record["properties"].items()
            for record in printed_as
            for answer in answers
        ), (tool, command)


def _records(schema: Any) -> list[str]:
    return [part["$ref"].rpartition("/")[2] for part in schema.get("anyOf", [schema])]


@pytest.mark.parametrize("kind", [object, complex, set[int]])
def test_a_type_that_no_answer_may_hold_is_refused(kind: Any) -> None:
    """Nothing is guessed."""
    with pytest.raises(TypeError, match="no part of an answer"):
        Schemas().of(kind)
