"""Mutation testing of the files that decide: the tests must notice when a rule is another.

mutmut changes one small thing at a time in a copy of the project and runs the tests that reach it.
A mutant that no test notices survived; the score is the part that did not. Exit 1 below --least, 5
where it could not be told.
"""

import argparse
import os
import random  # noqa: TID251  # other mutants in each run
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from string import digits
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
_DECIDE = {
    "core/recall": "ranking eligibility asking marks closeness",
    "core/knowledge": "gates admission entries topics objections citations signals",
    "core/governance": "actors proposals misses",
    "core": "events projects",
    "core/sessions": "sessions",
    "core/digest": "remarks commands lessons",
    "core/distil": "distilled sequences",
    "core/health": "trends effects improvement executions experiences outcomes",
}
FILES = [f"{folder}/{name}.py" for folder, names in _DECIDE.items() for name in names.split()]
TESTS = "tests/core"
NEEDED = (
    "src",
    "benchmarks",
    "tests/core",
    "tests/support",
    "tests/data",
    "tests/conftest.py",
    "pyproject.toml",
)
KILLED, UNTRIED = {"killed", "timeout"}, "not checked"


def copy_to(folder: Path, files: Sequence[str]) -> None:
    """Lay out a copy of the project in which mutmut may do as it likes."""
    for name in NEEDED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    mutated = [f"src/learnt/{name}" for name in files]
    kept = [name for name in NEEDED if name not in {TESTS, "pyproject.toml"}]
    with (folder / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write(f"\n[tool.mutmut]\npaths_to_mutate = {mutated}\n")
        file.write(f"tests_dir = {[TESTS]}\nalso_copy = {kept}\n")


def mutmut(folder: Path, *words: str, seconds: int = 600) -> subprocess.CompletedProcess[str]:
    """Run it on the copy; whoever started this is not its tests' business.

    Thousands of runs do with few examples of each property, whatever profile the tests had before.
    """
    apart = {"PYTHONPATH", "PYTEST_ADDOPTS", "HYPOTHESIS_PROFILE"}
    environment = {name: value for name, value in os.environ.items() if name not in apart}
    return subprocess.run(
        [sys.executable, "-m", "mutmut", *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=seconds,
    )


def drawn(tenths: int) -> list[str]:
    """The pattern of the mutants that are tried: those whose numbers end in a digit that is drawn.

    A third of them tells the score to about a point, in a third of the time.
    """
    if tenths >= 10:
        return []
    chosen = "".join(sorted(random.sample(digits, tenths)))
    print(f"Trying the mutants whose numbers end in one of {chosen}.", flush=True)
    return [f"*__mutmut_*[{chosen}]"]


def report(results: str, least: float) -> int:
    """Print what became of the mutants, file by file; 0 if enough of those tried were noticed."""
    found = re.findall(r"^\s*learnt\.(\S+)\.(x\S+__mutmut_\d+): (.+)$", results, re.MULTILINE)
    fates = [each for each in found if each[2] != UNTRIED]
    if not fates:
        print("mutmut tried no mutants:\n" + results[-2_000:], file=sys.stderr)
        return 5
    for module, name, fate in fates:
        if fate not in KILLED:
            print(f"{fate}: learnt.{module}.{name}")
    made, noticed = Counter(m for m, _, _ in fates), Counter(m for m, _, f in fates if f in KILLED)
    for module, count in sorted(made.items()):
        print(
            f"{module.ljust(28)} {noticed[module]:4} of {count:4}  {noticed[module] / count:6.1%}"
        )
    score = noticed.total() / len(fates)
    left = f" {len(found) - len(fates)} of {len(found)} were not tried." * (fates != found)
    print(f"{noticed.total()} of {len(fates)} noticed: {score:.1%}, wanted {least:.0%}.{left}")
    return 0 if score >= least else 1


def main() -> int:
    """Mutate, test, and print the score."""
    parser = argparse.ArgumentParser(description="Mutation testing of the files that decide.")
    parser.add_argument("--least", type=float, default=0.85, help="the least score (0.85)")
    parser.add_argument("--children", type=int, default=os.cpu_count() or 2, help="at a time")
    parser.add_argument("--seconds", type=int, default=3_600, help="the longest it may take")
    parser.add_argument("--tenths", type=int, default=10, help="of the mutants, drawn anew (10)")
    parser.add_argument("files", nargs="*", help="below src/learnt; all that decide, if none")
    given = parser.parse_args()
    if gone := [name for name in given.files or FILES if not (ROOT / "src/learnt" / name).exists()]:
        parser.error(f"there is no {', '.join(gone)}: FILES names what was moved")
    if find_spec("mutmut") is None:
        print("mutmut is missing: install it beside the other development tools.", file=sys.stderr)
        return 5
    with TemporaryDirectory() as name:
        copy_to(Path(name), given.files or FILES)
        try:
            children = str(given.children)
            words = ("run", "--max-children", children, *drawn(given.tenths))
            ran = mutmut(Path(name), *words, seconds=given.seconds)
        except subprocess.TimeoutExpired:
            print(f"Stopped after {given.seconds} seconds: what was tried till then is reported.")
        else:
            if ran.returncode:
                print((ran.stdout + ran.stderr)[-3_000:], file=sys.stderr)
                return 5
        return report(mutmut(Path(name), "results", "--all", "true").stdout, given.least)


if __name__ == "__main__":
    sys.exit(main())
