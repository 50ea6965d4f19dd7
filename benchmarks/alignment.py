"""What becomes of two statements that are remembered one after the other.

    python -m benchmarks.alignment [FILE] [--answers FILE] [--json]

Lines of FILE: {"id", "old", "new", "relation"}, the relation `different`, `contradicts`, `same` or
`narrows`; without FILE the frozen pairs of `tests/data/knowledge`, the halves that were not tuned
on. Each pair has a home of its own: both are typed behind "remember", in two sessions. By rules
alone: how many older notes are replaced or in dispute (goal 0 for compatible pairs), how many pairs
are suspected, and about how many the agent is asked. With `--answers` ({id: relation}) the agent
answers in the newer note's session: what its answers supersede, put in dispute, merge or clear.
"""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.report import DATA, Tables, rows, run
from learnt.core.digest.lessons import kind_of
from learnt.core.events import Actor
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.entries import Relation
from learnt.errors import Refused
from learnt.flows.knowledge.relating import RelateEffect, RelationAnswer, relate
from tests.flows.stage import HERE, Stage

LABELS: Final = {"duplicate": "same", "contradiction": "contradicts", "distinct": "different"}


class Pair(NamedTuple):
    """Two statements with what they are to each other."""

    id: str
    old: str
    new: str
    relation: str


def pairs(path: Path) -> list[Pair]:
    """The pairs of a file, in either of the two forms."""
    return [
        Pair(
            str(row["id"]),
            row.get("old") or row["a"],
            row.get("new") or row["b"],
            row.get("relation") or LABELS[row["label"]],
        )
        for row in rows(path)
    ]


def frozen() -> list[Pair]:
    """The pairs that nothing was tuned on."""
    files = (DATA / "knowledge" / f"pairs_{language}_unseen.jsonl" for language in ("en", "zh"))
    return [pair for file in files for pair in pairs(file)]


class Ended(NamedTuple):
    """How a pair ended: the names of what holds of it."""

    replaced: bool = False
    disputed: bool = False
    suspected: bool = False
    asked: bool = False
    refused: bool = False
    merged: bool = False


def played(pair: Pair, answer: str | None = None) -> Ended:
    """What becomes of a pair in a home of its own, with an agent's answer or without."""
    stage = Stage()
    older = _remembered(stage, pair.old, "s1")[0]
    newer, asked = _remembered(stage, pair.new, "s2")
    done: RelateEffect | None = None
    refused = False
    if answer is not None and newer != older:
        given = RelationAnswer(newer, older, Relation(answer), Actor.AGENT, "s2", "s2", HERE)
        try:
            done = relate(stage.outside, given)
        except Refused:
            refused = True
    entry, merged = stage.entry(older), done is not None and done.outcome == "merged"
    return Ended(
        replaced=newer == older or (not entry.live and not merged),
        disputed=bool(entry.disputes),
        suspected=bool(stage.entry(newer).suspects),
        asked=asked,
        refused=refused,
        merged=merged,
    )


def _remembered(stage: Stage, text: str, session: str) -> tuple[EntryId, bool]:
    """A statement that its person typed; its entry, and whether the agent was asked about it."""
    kind = kind_of(text)
    done = stage.learn(text, kind, actor=Actor.HUMAN, session=session, insisted=True)
    return done.entry, bool(done.unsure)


def measure(
    every: Sequence[Pair], answers: Mapping[str, str] | None = None
) -> list[dict[str, object]]:
    """A row for each relation: how many pairs there are, and how they ended."""
    ended = defaultdict[str, list[Ended]](list)
    for pair in every:
        ended[pair.relation].append(played(pair, answers.get(pair.id) if answers else None))
    return [
        {"relation": relation, "n": len(ends)}
        | {name: sum(getattr(end, name) for end in ends) for name in Ended._fields}
        for relation, ends in sorted(ended.items())
    ]


def main(file: Path | None = None, /, *, answers: Path | None = None) -> Tables:
    """Measure."""
    every = pairs(file) if file else frozen()
    given = json.loads(answers.read_text("utf-8")) if answers else None
    return {"two statements": measure(every, given)}


if __name__ == "__main__":
    run(main)
