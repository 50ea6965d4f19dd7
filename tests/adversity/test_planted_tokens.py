"""A token that goes in by any entry is in no file that Learnt writes."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from learnt.bootstrap import domain_home, opened
from learnt.core.events import Actor
from learnt.core.records import decode
from learnt.domains.database.schema.cache import Cache
from learnt.domains.database.schema.objects import Routine, TableOrView
from learnt.domains.database.servers import connections
from learnt.domains.database.servers.connections import Connection, address
from learnt.errors import Refused
from learnt.flows.governance.accept import reject
from learnt.flows.governance.decisions import Decider
from learnt.settings import Settings
from tests.adversity.accepting import skill
from tests.support.asked_model import in_a_models_question
from tests.support.homes import Home
from tests.support.kept_structure import table
from tests.support.left_behind import holding
from tests.support.mcp_client import served_here

TOKEN = "ghp_" + "q7Zk2Wv9Lm4Xc8Rt1Yb6Nd3Fs5Hj0Pa2Gu7E"
CALLED = {
    "tool_name": "Bash", "tool_use_id": "t1", "tool_input": {"command": f"./deploy.sh {TOKEN}"},
    "tool_response": f"Exit code 1\nerror: the renderer refused {TOKEN}",
}  # fmt: skip
SAID = f"Why does the renderer refuse {TOKEN} again?"


def without_a_worker(home: Home) -> None:
    (home.path / "bin" / "worker.json").unlink()
    home.prompt(SAID, "spooled")
    home.fire("PostToolBatch", home.payload("PostToolBatch", "spooled", tool_calls=[CALLED]))
    assert home.spooled()


def with_a_worker(home: Home) -> None:
    home.start_worker()
    home.prompt(SAID)
    home.fire("PostToolBatch", home.payload("PostToolBatch", tool_calls=[CALLED]))
    home.fire("SessionEnd", home.payload("SessionEnd", reason="other"))
    home.drained()
    home.here("worker", "stop")


def busy(home: Home) -> None:
    home.remember()
    with closing(sqlite3.connect(home.path / "ledger.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        home.told(SAID, "busy")
        assert home.spooled()


def inline(home: Home) -> None:
    body = json.dumps(home.payload("UserPromptSubmit", "inline", prompt=SAID))
    home.cli("hook", "--inline", "UserPromptSubmit", "--home", str(home.path), stdin=body)


def question(home: Home) -> None:
    home.remember("The renderer refuses its token", "Quote it twice in the renderer")
    home.here("recall", "renderer", "refuses", TOKEN)


def entry(home: Home) -> None:
    home.here("remember", "--problem", f"The renderer refuses {TOKEN}", "--approach",
              f"Export {TOKEN} before the renderer", "--caution", f"Mind {TOKEN}")  # fmt: skip


def imported(home: Home) -> None:
    offer = {"problem": f"The renderer refuses {TOKEN}", "approach": f"Export {TOKEN} first",
             "cautions": [TOKEN], "tags": [TOKEN], "language": TOKEN,
             "source": {"session": TOKEN, "speaker": TOKEN, "date": TOKEN}}  # fmt: skip
    home.cli("import", "-", "--json", stdin=json.dumps(offer))


def seeds_logs(home: Home) -> None:
    logs = home.folder / "logs" / "abstract" / "audit"
    logs.mkdir(parents=True)
    line = {"skill": "abstract:audit", "outcome": "failure", "invocation_id": "i", "duration_ms": 3,
            "error": f"401 for {TOKEN}", "timestamp": "2026-03-20T10:00:00+00:00"}  # fmt: skip
    (logs / "2026-03-20.jsonl").write_text(json.dumps(line), "utf-8")
    assert home.here("health", "import", str(home.folder / "logs"), "--json").json["new"]


def note_on_an_episode(home: Home) -> None:
    home.start_worker()
    home.prompt("Tidy the renderer, please", "s1")
    home.fire("SessionEnd", home.payload("SessionEnd", "s1", reason="other"))
    home.drained()
    (episode,) = home.here("status", "--json").json["last_episodes"]
    name = episode["episode"]
    code, said = home.typed("health", "feedback", name, "bad", "--note", f"it printed {TOKEN}")
    assert code == 0, said
    home.here("worker", "stop")


def rejection(home: Home) -> None:
    name = skill(home)
    with opened(Settings(home=home.path)) as outside:
        reject(outside, name, f"it has {TOKEN} in it", Decider(actor=Actor.HUMAN))


def proposal(home: Home) -> None:
    with served_here(home) as server:
        body = f"# Renderer\n\nExport `{TOKEN}` before it starts, then look at its log.\n"
        server("propose_skill", name="renderer-start", body=body,
               description="Start the renderer when it refuses, with its token")  # fmt: skip
        server("propose", problem=f"The renderer refuses {TOKEN}", approach=f"Export {TOKEN}")
        server("recall", query=SAID)


def drafted(home: Home) -> None:
    with suppress(Refused):  # a person's words with a secret are refused whole
        skill(
            home, f"The renderer refuses {TOKEN} at its start", f"Export {TOKEN} before it starts"
        )


def structure(home: Home) -> None:
    domain = domain_home(Settings(home=home.path), make=True)
    made = Connection(name="shop", address=address("mysql://me@db/shop"), identity={"at": TOKEN})
    connections.keep(domain, made)
    view = {**table("orders", "id"), "kind": "view", "comment": f"by {TOKEN}",
            "definition": f"SELECT id FROM remote('https://api', 'Bearer {TOKEN}')"}  # fmt: skip
    routine = {"kind": "function", "name": "f", "definition": f"SELECT '{TOKEN}'"}
    Cache(domain, made).keep([decode(TableOrView, view), decode(Routine, routine)])


def a_models_question(home: Home) -> None:
    in_a_models_question(home, TOKEN)


ENTRIES: dict[str, Callable[[Home], None]] = {
    made.__name__.replace("_", " "): made
    for made in (
        without_a_worker, with_a_worker, busy, inline, question, entry, imported, seeds_logs,
        note_on_an_episode, rejection, proposal, drafted, structure, a_models_question,
    )
}  # fmt: skip


@pytest.mark.parametrize("name", ENTRIES)
def test_a_planted_token_is_kept_nowhere(home: Home, name: str) -> None:
    """Whichever way it came, neither the home nor what was written beside it holds it."""
    ENTRIES[name](home)
    home.take_in()

    assert [] == holding(home, TOKEN[4:20])
    assert [] == [str(path) for path in _written(home) if TOKEN[4:20] in path.read_text("utf-8")]


def _written(home: Home) -> list[Path]:
    return [path for path in home.project.rglob("*.md") if path.is_file()]
