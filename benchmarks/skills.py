"""Figures of the skills: attacks that the scanner refuses, tasks that find their skills, times.

    python -m benchmarks.skills scan [--unseen] [--corpus] [--every N] [--verbose]
    python -m benchmarks.skills retrieval|speed|format [--data DIR]

`scan` plays the attacks of `tests/data/skill_attacks` (the sets it was built on, or the unseen one,
of which only totals are printed) and the honest skills beside them. One is refused by any error, or
a line of it is among those that a person is told to read first, five at most; both count as caught.
With `--corpus` also the 9,076 real skills of `../shared`, or every Nth of them: each that is
refused is printed below its rule, with the line and why.
`retrieval` gives R@5 over those skills, `speed` times and memory with 10,000 skills on disk,
`format` what is found in broken files and whether what we write is read back; DIR is the folder of
the evaluation sets where they are not beside the repository.
"""

import gzip
import io
import json
import os
import resource
import subprocess
import sys
import tarfile
import time
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

from benchmarks.corpus import Corpus
from benchmarks.report import DATA, EVALUATION, clocked, load_now, rows, run, table
from learnt.core.skills.skills import (
    LONGEST_DESCRIPTION,
    Finding,
    Severity,
    SkillLayer,
    SkillSource,
)
from learnt.core.skills.threats import scan
from learnt.exchanges.archive import unpack
from learnt.formats import skill_md, skill_text
from learnt.language.shipped import ShippedLanguage
from learnt.stores.sqlite_skills import SqliteSkills

Row = Mapping[str, Any]
CAUGHT, FALSE = 0.95, 0.02
CORPUS: Final = "corpus/skills_corpus/skills.jsonl.gz"
GOALS: Final = {"skills_authored": 76.0, "skills_scenarios": 82.0, "skills_skillsbench": 80.0}
COUNT: Final = 10_000
SEARCHES: Final = 150
SHORT: Final = 40  # words of a task
_TYPES: Final = {
    "file": tarfile.REGTYPE, "symlink": tarfile.SYMTYPE, "hardlink": tarfile.LNKTYPE,
    "device": tarfile.BLKTYPE, "fifo": tarfile.FIFOTYPE, "dir": tarfile.DIRTYPE,
}  # fmt: skip
_MODES: Final = {"symlink": 0o120777, "device": 0o060600, "fifo": 0o010600, "dir": 0o040755}


def attacking(name: str) -> list[dict[str, Any]]:
    """The skills of a set of attacks, or of honest ones."""
    return rows(DATA / "skill_attacks" / f"{name}.jsonl")


def build(described: Row, path: Path) -> None:
    """An archive as a row describes it. Raises KeyError where a kind of entry is not known."""
    if described["kind"] == "zip":
        warnings.simplefilter("ignore")  # of names that stand twice
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            for entry in described["entries"]:
                info = zipfile.ZipInfo(entry["name"])
                info.filename = entry["name"]  # as it is: ZipInfo cuts at a NUL
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = _MODES.get(entry["type"], 0o100644) << 16
                _TYPES[entry["type"]]  # an unknown kind is an error
                with packed.open(info, "w", force_zip64=True) as stream:
                    for piece in _content(entry):
                        stream.write(piece)
        return
    modes: Mapping[str, Any] = {
        "tar": "w",
        "tar.gz": "w:gz",
        "tgz": "w:gz",
        "tar.bz2": "w:bz2",
        "tar.xz": "w:xz",
    }
    with tarfile.open(path, modes[described["kind"]]) as tar:
        for entry in described["entries"]:
            member = tarfile.TarInfo(entry["name"])
            member.type = _TYPES[entry["type"]]
            member.linkname = str(entry.get("target", ""))
            content = b"".join(_content(entry)) if entry["type"] == "file" else b""
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def _content(entry: Row) -> Iterator[bytes]:
    text = str(entry.get("target") if entry["type"] == "symlink" else entry.get("content", ""))
    try:
        piece = text.encode("latin-1")
    except UnicodeEncodeError:
        piece = text.encode()
    times = int(entry.get("repeat", 1))
    large = piece * max(1, min(times, 1_000_000 // max(len(piece), 1)))
    for _ in range(times * len(piece) // max(len(large), 1)):
        yield large


def checked(row: Row) -> tuple[Finding, ...]:
    """What is found in a row's files, or in its archive and the files that come out of it."""
    files: Mapping[str, str | bytes] = row.get("files", {})
    findings: tuple[Finding, ...] = ()
    if "archive" in row:
        with TemporaryDirectory() as scratch:
            packed = Path(scratch) / "packed"
            build(row["archive"], packed)
            inside, findings = unpack(packed.read_bytes())
        if errors(findings):
            return findings
        top = len({path.partition("/")[0] for path in inside}) == 1
        files = {path.partition("/")[2] if top else path: inside[path] for path in inside}
    return findings + scan(files, _name(files), row.get("existing", ()), ShippedLanguage())


def _name(files: Mapping[str, str | bytes]) -> str:
    """The name that a SKILL.md gives itself."""
    text = files.get("SKILL.md", "")
    text = text if isinstance(text, str) else text.decode("utf-8", "replace")
    named = (line for line in text.split("\n") if line.startswith("name:"))
    return next(named, "name: x").removeprefix("name:").strip().strip("\"'")


def errors(findings: tuple[Finding, ...]) -> list[Finding]:
    """Those that refuse."""
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def pointed(row: Row, findings: tuple[Finding, ...], labels: Mapping[str, Row]) -> bool:
    """Whether a line of the attack is among those to be read first."""
    label = labels.get(row["id"], {"path": "", "lines": ()})
    return any(
        finding.rule == "read-first"
        and finding.line in label["lines"]
        and label["path"].endswith(finding.path)  # an archive's top folder is taken off
        for finding in findings
    )


def played(half: str, *, verbose: bool = False) -> Mapping[str, Mapping[str, int]]:
    """By class of a set's attacks, and of all: how many there are, are refused, are pointed at."""
    labels = {row["id"]: row for row in attacking("lines")}
    counts: dict[str, Counter[str]] = {"all": Counter()}
    for row in attacking(half):
        findings = checked(row)
        refuses, points = bool(errors(findings)), pointed(row, findings, labels)
        for name in (row["class"], "all"):
            counts.setdefault(name, Counter()).update({
                "of": 1,
                "refused": refuses,
                "pointed at": points,
                "refused or pointed at": refuses or points,
            })
        if verbose and half != "fresh":
            print(row["id"], row["class"], sorted({finding.rule for finding in errors(findings)}))
    return counts


def attacks(half: str, *, verbose: bool) -> float:
    """Print by class how many attacks of a set are refused or pointed at; the share of both."""
    counts = played(half, verbose=verbose)
    names = sorted(counts, key=lambda name: (name == "all", name))
    table(f"Attacks, {half}", [{"class": name, **counts[name]} for name in names])
    return counts["all"]["refused or pointed at"] / counts["all"]["of"]


def wrongly_refused(name: str) -> Mapping[str, list[Finding]]:
    """The honest skills of a set that are refused, by id, with the findings."""
    return {row["id"]: found for row in attacking(name) if (found := errors(checked(row)))}


def honest(name: str, *, verbose: bool) -> float:
    """Print how many honest skills are refused; their share."""
    wrong, count = wrongly_refused(name), len(attacking(name))
    table("Honest skills beside them", [{"refused": len(wrong), "of": count}])
    for skill, found in wrong.items() if verbose else ():
        print(skill, [(finding.rule, finding.line) for finding in found])
    return len(wrong) / count


def refused_of_corpus(every: int = 1, path: Path = EVALUATION / CORPUS) -> float:
    """Print the real skills that are refused, each by rule and line, and the time of 20 kB.

    Gives their share.
    """
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        listed = [json.loads(line) for line in stream][::every]
    refused, warned, size = 0, 0, 0
    why: dict[str, list[str]] = {}
    began = time.process_time()
    for row in listed:
        about = " ".join(row["description"].split())
        text = f"---\nname: {row['name']}\ndescription: {about}\n---\n{row['body']}"
        findings = scan({"SKILL.md": text}, row["name"], (), ShippedLanguage())
        found = errors(findings)
        refused += bool(found)
        warned += any(finding.severity is Severity.WARNING for finding in findings)
        size += len(text.encode())
        for rule, finding in {finding.rule: finding for finding in reversed(found)}.items():
            why.setdefault(rule, []).append(f"  {row['id']}:{finding.line}: {_why(finding, text)}")
    took = time.process_time() - began
    by_count = sorted(why.items(), key=lambda pair: (-len(pair[1]), pair[0]))
    for rule, explained in by_count:
        print("", f"{rule}: {len(explained)}", *explained, sep="\n")
    table("Real skills refused", [{"rule": rule, "skills": len(ids)} for rule, ids in by_count])
    share = refused / len(listed)
    print(f"{refused} of {len(listed)}, {share:.2%}; {warned} with a warning")
    print(f"{took * 20e6 / size:.1f} ms for 20 kB")
    return share


def _why(finding: Finding, text: str) -> str:
    """What the rule says of a line, and the line; hidden characters spelled out."""
    return f"{finding.message} {text.split(chr(10))[finding.line - 1].strip()[:150]!r}"


def real_skills(data: Path) -> Iterator[Row]:
    """The rows of the corpus."""
    with gzip.open(data / CORPUS, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def made_up_skills() -> Iterator[Row]:
    """As many made-up skills as are wanted: an entry of the made-up memory is a description."""
    corpus = Corpus()
    for at in range(COUNT):
        words = " ".join(corpus.document(at).terms)
        yield {"name": f"skill-{at}", "description": words[:300], "body": f"{words}\n" * 10}


def put(folder: Path, name: str, row: Row) -> None:
    """Write a skill; its roles make two thousand of ten thousand fit one."""
    file = folder / name / "SKILL.md"
    file.parent.mkdir()
    front = {key: json.dumps(row[key], ensure_ascii=False) for key in ("name", "description")}
    role = f"agent_roles: role-{sum(name.encode()) % 5}"
    lines = [f"{key}: {value}" for key, value in front.items()]
    file.write_text("\n".join(["---", *lines, role, "---", "", row["body"]]), "utf-8")


def queries(data: Path, name: str) -> list[Row]:
    """The tasks of a set, each with the skills that it needs."""
    return [row for row in rows(data / "dev" / name / "queries.jsonl") if row["relevant"]]


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
        cpu, wall = (round(1_000 * sorted(times)[at], 2) for times in zip(*timed, strict=True))
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


BROKEN: Final = "dev/robust_bad_frontmatter/files.jsonl.gz"
CASES: Final = "dev/robust_yaml_test_suite/cases.jsonl.gz"
# How the suite shows what cannot be seen.
SHOWN: Final = {"␣": " ", "———»": "\t", "——»": "\t", "—»": "\t", "»": "\t", "↵": "", "∎": ""}
OF_YAML: Final = frozenset({"bad-yaml", "bad-indent", "duplicate-key", "no-mapping", "too-large"})


def broken(data: Path) -> Iterator[tuple[str, bool]]:
    """Of each broken file, whether a finding names a line of it; a name and description beside."""
    for row in rows(data / BROKEN):
        skill = skill_text.read(row["text"], Path(row["path"]).parent.name)
        last = max(1, len(row["text"].splitlines()))
        at = [finding for finding in skill.findings if finding.path and 1 <= finding.line <= last]
        yield "broken files with a finding at a line", bool(at)
        if any(len(line.split()) > 1 for line in row["text"].splitlines()):
            yield "broken files with words: name and description", bool(skill.description)


def cases(data: Path) -> Iterator[tuple[str, bool]]:
    """Of each YAML case that must fail, as front matter, whether a finding says so."""
    for row in rows(data / CASES):
        text = row["yaml"]
        for shown, meant in SHOWN.items():
            text = text.replace(shown, meant)
        text = text.removeprefix("---\n")  # an empty front matter would say nothing
        found = skill_text.read(f"---\n{text}---\n# x\n", "x").findings
        if row["fail"]:
            yield "YAML cases that must fail", not OF_YAML.isdisjoint({one.rule for one in found})


def written(data: Path) -> Iterator[tuple[str, bool]]:
    """Of each real skill, whether it is read back as it was written, and is valid."""
    from skills_ref.parser import parse_frontmatter
    from skills_ref.validator import validate_metadata

    for row in real_skills(data):
        name = skill_md.slug(row["name"])
        more = {"license": row["license"], "metadata": {"repo": row["repo"]}, "stars": "1"}
        text = skill_md.strict(more, name, row["description"], row["body"])
        back = skill_text.read(text, name)
        about = " ".join(row["description"].split())
        if len(about) > LONGEST_DESCRIPTION:  # no file may have more: what fits is the same
            about = about[: LONGEST_DESCRIPTION - 1].rstrip() + "…"
        expected = (name, about, row["body"].strip() + "\n")
        yield "written and read back equal", (back.name, back.description, back.body) == expected
        again = skill_md.strict(back.front, back.name, back.description, back.body)
        yield "written again, byte for byte", again == text
        # A key that the specification does not know stays where it was; all else is to be valid.
        front = {key: value for key, value in parse_frontmatter(text)[0].items() if key != "stars"}
        yield "valid by the specification", not validate_metadata(front, Path(name))


def formats(data: Path) -> int:
    """Print how many of each pass; exit code 1 where not all do."""
    counts: dict[str, list[bool]] = {}
    for source, work in ((BROKEN, broken), (CASES, cases), (CORPUS, written)):
        if not (data / source).is_file():
            print(f"{data / source} is not on this machine: left out.")
            continue
        for what, good in work(data):
            counts.setdefault(what, []).append(good)
    table("Reading and writing SKILL.md", [
        {"what": what, "good": sum(each), "of": len(each), "": "met" if all(each) else "MISSED"}
        for what, each in counts.items()
    ])  # fmt: skip
    return int(not all(map(all, counts.values())))


def main(
    what: Literal["scan", "retrieval", "speed", "measured", "format"],
    /,
    *,
    data: Path = EVALUATION,
    unseen: bool = False,
    corpus: bool = False,
    every: int = 1,
    verbose: bool = False,
) -> int:
    """Print the tables; 1 where a goal is missed."""
    if what != "scan":
        ways = {"format": formats, "retrieval": retrieval, "speed": speed, "measured": measured}
        return ways[what](data)
    halves = ["fresh"] if unseen else ["dev", "more", "unseen"]
    share = min(attacks(half, verbose=verbose) for half in halves)
    print(f"caught: {share:.1%}")
    beside = "benign_fresh" if unseen else "benign"
    good = share >= CAUGHT and honest(beside, verbose=verbose) <= FALSE
    if corpus and not (data / CORPUS).exists():
        print(f"{data / CORPUS} is not on this machine")
    elif corpus:
        good = refused_of_corpus(every, data / CORPUS) <= FALSE and good
    return 0 if good else 1


if __name__ == "__main__":
    run(main)
