"""How well and how quickly the registry finds skills; the subcommands of `benchmarks.skills`.

The 9,076 real skills of `../shared` are written to a temporary folder, one SKILL.md each, and found
by the registry's own index. Where they are not on this machine, `retrieval` says so and ends, and
`speed` writes made-up skills.
"""

import gzip
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.corpus import ROOT, Corpus
from benchmarks.report import load_now, table
from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.stores.sqlite_skills import SqliteSkills

DATA: Final = next(
    (path for above in ROOT.parents if (path := above / "shared" / "evaluation").is_dir()),
    ROOT.parent / "shared" / "evaluation",
)
CORPUS: Final = "corpus/skills_corpus/skills.jsonl.gz"
GOALS: Final = {"skills_authored": 76.0, "skills_scenarios": 82.0, "skills_skillsbench": 80.0}
COUNT: Final = 10_000
SEARCHES: Final = 150
SHORT: Final = 40  # words of a task


def real_skills(data: Path) -> Iterator[Mapping[str, Any]]:
    """The rows of the corpus."""
    with gzip.open(data / CORPUS, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def made_up_skills() -> Iterator[Mapping[str, Any]]:
    """As many made-up skills as are wanted: an entry of the made-up memory is a description."""
    corpus = Corpus()
    for at in range(COUNT):
        words = " ".join(corpus.document(at).terms)
        yield {"name": f"skill-{at}", "description": words[:300], "body": f"{words}\n" * 10}


def put(folder: Path, name: str, row: Mapping[str, Any]) -> None:
    """Write a skill; its roles make two thousand of ten thousand fit one."""
    file = folder / name / "SKILL.md"
    file.parent.mkdir()
    front = {key: json.dumps(row[key], ensure_ascii=False) for key in ("name", "description")}
    role = f"agent_roles: role-{sum(name.encode()) % 5}"
    lines = [f"{key}: {value}" for key, value in front.items()]
    file.write_text("\n".join(["---", *lines, role, "---", "", row["body"]]), "utf-8")


def queries(data: Path, name: str) -> list[Mapping[str, Any]]:
    """The tasks of a set, each with the skills that it needs."""
    rows = (data / "dev" / name / "queries.jsonl").read_text("utf-8").splitlines()
    return [row for row in map(json.loads, rows) if row["relevant"]]


def retrieval(data: Path) -> int:
    """R@5 of each set over all real skills; exit code 1 where a goal is missed."""
    if not (data / CORPUS).is_file():
        print(f"The real skills are not here ({data}): nothing is measured.")
        return 0
    found = []
    with TemporaryDirectory() as folder:
        for row in real_skills(data):
            put(Path(folder), row["id"], row)
        library = SqliteSkills([SkillSource(folder, SkillLayer.USER)])
        for name, goal in GOALS.items():
            shares = []
            for row in queries(data, name):
                files = [file for file, _ in library.ranked(row["query"], 5)]
                best = {Path(file).parent.name for file in files}
                shares.append(len(best & set(row["relevant"])) / len(row["relevant"]))
            reached = round(100 * sum(shares) / len(shares), 1)
            met = "met" if reached >= goal else "MISSED"
            row = {"set": name, "tasks": len(shares), "R@5": reached, "goal": goal, "": met}
            found.append(row)
    table("Skills found by words among 9,076 real ones, in percent", found)
    return int(any(row[""] == "MISSED" for row in found))


def speed(data: Path) -> int:
    """Times and memory with ten thousand skills on disk, measured in a process of their own."""
    with TemporaryDirectory() as place:
        folder = Path(place) / "skills"
        folder.mkdir()
        real = (data / CORPUS).is_file()
        rows = list(real_skills(data) if real else made_up_skills())
        for at in range(COUNT):
            put(folder, f"skill-{at:05}", {**rows[at % len(rows)], "name": f"skill-{at:05}"})
        tasks = [row["description"] for row in rows]
        if real:
            tasks = [row["query"] for name in GOALS for row in queries(data, name)]
        tasks = [task for task in tasks if len(task.split()) <= SHORT]
        (Path(place) / "tasks.json").write_text(json.dumps(tasks[:: len(tasks) // SEARCHES or 1]))
        print(f"{COUNT:,} skills, {'real' if real else 'made up'}; load {load_now()}")
        home = {"LEARNT_HOME": f"{place}/home", "HOME": place}
        command = [sys.executable, "-m", "benchmarks.skills", "measured", "--data", place]
        return subprocess.run(command, env={**os.environ, **home}, check=False).returncode


def measured(place: Path) -> int:
    """What `speed` has its own process do; exit code 1 where a goal is missed by CPU time."""
    from learnt.surfaces.api.skills import SkillInjector, SkillRegistry, Task

    rows: list[Mapping[str, object]] = []

    def add(name: str, timed: Sequence[tuple[float, float]], goal: float) -> None:
        at = min(len(timed) - 1, int(0.95 * len(timed)))
        cpu, wall = (round(sorted(times)[at], 2) for times in zip(*timed, strict=True))
        met = "met" if cpu <= goal else "MISSED"
        rows.append({"": name, "CPU ms": cpu, "wall ms": wall, "goal ms": goal, "by CPU": met})

    def fresh() -> None:
        with SkillRegistry(place / "skills") as registry:
            assert len(registry.load_all()) >= COUNT

    add("cold load", [clocked(fresh)], 3_000)
    add("load from the index", sorted(clocked(fresh) for _ in range(5))[:3][-1:], 200)
    registry = SkillRegistry(place / "skills")
    injector = SkillInjector(registry)
    task = Task(description="warm up", agent_role="role-1")
    add("the first search reads all words", [clocked(
        lambda: injector.top_k(task, "role-1", strategy="semantic")
    )], float("inf"))  # fmt: skip
    for strategy in ("semantic", "hybrid", "tag"):
        times = []
        for text in json.loads((place / "tasks.json").read_text()):
            task = Task(description=text, agent_role="role-1")
            times.append(clocked(lambda: injector.top_k(task, "role-1", strategy=strategy)))  # noqa: B023
        add(f"top_k, {strategy}, p95 of {len(times)}", times, 10)
    file = place / "skills" / "skill-00042" / "SKILL.md"
    file.write_text(file.read_text("utf-8").replace("description:", "description: Zebrafish", 1))

    def seen() -> None:
        while not registry.get("skill-00042").meta.description.startswith("Zebrafish"):  # type: ignore[union-attr]
            time.sleep(0.01)

    add("a changed file is seen", [(clocked(seen)[1],) * 2], 1_000)
    add("a search after a change", [clocked(
        lambda: injector.top_k(Task(description="Zebrafish"), "", strategy="semantic")
    )], 1_000)  # fmt: skip
    registry.close()
    table("Times; a task has at most 40 words", rows)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (
        1 << (20 if sys.platform == "darwin" else 10)
    )
    print(f"\nPeak of resident memory: {peak:.0f} MB of 150; the index on disk: {size(place)} MB")
    return int(peak > 150 or any(row["by CPU"] == "MISSED" for row in rows))


def size(place: Path) -> int:
    """Megabytes of the index."""
    return (place / "home" / "cache" / "skills.index").stat().st_size >> 20


def clocked(work: Callable[[], object]) -> tuple[float, float]:
    """CPU and wall milliseconds of some work."""
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    return 1_000 * (time.process_time() - cpu), 1_000 * (time.perf_counter() - wall)
