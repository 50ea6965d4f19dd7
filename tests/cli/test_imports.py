"""`learnt import` and `export`: what other memories know comes in, and all goes out again."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.imports import measured, memories
from learnt.core.events import Kind
from tests.support.homes import APPROACH, PROBLEM, PROMPT, Home, throwaway

PORT = "The harbour api listens on port 8080"
TOPIC = """# Rooms

<!-- decay: type=schema confirmed=2026-11-01 C0=1.0 alpha=3 beta=1 -->
<!-- entities: t_room, t_booking -->
- t_room.state 3 means under repair

<!-- decay: type=business_rule confirmed=2026-10-20 C0=1.0 -->
- A booking without a deposit is released after 48 hours

<!-- decay: type=nonsense confirmed=2026-10-20 C0=1.0 -->
- never read
"""
RULES = f"""---
globs: "*.py"
---
# Ports

- {PORT}
- Locally:
  - the broker listens on port 5673,
    not on 5672
- [ ] move the ports into a file

```
- no fact
```
Prose is a fact, too,
as long as its paragraph goes on.

| no | fact |
"""
CLAUDE_MEM = {
    "exportedAt": "2026-11-01T00:00:00Z",
    "totalObservations": 3,
    "observations": [
        {"id": 1, "project": "project", "type": "discovery", "title": "Ports",
         "facts": json.dumps([PORT, "The broker of the harbour keeps messages for 3 days"]),
         "concepts": '["ports"]', "created_at_epoch": 1_770_000_000_000},
        {"id": 2, "project": "project", "type": "bugfix", "facts": "[]",
         "title": "Crane scheduler loses its lock after a failover",
         "narrative": "The lock's lease was shorter than the pause: raise it to 30 seconds.",
         "files_modified": '["crane/lock.go"]', "created_at": "2026-09-01T08:00:00Z"},
        {"id": 3, "project": "elsewhere", "facts": '["The depot opens at six in the morning"]'},
        {"id": 4, "project": "project", "facts": None},
    ],
    "summaries": [{"id": 7, "project": "project", "learned": "Cranes report in UTC, not local"}],
    "sessions": [{}],
    "prompts": [{}, {}],
}  # fmt: skip
MEM0 = {"results": [
    {"id": "a1", "memory": PORT, "categories": ["ports"], "created_at": "2026-08-01T00:00:00Z"},
    {"id": "a2", "memory": "The old crane is decommissioned", "expiration_date": "2026-01-01"},
    {"id": "a3"},
]}  # fmt: skip


def put(home: Home, name: str, value: object) -> str:
    """A file in the project."""
    path = home.project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return str(path)


def took(home: Home, *words: str) -> dict[str, Any]:
    """What an import gave that a person was shown and took."""
    said = home.here("import", *words, "--json", typed="a\n")
    assert said.exit_code == 0, said
    value = json.loads(said.output)
    assert isinstance(value, dict)
    return value


def test_topic_folders_serve_the_next_prompt(home: Home) -> None:
    """With kind, entities, date and counts; a bad tag is told, the routing table is none."""
    put(home, "references/rooms.md", TOPIC)
    put(home, "references/_index.md", "| read | when |\n|---|---|\n| rooms.md | a room |\n")
    said = took(home, str(home.project / "references"))
    assert (said["taken"], [row["from"] for row in said["rows"]]) == (
        2, ["rooms.md:3", "rooms.md:7"],
    )  # fmt: skip
    assert any("rooms.md:10: 'nonsense' is no kind" in told for told in said["findings"])
    assert "under repair" in home.told("what does state 3 of t_room mean?")
    first = home.events(Kind.REMEMBERED)[0]
    assert (first["kind"], len(first["entities"])) == ("schema", 2)
    assert first["told"] == {"confirmed_ms": 1_793_491_200_000, "alpha": 3_000, "beta": 1_000}
    home.verify()


def test_an_old_fact_is_as_old_as_it_was(home: Home) -> None:
    """Its date counts for how far it is trusted, and not the day of the import."""
    old = TOPIC.replace("2026-11-01", "2024-11-01").replace("alpha=3", "alpha=0")
    took(home, put(home, "rooms.md", old))
    assert "REVALIDATE" in home.told("what does state 3 of t_room mean?")


@pytest.mark.parametrize(
    "name", ["CLAUDE.md", "AGENTS.md", ".claude/rules/ports.md", ".cursor/rules/ports.mdc"]
)
def test_lists_that_agents_read_are_facts(home: Home, name: str) -> None:
    """Each bullet, with what introduces it, and each paragraph; no code, no table and no task."""
    put(home, name, RULES)
    put(home, "README.md", "- no list for agents")
    said = took(home, str(home.project))
    assert [row["said"] for row in said["rows"]] == [
        PORT, "Locally: the broker listens on port 5673, not on 5672",
        "Prose is a fact, too, as long as its paragraph goes on.",
    ]  # fmt: skip
    assert said["rows"][0]["from"] == f"{name}:6"
    assert any("README.md" in told for told in said["findings"])
    assert PORT in home.told("on which port does the harbour api listen?")


def test_a_folder_of_rules_is_known_by_its_name(home: Home) -> None:
    """As a project around it is."""
    put(home, ".claude/rules/ports.md", RULES)
    assert took(home, str(home.project / ".claude" / "rules"))["taken"] == 3


def test_pinned_learnings_come_along_and_the_rest_is_told(home: Home) -> None:
    """What is computed from logs, and past successes, are `health import`'s; flags come along."""
    pinned = f"# Skill Performance Learnings\n\n## Pinned Learnings\n- {PORT}\n---\n\n"
    put(home, "skills/LEARNINGS.md", f"{pinned}## High-Impact Issues\n- not this one, ever\n")
    flagged = {"flagged_count": 3, "stability_gap": 0.4}
    waits = {**flagged, "status": "pending_rollback_review", "baseline_gap": 0.1}
    put(home, "skills/improvement-queue.json", {"skills": {"a:b": flagged, "c": waits}})
    put(home, "skills/experience-library/a_b/f1c1385dc369.json", {"outcome": "success"})
    said = took(home, str(home.project / "skills"))
    assert [(row["said"], row["from"]) for row in said["rows"]] == [(PORT, "LEARNINGS.md:4")]
    told = "\n".join(said["findings"])
    assert "what is not pinned in it is computed" in told
    assert "1 file(s) tell how skills did" in told
    assert "learnt health import" in told
    assert (said["flagged"], took(home, str(home.project / "skills"))["flagged"]) == (2, 0)
    assert list(home.here("health", "queue", "--json").json["skills"]) == ["a:b", "c"]
    back = home.here("import", "--undo", said["id"], typed="")
    assert "1 entries retired, 2 skills no longer flagged" in back.output
    assert home.here("health", "queue", "--json").json["skills"] == {}
    assert took(home, str(home.project / "skills"))["flagged"] == 2
    home.verify()
    queue = home.here("import", str(home.project / "skills" / "experience-library"))
    assert (queue.exit_code, "learnt health import" in queue.errors) == (2, True)


def test_an_export_of_claude_mem_is_read(home: Home) -> None:
    """Facts, what was learned and repairs, each with its date; another project's stay there."""
    said = took(home, put(home, "mem.json", CLAUDE_MEM))
    by_state = {row["said"]: row["state"] for row in said["rows"]}
    assert by_state == {
        PORT: "new",
        "The broker of the harbour keeps messages for 3 days": "new",
        "Crane scheduler loses its lock after a failover: The lock's lease was shorter than the "
        "pause: raise it to 30 seconds.": "new",
        "The depot opens at six in the morning": "refused",
        "Cranes report in UTC, not local": "new",
    }
    assert "of another project, elsewhere" in said["rows"][3]["why"]
    assert "3 sessions and prompts" in "\n".join(said["findings"])
    assert "1 observations and summaries that tell no fact" in "\n".join(said["findings"])
    dates = [event["source"]["date"] for event in home.events(Kind.REMEMBERED)]
    assert dates[::2] == ["2026-02-02T02:40:00Z", "2026-09-01T08:00:00Z"]
    assert "raise it to 30 seconds" in home.told("crane scheduler loses its lock after a failover")


@pytest.mark.parametrize("document", [MEM0, MEM0["results"], {"memories": MEM0["results"]}])
def test_an_export_of_mem0_is_read(home: Home, document: object) -> None:
    """A list, or as its pages have it; what is over by its own date is told and not taken."""
    said = took(home, put(home, "mem0.json", document))
    assert [(row["state"], row["from"]) for row in said["rows"]] == [
        ("new", "mem0.json#a1"), ("refused", "mem0.json#a2"),
    ]  # fmt: skip
    assert "it expired there on 2026-01-01" in said["rows"][1]["why"]
    assert "1 rows without a memory" in said["findings"][0]
    assert PORT in home.told("on which port does the harbour api listen?")


def test_a_person_picks_at_the_terminal(home: Home) -> None:
    """First the table, then piece by piece; what was not picked is not there."""
    path = put(
        home,
        "CLAUDE.md",
        f"- {PORT}\n- The crane lifts at most 18 tonnes\n- uv installs the depot's packages\n",
    )
    code, said = home.typed("import", path, answers=("p", "n", "yes", "y", "q"))
    assert (code, "FROM" in said, "1 taken" in said) == (0, True, True), said
    assert [e["text"] for e in home.here("recall", "--json").json["entries"]] == [
        "The crane lifts at most 18 tonnes"
    ]
    assert "Nothing was imported" in home.typed("import", path, answers=("n",))[1]
    code, said = home.typed("import", path, answers=("a",))
    assert "2 taken: they count" in said


def test_what_nobody_read_waits_for_one_decision(home: Home) -> None:
    """With `--yes` no hook shows it; `status` counts it, and `review` takes all of it at once."""
    fact, calm = "The crane lifts 18 tonnes", "The linter asks you to skip its warnings"
    path = put(home, "CLAUDE.md", f"- {PORT}\n- {fact}\n- {calm}\n")
    said = home.here("import", path, "--yes", "--json", typed="").json
    assert (said["read"], said["taken"]) == (False, 3)
    assert home.told("on which port does the harbour api listen?") == ""
    assert home.here("status", "--json").json["waiting"] == {"import": 1}
    (item,) = home.here("review", "--json").json["items"]
    assert "brought by an import" in item["subject"]
    assert {part["trust"] for part in item["parts"]} == {"UNPROVEN"}
    again = home.here("import", path, "--yes", "--json", typed="").json
    assert (again["double"], again["vouched"]) == (3, 0)
    shown = home.here("review", typed="t\n").output
    assert all(text in shown for text in (PORT, fact, calm)), shown
    assert PORT in home.told("on which port does the harbour api listen?", "s2")


def test_a_list_that_a_person_stopped_was_not_read(home: Home) -> None:
    """What they take then waits; what is long is shown by screens."""
    text = "".join(f"- Berth {n} is {n}0 metres long\n" for n in range(10, 99))
    path = put(home, "CLAUDE.md", text)
    with home.terminal("import", path) as terminal:
        terminal.wait_until(lambda: "q to stop" in terminal.output, "the first screen")
        terminal.wait_for_key(after=0)
        terminal.send("q")
        terminal.wait_until(lambda: "(n)othing" in terminal.output, "the question")
        terminal.send("a\n")
        terminal.wait_for_exit()
    assert "taken: nobody read them" in terminal.output
    assert {e["stage"] for e in home.here("recall", "--json").json["entries"]} == {"candidate"}


def test_a_review_that_a_person_stopped_takes_no_import(home: Home) -> None:
    """What was not shown whole is not validated: it may be dropped, or looked at piece by piece."""
    text = "".join(f"- Berth {n} is {n}0 metres long\n" for n in range(10, 99))
    home.here("import", put(home, "CLAUDE.md", text), "--yes", typed="")
    with home.terminal("review") as terminal:
        terminal.wait_until(lambda: "q to stop" in terminal.output, "the first screen")
        terminal.wait_for_key(after=0)
        terminal.send("q")
        terminal.wait_until(lambda: "(d)rop all" in terminal.output, "the question")
        terminal.send("t\nq\n")
        terminal.wait_for_exit()
    assert "(t)ake all" not in terminal.output
    assert {e["stage"] for e in home.here("recall", "--json").json["entries"]} == {"candidate"}


def test_the_preview_names_what_may_command(home: Home) -> None:
    """First of all, and whole."""
    order = "Every agent that works in this yard must report to the harbour master first"
    path = put(home, "CLAUDE.md", f"- {PORT}\n- {order}\n")
    shown = home.here("import", path, typed="n\n").output
    assert f"“{order}”: it may tell your agent what to do" in shown, shown
    assert shown.index(order) < shown.index(PORT)


def test_one_kind_alone_is_taken(home: Home) -> None:
    """`--only`, once or more."""
    put(home, "references/rooms.md", TOPIC)
    said = took(home, str(home.project / "references"), "--only", "schema")
    assert (said["new"], said["taken"]) == (2, 1)


def test_what_contradicts_is_suspected_and_nothing_is_corrected(home: Home) -> None:
    """What was there is as trusted as before; an undo ends the suspicion."""
    home.here("knowledge", "capture", "The upload limit of the depot is 10 MB", typed="")
    path = put(home, "CLAUDE.md", "- The upload limit of the depot is 25 MB\n")
    said = took(home, path)
    assert (1, 0) == (said["taken"], said["disputed"])
    assert 1 == home.here("status", "--json").json["suspicions_here"]
    told = home.told("what is the upload limit of the depot?")
    assert "10 MB" in told and " TRUST 2" in told
    home.here("import", "--undo", said["id"], typed="")
    assert 0 == home.here("status", "--json").json["suspicions_here"]


def test_only_a_person_undoes_and_once(home: Home) -> None:
    """An import that there is not is told, with those that can be undone."""
    said = took(home, put(home, "CLAUDE.md", f"- {PORT}\n"))
    refused = home.here("import", "--undo", said["id"])
    assert (refused.exit_code, "Only a person" in refused.errors) == (1, True)
    unknown = home.here("import", "--undo", "i-nothing", typed="")
    assert (unknown.exit_code, said["id"] in unknown.errors) == (3, True)
    assert home.here("import", "--undo", said["id"], typed="").exit_code == 0
    assert home.here("import", "--undo", said["id"], typed="").exit_code == 3
    assert home.told("on which port does the harbour api listen?") == ""
    for words in ((), ("CLAUDE.md", "--undo", "last")):
        assert home.here("import", *words, typed="").exit_code == 2
    home.verify()


@pytest.fixture
def filled(home: Home) -> Home:
    """A home with entries of every sort, one of them used, one disputed, one retired."""
    entry = home.remember(tags=("gradle",))
    home.told(PROMPT)
    sides = [
        home.here("knowledge", "capture", text, "--json", typed="").json["id"]
        for text in ("t_room.state 7 means guest never arrived", "t_room.state 7 is under repair")
    ]
    home.here("knowledge", "relate", *sides, "contradicts")
    home.here("remember", PORT, "--everywhere", typed="")
    home.cli("remember", "--problem", "Crane lock is lost", "--approach", "Raise its lease")
    home.here("remember", "The gate of the yard closes at nine", typed="")
    (gate,) = home.here("recall", "gate yard closes", "--json").json["entries"]
    home.here("knowledge", "expire", gate["id"], typed="")
    home.here("knowledge", "feedback", "--id", entry, "--result", "failure", typed="")
    return home


def entries(home: Home) -> list[dict[str, Any]]:
    """An export's lines without what differs from home to home."""
    path = home.folder / "again.jsonl"
    path.unlink(missing_ok=True)
    assert home.here("export", str(path), typed="").exit_code == 0
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    kept = ("text", "problem", "approach", "kind", "tags", "stage", "everywhere", "standing")
    return sorted(
        ({part: row.get(part) for part in kept} for row in rows if row.get("stage") != "retired"),
        key=json.dumps,
    )


@pytest.mark.parametrize("way", ["file", "home"])
def test_all_comes_back_in_another_home(filled: Home, tmp_path: Path, way: str) -> None:
    """From an export or from the home itself, which is not touched; stages and counts as well."""
    path = tmp_path / "all.jsonl"
    assert filled.here("export", str(path), "--json", typed="").json["entries"] == 6
    assert path.stat().st_mode & 0o777 == 0o600
    before = {p: p.read_bytes() for p in filled.path.rglob("*") if p.is_file()}
    with throwaway(tmp_path / "other") as other:
        (other.folder / "project").rmdir()
        other.project.symlink_to(filled.project)
        said = took(other, str(path if way == "file" else filled.path))
        assert (said["taken"], said["refused"]) == (5, 1), said
        assert "it was retired there" in str(said["rows"])
        assert entries(other) == entries(filled)
        assert APPROACH in other.told(PROMPT)
        assert other.here("knowledge", "disputes", "--json").json["disputes"]
        other.verify()
    after = {p: p.read_bytes() for p in before if p.exists()}
    assert [p for p in before if p.name in {"ledger.db", "key"} and before[p] != after[p]] == []
    assert PROBLEM in path.read_text("utf-8")


def test_what_comes_back_to_its_own_home_changes_nothing(filled: Home, tmp_path: Path) -> None:
    """Neither entries nor misses are counted twice."""
    filled.told("How do I roll out a feature flag gradually?")
    path = tmp_path / "all.jsonl"
    assert filled.here("export", str(path), "--json", typed="").json["misses"] == 1
    before = filled.rows("SELECT count(*) FROM events")
    said = took(filled, str(path))
    assert (said["id"], said["taken"], said["vouched"], said["misses"]) == ("", 0, 0, 0)
    assert filled.rows("SELECT count(*) FROM events") == before


def test_an_agent_is_handed_no_home(filled: Home, tmp_path: Path) -> None:
    """Neither by an export nor from another home: both may have what no agent is shown."""
    path = tmp_path / "all.jsonl"
    said = filled.here("export", str(path))
    assert (said.exit_code, "Only a person" in said.errors, path.exists()) == (1, True, False)
    with throwaway(tmp_path / "other") as other:
        said = other.here("import", str(filled.path))
        assert (said.exit_code, PROBLEM in said.output + said.errors) == (1, False)


def test_an_export_replaces_nothing(filled: Home, tmp_path: Path) -> None:
    """What is there stays; a folder that is not there is told."""
    path = tmp_path / "kept.jsonl"
    path.write_text("mine", "utf-8")
    said = filled.here("export", str(path), typed="")
    assert (said.exit_code, path.read_text("utf-8")) == (1, "mine")
    assert filled.here("export", str(tmp_path / "none" / "all.jsonl"), typed="").exit_code == 5


@pytest.mark.slow
def test_a_thousand_memories_come_in_by_one_decision_and_serve(home: Home) -> None:
    """Within ten seconds, and the next prompts that ask for them are given them."""
    row = measured(home, memories(1_000))

    assert row["seconds"] <= 10
    assert 990 <= row["taken"] and 115 <= row["given their note"]
