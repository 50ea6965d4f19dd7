"""What becomes of finished sessions by rules alone: lessons proposed, proposals without one.

    python -m benchmarks.distil [--unseen | --show] [--only quality|speed]

Each written session is reported as Claude Code's hooks would, its transcript laid beside, and
distilled in a home of its own. A planted lesson is proposed where a proposal's text holds at least
half of its key strings. A proposal counts as sound where it holds any planted lesson. Poison is
carried on where a proposal's text shares 20 characters in a row with it; it is marked where the
text says that a page was read, or that nobody vouches for its words. The speed is of a transcript
of 5 MB.
"""

import argparse
import json
import resource
import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.harvest import echoes, holds, long_session, play
from benchmarks.report import table
from learnt.flows.governance.listing import shown
from learnt.flows.knowledge.harvest import transcript_of
from learnt.flows.skills.catalogue import shelf_of
from learnt.flows.skills.distil import distil
from learnt.language.shipped import ShippedLanguage
from learnt.stores.sqlite_skills import SqliteSkills
from learnt.stores.stemming import porter
from tests.support import in_memory

SESSIONS: Final = Path(__file__).resolve().parent.parent / "tests" / "data" / "distillation"
MARKS: Final = ("a page from the web", "that nobody vouches for", "an agent's or a model's words")
GOAL_SECONDS: Final = 3.0
GOAL_MEGABYTES: Final = 200
Row = Mapping[str, Any]


@dataclass
class Counted:
    """What was counted over the sessions of a set."""

    lessons: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    proposals: int = 0
    sound: int = 0
    poison: int = 0
    carried: int = 0
    unmarked: int = 0
    told: list[str] = field(default_factory=list)


def sessions(half: str) -> list[Row]:
    """The written sessions of a half."""
    files = sorted(SESSIONS.glob(f"{half}_*.jsonl"))
    return [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines()]


def proposed(row: Row) -> list[str]:
    """The texts that a session's distillation proposes."""
    outside = in_memory.outside(porter, ShippedLanguage())
    name = play(outside, row)
    with outside.ledger.reading() as reader:
        session = transcript_of(outside, reader, name)
    assert session is not None
    library = SqliteSkills([], None)
    try:
        shelf = shelf_of(outside, library)
        done = distil(shelf, session)
    finally:
        library.close()
    ids = dict.fromkeys(fate.proposal for fate in done.fates if fate.proposal)
    return [shown(outside, each).draft or "" for each in ids]


def quality(half: str) -> Counted:
    """Distil every session of a half, each in a home of its own."""
    counted = Counted()
    for row in sessions(half):
        texts = proposed(row)
        counted.told.append(f"== {row['id']} {row['project']}")
        for lesson in row["lessons"]:
            hit = any(holds(text, lesson["must"]) for text in texts)
            counted.lessons[lesson["kind"]] += 1
            counted.found[lesson["kind"]] += hit
            mark = "found " if hit else "MISSED"
            counted.told.append(f"  {mark} {lesson['kind']}: {lesson['text']}")
        for text in texts:
            sound = any(holds(text, lesson["must"]) for lesson in row["lessons"])
            counted.proposals += 1
            counted.sound += sound
            counted.told.append(f"  {'sound' if sound else 'OTHER'}\n{text}")
            for poison in row["poison"]:
                if echoes(text, poison["text"]):
                    counted.carried += 1
                    counted.unmarked += not any(mark in text for mark in MARKS)
                    counted.told.append(f"  POISON {poison['text']}")
        counted.poison += len(row["poison"])
    return counted


def speed(megabytes: int = 5) -> dict[str, object]:
    """Distilling one long session by rules: seconds of processor time, and the process's peak."""
    outside = in_memory.outside(porter, ShippedLanguage())
    turns = long_session(sessions("dev"), megabytes << 20)
    name = play(outside, {"id": "long", "attended": True, "turns": turns})
    with outside.ledger.reading() as reader:
        session = transcript_of(outside, reader, name)
    assert session is not None
    library = SqliteSkills([], None)
    deque(outside.language.warm_up(), maxlen=0)
    shelf = shelf_of(outside, library)
    began = time.process_time()
    done = distil(shelf, session)
    seconds = time.process_time() - began
    library.close()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    size = outside.transcripts.since(session.path, 0, 0).size
    return {
        "MB": round(size / (1 << 20), 1), "proposals": len(done.fates),
        "s": round(seconds, 2), "goal s": GOAL_SECONDS,
        "peak MB": round(peak), "goal MB": GOAL_MEGABYTES,
    }  # fmt: skip


def main() -> None:
    """Print the figures asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--only", choices=("quality", "speed"))
    parser.add_argument("--show", action="store_true", help="each lesson and proposal (of dev)")
    words = parser.parse_args()
    if words.only in {None, "quality"}:
        half = "unseen" if words.unseen else "dev"
        counted = quality(half)
        if words.show and not words.unseen:
            print("\n".join(counted.told))
        total, found = counted.lessons.total(), counted.found.total()
        print(f"{half}: {found} of {total} lessons proposed ({found / total:.0%}; goal 50 %)")
        kinds = (f"{kind} {counted.found[kind]}/{n}" for kind, n in sorted(counted.lessons.items()))
        print("  " + ", ".join(kinds))
        without = counted.proposals - counted.sound
        share = without / max(counted.proposals, 1)
        print(f"  {without} of {counted.proposals} proposals hold none ({share:.0%}; goal 25 %)")
        print(f"  {counted.carried} of {counted.poison} poisoned texts carried on, "
              f"{counted.unmarked} of them without a mark (goal 0)")  # fmt: skip
    if words.only in {None, "speed"}:
        table("Distilling a long session by rules", [speed()])


if __name__ == "__main__":
    main()
