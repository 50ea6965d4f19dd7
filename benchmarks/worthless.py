"""How much junk is let in, how many sound facts are turned away, and how long judging takes.

    python -m benchmarks.worthless [--unseen] [--wrong] [--fit] [--held-out]

Junk by its sort, the sound facts of the same set, and both sides of the pairs, which nobody wrote
to be junk; 95 % intervals by Wilson. `--wrong` prints what was judged wrongly, `--fit` the weights
that the dev halves and the further authors' sets give; `--held-out` measures each author's set
with weights fitted on the others'. The speed's goals, 1 ms a statement on average and 20 ms for
the slowest long text, are held in bare starts of an interpreter: 8.2 ms where they were set.
"""

import argparse
import hashlib
import json
import math
import textwrap
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from benchmarks.corpus import bare_start, load_now, quantile, table, verdict
from learnt.core.health.executions import interval
from learnt.core.knowledge.value import SORTS, marks, weighed_words, worthless
from learnt.core.knowledge.value_words.telling import pieces, told

KNOWLEDGE: Final = Path(__file__).resolve().parent.parent / "tests" / "data" / "knowledge"
STARTS: Final = 1.0 / 8.2
LONG_STARTS: Final = 20 / 8.2
SHIFT: Final = -0.8
PULL: Final = 3.0
STEPS: Final = 400
FOLDS: Final = 5
SEEN: Final = 4
TELLS: Final = 0.7
PRIOR: Final = {"bare": 0.6, "vague bare": 0.5, "vague unsaid": 0.5, "obvious=": 1.5,
                "obvious<": 0.7, "general": 1.2, "general wide": 0.3, "general told": 0.5,
                "output": 2.0, "output terse": 1.5, "+domain": -0.2, "words": 0.6,
                "+words": -0.6}  # fmt: skip
Row = dict[str, object]
Marked = tuple[dict[str, float], bool]


def rows(name: str, half: str) -> list[dict[str, Any]]:
    """A file's rows."""
    text = (KNOWLEDGE / f"{name}_{half}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def paired(half: str) -> list[str]:
    """The statements of the pairs, both sides, each once."""
    found = [row[side] for name in ("pairs_en", "pairs_zh") for row in rows(name, half)
             for side in ("a", "b")]  # fmt: skip
    return list(dict.fromkeys(found))


def admitted(half: str, *, wrong: bool) -> list[Row]:
    """Junk that is let in, by its sort and over all, and how often its sort is told."""
    junk = rows("junk", half)
    judged = [(row, worthless(row["text"])) for row in junk]
    if wrong:
        _print(f"let in, a {row['sort']}: {row['text']}" for row, said in judged if not said)
    groups = [("all", judged)]
    groups += [(sort, [one for one in judged if one[0]["sort"] == sort]) for sort in SORTS]
    return [
        {
            "half": half,
            "junk": name,
            **_part("admitted", [not said for _, said in some]),
            "sort told": round(sum(row["sort"] == said for row, said in some) / len(some), 3),
        }
        for name, some in groups
    ]


def rejected(half: str, *, wrong: bool) -> list[Row]:
    """Sound statements that are turned away."""
    found: list[Row] = []
    for name, texts in (("sound", [row["text"] for row in rows("sound", half)]),
                        ("pairs", paired(half))):  # fmt: skip
        judged = [(text, worthless(text)) for text in texts]
        if wrong:
            _print(f"turned away as {said}: {text}" for text, said in judged if said)
        found.append({"half": half, "statements": name,
                      **_part("rejected", [bool(said) for _, said in judged])})  # fmt: skip
    return found


def _part(name: str, hits: Sequence[bool]) -> Row:
    part = sum(hits) / len(hits)
    low, high = interval(part, len(hits))
    return {"n": len(hits), name: round(part, 3), "interval": f"{low:.3f} to {high:.3f}"}


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(f"  {line!r}")


def speed(half: str, rounds: int = 5) -> list[Row]:
    """Time a statement, over junk, sound ones and pairs alike, and over long texts.

    Each text's time is the least of some rounds, as others use the machine too.
    """
    texts = [row["text"] for name in ("junk", "sound") for row in rows(name, half)] + paired(half)
    bare = bare_start()
    found: list[Row] = []
    for name, times in (("statements", 1), ("10,000 characters", 10_000)):
        timed = [_least((text * times)[: max(times, len(text))], rounds) for text in texts]
        mean = sum(timed) / len(timed)
        held, goal = (mean, STARTS) if times == 1 else (max(timed), LONG_STARTS)
        found.append({
            "judging": name, "n": len(timed), "mean ms": round(mean, 3),
            "p95 ms": round(quantile(timed, 0.95), 3), "slowest ms": round(max(timed), 2),
            "bare ms": round(bare, 1), "starts": round(held / bare, 4),
            "verdict": verdict(held / bare, goal), "load": load_now(),
        })  # fmt: skip
    return found


def _least(text: str, rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        worthless(text)
        taken.append(1_000 * (time.perf_counter() - began))
    return min(taken)


def prior(mark: str) -> float:
    """What a mark is taken to weigh before anything was counted."""
    return PRIOR.get(mark, {"~": 0.3, "+": -0.4}.get(mark[0], 1.8))


def telling(junk: Iterable[str], sound: Iterable[str]) -> dict[str, float]:
    """What each word weighs: how much oftener junk has it, as a logarithm; no rare ones."""
    texts = {True: list(junk), False: list(sound)}
    have = {bad: Counter(p for text in some for p in pieces(text)) for bad, some in texts.items()}
    found: dict[str, float] = {}
    for piece in have[True].keys() | have[False].keys():
        if have[True][piece] + have[False][piece] < SEEN:
            continue
        parts = [(have[bad][piece] + 1) / (len(texts[bad]) + 2) for bad in (True, False)]
        weight = round(max(-2.0, min(2.0, math.log(parts[0] / parts[1]))), 1)
        if abs(weight) >= TELLS:
            found[piece] = weight
    return found


def _marked(junk: Sequence[str], sound: Sequence[str]) -> list[Marked]:
    """The marks of every text; its words are weighed by what the other folds' texts give."""
    every = [(text, True) for text in junk] + [(text, False) for text in sound]
    found: list[Marked] = []
    for fold in range(FOLDS):
        rest = [one for one in every if _fold(one[0]) != fold]
        weighed = telling(*([text for text, bad in rest if bad is kind] for kind in (True, False)))
        found += [
            (marks(text) | weighed_words(told(text, weighed)), bad)
            for text, bad in every
            if _fold(text) == fold
        ]
    return found


def _fold(text: str) -> int:
    return hashlib.sha256(text.encode()).digest()[0] % FOLDS


def _table(weighed: Mapping[str, float]) -> str:
    """The words by their weight, as the table's module has them."""
    lines = []
    for weight in sorted(set(weighed.values())):
        listed = sorted(p.replace(" ", "_") for p, value in weighed.items() if value == weight)
        lines.append(f'    {weight}: """')
        lines += textwrap.wrap(" ".join(listed), 60, initial_indent="        ",
                               subsequent_indent="        ", break_on_hyphens=False)  # fmt: skip
        lines.append('    """,')
    return "\n".join(lines)


def fit(junk: Iterable[str], sound: Iterable[str]) -> tuple[float, dict[str, float]]:
    """The bias and the weights: a logistic regression drawn to the prior, the classes balanced.

    No weight changes its sign: what speaks for worth never speaks against it.
    """
    counted = _marked(list(dict.fromkeys(junk)), list(dict.fromkeys(sound)))
    bad = sum(junk for _, junk in counted)
    share = {True: 300 / bad, False: 300 / (len(counted) - bad)}
    names = sorted({name for found, _ in counted for name in found})
    weights = {name: prior(name) for name in names}
    bias, rates, bias_rate = -1.0, dict.fromkeys(names, 1e-8), 1e-8
    for step in range(STEPS):
        slope, bias_slope = _slope(counted, share, bias, weights)
        pace = 0.03 * (1 - step / STEPS)
        for name in names:
            pull = slope[name] + PULL * (weights[name] - prior(name))
            rates[name] = 0.9 * rates[name] + 0.1 * pull**2
            moved = weights[name] - pace * pull / math.sqrt(rates[name])
            weights[name] = min(0.0, moved) if name.startswith("+") else max(0.0, moved)
        bias_rate = 0.9 * bias_rate + 0.1 * bias_slope**2
        bias -= pace * bias_slope / math.sqrt(bias_rate)
    return round(bias - SHIFT, 2), {name: round(weight, 2) for name, weight in weights.items()}


def _slope(
    counted: Sequence[Marked],
    share: Mapping[bool, float],
    bias: float,
    weights: Mapping[str, float],
) -> tuple[dict[str, float], float]:
    slope, bias_slope = dict.fromkeys(weights, 0.0), 0.0
    for found, bad in counted:
        total = bias + sum(weights[name] * value for name, value in found.items())
        off = share[bad] * (1 / (1 + math.exp(-max(-30.0, min(30.0, total)))) - bad)
        bias_slope += off
        for name, value in found.items():
            slope[name] += off * value
    return slope, bias_slope


def held_out() -> list[Row]:
    """Each author's set, judged by words and weights of the other authors' sets alone.

    The rules themselves were written with all of them in sight: a new author's set does worse.
    """
    kinds = ("junk", "sound")
    every = {kind: [{"author": "dev"} | row for half in ("dev", "more")
                    for row in rows(kind, half)] for kind in kinds}  # fmt: skip
    found: list[Row] = []
    for author in dict.fromkeys(row["author"] for row in every["junk"]):
        rest, own = (
            {k: [r["text"] for r in every[k] if (r["author"] == author) is mine] for k in kinds}
            for mine in (False, True)
        )
        pairs = paired("dev") + paired("tuning")
        rest["sound"] += [text for text in pairs if _fold(text)]
        own["pairs"] = [text for text in pairs if not _fold(text)]
        bias, weights = fit(rest["junk"], rest["sound"])
        weighed = telling(rest["junk"], rest["sound"])
        row: Row = {"held out": author}
        for kind, texts in own.items():
            bad = 0
            for text in texts:
                counted = marks(text) | weighed_words(told(text, weighed))
                bad += bias + sum(weights.get(n, 0.0) * v for n, v in counted.items()) > 0
            share = (len(texts) - bad if kind == "junk" else bad) / len(texts)
            row |= {f"{kind} n": len(texts), f"{kind} wrong": round(share, 3)}
        found.append(row)
    return found


def main() -> None:
    """Print the measures asked for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--unseen", action="store_true", help="measure on the unseen halves")
    parser.add_argument("--wrong", action="store_true", help="print what was judged wrongly")
    parser.add_argument("--fit", action="store_true", help="print fitted words and weights")
    parser.add_argument("--held-out", action="store_true", help="measure author by author")
    asked = parser.parse_args()
    if asked.fit:
        junk, sound = (
            [row["text"] for half in ("dev", "more") for row in rows(name, half)]
            for name in ("junk", "sound")
        )
        sound += paired("dev") + paired("tuning")
        bias, weights = fit(junk, sound)
        print(f"TABLE: Final[dict[float, str]] = {{\n{_table(telling(junk, sound))}\n}}")
        print(f"BIAS: Final = {bias}\nWEIGHTS: Final = {json.dumps(weights, indent=4)}")
        return
    if asked.held_out:
        table("By author", held_out())
        return
    half = "unseen" if asked.unseen else "dev"
    table("Junk", admitted(half, wrong=asked.wrong and not asked.unseen))
    table("Sound statements", rejected(half, wrong=asked.wrong and not asked.unseen))
    table("Speed", speed(half))


if __name__ == "__main__":
    main()
