"""How many real drifts of what is cited are seen, how many neutral edits are taken for one.

    python -m benchmarks.drift [--seeds 1,2] [--spans 300] [--sources tuning|unseen]
    python -m benchmarks.drift --speed

A git repository of real source: the standard library's Python, and scripts, styles, pages, SQL,
prose and settings as far as they are at hand, among them those of this repository. Spans, symbols
and whole small files are cited; each is mutated in every way that it allows, really and neutrally,
and checked as recall checks it. 95 % intervals by Wilson. `--speed` is what six citations of files
of 100 kB add to a prompt.
"""

import argparse  # whose source is cited
import random  # noqa: TID251  # seeded: the same mutations in every run
import re
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from msgspec.structs import replace

from benchmarks.mutations import MOVES, NEUTRAL, OUTSIDE, REAL, Spot, changes_meaning, elsewhere
from benchmarks.report import ROOT, Tables, run, spread, verdict
from learnt.core.health.executions import interval
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.citations import CheckedCitation
from learnt.core.knowledge.entries import Entry, Stage
from learnt.errors import Refused
from learnt.flows.knowledge.checking import PATIENCE, Anchors, Checker, anchored
from learnt.flows.sessions.locate import locate, look
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Outside
from learnt.stores.git_program import DiskFolders
from learnt.stores.plain_files import DiskCitedFiles
from learnt.stores.stemming import porter
from tests.support import in_memory

SEEN, FALSE = 0.99, 0.02
SUFFIXES: Final = (".js", ".ts", ".css", ".html", ".sql", ".md", ".rst", ".yaml", ".toml")
SMALLEST, LARGEST = 400, 120_000
ROUNDS: Final = 15
EACH: Final = 40  # files of a suffix
_DEFINES: Final = re.compile(r"^(?:def|class) (\w+)", re.MULTILINE)


def files_of(half: str) -> list[Path]:
    """Real files: those whose number in the list is even to tune by, the others unseen."""
    library = Path(sysconfig.get_paths()["stdlib"])
    places = [ROOT, Path(sys.prefix), library, Path("/usr/share")]
    found = [p for p in sorted(library.glob("*.py")) + sorted(library.glob("*/*.py"))
             if "test" not in p.parts and "lib2to3" not in p.parts][:400]  # fmt: skip
    for suffix in SUFFIXES:
        named = (p for place in places[:3] for p in sorted(place.rglob(f"*{suffix}")))
        found += [p for p in dict.fromkeys(named) if p.is_file()][: 2 * EACH]
    parity = 0 if half == "tuning" else 1
    sized = [p for p in found if SMALLEST < p.stat().st_size < LARGEST]
    return [p for number, p in enumerate(sized) if number % 2 == parity]


@dataclass
class Score:
    """How mutations of one kind were judged."""

    right: Counter[str] = field(default_factory=Counter)
    all: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, *, right: bool) -> None:
        """One more."""
        self.all[name] += 1
        self.right[name] += right

    @property
    def share(self) -> float:
        """Of all."""
        return self.right.total() / max(1, self.all.total())


class Bench:
    """A git repository, and citations of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.outside: Outside = replace(
            in_memory.outside(porter, ShippedLanguage()),
            cited_files=DiskCitedFiles(),
            folders=DiskFolders(),
        )
        self.git("init", "-q")
        self.place = look(self.outside, str(folder))
        self.real, self.neutral = Score(), Score()
        self.seconds: list[float] = []

    def git(self, *words: str) -> None:
        """Run git in the repository."""
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *words], cwd=self.folder, check=True, capture_output=True)

    def cited(self, notation: str) -> Entry | None:
        """An entry that cites one place; None where that is no span of words."""
        try:
            cited = Anchors(self.outside, [notation], self.place).resolved()
        except Refused:
            return None
        with self.outside.ledger.writing() as writer:
            cites = anchored(writer, cited)
            scope = locate(self.outside, writer, self.place).project
        return Entry(id=EntryId("e-1"), stage=Stage.VALIDATED, scope=scope, cites=cites)

    def checked(self, entry: Entry) -> CheckedCitation:
        """What is told of it now."""
        with self.outside.ledger.reading() as reader:
            started = time.perf_counter()
            (told,) = Checker(self.outside, reader, self.place).check(entry)
            self.seconds.append(time.perf_counter() - started)
            return told

    def mutate(self, notation: str, spot: Spot, entry: Entry, rng: random.Random) -> None:
        """Every mutation that the span allows, and the file as it was in the end."""
        name = re.split("[:#]", notation)[0]
        path = self.folder / name
        for kind, mutation in REAL.items():
            new = mutation(spot, rng)
            if new is not None and new != spot.text and changes_meaning(spot, new):
                self._put(path, new)
                self.real.add(kind, right=self.checked(entry).stale)
        whole = ":" not in notation and "#" not in notation
        for kind, mutation in NEUTRAL.items():
            if whole and kind in OUTSIDE:
                continue
            new = mutation(spot, rng)
            if new is not None and new != spot.text:
                self._put(path, new)
                self.neutral.add(kind, right=not self.checked(entry).stale)
        self._put(path, spot.text)
        for kind in MOVES:
            self._moved(kind, name, spot, entry, rng)

    def _put(self, path: Path, text: str) -> None:
        with path.open("w", encoding="utf-8", newline="") as file:
            file.write(text)

    def _moved(self, kind: str, name: str, spot: Spot, entry: Entry, rng: random.Random) -> None:
        path = self.folder / name
        if kind == "file renamed":
            to = path.with_name(f"renamed_{path.name}")
        else:
            to = self.folder / "elsewhere" / path.name
            to.parent.mkdir(exist_ok=True)
        self.git("mv", str(path), str(to))
        edited = elsewhere(spot, rng) if kind.endswith("elsewhere") else None
        if edited:
            self._put(to, edited)
        self.neutral.add(kind, right=not self.checked(entry).stale)
        self._put(to, spot.text)
        self.git("mv", str(to), str(path))


def notations(path: str, text: str, rng: random.Random) -> Iterator[tuple[str, Spot]]:
    """A span of lines, and where there is one a symbol; a small file as a whole."""
    suffix = Path(path).suffix
    count = len(text.splitlines())
    first = rng.randint(1, count)
    last = min(count, first + rng.choice([0, 0, 1, 2, 3, 5, 8, 14]))
    lines = text.splitlines()
    while last > first and not lines[last - 1].strip():
        last -= 1
    span = Spot(text=text, first=first, last=last, suffix=suffix)
    if re.search(r"\w", span.span):
        yield f"{path}:{first}-{last}", span
    names = _DEFINES.findall(text) if suffix == ".py" else []
    names = [name for name in names if names.count(name) == 1]
    if names:
        import ast

        name = rng.choice(names)
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name == name:
                decorated = [d.lineno for d in node.decorator_list]
                begun = min([node.lineno, *decorated])
                where = Spot(text=text, first=begun, last=node.end_lineno or begun, suffix=suffix)
                yield f"{path}#{name}", where
    if count < 60:
        yield path, Spot(text=text, first=1, last=count, suffix=suffix)


def measured(seed: int, spans: int, files: Sequence[Path], folder: Path) -> Bench:
    """A whole run: cited at random, mutated in every way."""
    rng = random.Random(seed)
    bench = Bench(folder)
    texts: dict[str, str] = {}
    for number, path in enumerate(files):
        text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n")
        name = f"{path.suffix[1:]}{number % 7}/{path.stem}_{number}{path.suffix}"
        if "\ufffd" not in text and "\x0c" not in text and text.isprintable() is not None:
            texts[name] = text
            (folder / name).parent.mkdir(exist_ok=True)
            bench._put(folder / name, text)
    bench.git("add", "-A")
    bench.git("commit", "-qm", "All")
    names = sorted(texts)
    by_suffix = {s: [n for n in names if n.endswith(s)] for s in (".py", *SUFFIXES)}
    by_suffix = {s: held for s, held in by_suffix.items() if held}
    done = 0
    while done < spans:
        suffix = ".py" if rng.random() < 0.6 else rng.choice(sorted(by_suffix))
        name = rng.choice(by_suffix[suffix])
        for notation, spot in notations(name, texts[name], rng):
            entry = bench.cited(notation)
            if entry is not None:
                done += 1
                bench.mutate(notation, spot, entry, rng)
    return bench


def rows(score: Score, ok: str) -> list[dict[str, object]]:
    """A row for each kind, and one for all."""
    found = []
    for name in [*score.all, "all"]:
        right = score.right.total() if name == "all" else score.right[name]
        count = score.all.total() if name == "all" else score.all[name]
        low, high = interval(right / max(1, count), count)
        found.append({"mutation": name, "count": count, ok: f"{100 * right / max(1, count):.2f} %",
                      "95 %": f"{100 * low:.2f} to {100 * high:.2f}"})  # fmt: skip
    return found


def added(folder: Path) -> list[dict[str, object]]:
    """Three entries that cite lines and a method each, of six copies of a large file."""
    bench = Bench(folder)
    text = Path(argparse.__file__).read_text(encoding="utf-8")
    paths = [folder / f"m{number}.py" for number in range(6)]

    def put(now: str) -> None:
        for path in paths:
            bench._put(path, now)

    put(text)
    places = [f"{p.name}{(':1700-1720', '#ArgumentParser.parse_args')[n % 2]}"
              for n, p in enumerate(paths)]  # fmt: skip
    held = [entry for place in places if (entry := bench.cited(place)) is not None]
    found = []
    for name, now in {
        "as they were": text,
        "all moved down": f"import x\n\n{text}",
        "all drifted": text.replace("self", "this"),
    }.items():
        put(now)
        seconds = []
        with bench.outside.ledger.reading() as reader:
            for _ in range(ROUNDS):
                started = time.perf_counter()
                checker = Checker(bench.outside, reader, bench.place, PATIENCE)
                told = [checker.check(entry)[0].state for entry in held]
                seconds.append(time.perf_counter() - started)
        states = ", ".join(f"{count} {state}" for state, count in Counter(told).items())
        found.append({"six files of 100 kB": name, **spread(seconds, 1), "told": states})
    return found


def main(
    *,
    seeds: tuple[int, ...] = (1, 2),
    spans: int = 300,
    sources: Literal["tuning", "unseen"] = "tuning",
    speed: bool = False,
) -> Tables:
    """Every seed, and whether the goals were reached."""
    if speed:
        with tempfile.TemporaryDirectory() as folder:
            return {"what citations add to a prompt, in ms": added(Path(folder))}
    tables: dict[str, list[dict[str, object]]] = {}
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            bench = measured(seed, spans, files_of(sources), Path(folder))
        tables[f"real drifts seen, seed {seed}, {sources}"] = rows(bench.real, "seen")
        tables[f"neutral edits left alone, seed {seed}"] = rows(bench.neutral, "left alone")
        tables[f"all in all, seed {seed}"] = [
            {
                "seen": verdict(-bench.real.share, -SEEN),
                "false": verdict(1 - bench.neutral.share, FALSE),
                **{f"a check, {name} ms": ms for name, ms in spread(bench.seconds, 2).items()},
            }
        ]
    return tables


if __name__ == "__main__":
    run(main)
