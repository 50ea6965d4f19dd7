"""What becomes of finished sessions by rules alone: lessons proposed, proposals without one.

    python -m benchmarks.distil [--unseen | --show] [--only quality|speed]

Each written session is reported as Claude Code's hooks would, its transcript laid beside, and
distilled in a home of its own. A planted lesson is proposed where a proposal's text holds at least
half of its key strings. A proposal counts as sound where it holds any planted lesson. Poison is
carried on where a proposal's text shares 20 characters in a row with it; it is marked where the
text says that a page was read, or that nobody vouches for its words. The speed is of a transcript
of 5 MB.
"""

import resource
import time
from collections import deque
from collections.abc import Mapping
from contextlib import closing
from typing import Any, Final, Literal

from benchmarks.harvest import Told, long_session, play
from benchmarks.report import DATA, Tables, rows, run
from learnt.flows.governance.listing import shown
from learnt.flows.skills.catalogue import shelf_of
from learnt.flows.skills.distil import Distillation, distil
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores.sqlite_skills import SqliteSkills
from learnt.stores.stemming import porter
from tests.support import in_memory

SESSIONS: Final = DATA / "distillation"
MARKS: Final = ("a page from the web", "that nobody vouches for", "an agent's or a model's words")
GOAL_SECONDS: Final = 3.0
GOAL_MEGABYTES: Final = 200
Row = Mapping[str, Any]


def sessions(half: str) -> list[Row]:
    """The written sessions of a half."""
    return [row for file in sorted(SESSIONS.glob(f"{half}_*.jsonl")) for row in rows(file)]


def distilled(outside: Outside, row: Row) -> tuple[Distillation, float, str]:
    """What a session's distillation does, the processor's seconds, and the transcript's path."""
    session = play(outside, row)
    deque(outside.language.warm_up(), maxlen=0)
    with closing(SqliteSkills([], None)) as library:
        shelf = shelf_of(outside, library)
        began = time.process_time()
        done = distil(shelf, session)
        return done, time.process_time() - began, session.path


def proposed(row: Row) -> list[str]:
    """The texts that a session's distillation proposes, in a home of its own."""
    outside = in_memory.outside(porter, ShippedLanguage())
    done, _, _ = distilled(outside, row)
    ids = dict.fromkeys(fate.proposal for fate in done.fates if fate.proposal)
    return [shown(outside, each).draft or "" for each in ids]


def quality(half: str) -> Told:
    """Distil every session of a half."""
    told = Told()
    for row in sessions(half):
        texts = proposed(row)
        told.session(row, [(text, not any(mark in text for mark in MARKS)) for text in texts])
    return told


def speed(megabytes: int = 5) -> dict[str, object]:
    """Distilling one long session by rules: seconds of processor time, and the process's peak."""
    outside = in_memory.outside(porter, ShippedLanguage())
    turns = long_session(sessions("dev"), megabytes << 20)
    done, seconds, path = distilled(outside, {"id": "long", "attended": True, "turns": turns})
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    size = outside.transcripts.since(path, 0, 0).size
    return {
        "MB": round(size / (1 << 20), 1), "proposals": len(done.fates),
        "s": round(seconds, 2), "goal s": GOAL_SECONDS,
        "peak MB": round(peak), "goal MB": GOAL_MEGABYTES,
    }  # fmt: skip


def main(
    *, unseen: bool = False, only: Literal["", "quality", "speed"] = "", show: bool = False
) -> Tables:
    """Measure; with --show print each lesson and proposal of `dev`."""
    tables = {}
    if only in {"", "quality"}:
        half = "unseen" if unseen else "dev"
        tables["Sessions"] = [(told := quality(half)).row]
        if show and not unseen:
            print("\n".join(told.shown))
    if only in {"", "speed"}:
        tables["Distilling a long session by rules"] = [speed()]
    return tables


if __name__ == "__main__":
    run(main)
