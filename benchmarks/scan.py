"""How long `learnt knowledge scan` takes over 1,000 tags, in bare starts of an interpreter.

    python -m benchmarks.scan [--rounds 31]

The goal: 8 starts of `python -I -S -c pass` of the same run.
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks.report import Tables, bare_start, load_now, quantile, run, verdict

FILES, TAGS = 10, 100
GOAL: Final = 8.0
LEARNT: Final = Path(sys.executable).with_name("learnt")


def topic(number: int) -> str:
    """A topic of a hundred facts."""
    return "# Rooms\n" + "".join(
        f"\n<!-- decay: type=schema confirmed=2026-01-01 C0=1.0 alpha=1 beta=0 "
        f"id=k-{number:02}{fact:06} -->\n<!-- entities: t_{fact} -->\n- fact {fact} of t_{fact}\n"
        for fact in range(TAGS)
    )


def taken(folder: Path, rounds: int) -> list[float]:
    """Seconds of each scan; the first, which may have to compile, is left out."""
    environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8"}
    command = [str(LEARNT), "knowledge", "scan", "--path", str(folder)]
    found = []
    for _ in range(rounds + 1):
        began = time.perf_counter()
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False)
        found.append(time.perf_counter() - began)
    return found[1:]


def main(*, rounds: int = 31) -> Tables:
    """The median and its ratio."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(FILES):
            (folder / f"topic_{number}.md").write_text(topic(number), "utf-8")
        load, bare = load_now(), bare_start()
        times = taken(folder, rounds)
        bare = (bare + bare_start()) / 2
    median = 1_000 * quantile(times, 0.5)
    ratio = round(median / bare, 2)
    return {"Scan": [{
        "tags": FILES * TAGS, "median ms": round(median, 1), "bare ms": round(bare, 1),
        "starts": ratio, "load": load, "verdict": verdict(ratio, GOAL),
    }]}  # fmt: skip


if __name__ == "__main__":
    run(main)
