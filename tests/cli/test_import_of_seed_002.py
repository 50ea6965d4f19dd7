"""`learnt import FOLDER`: another memory's files come in, as candidates."""

import json
from pathlib import Path

import pytest

from learnt.core.events import Kind
from tests.support.homes import Home

WEBHOOK = {
    "id": "efe17d650917e445",
    "problem": "Stripe webhook signature failed in production",
    "approach": "Switched the body parser from json to raw, validated with constructEvent",
    "gotchas": ["The raw body is read once"],
    "tags": ["payments", "stripe"],
    "files": ["src/hooks.ts"],
    "language": "typescript",
    "captured_at": "2026-04-01T00:00:00Z",
    "project": "0123456789ab",
}
REDIS = {
    **WEBHOOK,
    "id": "a91ce2034d8b1234",
    "problem": "Redis cluster split-brain after failover",
    "approach": "Configured min-replicas-to-write to 2",
}
MISS = {
    "hash": "abc",
    "prompt": "How do I roll out a feature flag gradually?",
    "tokens": ["feature"],
    "session_id": "s1",
    "project": "/p",
    "recorded_at": "2026-05-01T00:00:00Z",
}


def lines(*values: object) -> str:
    return "".join(json.dumps(value) + "\n" for value in values)


@pytest.fixture
def seed(tmp_path: Path) -> Path:
    """The files as that memory leaves them: memories apart from the signals."""
    folder = tmp_path / "kept"
    (folder / "memory").mkdir(parents=True)
    (folder / "evolve").mkdir()
    gone = {**REDIS, "id": "dead", "deleted": True}
    (folder / "memory" / "memories.jsonl").write_text(
        lines(WEBHOOK, REDIS, {**gone, "deleted": False}, gone) + "{torn\n[]\n", "utf-8"
    )
    reuse = {"byMemory": {WEBHOOK["id"]: {"count": 3, "sessions": ["s1", "s2", "s3", "s3"]},
                          REDIS["id"]: {"count": 3, "sessions": ["s1", "s2", "s4"]},
                          "unknown": {"count": 9, "sessions": ["s1"]}}}  # fmt: skip
    (folder / "evolve" / "reuse.json").write_text(json.dumps(reuse), "utf-8")
    (folder / "evolve" / "routing-misses.jsonl").write_text(
        lines(MISS, {**MISS, "recorded_at": "2026-05-02"}, {**MISS, "prompt": "ok"}), "utf-8"
    )
    first = {"id": "skill-1", "type": "skill-upgrade", "status": "pending",
             "evidence": {"memoryId": REDIS["id"]}}  # fmt: skip
    last = {"id": "skill-1", "status": "rejected", "note": "we use another store now"}
    other = {"id": "route-1", "type": "routing-addition", "status": "pending"}
    (folder / "evolve" / "proposals.jsonl").write_text(lines(first, other, last), "utf-8")
    return folder


def test_a_dry_run_counts_and_imports_nothing(home: Home, seed: Path) -> None:
    """What is there by kind, deleted memories and unreadable lines apart."""
    said = home.here("import", str(seed), "--dry-run", "--json").json
    assert said == {
        "memories": 2,
        "deleted": 1,
        "sessions": 7,
        "misses": 3,
        "proposals": 2,
        "unreadable_lines": 2,
        "dry_run": True,
    }
    assert not (home.path / "ledger.db").exists() or home.rows("SELECT * FROM events") == []


def test_everything_comes_in_as_candidates_once(home: Home, seed: Path) -> None:
    """A person's call makes nothing valid; calling twice counts no signal twice."""
    code, said = home.typed("import", str(seed), "--json")
    assert code == 0, said
    counts = json.loads(said)
    assert (counts["admitted"], counts["reuses"], counts["misses"]) == (2, 6, 2)
    assert (counts["proposals_turned_down"], counts["proposals_left"]) == (1, 1)
    listed = home.here("recall", "--json").json["entries"]
    assert {entry["stage"] for entry in listed} == {"candidate"}
    assert home.prompt("The stripe webhook signature failed in production, why?").output == b""

    again = json.loads(home.typed("import", str(seed), "--json")[1])
    assert (again["admitted"], again["merged"]) == (0, 2)
    assert (again["reuses"], again["misses"], again["proposals_turned_down"]) == (0, 0, 0)
    home.verify()


def test_its_signals_propose_and_its_rejections_hold(home: Home, seed: Path) -> None:
    """Three sessions there make a draft here; what was rejected there stays so."""
    home.typed("import", str(seed))
    new = home.here("evolve", "analyze", "--json").json
    assert [p["rationale"] for p in new["proposals"]] == [
        "“Stripe webhook signature failed in production” was recalled 3x across 3 sessions"
    ]
    rejected = home.here("evolve", "list", "--status", "rejected").output
    assert "we use another store now" in rejected


def test_an_agents_import_takes_no_decision_over(home: Home, seed: Path) -> None:
    """Rejections are a person's: without one they are left."""
    assert home.cli("import", str(seed), "--json").json["proposals_turned_down"] == 0
    assert home.events(Kind.DECIDED) == []


def test_a_folder_without_such_files_is_refused(home: Home, tmp_path: Path) -> None:
    """Exit 2, naming what was looked for."""
    said = home.here("import", str(tmp_path / "claude"))
    assert (said.exit_code, "memories.jsonl" in said.errors) == (2, True)
