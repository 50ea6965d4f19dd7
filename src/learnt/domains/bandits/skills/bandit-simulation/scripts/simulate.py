"""Simulate Bernoulli bandits: the cumulative pseudo-regret of policies, as JSON on stdout.

python3 simulate.py --means 0.9 0.6 --rounds 10000 --runs 200 --seed 1 --plot regret.png
"""

from __future__ import annotations

import argparse
import json
import math
from typing import Any

import numpy as np

POLICIES = ("ucb1", "kl-ucb", "thompson", "epsilon-greedy", "uniform")


def divergence(p: Any, q: Any) -> Any:
    """The divergence KL(Bernoulli(p), Bernoulli(q)) in nats."""
    p, q = np.clip(p, 1e-12, 1 - 1e-12), np.clip(q, 1e-12, 1 - 1e-12)
    return p * np.log(p / q) + (1 - p) * np.log((1 - p) / (1 - q))


def kl_ucb(mean: Any, pulls: Any, played: int) -> Any:
    """The largest q with pulls * KL(mean, q) <= ln(played), by bisection."""
    low, high = mean, np.ones_like(mean)
    for _ in range(20):
        middle = (low + high) / 2
        inside = pulls * divergence(mean, middle) <= math.log(played)
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    return low


def scores(policy: str, wins: Any, pulls: Any, played: int, args: Any, rng: Any) -> Any:
    """A score for each run (row) and arm (column), after so many plays; the highest is pulled."""
    if policy == "uniform":
        return rng.random(wins.shape)
    if policy == "thompson":
        return rng.beta(1 + wins, 1 + pulls - wins)
    if played < wins.shape[1]:  # the others play each arm once
        return np.broadcast_to(np.arange(wins.shape[1]) == played, wins.shape)
    if policy == "ucb1":
        return wins / pulls + np.sqrt(2 * math.log(played) / pulls)
    if policy == "kl-ucb":
        return kl_ucb(wins / pulls, pulls, played)
    explores = rng.random((len(wins), 1)) < args.epsilon
    return np.where(explores, rng.random(wins.shape), wins / pulls)


def simulate(policy: str, args: Any) -> dict[str, Any]:
    """The regret of one policy, at some rounds and at the end, over all runs."""
    # A stream for each policy: what one does depends on no other's being there.
    rng = np.random.default_rng([args.seed, POLICIES.index(policy)])
    means = np.array(args.means)
    gaps, rows, decade = means.max() - means, np.arange(args.runs), max(1, args.rounds // 10)
    wins, pulls = np.zeros((2, args.runs, len(means)))
    regret = np.zeros(args.runs)
    shown = {*np.geomspace(1, args.rounds, 60).round().astype(int).tolist(), decade, args.rounds}
    curve, at = [], {}
    for played in range(args.rounds):
        score = scores(policy, wins, pulls, played, args, rng)
        # The noise breaks ties; without it the order of the arms would count.
        arm = np.argmax(score + 1e-9 * rng.random(wins.shape), axis=1)
        wins[rows, arm] += rng.random(args.runs) < means[arm]
        pulls[rows, arm] += 1
        regret += gaps[arm]
        if played + 1 in shown:
            at[played + 1] = float(regret.mean())
            error = float(regret.std(ddof=1)) / math.sqrt(args.runs)
            curve.append([played + 1, at[played + 1], error])
    slope = (at[args.rounds] - at[decade]) / math.log(args.rounds / decade)
    last = {"regret": at[args.rounds], "standard_error": error, "slope_last_decade": slope}
    return {**last, "pulls": pulls.mean(axis=0).tolist(), "curve": curve}


def theory(means: list[float], rounds: int) -> dict[str, float]:
    """The constant of Lai and Robbins, and the bound of UCB1's theorem (Auer et al. 2002)."""
    best = max(means)
    worse = [(mean, best - mean) for mean in means if mean < best]
    lower = sum(gap / float(divergence(mean, best)) for mean, gap in worse if best < 1)
    upper = sum(8 * math.log(rounds) / gap + (1 + math.pi**2 / 3) * gap for _, gap in worse)
    return {"lai_robbins_constant": lower, "ucb1_bound": upper}


def plot(answer: dict[str, Any], file: str) -> None:
    """Regret over the logarithm of rounds with 95 % bands, and the slope of the lower bound."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    axes = figure.subplots()
    for policy, result in answer["policies"].items():
        rounds, mean, error = np.array(result["curve"]).T
        axes.plot(rounds, mean, label=policy)
        axes.fill_between(rounds, mean - 1.96 * error, mean + 1.96 * error, alpha=0.2)
    slope = answer["lai_robbins_constant"]
    axes.plot(rounds, slope * np.log(rounds), "k--", label=f"{slope:.3g} ln t (Lai-Robbins)")
    title = f"means {answer['means']}, {answer['runs']} runs, seed {answer['seed']}"
    axes.set(xscale="log", xlabel="round t", ylabel="mean cumulative pseudo-regret", title=title)
    axes.legend()
    figure.savefig(file, dpi=120)


def main() -> None:
    """Read the arguments, simulate, print, and plot where a file is named."""
    parser = argparse.ArgumentParser(description="Regret of policies on Bernoulli arms, as JSON.")
    parser.add_argument("--means", type=float, nargs="+", required=True, help="of each arm, 0 to 1")
    parser.add_argument("--rounds", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=200, help="independent repetitions")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--policies", nargs="+", choices=POLICIES, default=POLICIES)
    parser.add_argument("--epsilon", type=float, default=0.1, help="of epsilon-greedy, constant")
    parser.add_argument("--plot", metavar="FILE", help="PNG, PDF or SVG; needs Matplotlib")
    args = parser.parse_args()
    if not all(0 <= part <= 1 for part in [*args.means, args.epsilon]):
        parser.error("means and epsilon lie between 0 and 1")
    if min(len(args.means), args.runs, args.rounds) < 2 or args.seed < 0:
        parser.error("it takes 2 means, 2 runs and 2 rounds at least, and a seed of 0 or more")
    answer = {name: getattr(args, name) for name in ("means", "rounds", "runs", "seed", "epsilon")}
    answer.update(theory(args.means, args.rounds))
    answer["policies"] = {policy: simulate(policy, args) for policy in args.policies}
    print(json.dumps(answer, indent=1), flush=True)
    if args.plot:
        try:
            plot(answer, args.plot)
        except (ImportError, OSError, ValueError) as error:
            parser.error(f"no plot (it takes Matplotlib, and a name as regret.png): {error}")


if __name__ == "__main__":
    main()
