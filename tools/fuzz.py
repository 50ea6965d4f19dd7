"""Foreign bytes for every parser, for a stated time: `python tools/fuzz.py --seconds 180`.

Each of `tests/support/parsers.py` gets changed samples, and shapes that grow to its longest input.
Wrong is an error that it does not document, more than two seconds of the processor's time, more
than 500 MB. Prints the inputs of each parser. Exit 1 where something was wrong; the input is kept.
"""

import argparse
import hashlib
import multiprocessing
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random  # noqa: TID251  # by a stated seed
from tempfile import gettempdir
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.support.mutated import changed, grown, judged, samples, spent  # noqa: E402  # below the path
from tests.support.parsers import Parser, parsers  # noqa: E402  # below the path

KEPT: Final = Path(gettempdir()) / "learnt-fuzz"
_TURN: Final = 8  # inputs of a parser in a row
_ADDRESSES: Final = 4 << 30  # bytes that a process may have


def _turn(parser: Parser, chance: Random) -> list[tuple[bytes, str]]:
    """A few inputs, the last one of a shape that grows."""
    found = []
    for _ in range(_TURN - 1):
        raw = changed(chance, chance.choice(samples()), min(parser.most, 20_000))
        found.append((raw, spent(parser, raw)[1]))
    found.append(judged(parser, grown(chance, chance.choice(samples()))))
    return found


def _worked(told: tuple[Sequence[str], float, int]) -> tuple[dict[str, int], dict[str, str]]:
    """The inputs of each parser in a time, and what was wrong with one, by what it said."""
    names, seconds, seed = told
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    chance, until = Random(seed), time.monotonic() + seconds
    counts, wrong = dict.fromkeys(names, 0), dict[str, str]()
    taken = dict.fromkeys(names, 0.0)
    while time.monotonic() < until:
        # Whoever had the least time is next, so that slow ones take no more than their share.
        name = min(names, key=taken.__getitem__)
        began = time.monotonic()
        for raw, said in _turn(parsers()[name], chance):
            counts[name] += 1
            fault = f"{name}: {said.split()[0]}" if said else ""
            if fault and fault not in wrong:
                wrong[fault] = f"{name}: {' '.join(said.split())}\n  {_kept(raw)}"
        taken[name] += time.monotonic() - began
    return counts, wrong


def _kept(raw: bytes) -> Path:
    KEPT.mkdir(exist_ok=True)
    path = KEPT / hashlib.sha256(raw).hexdigest()[:16]
    path.write_bytes(raw)
    return path


def main() -> int:
    """Run for the time given."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0, help="another one tries other inputs")
    parser.add_argument("--parser", default="", help="only those whose name holds this")
    parser.add_argument("--list", action="store_true", help="print the names alone")
    given = parser.parse_args()
    names = [name for name in parsers() if given.parser in name]
    if given.list:
        print("\n".join(names))
        return 0
    parts = [(names[at :: given.processes], given.seconds, given.seed + at)
             for at in range(min(given.processes, len(names)))]  # fmt: skip
    with multiprocessing.get_context("fork").Pool(given.processes) as pool:
        done = pool.map(_worked, parts)
    for name in names:
        print(f"{sum(counts.get(name, 0) for counts, _ in done):>7,}  {name}")
    total = sum(sum(counts.values()) for counts, _ in done)
    faults = [each for _, wrong in done for each in wrong.values()]
    print(f"{total:,} inputs to {len(names)} parsers in {given.seconds:g} seconds on "
          f"{given.processes} processes: {len(faults)} faults")  # fmt: skip
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
