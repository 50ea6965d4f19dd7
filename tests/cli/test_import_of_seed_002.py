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


def test_a_dry_run_shows_and_imports_nothing(home: Home, seed: Path) -> None:
    """What is there by state, and what is left out and why; deleted memories and torn lines too."""
    said = home.here("import", str(seed), "--dry-run", "--everywhere", "--json").json
    assert (said["new"], said["refused"], said["taken"], said["id"]) == (2, 0, 0, "")
    told = "\n".join(said["findings"])
    assert "memories.jsonl:5: no JSON object" in told
    assert "1 memories that were deleted there" in told
    assert "1 proposals that are pending" in told
    assert not (home.path / "ledger.db").exists() or home.rows("SELECT * FROM events") == []


def test_a_person_takes_all_and_the_next_prompt_is_given_it(home: Home, seed: Path) -> None:
    """Validated, with its date and its language; calling twice changes nothing."""
    code, said = home.typed("import", str(seed), "--everywhere", answers=("a",))
    assert (code, "2 taken" in said) == (0, True), said
    listed = home.here("recall", "--json").json["entries"]
    assert {entry["stage"] for entry in listed} == {"validated"}
    assert "constructEvent" in home.told("The stripe webhook signature failed in production, why?")
    kept = home.events(Kind.REMEMBERED)[0]
    assert kept["source"]["date"] == WEBHOOK["captured_at"]
    assert kept["told"]["confirmed_ms"] == 1_775_001_600_000
    assert kept["language"]

    before = len(home.rows("SELECT * FROM events"))
    code, said = home.typed("import", str(seed), "--everywhere", "--yes")
    assert (code, "Nothing was imported" in said) == (0, True), said
    assert before == len(home.rows("SELECT * FROM events"))
    home.verify()


def test_an_agents_import_is_candidates(home: Home, seed: Path) -> None:
    """No prompt sees them until a person takes them: importing them once more is enough."""
    said = home.here("import", str(seed), "--everywhere", "--json").json
    assert (said["taken"], said["turned_down"]) == (2, 0)
    assert {e["stage"] for e in home.here("recall", "--json").json["entries"]} == {"candidate"}
    assert home.told("The stripe webhook signature failed in production, why?") == ""
    assert home.events(Kind.DECIDED) == []

    said = home.here("import", str(seed), "--everywhere", "--json", typed="a\n").json
    assert (said["double"], said["vouched"], said["taken"], said["turned_down"]) == (2, 2, 0, 1)
    assert "constructEvent" in home.told("The stripe webhook signature failed in production, why?")
    home.here("import", "--undo", said["id"], typed="")
    assert {e["stage"] for e in home.here("recall", "--json").json["entries"]} == {"candidate"}
    home.verify()


def test_its_signals_propose_and_its_rejections_hold(home: Home, seed: Path) -> None:
    """Three sessions there make a draft here; what was rejected there stays so."""
    said = home.here("import", str(seed), "--everywhere", "--json", typed="a\n").json
    assert (said["reuses"], said["misses"], said["turned_down"]) == (6, 2, 1)
    new = home.here("evolve", "analyze", "--json").json
    assert [p["rationale"] for p in new["proposals"]] == [
        "“Stripe webhook signature failed in production” was recalled 3x across 3 sessions"
    ]
    rejected = home.here("evolve", "list", "--status", "rejected").output
    assert "we use another store now" in rejected


def test_an_undone_import_leaves_nothing_that_counts(home: Home, seed: Path) -> None:
    """Entries, misses and rejections; imported once more, all of it is there again."""
    for _ in range(2):
        said = home.here("import", str(seed), "--everywhere", "--json", typed="a\n").json
        assert (said["taken"], said["misses"], said["turned_down"]) == (2, 2, 1)
        back = home.here("import", "--undo", "last", typed="")
        assert "2 entries retired, 1 rejections taken back" in back.output
        assert home.here("evolve", "stats", "--json").json["misses"]["total"] == 0
        assert home.here("recall", "--json").json["entries"] == []
        assert "we use another store" not in home.here("evolve", "list").output
    home.verify()


def test_what_is_of_another_project_stays_there(home: Home, seed: Path) -> None:
    """Its hash is no name of this project's; `--of` takes it all the same."""
    said = home.here("import", str(seed), "--json").json
    assert (said["new"], said["refused"]) == (0, 2)
    assert "another project, 0123456789ab" in said["rows"][0]["why"]
    hostile = {**WEBHOOK, "project": "$(reboot)"}
    (seed / "memory" / "memories.jsonl").write_text(lines(WEBHOOK, REDIS, hostile), "utf-8")
    assert "--of '$(reboot)'" in home.here("import", str(seed), "--dry-run").output
    said = home.here("import", str(seed), "--of", "0123456789ab", "--json").json
    assert (said["taken"], said["refused"]) == (1, 1)


def test_a_folder_without_memories_is_refused(home: Home, tmp_path: Path) -> None:
    """Exit 2, naming what was looked for."""
    said = home.here("import", str(tmp_path / "claude"))
    assert (said.exit_code, "memories.jsonl" in said.errors) == (2, True)
