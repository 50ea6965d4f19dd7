"""How long `evolve analyze` takes over what years of use leave.

    python -m benchmarks.evolution [--recalls 100000] [--misses 10000] [--json]

A throw-away home with a thousand entries, so many recalls spread over them (each counted once a
session), and so many misses of made-up words by Zipf's law. Once from nothing, and once more. The
goal, 3 s, is held in bare starts of an interpreter measured just before: 8.2 ms where it was set.
"""

import time
from typing import Final

from benchmarks.corpus import Corpus, Place, throwaway
from benchmarks.report import Tables, bare_start, load_now, run, verdict
from learnt.bootstrap import opened
from learnt.core.events import Actor, NewEvent, Where, natural_key
from learnt.core.identifiers import Subject, entry_subject
from learnt.core.payloads.entry_events import Missed, Recalled, Reused
from learnt.core.safety import owned
from learnt.flows.governance.analyze import Thresholds, analyze

ENTRIES: Final = 1_000
STARTS: Final = round(3.0 / 0.0082)
TOGETHER: Final = 2_000
Row = dict[str, object]
PROMPTS: Final = 500  # distinct ones that recalled something


def fill(place: Place, corpus: Corpus, recalls: int, misses: int) -> None:
    """Write what hooks would have written."""
    place.fill(corpus, ENTRIES)
    with opened(place.settings) as outside:
        for start in range(0, recalls, TOGETHER):
            with outside.ledger.writing() as writer:
                for number in range(start, min(recalls, start + TOGETHER)):
                    session = f"s{number // 4}"
                    entry = place.entries[number % ENTRIES]
                    asked = corpus.prompt(number % PROMPTS, ENTRIES)
                    where = Where(agent="claude-code", session=session)
                    recalled = writer.append(
                        NewEvent(
                            subject=Subject(f"session:claude-code:{session}"),
                            actor=Actor.HUMAN,
                            where=where,
                            payload=Recalled(
                                mode="hook",
                                prompt=writer.keep("prompt", owned(asked)),
                                shown=(entry,),
                                counted=(entry,),
                            ),
                        )
                    )
                    assert recalled is not None
                    writer.append(
                        NewEvent(
                            subject=entry_subject(entry),
                            actor=Actor.HUMAN,
                            where=where,
                            payload=Reused(recall=recalled.id),
                            natural_key=natural_key(b"k", "reused", entry, "a", session, 0),
                        )
                    )
        for start in range(0, misses, TOGETHER):
            with outside.ledger.writing() as writer:
                for number in range(start, min(misses, start + TOGETHER)):
                    missed = writer.keep(
                        "prompt", owned(corpus.prompt(1_000_000 + number, ENTRIES))
                    )
                    writer.append(
                        NewEvent(
                            subject=Subject(f"session:claude-code:m{number % 500}"),
                            actor=Actor.HUMAN,
                            where=Where(agent="claude-code", session=f"m{number % 500}"),
                            payload=Missed(mode="hook", prompt=missed),
                        )
                    )


def measure(recalls: int, misses: int) -> list[Row]:
    """Seconds of the first analysis, and of one that finds nothing new."""
    rows: list[Row] = []
    with throwaway() as place:
        fill(place, Corpus(), recalls, misses)
        for run in ("from nothing", "once more"):
            bare = bare_start()
            with opened(place.settings) as outside:
                start = time.perf_counter()
                found = analyze(outside, Thresholds(), Actor.HUMAN)
                taken = time.perf_counter() - start
            row: Row = {"recalls": recalls, "misses": misses, "run": run, "load": load_now()}
            row |= {"new": len(found.new), "unchanged": len(found.unchanged)}
            starts = round(1_000 * taken / bare)
            row |= {"bare ms": bare, "seconds": round(taken, 2), "starts": starts}
            row["verdict"] = verdict(starts, STARTS)
            rows.append(row)
    return rows


def main(*, recalls: int = 100_000, misses: int = 10_000) -> Tables:
    """Measure."""
    return {"Analysis": measure(recalls, misses)}


if __name__ == "__main__":
    run(main)
