"""The frame of all benchmarks: arguments, data files, times, the machine's own speed, tables."""

import argparse
import gzip
import inspect
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import UnionType
from typing import Any, Final, Literal, NoReturn, get_args, get_origin

from learnt.core.health.executions import interval
from learnt.stores import hook_files

ROOT: Final = Path(__file__).resolve().parent.parent
DATA: Final = ROOT / "tests" / "data"
# The evaluation sets, which are not in the repository: they lie beside it, or further up.
EVALUATION: Final = next(
    (path for above in ROOT.parents if (path := above / "shared" / "evaluation").is_dir()),
    ROOT.parent / "shared" / "evaluation",
)
SIZES: Final = (10_000, 100_000)  # numbers of entries
Rows = Sequence[Mapping[str, object]]
Tables = Mapping[str, Rows]  # by their titles


def run(main: Callable[..., Any]) -> NoReturn:
    """Call `main` with what the command line says, print what it returns, and exit.

    Keyword parameters are flags, those before a slash and `*names` positional arguments; types and
    defaults say how they are read. `as_json` is whether --json was given. An int that `main`
    returns is the exit code; a mapping is printed (`show`).
    """
    parser = argparse.ArgumentParser(
        description=sys.modules["__main__"].__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--json", dest="as_json", action="store_true", help="print JSON instead")
    parameters = inspect.signature(main).parameters.values()
    for parameter in parameters:
        if parameter.name != "as_json":
            _add(parser, parameter)
    words = vars(parser.parse_args())
    as_json = words["as_json"]
    if all(parameter.name != "as_json" for parameter in parameters):
        del words["as_json"]
    placed: list[Any] = []
    for parameter in parameters:
        if parameter.kind is parameter.VAR_POSITIONAL:
            placed += words.pop(parameter.name)
        elif parameter.kind is parameter.POSITIONAL_ONLY:
            placed.append(words.pop(parameter.name))
    answer = main(*placed, **words)
    sys.exit(answer if isinstance(answer, int) else show(answer, as_json=as_json))


def _add(parser: argparse.ArgumentParser, parameter: inspect.Parameter) -> None:
    kind, required = parameter.annotation, parameter.default is parameter.empty
    flag = f"--{parameter.name.strip('_').replace('_', '-')}"
    if kind is bool:
        parser.add_argument(flag, dest=parameter.name, action="store_true")
        return
    if isinstance(kind, UnionType):
        kind = get_args(kind)[0]
    how: dict[str, Any] = {"default": None if required else parameter.default, "type": kind}
    if get_origin(kind) is Literal:
        how |= {"choices": get_args(kind), "type": str}
    elif get_origin(kind) is tuple:
        how["type"] = lambda text: tuple(map(get_args(kind)[0], text.split(",")))
    if parameter.kind is parameter.VAR_POSITIONAL:
        parser.add_argument(parameter.name, **how | {"nargs": "*", "default": []})
    elif parameter.kind is parameter.POSITIONAL_ONLY:
        parser.add_argument(parameter.name, **how if required else how | {"nargs": "?"})
    else:
        parser.add_argument(flag, dest=parameter.name, required=required, **how)


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a file of JSON lines, packed or not."""
    packed = path if path.suffix == ".gz" else path.with_name(f"{path.name}.gz")
    raw = gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
    return [json.loads(line) for line in raw.decode().split("\n") if line.strip()]


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which that part of the values lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def spread(seconds: Sequence[float], digits: int = 3) -> dict[str, float]:
    """Durations in milliseconds: median, 95th percentile, least and most."""
    marks = {"p50": quantile(seconds, 0.5), "p95": quantile(seconds, 0.95)}
    ends = {"min": min(seconds), "max": max(seconds)}
    return {name: round(1_000 * value, digits) for name, value in (marks | ends).items()}


def wilson(part: float, count: int) -> str:
    """The 95 % interval of a share, by Wilson.

    >>> wilson(0.5, 100)
    '0.404 to 0.596'
    """
    return "{:.3f} to {:.3f}".format(*interval(part, count))


def percent(part: float, digits: int = 1) -> str:
    """A share as the page writes it.

    >>> percent(0.8267), percent(0.5, 0)
    ('82.7 %', '50 %')
    """
    return f"{100 * part:.{digits}f} %"


def of(hits: int, count: int) -> str:
    """Hits among cases, their share and its 95 % interval by Wilson.

    >>> of(81, 100)
    '81 of 100, 81 % (72 to 87)'
    """
    low, high = interval(hits / count, count)
    return f"{hits} of {count}, {hits / count:.0%} ({100 * low:.0f} to {100 * high:.0f})".replace(
        "%", " %"
    )


def part(hits: int, count: int) -> str:
    """The share of hits among cases, and its 95 % interval by Wilson.

    >>> part(81, 100)
    '81.0 % (72 to 87)'
    """
    low, high = interval(hits / count, count)
    return f"{percent(hits / count)} ({100 * low:.0f} to {100 * high:.0f})"


def load_now() -> float:
    """The machine's load average of the last minute."""
    return round(os.getloadavg()[0], 2)


def timed(act: Callable[[], object]) -> float:
    """The seconds that it takes."""
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def clocked(act: Callable[[], object]) -> tuple[float, float]:
    """The seconds that it takes: the processor's, which others do not lengthen, and the clock's."""
    worked = time.process_time()
    taken = timed(act)
    return time.process_time() - worked, taken


def start_bare() -> None:
    """Start an interpreter that does nothing."""
    subprocess.run([hook_files.interpreter(), "-I", "-S", "-c", "pass"], check=True)


def bare_start() -> float:
    """Milliseconds of a bare interpreter's start just now: what the machine gives at the moment.

    8.2 on the machine, and at the time, that the goals in milliseconds were set on.
    """
    return round(1_000 * quantile([timed(start_bare) for _ in range(15)], 0.5), 1)


def show(answer: Mapping[str, Any], *, as_json: bool) -> int:
    """Print rows by their title as tables, other values by their name; or all as one JSON object.

    The exit code is 0.
    """
    if as_json:
        print(json.dumps(answer, indent=1, ensure_ascii=False))
        return 0
    for title, value in answer.items():
        if isinstance(value, list):
            table(title, value)
        else:
            print(f"{title}: {value}")
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
