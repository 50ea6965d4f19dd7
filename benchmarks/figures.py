"""The figures of `docs/figures.md` that are the same on every machine: compared or written.

    python -m benchmarks.figures [--write] [NAME ...]

The page marks each generated table with `<!-- figures: NAME -->` before and `<!-- end -->` after
it; NAME is a function of this module. Without --write the command prints what differs and exits
with 1. A table whose data is not on this machine is left as it is, and its name printed with the
reason. Times are not among these figures: they differ by machine and are measured by hand.
The ten lines that the page begins with are cells of its tables (`LINES`).
"""

import re
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from difflib import unified_diff
from typing import Any, Final, get_args

from benchmarks import (
    alignment,
    database,
    distil,
    failures,
    forty_days,
    harvest,
    outcomes,
    promises,
    relevance,
    secrets,
    spoken_tables,
    worthless,
)
from benchmarks import confidence as worlds
from benchmarks import foreign as foreign_texts
from benchmarks import questions as planted_questions
from benchmarks import skills as attacked_skills
from benchmarks.report import DATA, ROOT, of, part, percent, rows, run
from tests.support.database_servers import NotHere

PAGE: Final = ROOT / "docs" / "figures.md"
BLOCK: Final = re.compile(r"(<!-- figures: (\w+) -->\n).*?(?=<!-- end -->)", re.DOTALL)
Row = Mapping[str, object]


class DataMissing(Exception):
    """What a figure is made from is not on this machine; which."""


def recall() -> list[Row]:
    """What recall puts before an agent, by half."""
    return [
        {
            "half": found["half"],
            "found, of prompts that a note answers": percent(found["found"]),
            "quiet prompts disturbed": percent(found["disturbed"]),
            "wrong notes a prompt": f"{found['wrong_notes_per_prompt']:.2f}",
        }
        for found in map(relevance.measure, ("dev", "unseen"))
    ]


def _authors() -> Iterator[tuple[str, Sequence[Row], Sequence[Row]]]:
    """The halves of two more authors, with their notes and prompts."""
    for half in ("dev_ibis", "unseen_crane"):
        notes, prompts = (f"{half}_{what}.jsonl" for what in ("notes", "prompts"))
        data = DATA / "recall"
        yield half, rows(data / notes), rows(data / prompts)


def moments() -> list[Row]:
    """What the prompts of two more authors are given, in homes of three sizes."""
    return [
        {"set": half.replace("_", ", "), "notes in the home": f"{size:,}"}
        | {name: part(*counts) for name, counts in relevance.parts(sorts).items()}
        for half, notes, prompts in _authors()
        for size in (5, 60, 2_060)
        for sorts in [relevance.judged(notes, prompts, size)]
    ]


def sorts() -> list[Row]:
    """What the prompts of these two authors are given in a home of 60, by sort."""
    rows: list[Row] = []
    for half, notes, prompts in _authors():
        for sort, counts in relevance.judged(notes, prompts, 60).items():
            quiet = sort in relevance.QUIET
            given = counts["disturbed" if quiet else "found"]
            rows.append({
                "set": half.replace("_", ", "),
                "sort": f"{sort}, quiet" if quiet else sort,
                "a note given": part(given, counts["n"]),
                "a line alone": counts["hint_disturbed" if quiet else "hinted"],
                "another note": "" if quiet else counts["wrong"],
            })
    return rows


def failures_and_files() -> list[Row]:
    """What is given at a failure and at a file, by half."""
    rows: list[Row] = []
    for half in get_args(failures.Half):
        found = failures.measure(half, [])
        for name, homes in (("alone", "one cure"), ("together", "all cures in one project")):
            told = found[name]
            rows.append({
                "half": half,
                "homes": homes,
                "cure kept": told["kept"],
                "the error came again: told what to change": of(told["useful"], told["cases"]),
                "its cure given": of(told["given"], told["cases"]),
                "another failure: a cure given": of(told["wrong"], told["others"]),
                "helps once: kept": told["once_kept"],
            })
        if not found["files"]:
            continue
        file, shown = found["files"], ("read", "edited")
        cited, others = (sum(file[f"{w}touched {s}"] for s in shown) for w in ("", "un"))
        rows.append({
            "half": half,
            "homes": "one fact, a file read or edited",
            "cure kept": "",
            "the error came again: told what to change": "",
            "its cure given": f"fact given: {of(cited, 2 * file['cases'])}",
            "another failure: a cure given": f"another file: {of(others, 2 * file['cases'])}",
            "helps once: kept": "",
        })
    return rows


def episodes() -> list[Row]:
    """Outcomes against labels. Raises DataMissing without the public transcripts."""
    if not (outcomes.DEV / "transcripts").is_dir():
        raise DataMissing(f"the public transcripts, {outcomes.DEV / 'transcripts'}")
    return [
        {
            "episodes": name,
            "n": found["n"],
            "trouble or none agrees": found["agreement"],
            "95 % interval": found["interval"],
            "majority class": found["majority"],
            "graded unknown": f"{found['unknown']} ({found['unknown interval']})",
        }
        for half, name in (("unseen", "`unseen`"), ("fresh", "`fresh`, written last"))
        for found in outcomes.agreement(half)[:1]
    ]


def confidence() -> list[Row]:
    """Calibration in four worlds: ours, the seeds' formula, and a filter that knows the world."""
    measured = worlds.measure(1_800, 730, 7)
    by = {(str(row["world"]), str(row["by"])): row for row in measured}
    return [
        {
            "world": world,
            **{
                f"{title}{whose}": f"{by[world, name][column]:.3f}"
                for column, title in (("ECE", "ECE, "), ("Brier", "Brier, "))
                for name, whose in (
                    ("posterior", "ours"), ("classic", "classic"), ("bayes", "Bayes filter")
                )
            },
            "ours, since a failure": f"{by[world, 'posterior']['since a failure']:.3f}",
            "ours, next after one": f"{by[world, 'posterior']['next after one']:.3f}",
        }
        for world in (one.name for one in worlds.WORLDS)
    ]  # fmt: skip


def worth() -> list[Row]:
    """Junk let in, and what is worth keeping turned away."""
    junk: Mapping[str, Any] = worthless.admitted("unseen")[0]
    rows: list[Row] = [{"statements": "junk, let in", **_share(junk, "admitted"), "goal": "10 %"}]
    names = {"sound": "sound facts, turned away", "pairs": "statements of the pairs, turned away"}
    for found in worthless.rejected("unseen"):
        name = str(found["statements"])
        goal = "15 %" if name == "sound" else ""
        rows.append({"statements": names[name], **_share(found, "rejected"), "goal": goal})
    return rows


def _share(row: Mapping[str, Any], name: str) -> dict[str, str]:
    return {"share": of(round(row[name] * row["n"]), row["n"])}


def comparisons() -> list[Row]:
    """Two statements that a person typed one after the other, by rules alone."""
    goals = {"different": "0, 0", "contradicts": "", "same": ""}
    return [
        {
            "pairs": f"{row['n']} {row['relation']}",
            "replaced, in dispute": f"{row['replaced']}, {row['disputed']}",
            "goal": goals[str(row["relation"])],
            "suspected": of(int(str(row["suspected"])), int(str(row["n"]))),
            "the agent is asked": row["asked"],
        }
        for row in alignment.measure(alignment.frozen())
    ]


def lessons() -> list[Row]:
    """What the harvest finds in written sessions."""
    rows: list[Row] = []
    for half, name in (
        ("dev", "`dev`, tuned on"),
        ("more", "`more`, by another author, tuned on"),
        ("unseen", "`unseen`"),
    ):
        told = harvest.quality(half)
        rows.append({
            "half": f"{name}, {len(harvest.sessions(half))} sessions",
            "lessons found (goal 80 %)": of(told.found.total(), told.lessons.total()),
            "entries worth keeping (goal 80 %)": of(told.worth, told.texts),
            "poison carried on, injectable": f"{told.carried} of {told.poison}, {told.bad}",
            "by kind": told.by_kind,
        })  # fmt: skip
    return rows


def foreign() -> list[Row]:
    """Whose words a hook repeats: strangers' sentences, pasted ones, and one's own."""
    halves = {"dev": "`dev`, tuned on", "unseen": "`unseen`, by another author"}
    return [{"half": name, **foreign_texts.measure(half).row} for half, name in halves.items()]


def two_persons() -> list[Row]:
    """What forty days of two persons come to."""
    rows: list[Row] = []
    for half in ("dev", "unseen"):
        told: Mapping[str, Any] = forty_days.measure(half)
        ended, asked = told["contradictions"], told["asked for"]
        given = [str(asked.get(how, 0)) for how in ("given", "named by a line", "missing")]
        noticed = sum(ended.get(end, 0) for end in ("corrected", "suspected", "refused"))
        rows.append({
            "half": half,
            "remembered while its prompt is answered (goal all)": told["remembered at once"],
            "asked for afterwards: given, named by a line, missing": ", ".join(given),
            "contradictions corrected or suspected":
                of(noticed, sum(ended.values())),
            "both sides trusted": ended.get("both trusted", 0),
            "suspected without one": told["suspected, of entries that contradict nothing"],
            "junk shown (goal 1)": told["junk shown"],
            "help lost by accepts (goal 0)":
                f"{told['help lost by an accept']}, {told['drafts accepted']} accepted",
        })  # fmt: skip
    return rows


def distillation() -> list[Row]:
    """What finished sessions' distillation by rules alone proposes."""
    rows: list[Row] = []
    for half, name in (("dev", "`dev`, tuned on"), ("unseen", "`unseen`")):
        told = distil.quality(half)
        rows.append({
            "half": f"{name}, {len(distil.sessions(half))} sessions",
            "lessons proposed (goal 50 %)": of(told.found.total(), told.lessons.total()),
            "proposals without one (goal 25 %)": of(told.texts - told.worth, told.texts),
            "poison carried on, unmarked (goal 0)":
                f"{told.carried} of {told.poison}, {told.bad}",
            "by kind": told.by_kind,
        })  # fmt: skip
    return rows


def questions() -> list[Row]:
    """What questions do where objects are planted. Raises DataMissing without both servers."""
    try:
        return [row for half in ("dev", "unseen") for row in planted_questions.totals(half)]
    except NotHere as reason:
        raise DataMissing(str(reason)) from reason


def statements() -> list[Row]:
    """What the database gate lets through of labelled statements, over all dialects."""
    rows: list[Row] = []
    for half in ("dev", "more", "unseen", "fresh"):
        file = database.STATEMENTS / f"statements_{half}.jsonl"
        found = next(row for row in database.totals(file) if row["server"] == "all")
        rows.append({
            "set": f"`{half}`",
            "let through of those to refuse (goal 0)": found["let through of those to refuse"],
            "let through of those to allow (goal 97 %)": found["let through of those to allow"],
        })
    return rows


def tables() -> list[Row]:
    """Tables that a sentence speaks of, with and without what is kept of databases."""
    by = {half: spoken_tables.measured(half) for half in ("dev", "unseen")}
    return [
        {
            "what is there": name,
            **{
                f"{measure}, dev / unseen": " / ".join(
                    by[half][at]["of"].replace(" of ", "/") for half in by
                )
                for at, measure in enumerate(spoken_tables.MEASURES, 3 * number)
            },
        }
        for number, name in enumerate(spoken_tables.WAYS)
    ]


def attacks() -> list[Row]:
    """What the scanner of skills does with attacks, and with honest skills, by set."""
    sets = {
        "dev": ("`dev`, built on", "benign"),
        "more": ("`more`, by another author, built on later", ""),
        "unseen": ("`unseen`, by a third author, its lines fitted on", "benign_unseen"),
        "fresh": ("`fresh`, by a fourth author, unseen", "benign_fresh"),
    }
    listed: list[Row] = []
    for half, (title, beside) in sets.items():
        counts = attacked_skills.played(half)["all"]
        row = {
            name: of(counts[name], counts["of"]) for name in ("refused", "refused or pointed at")
        }
        honest = len(attacked_skills.attacking(beside)) if beside else 0
        wrong = len(attacked_skills.wrongly_refused(beside)) if beside else 0
        listed.append({
            "set": title,
            **row,
            "honest ones refused": of(wrong, honest) if honest else "",
        })
    return listed


def redaction() -> list[Row]:
    """Secrets taken out of labelled texts, and innocent texts that are changed."""
    rows: list[Row] = []
    for half, name in (("dev", "`dev`, tuned on"), ("unseen", "`unseen`, by another author")):
        found = {
            sort: len(texts) for sort, texts in secrets.measure(half, secrets.redacted).items()
        }
        rows.append({
            "set": name,
            "secrets caught (goal 97 %)": of(found["caught"], found["caught"] + found["missed"]),
            "innocent texts changed (goal 2 %)": of(found["taken"], found["taken"] + found["left"]),
        })  # fmt: skip
    return rows


def promised_texts() -> list[Row]:
    """Whether attacks by text are noticed, and what of honest texts is taken, by class."""
    halves = [(half, name) for name in promises.CLASSES for half in promises.HALVES]
    return [promises.measured(half, name) for half, name in halves]


FIGURES: Final[Mapping[str, Callable[[], list[Row]]]] = {
    made.__name__: made
    for made in (
        recall, moments, sorts, failures_and_files, episodes, confidence, worth, comparisons,
        lessons, foreign, distillation, statements, questions, tables, attacks,
        promised_texts, redaction, two_persons,
    )
}  # fmt: skip


def markdown(rows: Sequence[Row]) -> str:
    """Rows as a table of Markdown, under the names of their columns.

    >>> print(markdown([{"a": 1, "b": "x"}]), end="")
    | a | b |
    |---|---|
    | 1 | x |
    """
    names = list(rows[0])
    lines = [names, *([str(row[name]) for name in names] for row in rows)]
    shown = [f"| {' | '.join(cells)} |" for cells in lines]
    return "\n".join([shown[0], "|" + "---|" * len(names), *shown[1:]]) + "\n"


_ANY_BLOCK: Final = re.compile(
    r"<!-- (?:figures|measured): (\w+) -->\n(.*?)<!-- end -->", re.DOTALL
)
_PLACE: Final = re.compile(r"(<!-- first lines -->\n).*?(?=<!-- end -->)", re.DOTALL)
_CELL: Final = re.compile(r"\{(\w+): ([^{}]*): ([^:{}]*)\}")

# A cell is {table: beginning of its row: beginning of its column's name}.
LINES: Final = (
    "In a home of 2,060 notes, a quarter of the prompts without a word of their note, the right "
    "note is given or opened for {reader: unseen, godwit, 2,060 | 1,771 | 170: right note}; with "
    "one search where nothing fits for {reader: unseen, godwit, 2,060, and one: right note}.",
    "An error that came before and was mended: when it comes again, the agent is given a text that "
    "says what to change in {avocet: unseen: given}; in a newer set that nobody had "
    "read a wrong cure comes at a look-alike in {avocet: newer: wrong}.",
    "Contradictions that rules notice when they are typed: {suspected: unseen: contradictions}; "
    "that an agent which compares finds: {agent: unseen: contradictions}. Compatible pairs that "
    "rules replace: {suspected: unseen: compatible pairs replaced}.",
    "In a home of 60 notes the right note is given or opened for {reader: unseen, godwit, 60 | "
    "1,766: right note}; from a start of 1,200 tokens for {reader: unseen, godwit, 60, a: right "
    "note}.",
    'Texts behind "remember: " that are saved word for word: {verbatim: unseen: saved}.',
    "What an agent saves of what its user says in passing: {agent: unseen: worth}; where nothing "
    "lasting was said: {agent: unseen: nothing}.",
    "Sentences of strangers that an agent repeats and a hook later shows: "
    "{foreign: `unseen`: strangers}; pasted ones: {foreign: `unseen`: pasted}.",
    "Secrets taken out before anything is written: {redaction: `unseen`: secrets}; innocent texts "
    "changed: {redaction: `unseen`: innocent}.",
    "Skills that attack whoever installs them: refused {attacks: `fresh`: refused}; refused, or "
    "their line shown first, {attacks: `fresh`: refused or}.",
    "SQL that is to be refused and was let through: {statements: `fresh`: let through of those to "
    "refuse}; SQL that only reads and ran: {statements: `fresh`: let through of those to allow}.",
)


def _tables(page: str) -> Mapping[str, list[list[str]]]:
    return {
        name: [
            [cell.strip() for cell in line[2:-2].split(" | ")]
            for line in table.splitlines()
            if line.startswith("| ")
        ]
        for name, table in _ANY_BLOCK.findall(page)
    }


def filled(line: str, page: str) -> str:
    """A line with the cells that it names. Raises LookupError where the page has no such cell.

    >>> page = "<!-- figures: a -->\\n| half | found |\\n|-|-|\\n| dev | 3 of 4 |\\n<!-- end -->\\n"
    >>> filled("Found: {a: dev: found}.", page)
    'Found: 3 of 4.'
    """
    tables = _tables(page)

    def cell(found: re.Match[str]) -> str:
        name, row, column = found.groups()
        head, *rows = tables[name]
        at = next((n for n, title in enumerate(head) if title == column), None)
        if at is None:
            at = next(n for n, title in enumerate(head) if title.startswith(column))
        return next(cells[at] for cells in rows if " | ".join(cells).startswith(row))

    try:
        return _CELL.sub(cell, line)
    except (KeyError, StopIteration, RuntimeError) as missing:
        raise LookupError(f"the page has no cell for: {line}") from missing


def _with_first_lines(page: str) -> str:
    """The page with its ten lines made again, where it has a place for them."""

    def lines(place: re.Match[str]) -> str:
        told = (f"{number}. {filled(line, page)}\n" for number, line in enumerate(LINES, 1))
        return place[1] + "".join(told)

    return _PLACE.sub(lines, page)


def table_of(name: str) -> tuple[str, float] | str:
    """A figure's table and the seconds that it took; or which data it needs and has not."""
    began = time.perf_counter()
    try:
        table = markdown(FIGURES[name]())
    except DataMissing as missing:
        return str(missing)
    return table, time.perf_counter() - began


def renewed(page: str, chosen: Sequence[str] = ()) -> str:
    """The page with its tables made again; all of them, or those that are named.

    Raises KeyError where the page names a figure that is not in this module.
    """
    names = [name for _, name in BLOCK.findall(page) if not chosen or name in chosen]
    tables = {}
    with ProcessPoolExecutor() as pool:
        for name, made in zip(names, pool.map(table_of, names), strict=True):
            if isinstance(made, str):
                print(f"{name}: left as it is, as it needs {made}")
            else:
                tables[name], seconds = made
                print(f"{name}: {seconds:.1f} s", flush=True)
    fresh = BLOCK.sub(lambda block: block[1] + tables.get(block[2], block[0][len(block[1]):]),
                       page)  # fmt: skip
    return _with_first_lines(fresh)


def main(*names: str, write: bool = False) -> int:
    """Compare the page, or write it; 1 where it differs. `names` are those that are made again."""
    page = PAGE.read_text(encoding="utf-8")
    fresh = renewed(page, names)
    if fresh == page:
        return 0
    if write:
        PAGE.write_text(fresh, encoding="utf-8")
        return 0
    sys.stdout.writelines(
        unified_diff(page.splitlines(keepends=True), fresh.splitlines(keepends=True), "page", "now")
    )
    print("docs/figures.md is not what the tree gives: python -m benchmarks.figures --write")
    return 1


if __name__ == "__main__":
    run(main)
