"""The real Claude Code investigates a database: what it found out is known, until that changes."""

import json
import shutil
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from learnt.core.identifiers import handle
from tests.support.beside_client import LEARNT, Learnt
from tests.support.claude_code import Run
from tests.support.model_server import Turn, call, say

ROOT = Path(__file__).parents[2]
SKILL = ROOT / "src" / "learnt" / "domains" / "database" / "skills" / "db-investigator"
SHOP_SERVER = ROOT / "tests" / "support" / "shop_server.py"
FACT = "rental.returned is NULL while the film is out, and never before that"
PROMPT = "Which films are out? How does rental.returned tell?"
OUT = "SELECT film FROM rental WHERE returned IS NULL"
CONNECTED = (
    "for i in $(seq 100); do grep -qs 'Successfully connected' "
    '"$(ls -t "$HOME"/.cache/claude-cli-nodejs/*/mcp-logs-shop/* | head -n 1)" && break; '
    "sleep 0.1; done"
)


class Shop:
    """A project with a database that Learnt knows, and the skill."""

    def __init__(self, learnt: Learnt) -> None:
        self.learnt, self.client = learnt, learnt.client
        self.project = self.client.project("alpha")
        self.file = self.client.folder / "shop.db"
        self.change(
            "CREATE TABLE rental (id INTEGER PRIMARY KEY, film TEXT NOT NULL, returned TEXT)",
            "INSERT INTO rental VALUES (1, 'Ace', NULL), (2, 'Ark', '2026-01-05')",
        )
        learnt.init()
        learnt("db", "setup", "--name", "shop", "--url", f"sqlite:///{self.file}")
        shutil.copytree(SKILL, self.project / ".claude" / "skills" / SKILL.name)

    def change(self, *orders: str) -> None:
        """What its owner does."""
        with closing(sqlite3.connect(self.file)) as connection:
            for order in orders:
                connection.execute(order)
            connection.commit()

    def own(self, *words: str) -> Turn:
        """A command of Learnt's, run by the agent."""
        return call("Bash", command=" ".join((str(LEARNT), f"--home {self.learnt.home}", *words)))

    def query(self, sql: str) -> Turn:
        """A question, as the skill says to ask it."""
        return self.own(f'db query --sql "{sql}" --json')

    def session(self, prompt: str, *script: Turn, arguments: tuple[str, ...] = ()) -> Run:
        """A headless session that goes well."""
        run = self.client.run(self.project, prompt, [*script, say("So.")], arguments=arguments)
        assert run.exit_code == 0, run.output + run.errors
        return run

    def told(self, awaited: str) -> str:
        """What the agent is told at the prompt; a hook that came too late is fired once more."""
        for _ in range(3):
            told = self.session(PROMPT).asking(PROMPT).newest_text
            if awaited in told:
                break
        return told

    def entry(self, stage: str, *, bad: int = 0) -> dict[str, Any]:
        """The only entry, once it is of a stage and so much was said against it."""
        deadline = time.monotonic() + 30
        said = ""
        while time.monotonic() < deadline:
            (found,) = self.learnt.json("recall", "--project", str(self.project))["entries"]
            said = str(self.learnt.json("why", found["id"])["events"])
            if found["stage"] == stage and said.count("it proved false") >= bad:
                return dict(found)
            time.sleep(0.2)
        raise AssertionError(f"not {stage} in time: {said}; {self.learnt('status')}")


@pytest.fixture
def shop(learnt: Learnt) -> Shop:
    return Shop(learnt)


@pytest.mark.slow
def test_what_was_found_out_is_known_until_the_table_changes(shop: Shop) -> None:
    """Kept with its evidence, proved by the next session's statement, relied on, then doubted."""
    kept = shop.own(
        f'knowledge capture --kind schema --content "{FACT}" --evidence last'
        " --entities rental,rental.returned --cite table:rental --json"
    )
    first = shop.session(PROMPT, call("Skill", skill=SKILL.name), shop.query(OUT), kept)
    assert "learnt knowledge query" in first.requests[1].visible_text
    assert '"row_count": 1' in first.requests[2].newest_text
    assert '"verdict": "admit"' in first.requests[3].newest_text
    one = shop.entry("candidate")

    shop.session("What is out today?", shop.query(OUT))
    assert one["id"] == shop.entry("validated")["id"]

    known = f"{handle(one['id'])} TRUST"
    assert FACT in shop.told(known)

    shop.change("ALTER TABLE rental RENAME COLUMN returned TO returned_on")
    fourth = shop.session(PROMPT, shop.query(OUT))
    assert "no such column: returned" in fourth.requests[1].newest_text
    shop.entry("validated", bad=1)
    doubted = shop.told(f"{handle(one['id'])} VERIFY")
    assert f"{handle(one['id'])} VERIFY" in doubted
    assert "table:rental changed since" in doubted


@pytest.mark.slow  # three more sessions of the client: tests/flows plays the same in memory
def test_another_servers_answers_count_as_well(shop: Shop) -> None:
    """Its statements prove what was kept, and speak against it once the column is gone."""
    shop.client.add_server("shop", sys.executable, SHOP_SERVER, shop.file)
    wait = call("Bash", command=CONNECTED, description="Wait for the server")
    found = call("ToolSearch", query="select:mcp__shop__query")
    ask = call("mcp__shop__query", sql=OUT)
    allowed = ("--allowedTools", "mcp__shop")
    kept = shop.own(
        f'knowledge capture --kind schema --content "{FACT}" --evidence last'
        " --entities rental,returned --json"
    )
    first = shop.session(PROMPT, wait, found, ask, kept, arguments=allowed)
    assert "Ace" in first.requests[3].newest_text
    shop.entry("candidate")
    shop.session("What is out?", wait, found, ask, arguments=allowed)
    shop.entry("validated")
    shop.change("ALTER TABLE rental RENAME COLUMN returned TO returned_on")
    last = shop.session("And now?", wait, found, ask, arguments=allowed)
    assert "no such column: returned" in json.dumps(last.requests[3].body)
    shop.entry("validated", bad=1)
