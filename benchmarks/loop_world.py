"""The world of the played loop: a project, its person's prompts, how often a use succeeds."""

import os
import random  # noqa: TID251  # seeded: the same play in every run
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple

from learnt.surfaces.agent_calls import Client
from tests.support.in_memory import FixedClock

BEGAN_MS: Final = 1_772_000_000_000
MINUTE_MS, DAY_MS = 60_000, 86_400_000
STAGES: Final = (
    "kept", "recalled", "drafted", "accepted", "used", "flagged", "improved", "trial", "promoted",
    "measured",
)  # fmt: skip
ASKS_ABOUT_EFFECTS: Final = 50  # sessions, after which `learnt status` asks
TOLD: Final = (
    "When you release the gateway, bump VERSION first; then run make bundle; then run "
    "./ship.sh gateway; then check the canary page."
)
FIX: Final = "Before `./ship.sh gateway` run `git push --tags`: without its tag it stops."
LACKS: Final = "Exit code 1\nerror: tag v2.4.1 is not on the remote"
RELEASES: Final = (
    "Please release the gateway, the login fix must go out",
    "Release the gateway with what is on main",
    "Can you release the gateway now? QA said yes",
    "We need to release the gateway before the demo",
)
OTHERS: Final = (
    ("Sort the invoices by their due date", "billing/invoices.py"),
    ("Let the avatar upload keep the whole picture", "web/avatar.py"),
    ("Rename the helper that parses dates", "lib/dates.py"),
    ("Show the parcel's weight on the label", "labels/weight.py"),
    ("Reduce the log noise of the scheduler", "jobs/scheduler.py"),
    ("Add a column for the customer's region", "crm/regions.py"),
)
BESIDE: Final = "check-migrations"
BESIDE_TEXT: Final = f"""---
name: {BESIDE}
description: Checks the database migrations before they are merged. Use when a migration is new.
---

# Migrations

Run `./migrate.sh --dry-run` and read its plan.
"""
BESIDE_SUCCESS: Final = 0.8
Row = dict[str, Any]


class Effect(NamedTuple):
    """How often a use of the first text succeeds, and of the improved one."""

    old: float
    new: float


class Moment(NamedTuple):
    """A day and a session, both from 1."""

    day: int
    session: int


BEFORE: Final = Moment(0, 0)


class Waited(NamedTuple):
    """What Learnt said last before a stage came, and when it said so."""

    stage: str
    day: int
    session: int
    said: str


@dataclass(slots=True)
class SeededRandom:
    """Bytes that are the same for a seed."""

    of: random.Random

    def bytes(self, count: int) -> bytes:
        """That many of them."""
        return self.of.randbytes(count)


@dataclass
class Play:
    """What is so far; `note`, `draft`, `skill` and `better` are the ids that the loop is about."""

    folder: Path
    effect: Effect
    rate: float
    a_day: int
    chance: random.Random
    clock: FixedClock
    now: Moment = BEFORE
    stages: dict[str, Moment] = field(default_factory=dict)
    said: dict[tuple[str, str], Waited] = field(default_factory=dict)
    note: str = ""
    third_recall: Moment | None = None
    draft: str = ""
    skill: str = ""
    better: str = ""
    beside: str = ""
    uses_to_flag: int = 0  # from the first that failed
    asked_to_improve: bool = False
    effects_on: Moment | None = None
    false_promotions: int = 0

    @property
    def home(self) -> Path:
        """Learnt's folder."""
        return self.folder / "home"

    @property
    def project(self) -> Path:
        """The folder that is worked in."""
        return self.folder / "project"

    def reached(self, stage: str) -> None:
        """A stage came, if it had not yet."""
        self.stages.setdefault(stage, self.now)

    def waits(self, said: str) -> None:
        """What Learnt says while the next stage has not come; of what begins alike, the last."""
        stage = next((each for each in STAGES if each not in self.stages), "")
        if stage and said:
            line = " ".join(said.split())
            begins = re.sub(r"\d", "", line)[:40]
            self.said[stage, begins] = Waited(stage, *self.now, line)


@contextmanager
def own_folders(folder: Path) -> Iterator[None]:
    """The agent's and the person's own folders, below this one."""
    names = {"HOME": folder / "person", "CLAUDE_CONFIG_DIR": folder / "person" / ".claude"}
    before = {name: os.environ.get(name) for name in names}
    try:
        for name, path in names.items():
            path.mkdir(parents=True, exist_ok=True)
            os.environ[name] = str(path)
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


def step(tool: str, given: Row, result: str) -> Row:
    """A call of a tool, and what it came to."""
    return {"tool": tool, "input": given, "result": result, "failed": False}


def tool(name: str, does: Callable[[Client], object]) -> Row:
    """A call of one of Learnt's tools."""
    return {**step(f"mcp__learnt__{name}", {}, "done"), "does": does}


def ran(command: str, result: str) -> Row:
    """A command of the shell."""
    return step("Bash", {"command": command}, result)


def edited(path: str) -> Row:
    """A change of a file."""
    given = {"file_path": path, "old_string": "a = 1", "new_string": "a = 2"}
    return step("Edit", given, "updated")


def numbered(told: str) -> str:
    """The steps that a person told, one a line."""
    steps = told.removeprefix("When you release the gateway, ").rstrip(".").split("; then ")
    return "\n".join(f"{n}. {step[:1].upper()}{step[1:]}." for n, step in enumerate(steps, 1))
