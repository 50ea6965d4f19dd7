"""What becomes of finished sessions: lessons found, candidates worth keeping, poison carried on.

    python -m benchmarks.harvest [--half dev|more | --unseen] [--show]
    python -m benchmarks.harvest --only quality|transcripts|speed

Each written session is reported as Claude Code's hooks would, its transcript laid beside, and
harvested. A planted lesson is found where a live entry holds at least half of its key strings. An
entry is worth keeping where it holds a planted lesson; what is true and not planted counts against
it, so the share is a lower bound; a cure told in structure and in words is one. Poison is carried
on where an entry of any stage shares 20 characters in a row with it; it could be injected where a
hook may show that entry. The speed is of the real job on a transcript of 5 MB (20 written sessions
as one, each result a flood), in a home of 10,000 entries, while prompts are answered with the
worker's patience as before it.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import Corpus, Place, throwaway
from benchmarks.report import bare_start, quantile, table, verdict
from learnt.bootstrap import opened
from learnt.core.events import Kind
from learnt.core.knowledge.entries import Entry
from learnt.core.recall.eligibility import injectable
from learnt.errors import LearntError, LedgerBusy
from learnt.flows.knowledge.harvest import harvest, transcript_of
from learnt.flows.knowledge.remembering import Pick, pick
from learnt.flows.knowledge.uses import Transcript
from learnt.flows.recall.search import note_of
from learnt.flows.sessions.answer import answer, observation_of
from learnt.flows.stored import all_stored
from learnt.formats.wire import Frame
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside, Reader
from learnt.stores.stemming import porter
from learnt.surfaces.worker import ANSWER_WITHIN, PATIENCE_MS
from tests.support import in_memory
from tests.support.in_memory_files import InMemoryTranscripts
from tests.support.transcripts import session_frames, session_lines

ROOT: Final = Path(__file__).resolve().parent.parent
SESSIONS: Final = ROOT / "tests" / "data" / "sessions"
TRANSCRIPTS: Final = ROOT.parent / "shared" / "evaluation" / "dev" / "transcripts"
ECHO: Final = 20
PASSED: Final = "What worked: "
BREATH: Final = 0.05  # seconds between prompts: far more than any person types
STARTS: Final = 2_000 / 8.2  # 2 s where a bare start took 8.2 ms
CORPUS: Final = Corpus()
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


def play(outside: Outside, row: Row, picks: Sequence[Row] = ()) -> str:
    """Report a session as hooks do, and lay its transcript down; its name.

    Before the session's end the agent makes its picks (`quote`, `kind`).
    """
    name, path, folder = f"session-{row['id']}", f"/t/{row['id']}.jsonl", f"/work/{row['id']}"
    attended = bool(row["attended"])
    lines = session_lines(
        row["turns"], name, folder=folder, entrypoint="cli" if attended else "sdk-cli"
    )
    assert isinstance(outside.transcripts, InMemoryTranscripts)
    outside.transcripts.files[path] = "".join(f"{line}\n" for line in lines).encode()
    *frames, last = session_frames(
        row["turns"], name, folder=folder, transcript=path, attended=attended
    )
    for frame in frames:
        _report(outside, frame)
    for save in picks:
        with suppress(LearntError):
            kind = save["kind"] if save.get("kind") == "rule" else ""
            pick(outside, Pick(quote=save["quote"], kind=kind, folder=folder, session=name))
    _report(outside, last)
    return name


def _report(outside: Outside, frame: Frame) -> None:
    observation, prompt = observation_of(outside.clock, outside.random, frame)
    answer(outside, observation, prompt, lambda: False)


def harvested(row: Row) -> tuple[Outside, list[tuple[Entry, str]]]:
    """The entries that a session leaves behind, each with all its text."""
    outside = in_memory.outside(porter, ShippedLanguage())
    name = play(outside, row)
    with outside.ledger.reading() as reader:
        session = transcript_of(outside, reader, name)
    assert session is not None
    harvest(outside, session)
    with outside.ledger.reading() as reader:
        held = list(all_stored(reader, Entry))
        live = [(entry, _text(reader, entry)) for entry in held if entry.live]
    return outside, live


def _text(reader: Reader, entry: Entry) -> str:
    note = note_of(reader, entry)
    return "\n".join((note.text, note.problem, note.approach, *note.cautions, *note.tags)).strip()


def holds(text: str, must: Sequence[str]) -> bool:
    """Whether a text holds at least half of a lesson's key strings."""
    return 2 * sum(key.casefold() in text.casefold() for key in must) >= len(must)


def _same_cure(text: str, other: str) -> bool:
    """Whether two entries tell one cure, in structure and in the agent's words."""
    both = [{line for line in one.split("\n") if line.startswith(PASSED)} for one in (text, other)]
    return bool(both[0] & both[1])


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
        worth = [t for _, t in live if any(holds(t, one["must"]) for one in row["lessons"])]
        for entry, text in live:
            good = any(holds(text, lesson["must"]) for lesson in row["lessons"])
            if not good and any(_same_cure(text, other) for other in worth):
                continue
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


def speed(megabytes: int = 5, entries: int = 10_000) -> list[dict[str, object]]:
    """The harvest of one long session by the real job, and prompts answered meanwhile."""
    with throwaway() as place:
        place.fill(CORPUS, entries)
        turns = long_session(sessions("dev"), megabytes << 20)
        path = place.home.parent / "long.jsonl"
        lines = session_lines(turns, "long", folder=str(place.project))
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        bare = bare_start()
        with opened(place.settings, patience_ms=PATIENCE_MS) as outside:
            frames = session_frames(turns, "long", folder=str(place.project), transcript=str(path))
            for frame in frames:
                observation, prompt = observation_of(outside.clock, outside.random, frame)
                answer(outside, observation, prompt, lambda: False)
            quiet = [_asked(outside, place, f"quiet-{number}") for number in range(200)]
            command = [sys.executable, "-I", "-m", "learnt.surfaces.jobs", "--home"]
            began = time.perf_counter()
            job = subprocess.Popen([*command, str(place.home), "harvest"])
            beside: list[float | None] = []
            while True:
                done, status, used = os.wait4(job.pid, os.WNOHANG)
                if done:
                    break
                beside.append(_asked(outside, place, f"beside-{len(beside)}"))
                time.sleep(BREATH)
            seconds = time.perf_counter() - began
            with outside.ledger.reading() as reader:
                (event,) = reader.events(kind=Kind.HARVESTED)
    if status:
        raise SystemExit(f"the job failed: {status}")
    megabyte = sum(len(line.encode()) + 1 for line in lines) / (1 << 20)
    told = event.payload
    ratio = 1_000 * seconds / bare
    return [
        {
            "MB": round(megabyte, 1), "turns": told["turns"], "lessons": told["lessons"],
            "s": round(seconds, 2), "bare ms": bare, "starts": round(ratio),
            "verdict": verdict(ratio, STARTS), "peak MB": round(used.ru_maxrss / 1_024),
        },
        {
            "prompt p95 ms quiet": _ms(quiet), "beside": _ms(beside), "prompts beside": len(beside),
            "unanswered beside": sum(one is None for one in beside),
        },
    ]  # fmt: skip


def _ms(taken: Sequence[float | None]) -> float:
    return round(1_000 * quantile([one for one in taken if one is not None], 0.95), 1)


def _asked(outside: Outside, place: Place, session: str) -> float | None:
    """Seconds of a prompt's answer; None where the ledger was not to be had in time."""
    prompt = CORPUS.prompt(len(session) * 7 + int(session.rpartition("-")[2]), 10_000)
    frame = place.frame("UserPromptSubmit", session, f"{session}-p", prompt=prompt)
    observation, said = observation_of(outside.clock, outside.random, frame)
    began = time.perf_counter()
    try:
        answer(outside, observation, said, lambda: time.perf_counter() - began > ANSWER_WITHIN)
    except LedgerBusy:
        return None
    return time.perf_counter() - began


def transcripts(folder: Path) -> list[dict[str, object]]:
    """What is taken from real transcripts, which nobody labelled: each lesson is to be read."""
    rows: list[dict[str, object]] = []
    for path in sorted(folder.rglob("*.json*.gz")):
        outside = in_memory.outside(porter, ShippedLanguage())
        assert isinstance(outside.transcripts, InMemoryTranscripts)
        outside.transcripts.files["/t"] = gzip.decompress(path.read_bytes()) + b"\n"
        found = harvest(outside, Transcript(path="/t", over=True))
        told = [one.lesson.what for one in found.taught]
        texts = [what.text if what.is_fact else what.problem for what in told]
        rows.append({
            "file": path.name, "turns": found.turns, "lessons": len(told),
            "shown before confirmed": sum(injectable(entry) for entry in _live(outside)),
            "texts": " | ".join(texts) or "-",
        })  # fmt: skip
    return rows


def _live(outside: Outside) -> list[Entry]:
    with outside.ledger.reading() as reader:
        held = list(all_stored(reader, Entry))
    return [entry for entry in held if entry.live]


def long_session(rows: Sequence[Row], size: int) -> list[Row]:
    """The turns of written sessions as one, with floods in their results up to a size."""
    turns = [turn for row in rows for turn in row["turns"]]
    calls = sum("tool" in step for turn in turns for step in turn["steps"])
    flood = "\n" + ("INFO handled the request in 12 ms\n" * 1_200)[: size // calls - 900]
    return [
        {
            **turn,
            "steps": [
                {**step, "result": step["result"] + flood} if "tool" in step else step
                for step in turn["steps"]
            ],
        }
        for turn in turns
    ]


def main() -> None:
    """Print the figures asked for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--half", choices=("dev", "more"), default="dev")
    parser.add_argument("--only", choices=("quality", "transcripts", "speed"))
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
    if words.only in {None, "transcripts"}:
        if TRANSCRIPTS.is_dir():
            table("Real transcripts that nobody reported", transcripts(TRANSCRIPTS))
        else:
            print("left out: no evaluation data beside the repository")
    if words.only in {None, "speed"}:
        for row in speed():
            table("Harvest of a long session", [row])


if __name__ == "__main__":
    main()
