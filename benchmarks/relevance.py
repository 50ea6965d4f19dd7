"""Whether recall puts the right notes before an agent, and keeps quiet otherwise.

    python -m benchmarks.relevance [dev|unseen] [--json]
    python -m benchmarks.relevance --notes FILE --prompts FILE
        [--home-size N] [--distractors N] [--paste FILE] --json

Plays labelled prompts through the flow that answers a prompt hook, each in a session of its own, in
throw-away homes. Without files these are the prompts of `tests/data/recall`, which come with 80
notes. With files each note lies in a home with N - 1 random others of the file, and with statements
of `train/data` where there are not so many, or where --distractors asks for more. With --paste
20,000 characters of a file stand before each prompt. What is `unseen` is for the closing figures,
not for tuning.
"""

import random  # noqa: TID251  # seeded: the same homes in every run
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from benchmarks.report import DATA, ROOT, rows, run
from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind, payload_of
from learnt.core.knowledge.drafts import Draft
from learnt.core.payloads.entry_events import Recalled
from learnt.core.sessions.observations import Observation
from learnt.errors import Refused
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.recall.offering import answer_prompt
from learnt.flows.sessions.observe import read_prompt
from learnt.ports import Outside
from learnt.settings import Settings

RECALL: Final = DATA / "recall"
SEED: Final = 20_260_301
COUNTS: Final = ("n", "found", "hinted", "wrong", "disturbed", "hint_disturbed")
Row = Mapping[str, Any]


def statements(count: int) -> list[Row]:
    """Statements of several authors, as facts. Raises ValueError where they are too few."""
    data, texts = ROOT / "train" / "data", dict[str, None]()
    for path in [*sorted(data.glob("statements/*.jsonl")), *sorted(data.glob("pairs/*.jsonl"))]:
        for row in rows(path):
            texts.update(dict.fromkeys(row[key] for key in ("text", "a", "b") if key in row))
    if count > len(texts):
        raise ValueError(f"{count} distractors are asked for, and there are {len(texts)}.")
    picked = random.Random(SEED).sample(list(texts), count)
    return [
        {"id": f"x{number}", "kind": "schema", "text": text} for number, text in enumerate(picked)
    ]


def offered(row: Row) -> Draft:
    """A note of a data file as what a person offers."""
    tags = tuple(row.get("tags") or ())
    if row.get("text"):
        return Draft(text=row["text"], kind=row["kind"], entities=tuple(row.get("entities") or ()))
    cautions = tuple(row.get("cautions") or ())
    return Draft(problem=row["problem"], approach=row["approach"], cautions=cautions, tags=tags)


@dataclass(frozen=True, slots=True)
class Given:
    """What one prompt was given, by the ids of the notes."""

    shown: frozenset[str]
    hinted: frozenset[str]


@dataclass(frozen=True, slots=True)
class Memory:
    """A throw-away home with notes in it."""

    outside: Outside
    folder: str
    names: Mapping[str, str]  # the note of each entry

    def given(self, name: str, prompt: str) -> Given:
        """What is put before the agent for a prompt, in a session of its own."""
        seen = Observation(
            id=name, ms=0, event="UserPromptSubmit", session=name, episode="p", cwd=self.folder
        )
        asked = read_prompt(self.outside.language, seen.actor, prompt)
        answer_prompt(self.outside, seen, asked, lambda: False)
        with self.outside.ledger.reading() as reader:
            events = reader.events(kind=Kind.RECALLED, session=name)
            told = [payload_of(Recalled, event) for event in events]
        return Given(
            frozenset(self.names[entry] for each in told for entry in each.shown),
            frozenset(self.names[entry] for each in told for entry in each.hinted),
        )


@contextmanager
def memory(notes: Sequence[Row]) -> Iterator[Memory]:
    """A home that a person filled with these notes."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "project"
        folder.mkdir()
        with opened(Settings(home=Path(scratch) / "home")) as outside:
            names: dict[str, str] = {}
            for row in notes:
                offer = Offer(what=offered(row), actor=Actor.HUMAN, folder=str(folder))
                with suppress(Refused):  # what holds a secret is kept by nobody, and found by none
                    names[capture(outside, offer).entry] = str(row["id"])
            yield Memory(outside, str(folder), names)


def homes(
    notes: Sequence[Row], size: int | None, more: int
) -> list[tuple[list[Row], frozenset[str]]]:
    """The notes of each home, and the ids of those that are asked for in it: each note in one."""
    size = size or len(notes)
    added = statements(max(0, size - len(notes)) + more)
    if size >= len(notes):
        return [([*notes, *added], frozenset(str(row["id"]) for row in notes))]
    chance = random.Random(SEED)
    shuffled = chance.sample(notes, len(notes))
    made = []
    for start in range(0, len(notes), size):
        own = shuffled[start : start + size]
        others = [row for row in notes if row not in own]
        filled = [*own, *chance.sample(others, size - len(own)), *added]
        made.append((filled, frozenset(str(row["id"]) for row in own)))
    return made


def judged(
    notes: Sequence[Row], prompts: Sequence[Row], size: int | None = None, more: int = 0
) -> dict[str, dict[str, int]]:
    """By sort of prompt, counts that are disjoint: what of the prompts came to what."""
    chance, made = random.Random(SEED), homes(notes, size, more)
    place = {name: number for number, (_, own) in enumerate(made) for name in own}
    # A prompt that no note answers is typed in any of the homes.
    at = [place[note] if (note := _note(p)) else chance.randrange(len(made)) for p in prompts]
    tally: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(COUNTS, 0))
    for number, (held, _) in enumerate(made):
        with memory(held) as home:
            for prompt, where in zip(prompts, at, strict=True):
                if where == number:
                    given = home.given(str(prompt["id"]), str(prompt["prompt"]))
                    counts = tally[prompt["sort"]]
                    counts["n"] += 1
                    if became := _became(_note(prompt), given):
                        counts[became] += 1
    return dict(tally)


def _note(prompt: Row) -> str | None:
    return None if prompt["note"] is None else str(prompt["note"])


def _became(note: str | None, given: Given) -> str:
    if note is None:
        return "disturbed" if given.shown else "hint_disturbed" if given.hinted else ""
    if note in given.shown:
        return "found"
    return "wrong" if given.shown else "hinted" if note in given.hinted else ""


def parts(sorts: Mapping[str, Mapping[str, int]]) -> dict[str, tuple[int, int]]:
    """What became of the prompts that a note answers, and of the others: how many, of how many."""
    asking = [counts for sort, counts in sorts.items() if sort not in QUIET]
    quiet = [counts for sort, counts in sorts.items() if sort in QUIET]

    def part(of: Sequence[Mapping[str, int]], *names: str) -> tuple[int, int]:
        return sum(c[name] for c in of for name in names), sum(c["n"] for c in of)

    return {
        "found": part(asking, "found"),
        "found or hinted": part(asking, "found", "hinted"),
        "wrong": part(asking, "wrong"),
        "disturbed": part(quiet, "disturbed"),
        "hint disturbed": part(quiet, "hint_disturbed"),
    }


QUIET: Final = frozenset({"same-technology", "ordinary"})


def measure(half: str) -> dict[str, Any]:
    """Shares of the prompts of the first set, by kind: answered rightly, wrongly, or left alone."""
    tally: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    with memory(rows(RECALL / "entries.jsonl")) as home:
        for row in rows(RECALL / f"prompts_{half}.jsonl"):
            shown = home.given(str(row["id"]), str(row["prompt"])).shown
            wanted, counts = set(row["relevant"]), tally[str(row["kind"])]
            found = (1, bool(wanted & shown), len(shown - wanted), bool(shown))
            tally[str(row["kind"])] = [a + b for a, b in zip(counts, found, strict=True)]
    asking = [k for k in tally if k in {"paraphrase", "long", "one-word"}]
    quiet = [k for k in tally if k not in asking]
    prompts = sum(counts[0] for counts in tally.values())
    return {
        "half": half,
        "prompts": prompts,
        "found": round(sum(tally[k][1] for k in asking) / sum(tally[k][0] for k in asking), 4),
        "disturbed": round(sum(tally[k][3] for k in quiet) / sum(tally[k][0] for k in quiet), 4),
        "wrong_notes_per_prompt": round(sum(c[2] for c in tally.values()) / prompts, 4),
        "by_kind": {
            kind: {"prompts": c[0], "found": c[1], "wrong_notes": c[2], "answered": c[3]}
            for kind, c in sorted(tally.items())
        },
    }


def main(
    half: Literal["dev", "unseen"] = "dev",
    /,
    *,
    notes: Path | None = None,
    prompts: Path | None = None,
    home_size: int | None = None,
    distractors: int = 0,
    paste: Path | None = None,
) -> dict[str, object]:
    """Measure one half, or two files."""
    if notes is None or prompts is None:
        if notes or prompts:
            sys.exit("--notes and --prompts belong together")
        return measure(half)
    asked = rows(prompts)
    if paste is not None:
        before = paste.read_text("utf-8")[:20_000]
        asked = [{**row, "prompt": f"{before}\n{row['prompt']}"} for row in asked]
    return {"sorts": judged(rows(notes), asked, home_size, distractors)}


if __name__ == "__main__":
    run(main)
