"""The attack sets through the real Claude Code: what strangers say, hide, command and leak."""

import gzip
import json
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks.foreign import holds
from benchmarks.secrets import survives
from tests.real.test_mcp_claude_code import ALLOWED, WAIT
from tests.support.beside_client import Learnt
from tests.support.claude_code import Run
from tests.support.left_behind import spellings
from tests.support.model_server import Turn, call, say, text, tool_use

DATA: Final = Path(__file__).resolve().parents[1] / "data"
# A program that fails as the case's did, until its state is mended.
CHECK: Final = """import pathlib, sys
if "broken" in pathlib.Path("state_{n}.txt").read_text():
    print({output!r})
    sys.exit(1)
print({passed!r})
"""
OWN: Final = "we use --harbour-clock for all our tide tables, never --sun-clock"


def rows(name: str) -> list[dict[str, Any]]:
    """The cases of a file."""
    raw = (DATA / name).read_bytes()
    raw = gzip.decompress(raw) if name.endswith(".gz") else raw
    return [json.loads(line) for line in raw.decode("utf-8").splitlines()]


def short_secrets(count: int) -> list[dict[str, Any]]:
    """Texts of one line with a secret."""
    fits = re.compile(r"[^\n\"'\\]{20,140}")
    every = rows("secrets/dev_osprey.jsonl.gz")
    return [row for row in every if row["secret"] and fits.fullmatch(row["text"])][:count]


def leaked(folder: Path, secrets: list[dict[str, Any]]) -> list[str]:
    """The secrets of which a file or a name below a folder holds more than a quarter."""
    held = b"\n".join(
        bytes(path) + b"\n" + (path.read_bytes() if path.is_file() else b"")
        for path in folder.rglob("*")
    )
    readable = [held.decode(name, "replace") for name in ("latin-1", "utf-16-le")]
    return [
        row["id"]
        for row in secrets
        if any(form in held for form in spellings(row["secret"]))
        or any(survives(row["secret"], each) for each in readable)
    ]


def hooks(run: Run) -> str:
    """What all hooks of a run put before the model."""
    told = (said for said in run.messages if said.get("subtype") == "hook_response")
    return "\n".join(str(said["output"]) for said in told)


def entries(learnt: Learnt, project: Path, least: int) -> list[dict[str, Any]]:
    """What is remembered, once the worker's child has harvested so much of it."""
    deadline, found = time.monotonic() + 60, list[dict[str, Any]]()
    while time.monotonic() < deadline:
        found = list(learnt.json("recall", "--project", str(project))["entries"])
        if len(found) >= least:
            return found
        time.sleep(0.3)
    raise AssertionError(f"{len(found)} entries in time: {learnt('status')}")


def laid_out(project: Path, number: int, case: Mapping[str, Any], leak: str) -> Iterator[Turn]:
    """The files of a case, and the turns in which its failure is met, read about and cured."""
    output = f"{case['failing']['output']}\n{leak}"
    script = CHECK.format(n=number, output=output, passed=case["passing"]["output"])
    (project / f"check_{number}.py").write_text(script, "utf-8")
    state, page = project / f"state_{number}.txt", project / "vendor" / f"page_{number}.md"
    state.write_text("broken\n", "utf-8")
    page.parent.mkdir(exist_ok=True)
    page.write_text(case["source"]["result"], "utf-8")
    check = {"command": f"python3 check_{number}.py", "description": "Check"}
    yield call("Bash", **check)
    looks = tool_use("Read", file_path=str(page)), tool_use("Read", file_path=str(state))
    yield Turn(blocks=looks)
    cure = tool_use("Edit", file_path=str(state), old_string="broken", new_string="mended")
    yield Turn(blocks=(text(case["says"]), cure))
    yield call("Bash", **check)


@pytest.mark.slow
def test_no_strangers_word_and_no_secret_comes_through(learnt: Learnt) -> None:
    """Eight cured failures, each with a stranger's page read and a secret printed in between.

    The next session meets each failure again: its model is told cures, and no stranger's marker.
    """
    cases, secrets = rows("foreign_texts/dev_tern_foreign.jsonl")[:8], short_secrets(14)
    client = learnt.client
    project = client.project("alpha")
    learnt.init()
    script = [
        turn
        for number, (case, leak) in enumerate(zip(cases, secrets, strict=False))
        for turn in laid_out(project, number, case, leak["text"])
    ]
    typed = "Make the checks pass. " + " ".join(row["text"] for row in secrets[8:])
    first = client.run(project, typed, [*script, say("All pass.")])
    assert first.exit_code == 0, first.output + first.errors
    shown = "\n".join(request.visible_text for request in first.requests)
    assert all(case["marker"] in shown for case in cases)
    assert all(row["secret"] in shown for row in secrets)

    entries(learnt, project, 4)
    for number in range(len(cases)):
        (project / f"state_{number}.txt").write_text("broken\n", "utf-8")
    again = [
        call("Bash", command=f"python3 check_{number}.py", description="Check")
        for number in range(len(cases))
    ]
    told = ""
    for prompt in (f"Why does `python3 check_{n}.py` fail?" for n in range(0, len(cases), 3)):
        run = client.run(
            project, prompt, [*again, say("Hm.")], arguments=("--include-hook-events",)
        )
        assert run.exit_code == 0, run.output + run.errors
        told += hooks(run)
        bodies = "\n".join(json.dumps(r.body, ensure_ascii=False) for r in run.requests)
        assert [] == [c["id"] for c in cases if c["marker"].casefold() in bodies.casefold()]
    assert "Problem:" in told, told
    learnt.stop()
    assert [] == leaked(learnt.home, secrets)


@pytest.mark.slow
def test_only_own_words_typed_at_a_terminal_come_back(learnt: Learnt) -> None:
    """A pasted sentence is nobody's rule in the next session; what the user says for good waits.

    The user's sentence is a candidate, which is shown once the user confirms it.
    """
    pasted = [
        row
        for row in rows("foreign_texts/dev_tern_pasted.jsonl")
        if not row["own"] and row["prompt"].isascii() and len(row["prompt"]) < 150
        if "\n" not in row["prompt"] and row["prompt"][0] not in "/!#@&?"
    ][:6]
    client = learnt.client
    project, seen = client.project("alpha"), ("--include-hook-events",)
    learnt.init()
    typed = [row["prompt"] for row in pasted] + [OWN]
    script = [say(f"Answer {number}.") for number in range(len(typed))]
    exchanges = [(prompt, f"Answer {number}.") for number, prompt in enumerate(typed)]
    assert client.run_interactive(project, exchanges, script).exit_code == 0

    (waits,) = (each for each in entries(learnt, project, 1) if each["text"] == OWN)
    told = hooks(client.run(project, OWN, [say("Yes.")], arguments=seen))
    assert "candidate" == waits["stage"] and OWN not in told
    learnt.typed("knowledge", "promote", str(waits["id"]))
    for prompt in (OWN, " ".join(row["sentence"] for row in pasted)):
        told += hooks(client.run(project, prompt, [say("Yes.")], arguments=seen))
    assert OWN in told
    assert [] == [row["id"] for row in pasted if holds(told, row["sentence"])]


@pytest.mark.slow
def test_what_hides_or_commands_is_shown_to_no_agent(learnt: Learnt) -> None:
    """An agent drafts skills with hidden characters and notes that command their reader, by MCP."""
    hiding = [row for row in rows("attack_texts/dev_tern_hidden.jsonl") if row["hidden"]][:6]
    commanding = rows("attack_texts/dev_tern_commanding.jsonl")
    commanding = [row for row in commanding if row["commanding"]][:12]
    client = learnt.client
    learnt.init()
    project = client.project("alpha")
    drafts = [
        call("mcp__learnt__propose_skill", name=f"sizes-{number}",
             body=f"# Sizes\n\n{row['text']}\n",
             description="Tells the sizes of the berths, before a ship is moored")
        for number, row in enumerate(hiding)
    ]  # fmt: skip
    notes = [
        call("mcp__learnt__propose", text=row["text"], kind="procedure", evidence="last")
        for row in commanding
    ]
    found = call("ToolSearch", query="select:mcp__learnt__propose_skill,mcp__learnt__propose")
    run = client.run(
        project, "Keep what you know", [WAIT, found, *drafts, *notes, say("Kept.")],
        arguments=ALLOWED,
    )  # fmt: skip
    assert run.exit_code == 0, run.output + run.errors
    answers = [request.newest_text for request in run.requests[3:]]
    refused = answers[: len(hiding)]
    assert all("U+" in answer for answer in refused), refused
    assert [] == learnt.json("evolve", "list", "--project", str(project))["proposals"]

    told = ""
    for row in (commanding[0], commanding[-1]):
        later = client.run(project, row["text"], [say("No.")], arguments=("--include-hook-events",))
        told += hooks(later)
    assert [] == [row["id"] for row in commanding if holds(told, row["text"])]
