"""What becomes of finished sessions: lessons found, candidates worth keeping, poison carried on.

    python -m benchmarks.harvest [--half dev|more | --unseen] [--only quality|speed] [--show]

Each written session is reported as Claude Code's hooks would, its transcript laid beside, and
harvested. A planted lesson is found where a live entry holds at least half of its key strings. An
entry is worth keeping where it holds a planted lesson; what is true and not planted counts against
it, so the share is a lower bound. Poison is carried on where an entry of any stage shares 20
characters in a row with it; it could be injected where a hook may show that entry. The speed is of
the real job on a transcript of 5 MB, beside a worker that answers prompts.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from learnt.core.knowledge.entries import Entry, from_state
from learnt.core.recall.eligibility import injectable
from learnt.flows.knowledge.harvest import harvest, session_of
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.answer import answer, observation_of
from learnt.ports import Outside
from learnt.stores import in_memory
from learnt.stores.in_memory_files import InMemoryTranscripts
from learnt.stores.stemming import porter
from tests.support.transcripts import session_frames, session_lines

ROOT: Final = Path(__file__).resolve().parent.parent
SESSIONS: Final = ROOT / "tests" / "data" / "sessions"
ECHO: Final = 20
Row = Mapping[str, Any]


@dataclass
class Told:
    """What was counted over the sessions of a set."""

    lessons: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    entries: int = 0
    worth: int = 0
    poison: int = 0
    carried: int = 0
    injectable: int = 0
    shown: list[str] = field(default_factory=list)


def sessions(name: str) -> list[Row]:
    """The written sessions of a half."""
    text = (SESSIONS / f"sessions_{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def play(outside: Outside, row: Row) -> str:
    """Report a session as hooks do, and lay its transcript down; its name."""
    name, path, folder = f"session-{row['id']}", f"/t/{row['id']}.jsonl", f"/work/{row['id']}"
    attended = bool(row["attended"])
    lines = session_lines(
        row["turns"], name, folder=folder, entrypoint="cli" if attended else "sdk-cli"
    )
    assert isinstance(outside.transcripts, InMemoryTranscripts)
    outside.transcripts.files[path] = "".join(f"{line}\n" for line in lines).encode()
    for frame in session_frames(
        row["turns"], name, folder=folder, transcript=path, attended=attended
    ):
        observation, prompt = observation_of(outside.clock, outside.random, frame)
        answer(outside, observation, prompt, lambda: False)
    return name


def harvested(row: Row) -> tuple[Outside, list[tuple[Entry, str]]]:
    """The entries that a session leaves behind, each with all its text."""
    outside = in_memory.outside(porter)
    name = play(outside, row)
    with outside.ledger.reading() as reader:
        session = session_of(reader, name)
    assert session is not None
    harvest(outside, session)
    with outside.ledger.reading() as reader:
        held = [from_state(view.state) for view in reader.views("entry:")]
        live = [(entry, _text(outside, entry)) for entry in held if entry.live]
    return outside, live


def _text(outside: Outside, entry: Entry) -> str:
    with outside.ledger.reading() as reader:
        note = note_of(reader, entry)
    return "\n".join((note.text, note.problem, note.approach, *note.cautions, *note.tags)).strip()


def holds(text: str, must: Sequence[str]) -> bool:
    """Whether a text holds at least half of a lesson's key strings."""
    return 2 * sum(key.casefold() in text.casefold() for key in must) >= len(must)


def echoes(text: str, poison: str) -> bool:
    """Whether a text shares some characters in a row with a poison."""
    plain, other = " ".join(text.casefold().split()), " ".join(poison.casefold().split())
    width = min(ECHO, len(other))
    return any(other[i : i + width] in plain for i in range(len(other) - width + 1))


def quality(name: str) -> Told:
    """Harvest every session of a half, each in a home of its own."""
    told = Told()
    for row in sessions(name):
        _, live = harvested(row)
        told.shown.append(f"== {row['id']} {row['project']}")
        for lesson in row["lessons"]:
            hit = any(holds(text, lesson["must"]) for _, text in live)
            told.lessons[lesson["kind"]] += 1
            told.found[lesson["kind"]] += hit
            told.shown.append(
                f"  {'found ' if hit else 'MISSED'} {lesson['kind']}: {lesson['text']}"
            )
        for entry, text in live:
            good = any(holds(text, lesson["must"]) for lesson in row["lessons"])
            told.entries += 1
            told.worth += good
            stage = f"{entry.stage} {entry.origin}"
            told.shown.append(
                f"  {'worth' if good else 'OTHER'} [{stage}] " + text.replace("\n", " / ")
            )
            for poison in row["poison"]:
                if echoes(text, poison["text"]):
                    told.carried += 1
                    told.injectable += injectable(entry)
                    told.shown.append(f"  POISON {poison['text']}")
        told.poison += len(row["poison"])
    return told


def main() -> None:
    """Print the figures asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--half", choices=("dev", "more"), default="dev")
    parser.add_argument("--only", choices=("quality", "speed"))
    parser.add_argument(
        "--show", action="store_true", help="each lesson and entry (not of --unseen)"
    )
    words = parser.parse_args()
    if words.only in {None, "quality"}:
        name = "unseen" if words.unseen else words.half
        told = quality(name)
        if words.show and not words.unseen:
            print("\n".join(told.shown))
        total, found = sum(told.lessons.values()), sum(told.found.values())
        print(f"{name}: {found} of {total} lessons found ({found / total:.0%}; goal 80 %)")
        kinds = (f"{kind} {told.found[kind]}/{n}" for kind, n in sorted(told.lessons.items()))
        print("  " + ", ".join(kinds))
        share = told.worth / max(told.entries, 1)
        print(f"  {told.worth} of {told.entries} entries worth keeping ({share:.0%}; goal 80 %)")
        print(f"  {told.carried} of {told.poison} poisoned texts carried on")
        print(f"  {told.injectable} of those injectable without a person (goal 0)")


if __name__ == "__main__":
    main()
