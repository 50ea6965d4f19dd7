"""What a finished session shows: its failures, what went well, and what it teaches to do."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from msgspec.structs import replace

from learnt.core.address import Address
from learnt.core.digest import commands
from learnt.core.digest.bare import shown
from learnt.core.digest.lessons import Lesson, digest, trimmed
from learnt.core.digest.steps import Talk, changes_of, reads_pages
from learnt.core.distil.distilled import (
    MOST_TASKS,
    FailedAttempt,
    Success,
    TaskWorked,
    compressed,
    reward,
)
from learnt.core.distil.sequences import Run, fixes
from learnt.core.events import Origin
from learnt.core.health.outcomes import Verdict, task
from learnt.core.recall.marks import most_telling
from learnt.core.records import Record
from learnt.core.safety import public
from learnt.core.sessions.turns import Turn
from learnt.errors import NotFound
from learnt.flows.knowledge.harvest import PART
from learnt.flows.knowledge.uses import Seen, Transcript
from learnt.flows.sessions.observe import EXCERPT
from learnt.formats.agents.transcripts import turns
from learnt.ports import Outside

MOST_READ: Final = 64 << 20  # bytes of a transcript: its last
LONGEST_TRIED: Final = 200
_LONGEST_WANTED: Final = 200
_OBJECTS: Final = {Verdict.REVERT, Verdict.CORRECTION}  # a mere new trouble is none


class SessionLook(Record):
    """What a session shows, up to a byte; `rewards` are of the failures, `worked` went well."""

    lessons: tuple[Lesson, ...]
    runs: tuple[Run, ...]
    failures: tuple[FailedAttempt, ...]
    successes: tuple[Success, ...]
    folder: str
    until: int
    rewards: tuple[float, ...] = ()
    worked: tuple[TaskWorked, ...] = ()


def look(outside: Outside, transcript: Transcript) -> SessionLook:
    """What a session shows. Raises NotFound where its transcript is gone or empty."""
    lines = lines_of(outside, transcript.path)
    whole = outside.transcripts.since(transcript.path, 0, 0).size
    with outside.ledger.reading() as reader:
        reports = reader.observed(transcript.id) if transcript.id else []
    read = turns(lines)
    seen = Seen(outside, read, [report.observation for report in reports])
    readings = [outside.language.remarks(turn.prompt) for turn in read]
    verdicts = [outside.language.reply(turn.prompt[:EXCERPT]).verdict for turn in read]
    blamed = {n for n, verdict in enumerate(verdicts, -1) if verdict in _OBJECTS}
    runs = [replace(run, blamed=run.turn in blamed) for run in _runs(outside, seen)]
    failed = [run for run in runs if not run.good and commands.programs(run.command)]
    overcome = {each.id for fix in fixes(runs) for each in fix.failures}
    unblamed = [replace(run, blamed=False) for run in runs]
    wrong = {each.id for fix in fixes(unblamed) for each in fix.failures} - overcome
    return SessionLook(
        lessons=tuple(digest(read, readings, (), seen.origin_of)),
        runs=tuple(runs),
        failures=tuple(
            FailedAttempt(
                " ".join(commands.programs(run.command)),
                run.trouble,
                trimmed(commands.pattern(run.command), LONGEST_TRIED),
            )
            for run in failed
        ),
        successes=tuple(_successes(runs, [_wanted(seen, turn) for turn in read])),
        folder=transcript.folder or next((turn.folder for turn in read if turn.folder), ""),
        until=whole,
        rewards=tuple(
            reward("succeeded" if run.id in overcome else "refuted" if run.id in wrong else "error")
            for run in failed
        ),
        worked=tuple(_worked(seen, runs, transcript.folder))[-MOST_TASKS:],
    )


def _worked(seen: Seen, runs: Sequence[Run], folder: str) -> Iterator[TaskWorked]:
    """The turns that nobody blamed, with the commands that worked in them, and no page."""
    for number, turn in enumerate(seen.turns):
        own = [run for run in runs if run.turn == number]
        good = (run.command for run in own if run.good and commands.programs(run.command))
        steps = [step for step, _ in groupby(map(commands.pattern, good))]
        if len(steps) > 1 and not any(run.page or run.blamed for run in own):
            calls = (seen.calls[call.id] for call in turn.calls if call.id in seen.calls)
            yield TaskWorked(task(calls, folder), tuple(trimmed(step, 1_000) for step in steps))


def lines_of(outside: Outside, path: str) -> list[bytes]:
    """The lines of a transcript. Raises NotFound where it is gone or empty."""
    whole = outside.transcripts.since(path, 0, 0).size
    if not whole:
        raise NotFound(f"{path} is not there, or is empty. Nothing was distilled.")
    lines: list[bytes] = []
    at = max(0, whole - MOST_READ)
    while at < whole:
        part = outside.transcripts.since(path, at, PART)
        lines += part.data.split(b"\n")
        if part.last or part.end <= at:
            break
        at = part.end
    return lines


def _runs(outside: Outside, seen: Seen) -> list[Run]:
    """The calls of a session that run a command, change a file, or read a page, in order."""
    talk = Talk(seen.turns, seen.calls, [])
    runs = list[Run]()

    def plain(text: str) -> bool:
        return outside.language.commands(text) is Address.NONE

    for number, turn in enumerate(seen.turns):
        for made in turn.calls:
            step = talk.step(made, number)
            edits = changes_of(made) if step.edits else ()
            changes = tuple(
                (each.path, each.new)
                for each in edits
                # An agent's rules, which speak to their reader, are not taught.
                if each.path and plain(each.new[:LONGEST_TRIED])
            )
            page = reads_pages(made.tool, made.input)
            if step.command or changes or page:
                failed = step.failed or made.failed
                named = filter(plain, most_telling(step.result)) if failed else ()
                trouble = next(filter(None, map(shown, named)), "")
                runs.append(Run(made.id, number, step.command, not failed, trouble, changes, page))
    return runs


def _successes(runs: Sequence[Run], wanted: Sequence[str]) -> list[Success]:
    """The commands that worked, each once with its wish, first those that had failed before."""
    failed: set[str] = set()
    by_pattern: dict[str, tuple[bool, Run]] = {}
    for run in runs:
        programs = {name.split()[0] for name in commands.programs(run.command)}
        if programs and run.good:
            by_pattern[commands.pattern(run.command)] = (not programs & failed, run)
        elif programs:
            failed |= programs
    ordered = sorted(by_pattern.items(), key=lambda each: each[1][0])
    return [
        Success(wanted[run.turn], compressed(trimmed(pattern, 1_000)))
        for pattern, (_, run) in ordered
    ]


def _wanted(seen: Seen, turn: Turn) -> str:
    """A prompt, where a person wrote it."""
    own = seen.origin_of(turn) is Origin.USER
    return trimmed(public(turn.prompt), _LONGEST_WANTED) if own else ""
