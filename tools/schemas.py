"""Pages on what commands print with `--json` and what tools answer, made of the records."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import click

from learnt.formats.answers import Schema, Schemas
from learnt.surfaces.cli.commands import learnt_command
from learnt.surfaces.mcp_server import described
from learnt.surfaces.mcp_tools import TOOLS


def printing(command: click.Command, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every command that has `--json`, and the type of what it prints; None where none is said."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            below = command.get_command(context, word)
            assert below is not None
            yield from printing(below, f"{name} {word}".strip())
        return
    answers = getattr(command, "answers", None)
    if answers is not None or any("--json" in option.opts for option in command.params):
        yield name, answers


def document() -> Schema:
    """All schemas: `commands` by name, and the records that they refer to."""
    schemas = Schemas()
    commands = {
        name: schemas.of(answers)
        for name, answers in sorted(printing(learnt_command), key=lambda pair: pair[0])
        if answers is not None
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "What `learnt COMMAND --json` prints, by command",
        "type": "object",
        "properties": commands,
        "$defs": dict(sorted(schemas.records.items())),
    }


def tools() -> dict[str, dict[str, Schema]]:
    """What each tool of the MCP server takes and answers, as a client reads it."""
    told = {name: described(name) for name in TOOLS}
    return {
        name: {"takes": tool.input_schema, "answers": tool.output_schema or {}}
        for name, tool in told.items()
    }


def page() -> str:
    """The document as text: a command and a record a line."""
    whole = document()
    parts = [f" {_line(part)}: {_lines(whole.pop(part))}" for part in ("properties", "$defs")]
    head = [f" {_line(name)}: {_line(value)}" for name, value in whole.items()]
    return "{\n" + ",\n".join([*head, *parts]) + "\n}\n"


def tools_page() -> str:
    """The schemas of the tools as text: what one takes or answers a line."""
    parts = [f" {_line(name)}: {_lines(schemas)}" for name, schemas in tools().items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _lines(schemas: Mapping[str, Schema]) -> str:
    rows = [f"  {_line(name)}: {_line(schema)}" for name, schema in schemas.items()]
    return "{\n" + ",\n".join(rows) + "\n }"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def overview() -> str:
    """A page of the commands and the tools with what each answers."""
    whole, rows = document(), []
    for name, schema in whole["properties"].items():
        refs = [part["$ref"].rpartition("/")[2] for part in schema.get("anyOf", [schema])
                if "$ref" in part]  # fmt: skip
        said = " Or: ".join(whole["$defs"][ref]["description"] for ref in refs)
        rows.append(f"| `{name}` | {', '.join(f'`{ref}`' for ref in refs)} | {said} |")
    commands = "\n".join(rows)
    kinds = {
        name: getattr(tool.answers, "__args__", (tool.answers,)) for name, tool in TOOLS.items()
    }
    told = "\n".join(
        f"| `{name}` | {', '.join(f'`{kind.__name__}`' for kind in own)} |"
        for name, own in kinds.items()
    )
    seed = "\n".join(f"| `{there}` | {here} |" for there, here in SEED_NAMES.items())
    return _PAGE.format(commands=commands, tools=told, seed=seed)


# The members of seed 002's proposals, and what has the same here.
SEED_NAMES = {
    "id": "`id`",
    "type": "`kind`, of which there are eight",
    "evidence.memoryId": "`evidence.about`",
    "evidence.reuseCount": "`evidence.count`",
    "evidence.sessions": "`evidence.distinct`, their number",
    "evidence.firstSurfaced": "`evidence.first_ms`",
    "evidence.lastSurfaced": "`evidence.last_ms`",
    "proposal.kind": "`kind`",
    "proposal.target_path": "`target`; the whole path is `path`",
    "proposal.diff": "`content` is the text, `diff` what accepting it changes",
    "proposal.rationale": "`rationale`",
    "status": "`status`",
    "created_at": "`proposed_ms`",
    "timestamp": "the last event of `learnt why ID`",
    "applied_path": "`path`, once it is decided on",
}
_PAGE = """# What is answered

Generated from the records that commands print and tools answer, by `python -m tools.docs`. A
question has one record: a command prints it as text or with `--json`, a tool of the
[MCP server](mcp.md) answers it.

## With `--json`

The schemas are in [`answers.schema.json`](answers.schema.json): `properties` has them by command,
`$defs` by record. A refusal prints no JSON: it is a line on standard error and an exit code.
Members may be added to an answer; none changes its meaning or goes without a line in the changelog.

| command | answer | |
|---|---|---|
{commands}

### Beside seed 002's proposals

A proposal's members (`Shown` of `evolve list`, `show`, `analyze`) are not called as there:

- a skill's version, a topic, an edit are proposals as well: nothing is named for a memory alone;
- every time in an answer is in milliseconds since 1970 and ends in `_ms`;
- `diff` was the whole file; here it is a diff, and the file is `content`;
- sessions were listed; they are counted, since their names are nobody's to pass on.

`learnt import` reads the seed's own files as they are.

| there | here |
|---|---|
{seed}

## Over MCP

What a tool takes and answers is in [`tools.schema.json`](tools.schema.json), as the server tells
its clients. An answer is the same JSON, made fit for an agent [by one rule](mcp.md#the-answers).

| tool | answer |
|---|---|
{tools}
"""
