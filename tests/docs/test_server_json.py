"""`server.json`, as the MCP registry reads it: it names this package at this version."""

import json
import tomllib
from pathlib import Path
from typing import Any

import click
import jsonschema

import learnt
from learnt.settings import HOME_VARIABLE
from learnt.surfaces.cli.commands import learnt_command

ROOT = Path(__file__).parents[2]
SERVER: dict[str, Any] = json.loads((ROOT / "server.json").read_text("utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TEXT = {"type": "string", "minLength": 1}
# What the registry's schema of that date asks of a server that a package manager starts.
ARGUMENT = {
    "type": "object",
    "required": ["type"],
    "properties": {"type": {"enum": ["positional", "named"]}, "value": TEXT, "name": TEXT},
    "if": {"properties": {"type": {"const": "named"}}},
    "then": {"required": ["name"]},
    "else": {"required": ["value"]},
}
VARIABLE = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": TEXT,
        "description": TEXT,
        "format": {"enum": ["string", "number", "boolean", "filepath"]},
    },
}
PACKAGE = {
    "type": "object",
    "additionalProperties": False,
    "required": ["registryType", "identifier", "version", "transport"],
    "properties": {
        "registryType": {"const": "pypi"},
        "registryBaseUrl": {"const": "https://pypi.org"},
        "identifier": TEXT,
        "version": TEXT,
        "runtimeHint": {"const": "uvx"},
        "runtimeArguments": {"type": "array", "items": ARGUMENT},
        "packageArguments": {"type": "array", "items": ARGUMENT},
        "environmentVariables": {"type": "array", "items": VARIABLE},
        "transport": {"type": "object", "properties": {"type": {"const": "stdio"}}},
    },
}
SCHEMA = {
    "type": "object",
    "required": ["$schema", "name", "description", "version", "packages"],
    "properties": {
        "$schema": {
            "pattern": r"^https://static\.modelcontextprotocol\.io/schemas/2025-\d\d-\d\d/server\.schema\.json$"
        },
        "name": {"pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "maxLength": 200},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": TEXT,
        "packages": {"type": "array", "minItems": 1, "items": PACKAGE},
    },
}


def test_it_is_what_the_registry_reads() -> None:
    """By the rules of its schema; a longer description or a package without a version is not."""
    fits = jsonschema.Draft7Validator(SCHEMA).is_valid
    assert fits(SERVER)
    assert not fits(SERVER | {"description": "x" * 101})
    assert not fits(SERVER | {"packages": [{**SERVER["packages"][0], "more": 1}]})


def test_it_names_this_package_at_this_version() -> None:
    """In each place that has a version, with the extra that the server needs."""
    (package,) = SERVER["packages"]
    assert {learnt.__version__} == {SERVER["version"], package["version"], PROJECT["version"]}
    assert PROJECT["name"] == package["identifier"] == SERVER["name"].rpartition("/")[2]
    assert "mcp" in PROJECT["optional-dependencies"]
    (source,) = package["runtimeArguments"]
    assert f"{PROJECT['name']}[mcp]=={learnt.__version__}" == source["value"]


def test_what_it_starts_is_there() -> None:
    """The command, and the variable that it is told of."""
    (package,) = SERVER["packages"]
    (argument,) = package["packageArguments"]
    assert learnt_command.get_command(click.Context(learnt_command), argument["value"])
    assert [HOME_VARIABLE] == [each["name"] for each in package["environmentVariables"]]


def test_the_package_says_that_the_name_is_its_own() -> None:
    """The registry looks for the server's name in the page that the package index shows."""
    page = (ROOT / PROJECT["readme"]).read_text("utf-8")
    assert f"mcp-name: {SERVER['name']}" in page
