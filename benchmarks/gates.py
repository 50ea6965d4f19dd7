"""How long a capture takes, all gates passed, in a ledger of so many facts.

python -m benchmarks.gates [--sizes 1000,100000]
"""

import time
from collections.abc import Sequence
from typing import Final

from benchmarks.corpus import Corpus, Place, throwaway
from benchmarks.report import Tables, bare_start, load_now, quantile, run, spread, verdict
from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.knowledge.drafts import Draft
from learnt.flows.knowledge.capture import Offer, capture
from learnt.ports import Outside

KIND: Final = "schema"
P95_STARTS: Final = 20 / 8.2  # 20 ms where an interpreter starts in 8.2
WARM_UP: Final = 20
MOST_WORDS: Final = 18  # of a fact, as in the labelled pairs


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
    fact = Draft(text=f"t_{words[0]}.{words[-1]} {' '.join(words)} {number} s", kind=KIND)
    offer = Offer(what=fact, actor=Actor.AGENT, folder=str(place.project), session=f"s{number}")
    began = time.perf_counter()
    capture(outside, offer)
    return time.perf_counter() - began


def main(*, sizes: tuple[int, ...] = (1_000, 100_000)) -> Tables:
    """Measure."""
    return {"Capture, all gates": speed(sizes)}


if __name__ == "__main__":
    run(main)
