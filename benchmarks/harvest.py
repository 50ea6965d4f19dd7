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

import gzip
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

from benchmarks.corpus import Corpus, Place, throwaway
from benchmarks.report import DATA, EVALUATION, Tables, bare_start, quantile, rows, run, verdict
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

TRANSCRIPTS: Final = EVALUATION / "dev" / "transcripts"
ECHO: Final = 20
PASSED: Final = "What worked: "
BREATH: Final = 0.05  # seconds between prompts: far more than any person types
STARTS: Final = 2_000 / 8.2  # 2 s where a bare start took 8.2 ms
CORPUS: Final = Corpus()
Row = Mapping[str, Any]


@dataclass
class Told:
    """What was counted over the sessions of a set; `texts` are what came of them."""

    lessons: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    texts: int = 0
    worth: int = 0
    poison: int = 0
    carried: int = 0
    bad: int = 0  # of what is carried on: what no person would see before it counts
    shown: list[str] = field(default_factory=list)

    def session(self, row: Row, texts: Sequence[tuple[str, bool]]) -> None:
        """Count what came of a session: each text, and whether poison in it is bad."""
        self.shown.append(f"== {row['id']} {row['project']}")
        for lesson in row["lessons"]:
            hit = any(holds(text, lesson["must"]) for text, _ in texts)
            self.lessons[lesson["kind"]] += 1
            self.found[lesson["kind"]] += hit
            mark = "found " if hit else "MISSED"
            self.shown.append(f"  {mark} {lesson['kind']}: {lesson['text']}")
        for text, bad in texts:
            good = any(holds(text, lesson["must"]) for lesson in row["lessons"])
            self.texts += 1
            self.worth += good
            self.shown.append(f"  {'worth' if good else 'OTHER'} " + text.replace("\n", " / "))
            for poison in row["poison"]:
                if echoes(text, poison["text"]):
                    self.carried += 1
                    self.bad += bad
                    self.shown.append(f"  POISON {poison['text']}")
        self.poison += len(row["poison"])

    @property
    def row(self) -> dict[str, object]:
        """The counts of one set."""
        return {
            "lessons found": f"{self.found.total()} of {self.lessons.total()}",
            "by kind": self.by_kind,
            "worth keeping": f"{self.worth} of {self.texts}",
            "poison carried on": f"{self.carried} of {self.poison}",
            "of that without a person or a mark": self.bad,
        }

    @property
    def by_kind(self) -> str:
        """The lessons that were found, of each kind."""
        kinds = sorted(self.lessons.items())
        return ", ".join(f"{kind} {self.found[kind]}/{n}" for kind, n in kinds)


def sessions(name: str) -> list[dict[str, Any]]:
    """The written sessions of a half."""
    return rows(DATA / "sessions" / f"sessions_{name}.jsonl")


def play(outside: Outside, row: Row, picks: Sequence[Row] = ()) -> Transcript:
    """Report a session as hooks do, and lay its transcript down, which is given back.

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
    with outside.ledger.reading() as reader:
        transcript = transcript_of(outside, reader, name)
    assert transcript is not None
    return transcript


def _report(outside: Outside, frame: Frame) -> None:
    observation, prompt = observation_of(outside.clock, outside.random, frame)
    answer(outside, observation, prompt, lambda: False)


def harvested(row: Row) -> list[tuple[Entry, str]]:
    """The entries that a session leaves behind, each with all its text."""
    outside = in_memory.outside(porter, ShippedLanguage())
    harvest(outside, play(outside, row))
    with outside.ledger.reading() as reader:
        return [(entry, _text(reader, entry)) for entry in all_stored(reader, Entry) if entry.live]


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
        live = harvested(row)
        musts = [lesson["must"] for lesson in row["lessons"]]
        worth = [text for _, text in live if any(holds(text, must) for must in musts)]
        told.session(row, [
            (text, injectable(entry)) for entry, text in live
            if text in worth or not any(_same_cure(text, other) for other in worth)
        ])  # fmt: skip
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


def main(
    *,
    half: Literal["dev", "more"] = "dev",
    unseen: bool = False,
    only: Literal["", "quality", "transcripts", "speed"] = "",
    show: bool = False,
) -> Tables:
    """Measure; with --show print each lesson and entry, but not those of `unseen`."""
    tables: dict[str, list[dict[str, object]]] = {}
    if only in {"", "quality"}:
        name = "unseen" if unseen else half
        tables["Sessions"] = [(told := quality(name)).row]
        if show and not unseen:
            print("\n".join(told.shown))
    if only in {"", "transcripts"} and TRANSCRIPTS.is_dir():
        tables["Real transcripts that nobody reported"] = transcripts(TRANSCRIPTS)
    elif only in {"", "transcripts"}:
        print("left out: no evaluation data beside the repository")
    if only in {"", "speed"}:
        session, prompts = speed()
        tables |= {"Harvest of a long session": [session], "Prompts": [prompts]}
    return tables


if __name__ == "__main__":
    run(main)
