"""What the golden files hold: every command and every tool, in success and in refusal."""

import json
from pathlib import Path
from typing import Any

from tests.golden.database_script import asked_databases
from tests.golden.seeds import seed_logs, seed_memory
from tests.golden.skills_script import skilled
from tests.golden.stage import Stage
from tests.golden.weighed_script import a_fact, disputed, weighed
from tests.support.homes import APPROACH, PROBLEM, PROMPT, wait_until

NOBODY = "e-065wzsb8000000"
ROOM = "t_room.room_no repeats across hotels; join on (hotel_id, room_no)"
MISSES = (
    "How do I roll out a feature flag gradually?",
    "Which feature flag percent is safe for a rollout?",
    "Please kill that feature flag everywhere now",
)
TOPIC = (
    "t_order.amount holds cents, t_invoice.amount whole euros",
    "t_order.state 7 means cancelled by the guest, 8 by the hotel",
    "t_order.created_at is local time of the hotel, not UTC",
)


def ran(command: str, result: str, *, failed: bool = False) -> dict[str, Any]:
    """A shell command and what it printed."""
    return {"tool": "Bash", "input": {"command": command}, "result": result, "failed": failed}


def audited(result: str) -> dict[str, Any]:
    """A prompt in which a skill is launched, a file edited and the tests are run."""
    skill = {"tool": "Skill", "input": {"skill": "audit"}, "result": "Launching skill: audit"}
    edit = {"tool": "Edit", "input": {"file_path": "a.py"}, "result": "updated"}
    steps = [skill | {"failed": False}, edit | {"failed": False}, ran("pytest", result)]
    return {"prompt": "please audit the module now", "steps": steps}


CURED = {
    "prompt": "build the firmware please",
    "steps": [
        ran("mix firmware", "(Mix) MIX_TARGET is not set for this board", failed=True),
        ran("MIX_TARGET=rpi3a mix firmware", "Success!"),
    ],
}
REMEMBER = {"prompt": "remember: the staging gateway listens on port 8443", "steps": []}


def begun(stage: Stage) -> None:
    """A home that holds nothing, and the set-up."""
    stage.agent("status")
    stage.agent("recall", "gradle")
    stage.agent("project", "list")
    stage.agent("recall")
    stage.agent("why", "nothing")
    for words in ("stats", "list", "analyze", "show skill-0123456789", "reject skill-0123456789"):
        stage.agent("evolve", *words.split())
    for words in ("freshness", "log", "diff", "sweep", "publish", "harvest"):
        stage.agent("knowledge", words)
    stage.agent("health", "status")
    stage.agent("health", "queue")
    stage.agent("rebuild", "--verify")
    stage.agent("worker")
    stage.agent("review", text=True)
    stage.agent("config")
    stage.agent("config", "effects", "on")
    stage.agent("init", "--dry-run")
    stage.agent("init")
    stage.agent("init")
    stage.agent("init", "--shared")
    stage.agent("init", "--scope", "project", "--shared")


def remembered(stage: Stage) -> None:
    """Solutions, remembered, imported and recalled."""
    solution = ("remember", "--problem", PROBLEM, "--approach", APPROACH)
    stage.agent(*solution, "--tag", "gradle", "--caution", "Mind the wrapper's cache")
    stage.agent("recall")
    stage.agent("knowledge", "expire")
    stage.agent(*solution)
    stage.person(*solution)
    stage.person("remember", "--problem", "The deploy fails: database is locked", "--approach",
                 "Stop the consumers first, password=hunter2hunter2", "--everywhere")  # fmt: skip
    stage.agent("remember", "--problem", "ok", "--approach", "ok")
    stage.agent("remember", "--problem", "only this")
    stage.agent("remember", "--edit")
    stage.agent("why", "e-")
    stage.agent("knowledge", "captur")
    stage.agent("recall", "gradle", "build")
    stage.agent("recall", "zebra")
    stage.agent("recall", "-k", "1")
    lines = [{"problem": "Redis split-brain after failover", "approach": "min-replicas-to-write 2"},
             {"problem": PROBLEM, "approach": APPROACH}, {"problem": "ok"}]  # fmt: skip
    many = stage.home.project / "many.jsonl"
    many.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    stage.agent("import", "many.jsonl", "--dry-run")
    stage.agent("import", "many.jsonl")
    stage.person("import", "many.jsonl", typed="a\n")
    stage.agent("import", "-", stdin="{}\n")
    stage.agent("import", "-", stdin="no json\n")
    folder = seed_memory(stage.home.folder / "seed")
    stage.agent("import", str(folder), "--dry-run")
    stage.agent("import", str(folder))
    stage.agent("import", str(folder))
    stage.agent("import", "--undo", "last")
    stage.person("import", "--undo", "last")
    stage.person("import", "--undo", "i-nothing")
    stage.agent("import", str(stage.home.config))
    stage.agent("export", "all.jsonl")
    for _ in range(2):
        stage.person("export", "all.jsonl")
    (stage.home.project / "all.jsonl").unlink()


def evolved(stage: Stage) -> None:
    """Signals, proposals, and every decision on them, by a person and by nobody."""
    for number in range(3):
        stage.reported(f"use-{number}", {"prompt": PROMPT, "steps": []}, ended=False)
    for number, prompt in enumerate(MISSES):
        stage.reported(f"miss-{number}", {"prompt": prompt, "steps": []}, ended=False)
    stage.agent("evolve", "stats")
    stage.agent("evolve", "analyze", "--miss-min", "9")
    skill = stage.proposal()
    stage.agent("evolve", "analyze", "--miss-min", "2")
    route = stage.proposal()
    stage.agent("evolve", "analyze")
    stage.agent("review", text=True)
    stage.agent("review")
    stage.agent("evolve", "list")
    stage.agent("evolve", "list", "--status", "rejected")
    refused(stage, skill, route)
    path = accepted(stage, skill)
    overwritten(stage, skill, path)
    elsewhere = stage.home.folder / "elsewhere"
    elsewhere.mkdir()
    stage.person("evolve", "accept", route, "--project", str(elsewhere))
    stage.person("evolve", "accept", route, typed="y\n")
    stage.person("evolve", "undo", route)
    stage.agent("evolve", "list")
    stage.agent("why", skill)
    stage.agent("why", skill, "--all")


def refused(stage: Stage, skill: str, route: str) -> None:
    """Decisions that are not to be had so."""
    stage.agent("evolve", "show", skill)
    stage.agent("evolve", "show", route, "--root", "elsewhere")
    stage.agent("evolve", "accept", skill)
    stage.agent("evolve", "reject", skill)
    stage.agent("evolve", "undo", skill)
    stage.person("evolve", "undo", skill)
    stage.person("evolve", "accept", "skill-0123456789")
    stage.person("evolve", "accept", skill, "--yes")
    stage.person("evolve", "accept", skill, "--yes", "--seen", "0000")
    stage.person("evolve", "accept", skill, typed="n\n")


def accepted(stage: Stage, skill: str) -> Path:
    """A skill accepted, its file edited by hand and deleted, and both decisions undone."""
    stage.person("evolve", "accept", skill, typed="y\n")
    stage.person("evolve", "accept", skill)
    stage.person("evolve", "reject", skill)
    stage.agent("evolve", "show", skill)
    folder = stage.home.project / ".agents" / "skills"
    path = next(folder.glob("the-gradle*/SKILL.md"))
    path.write_text(path.read_text("utf-8") + "\nAn edit by hand.\n", "utf-8")
    stage.agent("evolve", "analyze")
    edit = stage.proposal()
    stage.agent("evolve", "show", edit)
    stage.person("evolve", "accept", edit, typed="y\n")
    path.unlink()
    stage.agent("evolve", "analyze")
    stage.person("evolve", "undo", edit)
    stage.person("evolve", "undo", skill)
    return path


def overwritten(stage: Stage, skill: str, path: Path) -> None:
    """The skill rejected, brought back, and accepted where another file is in the way."""
    stage.person("evolve", "reject", skill, "--note", "Not worth a skill")
    stage.person("evolve", "reject", skill)
    stage.person("evolve", "accept", skill)
    stage.person("evolve", "undo", skill)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("mine\n", "utf-8")
    stage.agent("evolve", "show", skill)
    stage.person("evolve", "accept", skill)
    stage.person("evolve", "accept", skill, "--overwrite", typed="y\n")


def known(stage: Stage) -> None:
    """Facts through the gates, and what becomes of them."""
    capture = ("knowledge", "capture", "--kind")
    (stage.home.project / "rooms.sql").write_text("create table t_room\n(room_no int);\n", "utf-8")
    stage.agent(*capture, "schema", ROOM, "--cite", "rooms.sql:1-2")
    room = stage.entry()
    stage.agent(*capture, "schema", ROOM.upper())
    stage.agent(*capture, "schema", "t_room.room_no is unique across all hotels")
    stage.agent(*capture, "procedure", "no")
    stage.person(*capture, "procedure", "Thank you so much, great work everybody, all tests pass!")
    stage.agent(*capture, "procedure", "--anyway", "Thank you so much, great work")
    stage.agent(*capture, "schema")
    stage.agent(*capture, "nonsense", "x y")
    stage.agent(*capture, "schema", ROOM, "--cite", "nowhere.sql:3")
    stage.agent(*capture, "schema", ROOM, "--evidence", "toolu_9")
    stage.agent(*capture, "tool_experience",
                "db7 listens on 6432, not 5432: a pool; password=hunter2hunter2")  # fmt: skip
    for text in TOPIC:
        stage.person(*capture, "schema", text)
    order = stage.entry()
    stage.agent("knowledge", "query", "which columns join t_room?")
    stage.agent("knowledge", "query", "t_order.created_at", "--status", "validated", "-k", "2")
    stage.agent("knowledge", "query", "zebra")
    judged(stage, room, order)
    (stage.home.project / "rooms.sql").write_text("create table t_suite\n(id int);\n", "utf-8")
    stage.agent("knowledge", "query", "t_room")
    stage.agent("recall", "t_room")
    stage.agent("why", room)
    for words in (("log",), ("log", "--all", "--from", "2020-01-01"), ("log", "--to", "2020-01-01"),
                  ("diff",), ("diff", "--to", "2020-01-01"), ("log", "--from", "2026-13-45"),
                  ("diff", "--from", "2026-02-02", "--to", "2026-01-01")):  # fmt: skip
        stage.agent("knowledge", *words)
    published(stage)


def judged(stage: Stage, room: str, order: str) -> None:
    """Words on entries: confirmed, doubted, promoted, retired."""
    stage.agent("knowledge", "confirm", "--id", room)
    stage.agent("knowledge", "confirm", "--id", room)
    stage.agent("knowledge", "confirm", "--id", NOBODY)
    stage.agent("knowledge", "confirm", "--id", room, "--wc", "much")
    stage.agent("knowledge", "confirm", "--id", room, "--evidence", "toolu_9")
    stage.agent("knowledge", "feedback", "--id", room, "--result", "success")
    stage.agent("knowledge", "feedback", "--id", order, "--result", "failure")
    stage.agent("knowledge", "feedback", "--id", order, "--result", "failure", "--weight", "nan")
    stage.agent("knowledge", "invalidate", "--id", order)
    stage.person("knowledge", "invalidate", "--id", order)
    stage.agent("knowledge", "freshness")
    stage.person("knowledge", "reset", "--id", order)
    stage.agent("knowledge", "promote", room)
    stage.person("knowledge", "promote", NOBODY)
    stage.person("knowledge", "promote", room)
    stage.person("knowledge", "promote", room)
    stage.agent("knowledge", "expire", room)
    stage.agent("knowledge", "promote")
    stage.agent("knowledge", "expire")
    stage.agent("knowledge", "sweep")
    disputed(stage)
    stage.agent("knowledge", "freshness")
    stage.agent("knowledge", "freshness", "--level", "VERIFY")


def published(stage: Stage) -> None:
    """Topics as proposals, one accepted and edited; the export of a skill."""
    stage.agent("knowledge", "publish", "--skill", "../up")
    stage.agent("knowledge", "publish")
    stage.person("evolve", "accept", stage.proposal(), typed="y\n")
    stage.agent("knowledge", "publish")
    stage.agent("knowledge", "export", "out", "--skill", "x", "--ledger", "--path", "y", text=True)
    stage.agent("knowledge", "export", "out", "--skill", "x", text=True)
    stage.agent("knowledge", "export", "out", "--skill", "orders", "--ledger", text=True)
    stage.person("knowledge", "expire", a_fact(stage))
    stage.agent("knowledge", "log")


def in_folder(stage: Stage) -> None:
    """Facts in files alone."""
    topic = ("--target", "rooms.md", "--type", "schema", "--entities", "t_room")
    stage.agent("knowledge", "scan", "--path", "references")
    stage.agent("knowledge", "init", text=True)
    stage.agent("knowledge", "inject", *topic, "--content", "t_room has no index")
    stage.agent("knowledge", "inject", *topic, "--content", "t_room.room_no is no key")
    stage.agent("knowledge", "inject", *topic)
    stage.agent("knowledge", "scan", "--path", "references")
    stage.agent("knowledge", "search", "--entities", "t_room")
    stage.agent("knowledge", "search", "--entities", "zebra")
    line = ("--file", "references/rooms.md", "--line", "5")
    stage.agent("knowledge", "feedback", *line, "--result", "failure")
    stage.agent("knowledge", "feedback", "--file", "references/rooms.md", "--result", "failure")
    stage.agent("knowledge", "invalidate", *line)
    stage.agent("knowledge", "scan", "--file", "references/rooms.md")
    stage.agent("knowledge", "reset", *line)
    (stage.home.project / "references" / "rooms.md").write_text("<!-- decay: broken -->\n", "utf-8")
    stage.agent("knowledge", "scan", "--path", "references")
    stage.agent("knowledge", "export", "out", "--skill", "rooms", text=True)


def lived(stage: Stage) -> None:
    """Sessions with skills: their health, and what they taught."""
    stage.reported("session-1", audited("Exit code 1\n1 failed, 3 passed in 1s"))
    stage.reported("session-2", audited("4 passed in 1s"))
    stage.reported("session-3", REMEMBER, CURED)
    stage.agent("health", "status")
    stage.agent("health", "status", "other")
    stage.agent("health", "feedback", "session-1-p0", "good", "--note", "meant to")
    stage.person("health", "feedback", "session-1-p0", "bad")
    stage.agent("health", "feedback", "nowhere", "good")
    stage.agent("health", "feedback", "session-1-p0", "well")
    stage.agent("health", "experiences", text=True)
    logs = seed_logs(stage.home.folder / "logs")
    stage.agent("health", "import", str(logs), "--dry-run")
    stage.agent("health", "import", str(logs))
    stage.agent("health", "import", str(stage.home.project))
    stage.agent("health", "experiences")
    stage.agent("health", "status")
    stage.agent("health", "queue")
    stage.agent("health", "learnings")
    stage.agent("health", "learnings", "--write")
    stage.agent("health", "evaluate")
    stage.agent("health", "evaluate", "other", "--keep")
    stage.agent("health", "improve")
    path = stage.reported("session-4", {"prompt": REMEMBER["prompt"], "steps": []}, ended=False)
    stage.agent("knowledge", "harvest", "--session", "session-3")
    stage.agent("knowledge", "harvest")
    stage.agent("knowledge", "harvest", "--session", "session-9")
    stage.agent("knowledge", "harvest", str(path), "--session", "session-4")
    stage.agent("knowledge", "harvest", str(path))
    stage.agent("knowledge", "harvest", "many.jsonl")
    stage.agent("skills", "distil", "--session", "session-3")
    stage.agent("skills", "distil", "--session", "session-9")
    stage.agent("skills", "distil")
    stage.agent("why", "session-1")
    stage.agent("why", "session-1-p0")
    stage.agent("status")
    stage.person("status")


def searched(stage: Stage) -> None:
    """What was said in these sessions."""
    stage.agent("sessions", "list")
    stage.agent("sessions", "show", "session-3")
    stage.agent("sessions", "show", "nobody")
    stage.agent("recall", "--sessions", "staging", "gateway")
    stage.agent("recall", "--sessions", "zebra")


def ended(stage: Stage) -> None:
    """Rebuild, purge, doctor, and the end."""
    stage.agent("rebuild", "--verify")
    stage.agent("rebuild")
    entry = a_fact(stage)
    stage.agent("purge", "--entry", entry, "--dry-run")
    stage.person("purge", "--entry", entry, "--dry-run")
    stage.person("purge", "--entry", "nothing")
    stage.person("purge")
    stage.person("purge", "--entry", entry, typed="n\n")
    stage.person("purge", "--entry", entry, "--yes")
    stage.person("purge", "--entry", entry, typed="purge entry\n")
    stage.agent("why", entry)
    stage.agent("dashboard")
    stage.agent("purge", "--text", "gradle", "--yes")
    stage.person("purge", "--text", "gradle", typed="purge text\n")
    stage.person("purge", "--everything", typed="purge everything\n")
    # The worker that is started here may do work of its own: nothing is looked at after it.
    stage.agent("doctor")
    stage.agent("worker")
    stage.agent("worker", "stop")
    stage.agent("worker", "stop")
    stage.agent("uninstall")
    stage.agent("uninstall")
    # A job that the worker left behind would write down what it can't read.
    wait_until(lambda: not stage.home.processes(), "the end of the worker's jobs")
    (stage.home.path / "config.toml").write_text("[domains", "utf-8")
    for command in ("status", "doctor", "uninstall"):
        stage.agent(command)


ACTS = (
    begun, remembered, evolved, known, in_folder, lived, searched, weighed, asked_databases,
    skilled, ended,
)  # fmt: skip
