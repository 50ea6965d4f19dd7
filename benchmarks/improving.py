"""Skills that decline: whether the improved text names the real cause, and how soon one is flagged.

    python -m benchmarks.improving --set FILE [--briefs FOLDER] [--list] [--json]

FILE has a skill a line with its episodes, made by authors who had not seen the program. Each is
played through the hooks in a home of its own, one episode a day, each in a session of its own.
Then rules draft. A text names the cause if what was added has one string of each list `must_name`
and none of `must_not`. `--briefs` writes what an agent would get to work with.
"""

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from msgspec.structs import replace

from benchmarks.report import Tables, rows, run
from learnt.bootstrap import opened, skill_library
from learnt.core.events import Actor
from learnt.core.health.improvement import queued
from learnt.core.records import encode
from learnt.core.skills.history import SkillHistory
from learnt.core.skills.skills import key_of
from learnt.flows.governance.listing import shown
from learnt.flows.health.improve import Improver, brief
from learnt.flows.sessions.answer import respond
from learnt.flows.sessions.locate import located_at, look
from learnt.flows.skills.catalogue import catalogue
from learnt.ports import Outside
from learnt.settings import Settings
from learnt.surfaces.agent_files import skill_sources
from tests.support.in_memory import FixedClock
from tests.support.transcripts import session_frames, session_lines

DAY_MS = 86_400_000
BEGAN_MS = 1_772_000_000_000
Row = dict[str, Any]


class Result(NamedTuple):
    """What came of one skill; `waited` is the graded uses from the first failing to a flag."""

    name: str
    cured: str
    named: bool
    wrong: tuple[str, ...]
    due: bool
    waited: int | None
    excused: int
    added: str


def _turns(row: Row, episode: Row) -> list[Row]:
    calls = [_step(call) for call in episode["calls"]]
    if episode["launch"]:
        used = {"tool": "Skill", "input": {"skill": row["name"]}, "result": "ok", "failed": False}
        calls.insert(0, used)
    turns = [{"prompt": episode["prompt"], "steps": calls}]
    if episode["reply"]:
        turns.append({"prompt": episode["reply"], "steps": []})
    return turns


def _step(call: Row) -> Row:
    given = {"command": call.get("command")}
    if call["tool"] == "Edit":
        names = {"file_path": "file", "old_string": "old", "new_string": "new"}
        given = {name: call[key] for name, key in names.items()}
    elif call["tool"] != "Bash":
        given = {"file_path": call.get("file")}
    bad = call.get("exit", 0)
    result = f"Exit code {bad}\n{call['output']}" if bad else call.get("output", "ok")
    return {"tool": call["tool"], "input": given, "result": result, "failed": False}


def play(row: Row, folder: Path, to: Path | None = None) -> Result:
    """Play one skill's episodes in a home below a folder, and have rules draft."""
    home, project = folder / "home", folder / "project"
    file = project / ".claude" / "skills" / row["name"] / "SKILL.md"
    file.parent.mkdir(parents=True)
    (project / ".git").mkdir()
    file.write_text(row["skill"], encoding="utf-8")
    settings, clock = Settings(home=home), FixedClock(BEGAN_MS)
    with opened(settings) as real:
        outside = replace(real, clock=clock)
        for number, episode in enumerate(row["episodes"]):
            clock.ms = BEGAN_MS + number * DAY_MS
            turns, name = _turns(row, episode), f"{row['name']}-{number}"
            path = folder / f"{name}.jsonl"
            lines = session_lines(turns, name, folder=str(project))
            path.write_text("\n".join(lines) + "\n", encoding="utf-8")
            for frame in session_frames(turns, name, folder=str(project), transcript=str(path)):
                clock.ms += 1_000
                respond(outside, frame, lambda: False)
        sources = skill_sources(project, home / "skills")
        with skill_library(settings, sources) as library:
            located = located_at(outside, look(outside, str(project))).project
            known = catalogue(outside, library, located)
            skill = known.skills[key_of(row["name"])]
            improver = Improver(outside, known, library, located)
            if to is not None:
                told = brief(outside, library, skill, located, str(home))
                to.write_text(json.dumps(encode(told), ensure_ascii=False, indent=1), "utf-8")
            due = skill in improver.due()
            made = improver.improve(skill, Actor.LEARNT)
            draft = (shown(outside, made.proposal).draft or "") if made.proposal else ""
            waited, excused = _waited(outside, row["name"])
    old = set(row["skill"].split("\n"))
    added = "\n".join(line for line in draft.split("\n") if line not in old)
    low = added.casefold()
    wrong = tuple(text for text in row["must_not"] if text.casefold() in low)
    named = all(any(text.casefold() in low for text in texts) for texts in row["must_name"])
    return Result(
        row["name"], row["cured"], named and not wrong, wrong, due, waited, excused, added
    )


def _waited(outside: Outside, name: str) -> tuple[int | None, int]:
    """The uses from the first failing one to the first flag, both counted; those excused."""
    with outside.ledger.reading() as reader:
        uses = list(reader.uses())
    bad = [at for at, use in enumerate(uses) if use.trouble.value != "none"]
    excused = sum(use.cause.value in {"environment", "input"} for use in uses)
    for end in range(len(uses)):
        if queued(name, uses[: end + 1], SkillHistory()).flagged_count:
            return end + 1 - bad[0], excused
    return None, excused


def main(*, set_: Path, briefs: Path | None = None, list_: bool = False) -> Tables:
    """Play a set and report."""
    results = []
    for number, row in enumerate(rows(set_)):
        to = briefs / f"{number:02}.txt" if briefs else None
        with tempfile.TemporaryDirectory() as folder:
            results.append(play(row, Path(folder), to))
    waits = sorted(result.waited or 99 for result in results)
    total = {
        "skills": len(results),
        "named": sum(result.named for result in results) / len(results),
        "wrong": sum(bool(result.wrong) for result in results),
        "due": sum(result.due for result in results),
        "uses to a flag, median": waits[len(waits) // 2],
        "never flagged": sum(result.waited is None for result in results),
    }
    listed = {"Skills": [result._asdict() for result in results]} if list_ else {}
    return {"Improved texts": [total], **listed}


if __name__ == "__main__":
    run(main)
