"""What the gates do to statements that meet a whole ledger, and how long a capture takes.

    python -m benchmarks.gates [--unseen | --tuning] [--sizes 1000,100000] [--only among|speed]

A pair by itself says how two statements compare; in use an offer meets its eight nearest
neighbours among all that is remembered, and one wrong verdict of eight is one too many. All first
halves of the pairs are remembered, then every second half is offered: what was to be merged, put
right and let in, and what became of it. Nothing that is offered stays, so that each meets the same.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from typing import Final

from benchmarks.alignment import Pair, pairs
from benchmarks.corpus import Corpus, Place, throwaway
from benchmarks.report import bare_start, load_now, quantile, spread, table, verdict
from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.health.executions import interval
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.gates import Admit, Correct, Decision, Merge
from learnt.core.knowledge.relations import Relation
from learnt.flows.knowledge.appraising import neighbours
from learnt.flows.knowledge.appraising import ruled as ruled_by_gates
from learnt.flows.knowledge.capture import capture
from learnt.flows.knowledge.offers import Offer
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores import in_memory
from learnt.stores.stemming import porter
from tests.support.kept_unseen import capture_many

KIND: Final = "schema"
P95_STARTS: Final = 20 / 8.2  # 20 ms where an interpreter starts in 8.2
WARM_UP: Final = 20
MOST_WORDS: Final = 18  # of a fact, as in the labelled pairs


def ledger_of(held: Sequence[Pair]) -> tuple[Outside, list[EntryId]]:
    """A ledger that remembers the first half of every pair."""
    outside = in_memory.outside(porter, ShippedLanguage(porter))
    offers = [Offer(what=Fact(text=pair.known, kind=KIND), actor=Actor.AGENT) for pair in held]
    return outside, [one.entry for one in capture_many(outside, offers, gated=False)]


def ruled(outside: Outside, text: str) -> Decision:
    """What the gates would make of a statement; nothing is recorded."""
    fact = Fact(text=text, kind=KIND)
    with outside.ledger.reading() as reader:
        near = neighbours(outside, reader, text, ())
    return ruled_by_gates(outside, Offer(what=fact, actor=Actor.AGENT), None, near).decision


def among(held: Sequence[Pair]) -> list[dict[str, object]]:
    """For each label, what became of the second halves, and whether it hit the right entry."""
    outside, names = ledger_of(held)
    found: dict[Relation, Counter[str]] = {relation: Counter() for relation in Relation}
    for pair, name in zip(held, names, strict=True):
        found[pair.relation][_became(ruled(outside, pair.new), name)] += 1
    return [_row(relation, found[relation]) for relation in Relation]


def _became(decision: Decision, name: EntryId) -> str:
    match decision:
        case Merge(into):
            return "merged" if into == name else "merged into another"
        case Correct(entry):
            return "put right" if entry == name else "put another right"
        case Admit():
            return "let in"
        case _:
            return "kept out"


def _row(relation: Relation, counts: Counter[str]) -> dict[str, object]:
    total = counts.total()
    wrong = counts["merged into another"] + counts["put another right"]
    wrong += {
        Relation.DUPLICATE: counts["put right"],
        Relation.CONTRADICTION: counts["merged"],
        Relation.DISTINCT: counts["merged"] + counts["put right"],
    }[relation]
    low, high = interval(wrong / total, total)
    return {
        "pairs": relation.name.lower(),
        "n": total,
        **{name: counts[name] for name in (
            "merged", "put right", "let in", "kept out", "merged into another",
            "put another right")},
        "wrongly changed": f"{wrong / total:.3f} ({low:.3f} to {high:.3f})" if total else "",
    }  # fmt: skip


def speed(sizes: Sequence[int], rounds: int = 300) -> list[dict[str, object]]:
    """How long a capture takes, all gates passed, in a ledger of so many facts."""
    corpus = Corpus()
    rows: list[dict[str, object]] = []
    with throwaway() as place:
        for size in sizes:
            place.fill(corpus, size, facts=True)
            load, bare = load_now(), bare_start()
            with opened(place.settings) as outside:
                outside.ledger.tidy()
                taken = [_timed(outside, place, corpus, n, size) for n in range(rounds + WARM_UP)]
            ratio = 1_000 * quantile(taken[WARM_UP:], 0.95) / bare
            rows.append({
                "entries": size, "captures": rounds, "load": load, "bare": bare,
                **spread(taken[WARM_UP:]), "p95/bare": round(ratio, 3),
                "verdict": verdict(ratio, P95_STARTS),
            })  # fmt: skip
    return rows


def _timed(outside: Outside, place: Place, corpus: Corpus, number: int, size: int) -> float:
    _, text = corpus.question(10_000 + number, size)
    words = text.split()[:MOST_WORDS]
    fact = Fact(text=f"t_{words[0]}.{words[-1]} {' '.join(words)} {number} s", kind=KIND)
    offer = Offer(what=fact, actor=Actor.AGENT, folder=str(place.project), session=f"s{number}")
    began = time.perf_counter()
    capture(outside, offer)
    return time.perf_counter() - began


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--tuning", action="store_true")
    parser.add_argument("--sizes", default="1000,100000")
    parser.add_argument("--only", choices=["among", "speed"])
    given = parser.parse_args()
    half = "unseen" if given.unseen else "tuning" if given.tuning else "dev"
    if given.only != "speed":
        table(f"Offered to a ledger of the {half} pairs", among(pairs(half)))
    if given.only != "among":
        table("Capture, all gates", speed([int(size) for size in given.sizes.split(",")]))
