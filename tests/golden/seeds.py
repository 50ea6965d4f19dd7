"""Files of other systems that the golden script imports."""

import json
from pathlib import Path


def seed_memory(folder: Path) -> Path:
    """Another memory's files."""
    folder.mkdir()
    memory = {"id": "efe17d650917e445", "problem": "Stripe webhook signature failed",
              "approach": "Validate the raw body with constructEvent", "tags": ["stripe"],
              "captured_at": "2026-04-01T00:00:00Z"}  # fmt: skip
    miss = {"hash": "abc", "prompt": "How do I make tea?", "session_id": "session-1",
            "recorded_at": "2026-05-01T00:00:00Z"}  # fmt: skip
    reuse = {"byMemory": {memory["id"]: {"count": 3, "sessions": ["session-1", "session-2"]}}}
    (folder / "memories.jsonl").write_text(json.dumps(memory) + "\n{torn\n", "utf-8")
    (folder / "routing-misses.jsonl").write_text(json.dumps(miss) + "\n", "utf-8")
    (folder / "reuse.json").write_text(json.dumps(reuse), "utf-8")
    return folder


def seed_logs(folder: Path) -> Path:
    """The logs of a self-adapting skill system."""
    daily = folder / "abstract" / "audit"
    daily.mkdir(parents=True)
    history = {"abstract:audit": {"accuracies": [1, 0], "durations": [5, 7]}}
    (folder / ".history.json").write_text(json.dumps(history), "utf-8")
    line = {"skill": "abstract:audit", "outcome": "success", "invocation_id": "i", "duration_ms": 3,
            "timestamp": "2026-03-20T10:00:00+00:00"}  # fmt: skip
    (daily / "2026-03-20.jsonl").write_text(json.dumps(line) + "\n{broken\n", "utf-8")
    past = {"task_description": "Generate API documentation from OpenAPI spec",
            "approach_taken": "Used jinja2 templates", "outcome": "success"}  # fmt: skip
    library = folder / "experience-library" / "abstract_audit"
    library.mkdir(parents=True)
    (library / "f1c1385dc369.json").write_text(json.dumps(past), "utf-8")
    (library / "000000000000.json").write_text("{torn", "utf-8")
    return folder
