"""What the rules say of texts and items whose effects are known: errors, power, bias, coverage.

    python -m benchmarks.effects [--seed 7] [--part 1.0] [--json]

Beside the trial: the seeds' window of ten executions. The worlds are in `trial_worlds` and share no
code with the rules. `null_promotions` and `window_null_promotions`: the highest share of alike
texts that are promoted, at any of 400 uses, and after ten executions. `power_15`: success
of 60 % and 75 %, within 800 uses; `median_uses_15` and `_30`: until 75 % and 90 % are promoted.
`bias_500`, `rmse_500` and its bound: of estimates after 500 units, where they are worst; `coverage`
likewise: intervals that held the effect after every unit. `year_error` and `year_power_30`: what is
said in a year of five sessions a day of notes that one in five asks for, a fifth of them under the
coin: of those without effect, and of those that add 30 %. `width_60`: the median width of a
promoted skill's interval after 60 uses (300 sessions, one in five uses it), by that of a fixed
sample.
`false_discovery`: the expected share of wrong masks (e-BH) or promotions (e-LOND), whichever is
more, and at the worst time.
"""

import math
import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from benchmarks import trial_worlds as worlds
from benchmarks.report import run, show
from benchmarks.trial_worlds import WORLDS, Seen, World
from learnt.core.health import effects
from learnt.core.health import effects as bets
from learnt.core.health.effects import Tally, TrialUse, Unit, course
from learnt.core.health.improvement import concluded, gap
from learnt.core.health.outcomes import MILLION

RATES: Final = (0.3, 0.6, 0.9)
GOALS: Final = {  # each at least, or at most
    "null_promotions": "<= 0.05", "power_15": ">= 0.94", "median_uses_15": "<= 280",
    "median_uses_30": "<= 80", "bias_500": "|x| <= 0.01", "rmse_500": "<= 1.1 x bound",
    "coverage": ">= 0.95", "false_discovery": "<= 0.1", "year_error": "<= 0.05",
    "width_60": "<= 1.5",
}  # fmt: skip
Row = dict[str, object]


def better(uses: Iterator[tuple[bool, float]], before: float) -> Iterator[float]:
    """The evidence that a new text is better, after each use; 0 where it is graded less often."""
    made = course((TrialUse(new, success) for new, success in uses), before)
    return (
        bets.evidence(held.better) * (bets.evidence(held.graded_less) < bets.DOUBT) for held in made
    )


def promoted_by_window(old: Sequence[float], new: Sequence[float]) -> bool:
    """What the seeds' rule says."""
    before, after = ([round(MILLION * (1 - one)) for one in arm] for arm in (old, new))
    ended = concluded(gap(before) or 0, after)
    return ended is not None and ended[0] == "promoted"


@cache
def unit_of(shown: bool, propensity: float, success: float | None, baseline: float) -> Unit:
    """A unit as the rules have it."""
    return Unit(shown, propensity, success, baseline)


def tally(seen: Sequence[Seen]) -> Tally:
    """Units as the rules have them."""
    return Counter(unit_of(*one[:4]) for one in seen)


@cache
def sides(seen: Seen, effect: float) -> tuple[bets.Wealth, bets.Wealth]:
    """What one unit adds to the bets on either side of an effect."""
    one = tally([seen])
    return effects.wealth_of(one, effect), effects.wealth_of(one, effect, against=True)


def trials(seed: int, runs: int) -> Row:
    """Texts that are alike, and texts that are better."""
    null, window = [], []
    for rate in RATES:
        name = f"{seed} null {rate}"
        taken = worlds.promotions(better, (rate, rate), runs, 400, name)
        null.append(sum(uses < math.inf for uses in taken) / runs)
        window.append(worlds.window_promotions(promoted_by_window, rate, runs, name))
    fifteen = worlds.promotions(better, (0.6, 0.75), runs, 800, f"{seed} fifteen")
    thirty = worlds.promotions(better, (0.6, 0.9), runs, 400, f"{seed} thirty")
    return {
        "null_promotions": max(null),
        "window_null_promotions": max(window),
        "power_15": sum(uses < math.inf for uses in fifteen) / runs,
        "median_uses_15": statistics.median(fifteen),
        "median_uses_30": statistics.median(thirty),
    }


def estimates(seed: int, runs: int) -> Row:
    """Items of six worlds, the worst of which is told."""
    found, coverage = [], []
    for number, world in enumerate(WORLDS):
        name = f"{seed} world {number}"
        found.append(
            worlds.estimated(lambda seen: effects.estimate(tally(seen)), world, runs, name)
        )
        coverage.append(worlds.covered(sides, bets.evidence, world, runs // 2, name))
    worst = max(found, key=lambda one: one.rmse / one.bound)
    bias = max((one.bias for one in found), key=lambda one: abs(one))
    return {
        "bias_500": round(bias, 4),
        "rmse_500": round(worst.rmse, 4),
        "rmse_bound_500": round(worst.bound, 4),
        "coverage": round(min(coverage), 4),
    }


USED, UNDER_COIN = 0.2, 0.2  # of sessions; of notes
YEAR: Final = round(365 * 5 * USED * UNDER_COIN)  # units of a note
SKILL: Final = round(300 * USED)  # uses


def helps(seen: Sequence[Seen]) -> bool:
    """Whether it is said that an item helps."""
    return bets.evidence(effects.wealth_of(tally(seen))) >= 1 / bets.ALPHA


def hurts(seen: Sequence[Seen]) -> bool:
    """Whether it is said that an item hurts."""
    return effects.hurts(tally(seen)) >= 1 / bets.ALPHA


def year(seed: int, runs: int) -> tuple[Row, list[Row]]:
    """What a year at realistic use says of notes, and 300 sessions of a promoted skill."""
    rows: list[Row] = []
    said: dict[float, list[float]] = {}
    for effect in (-0.3, 0.0, 0.15, 0.3):
        world, name = World(0.6, effect), f"{seed} year {effect}"
        said[effect] = [
            worlds.ever_said(says, world, runs, name, every=1, most=YEAR) for says in (helps, hurts)
        ]
        good, bad = said[effect]
        rows.append({"a note adds": effect, "'helps' is said": good, "'hurts' is said": bad})
    shown: list[Row] = []
    for texts in ((0.25, 0.95), (0.5, 0.8)):
        found = worlds.widths(
            lambda seen: effects.narrowed([unit_of(*one[:4]) for one in seen]),
            texts,
            SKILL,
            runs,
            f"{seed} width",
        )
        width = round(statistics.median(one.ratio for one in found), 2)
        held = sum(one.holds for one in found) / runs
        shown.append({"a skill's texts": f"{texts}", "width": width, "holds": held})
    return {
        "year_error": max(said[0.0]),
        "year_power_30": said[0.3][0],
        "width_60": shown[0]["width"],
    }, rows + shown


def libraries(seed: int, runs: int) -> tuple[Row, list[Row]]:
    """Many items and many trials at once: the worst share of wrong ones, and what is found."""

    def harm(seen: Sequence[Seen]) -> float:
        return effects.hurts(tally(seen))

    first, last, found = worlds.masks(harm, bets.masked, runs, f"{seed} library")
    wrong, power = worlds.stream(better, bets.promotion_level, 2 * runs, f"{seed} stream")
    return {"false_discovery": round(max(first, last, wrong), 4)}, [
        {"what": "wrong masks, at the first", "share": round(first, 4)},
        {"what": "wrong masks, after 400 units", "share": round(last, 4)},
        {"what": "harmful items masked by then", "share": round(found, 4)},
        {"what": "wrong promotions of thirty trials", "share": round(wrong, 4)},
        {"what": "better texts promoted", "share": round(power, 4)},
    ]


def unseen(seed: int, runs: int) -> list[Row]:
    """Items without effect, where 40 % of one arm's failures are not seen: what is said falsely."""
    rows: list[Row] = []
    for hidden in ("withheld", "shown"):
        world, name = World(0.7, 0.0, hidden=hidden), f"{seed} unseen {hidden}"

        def naive(seen: Sequence[Seen]) -> bool:
            return bets.evidence(effects.wealth_of(tally(seen), against=True)) >= 1 / bets.ALPHA

        def helps_alike(seen: Sequence[Seen]) -> bool:
            return helps(seen) and effects.unequal(tally(seen))[0] < bets.DOUBT

        rows.append({
            "failures unseen of those": hidden,
            "'hurts' is said": worlds.ever_said(hurts, world, runs, name),
            "'helps' is said": worlds.ever_said(helps_alike, world, runs, name),
            "'hurts' by what was seen alone": worlds.ever_said(naive, world, runs, name),
        })
    return rows


def main(*, seed: int = 7, part: float = 1.0, as_json: bool) -> int:
    """Print the figures, by so much of the runs."""
    controlled, library = libraries(seed, max(2, int(100 * part)))
    figures = trials(seed, int(2_000 * part)) | estimates(seed, int(1_000 * part)) | controlled
    yearly, told = year(seed, max(2, int(300 * part)))
    figures |= yearly
    if as_json:
        return show(figures, as_json=True)
    goals = [{"what": k, "value": v, "goal": GOALS.get(k, "")} for k, v in figures.items()]
    hidden = unseen(seed, max(2, int(400 * part)))
    tables = {"Effects": goals, "Many at once": library, "A year": told[:4]}
    tables |= {"A promoted skill": told[4:], "What is not seen": hidden}
    return show(tables, as_json=False)


if __name__ == "__main__":
    run(main)
