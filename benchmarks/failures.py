"""What is given at a failure and at a file: cures of errors that come again, facts of files.

    python -m benchmarks.failures [--half dev|unseen|dev_avocet|unseen_avocet] [--data DIR]
                                  [--show] [--json]

Each case is played through the reports of Claude Code's hooks and a real store in a throw-away
home. A command fails, is mended and passes; the session ends and is harvested. In new sessions the
error comes again, and other failures of the same runner come: the cure is to be given for the first
and for none of the others. `alone`: a home holds the one cure. `together`: one project holds those
of the whole half, and the first one given counts.

`wrong`: at another failure a cure is given whole, or a line offers one and does not name what its
failure is about and this one is not. Lines that name it count as `offered`. `differs` of the other
failure, two texts, says what the names are, else `differing.json` by the case's id; a line at a
failure of which neither says it is wrong.

`given`: the hook printed the entry. `useful`: what it printed of the entry says what to change.
For that a case's `must` lists strings that the text has to contain. Where a case has none, it
follows from the mend: the longest word that the new lines, or the command, have and neither the
old lines, the failed command nor the error have; if there is no such word, the new lines whole.
A case that is `single_use` has a mend that helps once (a process is killed by its number): nothing
is to be kept of it, and `once_kept` counts where something is.

Of a file's case a person keeps the fact; in new sessions the agent reads, then edits, the file that
it cites, and one that it does not. `--show` names the cases that went wrong, of a dev half alone.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal

from benchmarks.corpus import Place, throwaway
from benchmarks.report import DATA, Tables, rows, run
from learnt.bootstrap import opened
from learnt.core.events import Actor
from learnt.core.identifiers import ENTRY_HANDLE, EntryId, handle
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Entry
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.harvest import harvest, transcript_of
from learnt.flows.sessions.answer import respond
from learnt.flows.stored import all_stored
from learnt.ports import Outside
from tests.support.transcripts import session_frames, session_lines

CASES: Final = DATA / "failures"
Half = Literal["dev", "unseen", "dev_avocet", "unseen_avocet"]
ASKED: Final = "Please carry on with it."
_WORD: Final = re.compile(r"[\w.@/$%+=-]*[\w$][\w@/$%+=-]*")
_NOTE: Final = re.compile(rf"(?m)^(?={ENTRY_HANDLE.pattern} (?:TRUST|VERIFY|REVALIDATE|UNPROVEN) )")
Row = Mapping[str, Any]
_numbers = count(1)


class Agent:
    """An agent at work in a project of a home, with a real store behind it."""

    def __init__(self, place: Place, outside: Outside) -> None:
        self._place, self._outside = place, outside

    def learns(self, case: Row) -> set[EntryId]:
        """A session in which the case's failure is met and cured; the entries it leaves behind."""
        before, name = self._entries(), f"session-{next(_numbers)}"
        path = self._place.home.parent / f"{name}.jsonl"
        turns = [{"prompt": ASKED, "steps": list(self._steps(case))}]
        folder = str(self._place.project)
        lines = session_lines(turns, name, folder=folder)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        for frame in session_frames(turns, name, folder=folder, transcript=str(path)):
            respond(self._outside, frame, lambda: False)
        with self._outside.ledger.reading() as reader:
            transcript = transcript_of(self._outside, reader, name)
        assert transcript is not None
        harvest(self._outside, transcript)
        return self._entries() - before

    def _steps(self, case: Row) -> Iterator[Row]:
        mend = case["mend"]
        yield ran(case["first"], failed=True)
        if mend["kind"] == "command":
            yield ran({"command": mend["command"], "output": "done"}, failed=False)
        else:
            given = {"file_path": f"{self._place.project}/{mend['path']}"}
            given |= {"old_string": mend["old"], "new_string": mend["new"]}
            yield {"tool": "Edit", "input": given, "result": "The file was updated.", "failed": 0}
        yield ran(case["passed"], failed=False)

    def _entries(self) -> set[EntryId]:
        with self._outside.ledger.reading() as reader:
            return {entry.id for entry in all_stored(reader, Entry) if entry.live}

    def fails(self, made: Row) -> str:
        """What it is told in a new session when a command fails."""
        error = f"Exit code 1\n{made['output']}"
        given = {"command": made["command"]}
        return self._told("PostToolUseFailure", tool_name="Bash", tool_input=given, error=error)

    def touches(self, tool: str, path: str, **given: str) -> str:
        """What it is told in a new session when it reads or changes a file."""
        file = {"file_path": f"{self._place.project}/{path}", **given}
        return self._told("PostToolUse", tool_name=tool, tool_input=file, tool_response={})

    def _told(self, event: str, **call: Any) -> str:
        number = next(_numbers)
        names = f"session-{number}", f"prompt-{number}"
        frame = self._place.frame(event, *names, tool_use_id=f"toolu-{number}", **call)
        said = respond(self._outside, frame, lambda: False)
        return json.loads(said)["hookSpecificOutput"]["additionalContext"] if said else ""


def ran(made: Row, *, failed: bool) -> Row:
    """A step in which a command was run."""
    given = {"command": made["command"]}
    return {"tool": "Bash", "input": given, "result": made["output"], "failed": failed}


@contextmanager
def at_work() -> Iterator[tuple[Place, Agent]]:
    """An agent in a new home."""
    with throwaway() as place, opened(place.settings, durable=False) as outside:
        yield place, Agent(place, outside)


def required(case: Row) -> list[str]:
    """The strings that a text must contain to say what to change."""
    if must := case.get("must"):
        return list(must)
    mend = case["mend"]
    had = [case[name]["output"] for name in ("first", "again")]
    if mend["kind"] == "command":
        old, new = case["first"]["command"], mend["command"]
    else:
        old, new = mend["old"], mend["new"]
    known = {word for text in (old, *had) for word in _WORD.findall(text)}
    words = [word for word in _WORD.findall(new) if word not in known]
    if words:
        return [max(words, key=len)]
    return [line for line in new.splitlines() if line not in old.splitlines()] or [new]


def first_note(told: str) -> str:
    """The first entry in a text that a hook printed, from its handle to the next one's."""
    return next(iter(_NOTE.split(told)[1:]), "")


def telling(case: Row, other: Row) -> list[str]:
    """The names by which a line tells a case's failure from another."""
    if differs := other.get("differs"):
        first, second = (set(re.findall(r"[^\W_]+", name.casefold())) for name in differs)
        return sorted(first - second)
    known = json.loads((CASES / "differing.json").read_text(encoding="utf-8"))
    return list(known.get(case["id"], ()))


def misleads(told: str, names: Sequence[str]) -> bool:
    """Whether a text gives a cure whole, or offers one by a line without the names."""
    lines = [line for line in told.splitlines() if ENTRY_HANDLE.match(line)]
    named = [any(name in line.casefold() for name in names) for line in lines]
    return bool(told) and (bool(first_note(told)) or not lines or not all(named))


def contains(text: str, must: Sequence[str]) -> bool:
    """Whether a text contains all strings, however spaced."""
    text = " ".join(text.split())
    return all(" ".join(string.split()) in text for string in must)


def alone(cases: Sequence[Row], wrong: list[str]) -> Counter[str]:
    """Each case in a home of its own."""
    seen: Counter[str] = Counter()
    for case in cases:
        with at_work() as (_, agent):
            cure = agent.learns(case)
            _count(seen, case, agent, cure, wrong)
    return seen


def together(cases: Sequence[Row], wrong: list[str]) -> Counter[str]:
    """All cases in one project."""
    seen: Counter[str] = Counter()
    with at_work() as (_, agent):
        cures = {case["id"]: agent.learns(case) for case in cases}
        for case in cases:
            _count(seen, case, agent, cures[case["id"]], wrong)
    return seen


def _count(
    seen: Counter[str], case: Row, agent: Agent, cure: set[EntryId], wrong: list[str]
) -> None:
    note = first_note(agent.fails(case["again"]))
    given = note.partition(" ")[0] in map(handle, cure)
    useful = given and contains(note, required(case))
    told = [agent.fails(other) for other in case["others"]]
    misled = [
        misleads(text, telling(case, other))
        for text, other in zip(told, case["others"], strict=True)
    ]
    offered = sum(map(bool, told)) - sum(misled)
    once = bool(case.get("single_use"))
    counts = {"once_kept": bool(cure)} if once else {"cases": 1, "kept": bool(cure)}
    counts |= {} if once else {"given": given, "useful": useful}
    seen.update(counts, others=len(misled), wrong=sum(misled), offered=offered)
    if useful is once or any(misled):
        which = f"{case['id']} {case['runner']}"
        wrong.append(f"{which}: kept {len(cure)}, {given=}, {useful=}, {misled=}")


def files(cases: Sequence[Row], wrong: list[str]) -> Counter[str]:
    """Each fact in a home of its own."""
    seen: Counter[str] = Counter()
    for case in cases:
        with at_work() as (place, agent):
            for name, text in case["files"].items():
                path = place.project / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            fact = Draft(text=case["fact"]["text"], kind="tool_experience")
            cites = tuple(case["fact"]["cites"])
            with opened(place.settings) as outside:
                folder = str(place.project)
                capture(
                    outside,
                    Offer(what=fact, actor=Actor.HUMAN, folder=folder, cites=cites, insisted=True),
                )
            row: dict[str, int] = {}
            for which in ("touched", "untouched"):
                path, line = case[which], case["files"][case[which]].splitlines()[0]
                change = {"old_string": line, "new_string": f"{line} "}
                row[f"{which} read"] = bool(agent.touches("Read", path))
                row[f"{which} edited"] = bool(agent.touches("Edit", path, **change))
        seen.update(cases=1, **row)
        if [*row.values()] != [1, 1, 0, 0]:
            wrong.append(f"{case['id']}: {row}")
    return seen


def measure(half: str, wrong: list[str], data: Path = CASES) -> dict[str, Counter[str]]:
    """What was counted at the failures of a half, and at its files."""
    cases, told = rows(data / f"{half}.jsonl"), data / f"files_{half}.jsonl"
    of_files = rows(told) if told.exists() else []
    return {
        "alone": alone(cases, wrong),
        "together": together(cases, wrong),
        "files": files(of_files, wrong),
    }


def main(*, half: Half = "dev", data: Path = CASES, show: bool = False) -> Tables:
    """Measure the half of a set that lies in the folder `data`."""
    wrong: list[str] = []
    found = measure(half, wrong, data)
    tables = {"At a failure": [{"homes": name, **found[name]} for name in ("alone", "together")]}
    if found["files"]:
        tables["At a file"] = [dict(found["files"])]
    if show and not half.startswith("unseen"):
        print("\n".join(wrong))
    return tables


if __name__ == "__main__":
    run(main)
