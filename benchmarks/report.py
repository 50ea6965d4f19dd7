"""What the benchmarks share: arguments, quantiles, the machine's own speed, tables."""

import argparse
import json
import os
import subprocess
import time
from collections.abc import Mapping, Sequence

from learnt.stores import hook_files

SIZES = "10000,100000"  # numbers of entries
Rows = Sequence[Mapping[str, object]]


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which that part of the values lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def spread(seconds: Sequence[float], digits: int = 3) -> dict[str, float]:
    """Durations in milliseconds: median, 95th percentile, least and most."""
    marks = {"p50": quantile(seconds, 0.5), "p95": quantile(seconds, 0.95)}
    ends = {"min": min(seconds), "max": max(seconds)}
    return {name: round(1_000 * value, digits) for name, value in (marks | ends).items()}


def load_now() -> float:
    """The machine's load average of the last minute."""
    return round(os.getloadavg()[0], 2)


def bare_start() -> float:
    """Milliseconds of a bare interpreter's start just now: what the machine gives at the moment.

    8.2 on the machine, and at the time, that the goals in milliseconds were set on.
    """
    taken = []
    for _ in range(15):
        start = time.perf_counter()
        subprocess.run([hook_files.interpreter(), "-I", "-S", "-c", "pass"], check=True)
        taken.append(time.perf_counter() - start)
    return round(1_000 * quantile(taken, 0.5), 1)


def arguments(description: str | None, *, sizes: str = "") -> argparse.ArgumentParser:
    """The flags of a benchmark; with `sizes` also which numbers of entries it is measured at."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    if sizes:
        parser.add_argument(
            "--sizes",
            default=sizes,
            type=lambda text: sorted(int(size) for size in text.split(",")),
            help="numbers of entries, separated by commas",
        )
    return parser


def show(tables: Mapping[str, Rows], *, as_json: bool) -> int:
    """Print rows by their title, as tables or as one JSON object. The exit code is 0."""
    if as_json:
        print(json.dumps(tables, indent=1))
        return 0
    for title, rows in tables.items():
        table(title, rows)
    return 0


def verdict(value: float, goal: float | None) -> str:
    """Whether a value is within its goal, in words."""
    if goal is None:
        return ""
    return f"goal <= {goal:g}: {'met' if value <= goal else 'MISSED'}"


def table(title: str, rows: Rows) -> None:
    """Print rows under the names of their columns."""
    print(f"\n{title}")
    if not rows:
        return
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [names, *([str(row.get(name, "")) for name in names] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(names))]
    for line in cells:
        print("  " + "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)))
