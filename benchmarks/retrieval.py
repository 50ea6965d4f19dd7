"""How well explicit recall finds the turn of a conversation that answers a question.

    python -m benchmarks.retrieval [--data DIR] [--json]

Reads the evaluation sets beside the repository where they are, and says so where they are not:
their licences bind, nothing of them is copied. Every scope of a set (a conversation) is a project
of one throw-away home, every turn an entry; a question goes through the flow of `learnt recall`. A
set of many pooled scopes has a home for each, and of those every fourth is taken.
"""

import gzip
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import ROOT, throwaway
from benchmarks.report import arguments, load_now, table
from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.knowledge.drafts import Solution
from learnt.flows.knowledge.capture import capture_many
from learnt.flows.knowledge.offers import Offer, Quoted
from learnt.flows.recall.ask import ask

DEFAULT_DATA: Final = ROOT.parent / "shared" / "evaluation" / "dev" / "memory_locomo"
POOLED: Final = "memory_memdaily_zh_pooled"
GOALS: Final = {"memory_locomo": 53.3}  # R@5 of plain FTS5 on the same set
MOST: Final = 100
MOST_SCOPES: Final = 50
CUTS: Final = (1, 3, 5, 10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question of one scope, and the documents that answer it."""

    scope: str
    text: str
    relevant: frozenset[str]
    category: str


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a file of JSON lines, packed or not."""
    packed = path.with_name(path.name + ".gz")
    if packed.exists():
        with gzip.open(packed, "rt", encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def questions(data: Path) -> list[Question]:
    """The set's questions that have an answer."""
    return [
        Question(
            scope=row["scope"],
            text=row["query"],
            relevant=frozenset(row["relevant"]),
            category=row.get("category") or "",
        )
        for row in rows(data / "queries.jsonl")
        if row.get("relevant")
    ]


def text_of(row: dict[str, Any]) -> str:
    """A turn as it was said, with what its picture shows."""
    speaker = f"{row['speaker']}: " if row.get("speaker") else ""
    caption = f" [image: {row['caption']}]" if row.get("caption") else ""
    return f"{speaker}{row['text']}{caption}"


def offers(documents: Iterable[dict[str, Any]], folders: dict[str, str]) -> Iterator[Offer]:
    """The documents as entries, with their place in the conversation."""
    positions: dict[tuple[str, str], int] = defaultdict(int)
    for row in documents:
        session = str(row.get("session") or row["scope"])
        at = (row["scope"], session)
        positions[at] += 1
        yield Offer(
            what=Solution(problem=text_of(row), approach=""),
            actor=Actor.HUMAN,
            folder=folders[row["scope"]],
            quoted=Quoted(
                session=session,
                position=positions[at],
                speaker=row.get("speaker"),
                date=row.get("date"),
            ),
        )


def figures(ranked: Sequence[str], relevant: frozenset[str]) -> dict[str, float]:
    """Recall at each cut, and the reciprocal rank of the first that is right."""
    found = {f"R@{cut}": len(relevant & set(ranked[:cut])) / len(relevant) for cut in CUTS}
    first = next((rank for rank, name in enumerate(ranked, 1) if name in relevant), None)
    return {**found, "MRR": 1 / first if first else 0.0}


def mean(values: Iterable[float]) -> float:
    """The mean in percent."""
    held = list(values)
    return round(100 * sum(held) / len(held), 1)


def ranked(
    documents: Sequence[dict[str, Any]], asked: Sequence[Question]
) -> Iterator[tuple[Question, list[str]]]:
    """Each question with the documents found for it, all scopes in one throw-away home."""
    scopes = dict.fromkeys(row["scope"] for row in documents)
    with throwaway() as place:
        folders = {scope: str(place.project / str(i)) for i, scope in enumerate(scopes)}
        for folder in folders.values():
            Path(folder).mkdir()
        with opened(place.settings) as outside:
            outcomes = capture_many(outside, offers(documents, folders), gated=False)
            names = {
                outcome.entry: str(row["id"])
                for outcome, row in zip(outcomes, documents, strict=True)
            }
            for question in asked:
                hits = ask(
                    outside,
                    question.text,
                    folder=folders[question.scope],
                    actor=Actor.HUMAN,
                    most=MOST,
                    record=False,
                )
                yield question, [names[hit.note.id] for hit in hits]


def measure(data: Path, every: int) -> dict[str, Any]:
    """What explicit recall reaches on one set; of a pooled one every so many scopes."""
    documents, asked = rows(data / "docs.jsonl"), questions(data)
    scopes = list(dict.fromkeys(question.scope for question in asked))
    groups = [scopes]
    if len(scopes) > MOST_SCOPES:
        # A pooled set repeats its distractors in every scope: in one home hundreds of times.
        groups = [[scope] for scope in scopes[::every]]
    by_scope: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in documents:
        by_scope[row["scope"]].append(row)
    reached: list[tuple[Question, dict[str, float]]] = []
    held = 0
    for group in groups:
        there = [row for scope in group for row in by_scope[scope]]
        held += len(there)
        of_group = [question for question in asked if question.scope in group]
        reached += [(q, figures(found, q.relevant)) for q, found in ranked(there, of_group)]
    categories: dict[str, list[float]] = defaultdict(list)
    for question, found in reached:
        categories[question.category].append(found["R@5"])
    names = reached[0][1]
    return {
        "set": data.name,
        "documents": held,
        "questions": len(reached),
        **{name: mean(found[name] for _, found in reached) for name in names},
        "goal": GOALS.get(data.name),
        "R@5 by category": {name: mean(held) for name, held in sorted(categories.items())},
    }


def main() -> int:
    """Measure the sets that are there, and print."""
    parser = arguments(__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help="the folder of a set")
    parser.add_argument("--every", type=int, default=4, help="of a pooled set's scopes")
    words = parser.parse_args()
    wanted = [words.data, *([words.data.with_name(POOLED)] if words.data == DEFAULT_DATA else [])]
    found = [measure(data, words.every) for data in wanted if data.is_dir()]
    absent = [data.name for data in wanted if not data.is_dir()]
    if words.json:
        print(json.dumps({"sets": found, "absent": absent, "load": load_now()}, indent=1))
        return 0
    for name in absent:
        print(f"{name} is not here: not measured.")
    by_category = [row.pop("R@5 by category") for row in found]
    table("Explicit recall, in percent", found)
    for row, shares in zip(found, by_category, strict=True):
        table(f"R@5 by category, {row['set']}", [shares])
        if row["goal"] is not None:
            met = "met" if row["R@5"] >= row["goal"] else "MISSED"
            print(f"  goal R@5 >= {row['goal']}: {met}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
