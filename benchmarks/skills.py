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

import argparse
import gzip
import io
import json
import sys
import tarfile
import time
import warnings
import zipfile
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks import skill_format, skill_search
from benchmarks.report import table
from learnt.core.skills.skills import Finding, Severity
from learnt.core.skills.threats import scan
from learnt.exchanges.archive import unpack
from learnt.language.shipped import ShippedLanguage

ROOT: Final = Path(__file__).resolve().parent.parent
ATTACKS: Final = ROOT / "tests" / "data" / "skill_attacks"
SHARED: Final = Path("shared/evaluation/corpus/skills_corpus/skills.jsonl.gz")
CORPUS: Final = next(
    (path for above in ROOT.parents if (path := above / SHARED).exists()), ROOT.parent / SHARED
)
CAUGHT, FALSE = 0.95, 0.02
_TYPES: Final = {
    "file": tarfile.REGTYPE, "symlink": tarfile.SYMTYPE, "hardlink": tarfile.LNKTYPE,
    "device": tarfile.BLKTYPE, "fifo": tarfile.FIFOTYPE, "dir": tarfile.DIRTYPE,
}  # fmt: skip
_MODES: Final = {"symlink": 0o120777, "device": 0o060600, "fifo": 0o010600, "dir": 0o040755}
Row = Mapping[str, Any]


def rows(name: str) -> list[Row]:
    """The lines of a data file."""
    text = (ATTACKS / f"{name}.jsonl").read_text("utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


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
    labels = {row["id"]: row for row in rows("lines")}
    counts: dict[str, Counter[str]] = {"all": Counter()}
    for row in rows(half):
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
    return {row["id"]: found for row in rows(name) if (found := errors(checked(row)))}


def honest(name: str, *, verbose: bool) -> float:
    """Print how many honest skills are refused; their share."""
    wrong, count = wrongly_refused(name), len(rows(name))
    table("Honest skills beside them", [{"refused": len(wrong), "of": count}])
    for skill, found in wrong.items() if verbose else ():
        print(skill, [(finding.rule, finding.line) for finding in found])
    return len(wrong) / count


def corpus(every: int = 1, path: Path = CORPUS) -> float:
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


def main() -> int:
    """Print the tables; 1 where a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["scan", "retrieval", "speed", "measured", "format"])
    parser.add_argument("--data", type=Path, default=skill_search.DATA)
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--corpus", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--verbose", action="store_true")
    asked = parser.parse_args()
    if asked.what == "format":
        return skill_format.measured(asked.data)
    if asked.what != "scan":
        return int(getattr(skill_search, asked.what)(asked.data))
    beside = "benign_fresh" if asked.unseen else "benign"
    halves = ["fresh"] if asked.unseen else ["dev", "more", "unseen"]
    share = min(attacks(half, verbose=asked.verbose) for half in halves)
    print(f"caught: {share:.1%}")
    good = share >= CAUGHT and honest(beside, verbose=asked.verbose) <= FALSE
    if asked.corpus and not CORPUS.exists():
        print(f"{CORPUS} is not on this machine")
    elif asked.corpus:
        good = corpus(asked.every) <= FALSE and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
