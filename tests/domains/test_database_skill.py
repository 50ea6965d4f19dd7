"""The skill db-investigator: a valid one, and true to the commands that it names."""

import re
from importlib import resources
from pathlib import Path

import click
import pytest
import skills_ref
from click.testing import CliRunner

from learnt.core.knowledge.kinds import KINDS
from learnt.domains.database.domain import SKILL
from learnt.surfaces.cli.commands import learnt_command

FOLDER = Path(str(resources.files(SKILL.package) / SKILL.folder))
TEXT = (FOLDER / "SKILL.md").read_text("utf-8")
COMMANDS = sorted(set(re.findall(r"(?:^    |`)learnt ([a-z]+ [a-z]+[^`\n]*)", TEXT, re.MULTILINE)))


def test_it_is_a_valid_skill_of_its_name() -> None:
    """By the specification's own validator."""
    assert ([], SKILL.name) == (skills_ref.validate(FOLDER), FOLDER.name)


def test_it_is_short() -> None:
    """An agent pays for each word whenever it is used."""
    assert len(TEXT) / 4 < 1_700


@pytest.mark.parametrize("line", COMMANDS)
def test_its_commands_are_there_with_their_options(line: str) -> None:
    """Each that it names, as it writes it."""
    command: click.Command = learnt_command
    words = line.split()
    while isinstance(command, click.Group) and words:
        found = command.get_command(click.Context(command), words.pop(0))
        assert found is not None, line
        command = found
    help_text = CliRunner().invoke(command, ["--help"]).output
    assert set(re.findall(r"--[a-z-]+", line)) <= set(re.findall(r"--[a-z-]+", help_text))


def test_it_names_kinds_that_there_are() -> None:
    """And the five gates in their order."""
    named = set(re.findall(r"`([a-z_]+)` \(", TEXT))
    assert {"schema", "business_rule", "query_pattern", "tool_experience", "procedure"} == named
    assert named <= set(KINDS)
    gates = re.findall(r"^\d\. \*\*(\w+)\*\*", TEXT, re.MULTILINE)
    assert ["Value", "Alignment", "Redundancy", "Freshness", "Placement"] == gates
