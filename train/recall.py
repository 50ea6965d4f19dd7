"""Fits how likely an entry bears on a prompt, on the prompts of two authors.

python -m train.recall            fit, and print the constants beside the shipped ones
python -m train.recall --check    fail where a shipped one is further from the fit than it may be

Each prompt is asked in homes of different sizes; each entry that the search finds is one sample.
The constants of `core/recall/ranking.py` are the fit, rounded; its two thresholds were chosen
by hand, from what `python -m benchmarks.relevance` gives for the same prompts.
"""

import argparse
import random  # noqa: TID251  # seeded: the same homes in every run
import sys
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks.relevance import RECALL, SEED, Row, homes, memory
from benchmarks.report import rows
from learnt.core.recall import ranking as shipped
from learnt.core.recall.asking import sought
from learnt.flows.recall.offering import PROMPT_LOOKED_AT
from learnt.flows.recall.search import shared
from learnt.flows.sessions.locate import find, look

TOLERANCE: Final = 0.35  # of a constant: what one author's prompts move it by, and more
NAMES: Final = ("NOTHING", "SUBJECT", "BODY", "AHEAD")
MORE: Final = (0, 2_000)  # distractors
Sample = tuple[list[float], bool]


def samples(notes: Sequence[Row], prompts: Sequence[Row], size: int, more: int) -> Iterator[Sample]:
    """What entries share with prompts, each with whether it is one that answers."""
    made, chance = homes(notes, size, more), random.Random(SEED)
    # What no note answers is asked in one of the homes, as what a note answers is.
    anywhere = {str(prompt["id"]): chance.randrange(len(made)) for prompt in prompts}
    for number, (held, own) in enumerate(made):
        with memory(held) as home, home.outside.ledger.reading() as reader:
            located = find(reader, look(home.outside, home.folder))
            scopes = located.household if located else ()
            for prompt in prompts:
                wanted = set(prompt.get("relevant") or filter(None, [prompt.get("note")]))
                here = bool(wanted & own) if wanted else anywhere[str(prompt["id"])] == number
                if not here:
                    continue
                what = sought(str(prompt["prompt"]), home.outside.stem)
                found = reader.match(what.terms, scopes, PROMPT_LOOKED_AT)
                every = shared(what, found, {})
                for match, share in zip(found.best, every, strict=True):
                    ahead = share.both - shipped.rival(share, every)
                    yield [share.subject, share.body, ahead], home.names[match.entry] in wanted


def every() -> list[Sample]:
    """All samples that the constants are fitted on."""
    first = rows(RECALL / "entries.jsonl"), rows(RECALL / "prompts_dev.jsonl")
    second = rows(RECALL / "dev_ibis_notes.jsonl"), rows(RECALL / "dev_ibis_prompts.jsonl")
    made: list[Sample] = []
    for notes, prompts in (first, second):
        made += samples(notes, prompts, 5, 0)
        for more in MORE:
            made += samples(notes, prompts, len(notes), more)
    return made


def fitted(made: Sequence[Sample]) -> dict[str, float]:
    """The constants by which the samples are likeliest."""
    model = LogisticRegression(C=1_000.0, max_iter=1_000)
    model.fit(np.array([x for x, _ in made]), np.array([y for _, y in made]))
    values = [model.intercept_[0], *model.coef_[0]]
    return dict(zip(NAMES, map(float, values), strict=True))


def main() -> int:
    """Fit and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="fail where the shipped ones are off")
    check = parser.parse_args().check
    made = every()
    off = 0
    for name, value in fitted(made).items():
        own = float(getattr(shipped, name))
        off += abs(own - value) > TOLERANCE
        print(f"{name:8} fitted {value:6.2f}   shipped {own:6.2f}")
    print(f"{len(made)} samples, {sum(right for _, right in made)} of them answer")
    return int(check and off > 0)


if __name__ == "__main__":
    sys.exit(main())
