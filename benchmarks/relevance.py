"""Whether recall puts the right notes before an agent, and keeps quiet otherwise.

    python benchmarks/relevance.py [dev|unseen] [--json]

Plays the labelled prompts of `tests/data/recall` through the flow that answers a prompt hook, each
in a session of its own, in a throw-away home. `unseen` is for the closing figures, not for tuning.
"""

import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from benchmarks.report import arguments
from learnt.bootstrap import opened
from learnt.core.events import Actor, Kind
from learnt.core.json_values import strings
from learnt.core.knowledge.drafts import Solution
from learnt.core.sessions.observations import Observation
from learnt.flows.knowledge.capture import capture_many
from learnt.flows.knowledge.offers import Offer
from learnt.flows.recall.answer_prompt import answer_prompt
from learnt.flows.sessions.prompts import read_prompt
from learnt.settings import Settings

DATA = Path(__file__).resolve().parent.parent / "tests" / "data" / "recall"


def rows(name: str) -> list[dict[str, object]]:
    """The lines of a data file."""
    text = (DATA / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def measure(half: str, *, verbose: bool = False) -> dict[str, object]:
    """Shares of prompts, by kind: answered rightly, wrongly, or left alone."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "project"
        folder.mkdir()
        with opened(Settings(home=Path(scratch) / "home")) as outside:
            entries = rows("entries")
            offers = [
                Offer(
                    what=Solution(
                        problem=str(row["problem"]),
                        approach=str(row["approach"]),
                        cautions=strings(row["cautions"]),  # type: ignore[arg-type]  # JSON
                        tags=strings(row["tags"]),  # type: ignore[arg-type]  # JSON
                    ),
                    actor=Actor.HUMAN,
                    folder=str(folder),
                )
                for row in entries
            ]
            names = {
                outcome.entry: str(row["id"])
                for outcome, row in zip(capture_many(outside, offers), entries, strict=True)
            }
            tally: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
            for row in rows(f"prompts_{half}"):
                observation = Observation(
                    id=str(row["id"]),
                    ms=0,
                    event="UserPromptSubmit",
                    session=str(row["id"]),
                    episode="p",
                    cwd=str(folder),
                )
                asked = read_prompt(outside.language, observation.actor, str(row["prompt"]))
                answer_prompt(outside, observation, asked, lambda: False)
                with outside.ledger.reading() as reader:
                    events = list(reader.events(kind=Kind.RECALLED, session=str(row["id"])))
                shown = {
                    names[entry]  # type: ignore[index]  # an entry's id
                    for event in events
                    for entry in strings(event.payload.get("shown"))
                }
                wanted = set(strings(row["relevant"]))  # type: ignore[arg-type]  # JSON
                counts = tally[str(row["kind"])]
                counts[0] += 1
                counts[1] += bool(wanted & shown)
                counts[2] += len(shown - wanted)
                counts[3] += bool(shown)
                if verbose and (wanted - shown or shown - wanted):
                    print(row["id"], row["kind"], sorted(wanted), sorted(shown), file=sys.stderr)
    total = [sum(counts[i] for counts in tally.values()) for i in range(4)]
    asking = [k for k in tally if k in {"paraphrase", "long", "one-word"}]
    quiet = [k for k in tally if k not in asking]
    found, wanted_count = sum(tally[k][1] for k in asking), sum(tally[k][0] for k in asking)
    disturbed, quiet_count = sum(tally[k][3] for k in quiet), sum(tally[k][0] for k in quiet)
    return {
        "half": half,
        "prompts": total[0],
        "found": round(found / wanted_count, 4),
        "disturbed": round(disturbed / quiet_count, 4),
        "wrong_notes_per_prompt": round(total[2] / total[0], 4),
        "by_kind": {
            kind: {"prompts": c[0], "found": c[1], "wrong_notes": c[2], "answered": c[3]}
            for kind, c in sorted(tally.items())
        },
    }


def main() -> int:
    """Print the figures of one half."""
    parser = arguments(__doc__)
    parser.add_argument("half", nargs="?", choices=["dev", "unseen"], default="dev")
    parser.add_argument("--verbose", action="store_true")
    words = parser.parse_args()
    found = measure(words.half, verbose=words.verbose)
    if words.json:
        print(json.dumps(found, indent=1))
    else:
        for name, value in found.items():
            print(f"{name}: {value}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
