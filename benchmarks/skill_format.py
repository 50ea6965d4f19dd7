"""How SKILL.md files are read and written; the subcommand `format` of `benchmarks.skills`.

149 broken files of real repositories and the cases of the YAML test suite that must fail each give
a finding at a line; 9,076 real skills written by us are read back equal, and pass the
specification's own validator. What is not on this machine is left out, with a line that says so.
"""

import gzip
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from benchmarks.report import table
from benchmarks.skill_search import CORPUS, real_skills
from learnt.core.skills.skills import LONGEST_DESCRIPTION
from learnt.formats import skill_md, skill_text

BROKEN: Final = "dev/robust_bad_frontmatter/files.jsonl.gz"
CASES: Final = "dev/robust_yaml_test_suite/cases.jsonl.gz"
# How the suite shows what cannot be seen.
SHOWN: Final = {"␣": " ", "———»": "\t", "——»": "\t", "—»": "\t", "»": "\t", "↵": "", "∎": ""}
OF_YAML: Final = frozenset({"bad-yaml", "bad-indent", "duplicate-key", "no-mapping", "too-large"})


def lines(file: Path) -> Iterator[Mapping[str, Any]]:
    """The rows of a data file."""
    with gzip.open(file, "rt", encoding="utf-8") as rows:
        yield from map(json.loads, rows)


def broken(data: Path) -> Iterator[tuple[str, bool]]:
    """Of each broken file, whether a finding names a line of it; a name and description beside."""
    for row in lines(data / BROKEN):
        skill = skill_text.read(row["text"], Path(row["path"]).parent.name)
        last = max(1, len(row["text"].splitlines()))
        at = [finding for finding in skill.findings if finding.path and 1 <= finding.line <= last]
        yield "broken files with a finding at a line", bool(at)
        if any(len(line.split()) > 1 for line in row["text"].splitlines()):
            yield "broken files with words: name and description", bool(skill.description)


def cases(data: Path) -> Iterator[tuple[str, bool]]:
    """Of each YAML case that must fail, as front matter, whether a finding says so."""
    for row in lines(data / CASES):
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
        front, _ = parse_frontmatter(text)
        yield "valid by the specification", not validate_metadata(front, Path(name))


def measured(data: Path) -> int:
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
