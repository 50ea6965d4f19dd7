"""What the ledger knows of a skill, how events fold into it, and the numbers of its versions."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import ClassVar, Final

from msgspec.structs import replace

from learnt.core.events import Event, Kind, payload_of
from learnt.core.health.outcomes import MILLION
from learnt.core.identifiers import ContentRef
from learnt.core.payloads import skill_events
from learnt.core.records import JsonValue, Record, member, shared

ALPHA: Final = 0.3  # the weight of the latest use (seed 004)
REMEMBERED: Final = 64  # results that the success rate is computed from; older ones weigh 1e-10


def rate_of(results: Iterable[float], rate: float | None = None) -> float | None:
    """How well a skill did, by results of 0 to 1, the oldest first; None without any.

    `rate` is what it was before these.
    """
    for latest in results:
        rate = latest if rate is None else (1 - ALPHA) * rate + ALPHA * latest
    return rate


class Version(Record):
    """A text that a skill had: its SHA-256, the one before, and how and when it came.

    `text` is None once it was purged. `number` is as the skill tells it, `place` where its copy
    lies. Of one that was applied by itself `commit` is git's, or `obstacle` says why there is none.
    """

    digest: str
    number: str = ""
    parent: str = ""
    cause: str = ""
    ms: int = 0
    text: ContentRef | None = None
    commit: str = ""
    obstacle: skill_events.Obstacle = ""
    place: str = ""


class Evaluation(Record):
    """A comparison of a skill's text `digest` with `parent`, the one before; gaps in millionths.

    `verdict` is None until it ended; `review` waits for a person. `after` is the gap it ended with.
    `issue` tells of a regression in public: it was tried `tries` times, last at `tried_ms`, and
    `trouble` is what came in between. Where another system told of it,
    `commit` is that of the text, and `executions` are those that it was the end of.
    """

    digest: str
    parent: str = ""
    method: skill_events.Method | None = None
    cause: str = ""
    ms: int = 0
    gap: int = 0
    verdict: skill_events.EvaluationVerdict | None = None
    after: int | None = None
    ended_ms: int = 0
    issue: ContentRef | None = None
    tries: int = 0
    tried_ms: int = 0
    trouble: skill_events.ExportTrouble = ""
    commit: str = ""
    executions: int = 0


IMPORT_UNDONE: Final = "import undone"  # why another system's flags no longer count


class Flagged(Record):
    """That another system has a skill in its queue: its flags there, the last one, the gap then.

    `executions` are the lines of what it calls those that were flagged.
    """

    flags: int = 0
    ms: int = 0
    gap: int = 0
    executions: ContentRef | None = None


class Copy(Record):
    """A folder that a skill was installed in: where, the digest of it all, and where it is from."""

    place: str = ""
    digest: str = ""
    source: ContentRef | None = None


class SkillHistory(Record, kw_only=True):
    """A skill by its events. `results` has an S or F for each of the latest uses, oldest first.

    `told_rate` is its success before these, in millionths, as its file told when it was installed.

    `source` and `installed` (the digest of its whole folder) are those of the last installation,
    empty for what was not installed; `copies` has each place that was recorded.
    `evaluations` are the oldest first. `automatic`: a person lets texts by rules be applied by
    themselves; `owed` is the proposal of one that git may have to commit yet. `named_ms` is when a
    person last saw that it keeps failing, `asked_ms` when an agent was asked to improve it.
    """

    prefix: ClassVar[str] = "skill:"

    name: ContentRef | None = None
    versions: tuple[Version, ...] = ()
    source: ContentRef | None = None
    installed: str = ""
    pinned: bool = False
    uses: int = 0
    results: str = ""
    told_rate: int | None = None
    evaluations: tuple[Evaluation, ...] = ()
    flagged: Flagged = Flagged()
    copies: tuple[Copy, ...] = ()
    automatic: bool = False
    owed: str = ""
    named_ms: int = 0
    asked_ms: int = 0

    def at(self, place: str) -> Copy:
        """What was installed there; where no places are recorded, what was installed at all."""
        if not self.copies:
            return Copy(digest=self.installed, source=self.source)
        return next((copy for copy in self.copies if copy.place == place), Copy())

    def texts_at(self, place: str) -> tuple[Version, ...]:
        """The versions of the copy there; what is recorded without a place is of every copy."""
        return tuple(one for one in self.versions if not place or one.place in {"", place})

    @property
    def evaluation(self) -> Evaluation | None:
        """The comparison that goes on, or that waits for a person."""
        last = self.evaluations[-1] if self.evaluations else None
        return last if last and last.verdict in {None, "review", "investigate"} else None

    @property
    def success_rate(self) -> float | None:
        """How well it did by what was told, 0 to 1; None where nothing was."""
        before = None if self.told_rate is None else self.told_rate / MILLION
        return rate_of((float(result == "S") for result in self.results), before)


def step(history: SkillHistory | None, event: Event) -> SkillHistory:
    """The skill after one more event about it."""
    before = history or SkillHistory()
    if event.kind is Kind.PURGED:
        return replace(
            before,
            name=None,
            source=None,
            versions=tuple(replace(version, text=None) for version in before.versions),
            flagged=replace(before.flagged, executions=None),
            copies=tuple(replace(copy, source=None) for copy in before.copies),
            evaluations=tuple(replace(one, issue=None) for one in before.evaluations),
        )
    if event.kind is not Kind.SKILL:
        return before
    happened, ms = payload_of(skill_events.SkillEvent, event), event.wall_ms
    before = replace(before, name=happened.name or before.name)
    match happened.action:
        case "evaluating" | "evaluated" | "exporting" | "exported":
            compared = _compared(before.evaluations, happened, happened.at_ms or ms)
            return replace(before, evaluations=compared)
        case "committed":
            result = shared(happened, "commit obstacle")
            versions = tuple(
                replace(one, **result) if one.digest == happened.digest else one
                for one in before.versions
            )
            return replace(before, owed="", versions=versions)
        case "versioned":
            kept = shared(happened, "digest parent cause text place")
            version = Version(number=happened.version, ms=ms, **kept)
            return replace(before, versions=(*before.versions, version))
        case "installed" | "removed":
            copies = tuple(copy for copy in before.copies if copy.place != happened.place)
            last = copies[-1] if copies else Copy()
            if happened.action == "installed":
                last = Copy(**shared(happened, "place digest source"))
                copies += (last,) if last.place else ()
            return replace(before, source=last.source, installed=last.digest, copies=copies)
        case "flagged":
            return _flagged(before, happened)
        case _:
            return replace(before, **_settings(before, happened, ms))


def _settings(
    before: SkillHistory, happened: skill_events.SkillEvent, ms: int
) -> dict[str, str | int | None]:
    """The fields that an event sets outright."""
    match happened.action:
        case "pinned" | "unpinned":
            return {"pinned": happened.action == "pinned"}
        case "automatic" | "manual":
            return {"automatic": happened.action == "automatic"}
        case "graded":
            results = before.results + ("S" if happened.success else "F")
            return {"uses": before.uses + 1, "results": results[-REMEMBERED:]}
        case "counted":
            return {"uses": before.uses + happened.executions, "told_rate": happened.gap}
        case "named":
            return {"asked_ms" if happened.cause else "named_ms": ms}
        case "committing":
            return {"owed": happened.cause}
        case _:
            return {}


def _flagged(before: SkillHistory, happened: skill_events.SkillEvent) -> SkillHistory:
    """The skill after another system's flags came, or an import of them was undone."""
    told = Flagged(flags=happened.flags, ms=happened.at_ms, gap=happened.gap or 0)
    if happened.cause == IMPORT_UNDONE:
        own = tuple(one for one in before.evaluations if one.cause != "import")
        return replace(before, flagged=told, evaluations=own)
    return replace(before, flagged=replace(told, executions=happened.source))


def _compared(
    evaluations: tuple[Evaluation, ...], happened: skill_events.SkillEvent, ms: int
) -> tuple[Evaluation, ...]:
    """The comparisons after one begins, or after what happened to the last one."""
    if happened.action == "evaluating":
        same = shared(happened, "digest parent method cause")
        going_on = [one for one in evaluations[-1:] if one.verdict is None]
        before = evaluations[:-1] if going_on and same["digest"] else evaluations
        return (*before, Evaluation(**same, gap=happened.gap or 0, ms=ms))
    if not evaluations or evaluations[-1].digest != happened.digest:
        return evaluations
    last = evaluations[-1]
    match happened.action:
        case "exporting":
            last = replace(last, tries=last.tries + 1, tried_ms=ms, trouble="")
        case "exported":
            last = replace(last, issue=happened.source, trouble=happened.trouble)
        case "evaluated":
            after = last.after if happened.gap is None else happened.gap
            gap = last.gap if happened.before is None else happened.before
            last = replace(last, verdict=happened.verdict, gap=gap, after=after, ended_ms=ms)
            last = replace(last, **shared(happened, "commit executions"))
    return (*evaluations[:-1], last)


FIRST: Final = "1.0.0"
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?", re.ASCII)
_PART: Final = re.compile(r"[0-9]{1,18}")


class NumberedVersion(Record):
    """A version that an `adaptation` block tells of: its number, when it came, what changed.

    `baseline_metrics` are numbers by name: how the skill did until then.
    """

    version: str
    timestamp: str = ""
    change_summary: str = ""
    baseline_metrics: Mapping[str, float] = MappingProxyType({})


def next_number(number: str) -> str:
    """The number after one: the minor part rises, the patch begins again (Semantic Versioning).

    >>> next_number("1.2.3"), next_number("1.0"), next_number("draft")
    ('1.3.0', '1.1.0', '1.1.0')
    """
    parts = number.split(".")
    numbers = [int(part) if _PART.fullmatch(part) else 0 for part in parts]
    major, minor = [*numbers, 0, 0][:2] if any(numbers) else (1, 0)
    return f"{major}.{minor + 1}.0"


def free_number(versions: Iterable[Version], number: str, *of: str) -> str:
    """A number, or the next after it that no text has; the digests `of` may share theirs."""
    taken = {version.number for version in versions if version.digest not in of}
    while number in taken:
        number = next_number(number)
    return number


def added_lines(before: str, after: str) -> list[str]:
    """The lines of a text that the one before did not have, without front matter, marks and heads.

    >>> added_lines("# A\\n- x", "---\\nversion: 2\\n---\\n# A\\n## C\\n- y\\n- x")
    ['y']
    """
    bodies = (t.partition("\n---")[2] if t.startswith("---") else t for t in (before, after))
    known, new = (body.split("\n") for body in bodies)
    lines = (line.strip("-* ") for line in new if line not in known)
    return [line for line in lines if line and not line.startswith("#")]


def found_version(versions: Sequence[Version], named: str) -> Version | None:
    """The version of a number, or of the beginning of a digest; the latest of several."""
    for version in reversed(versions):
        if named == version.number or (len(named) >= 4 and version.digest.startswith(named)):
            return version
    return None


def told_versions(front: Mapping[str, JsonValue]) -> tuple[NumberedVersion, ...]:
    """The versions that a file's `adaptation` block tells of, the oldest first; none without one.

    An installation writes it strictly: as texts below `metadata`.
    """
    rows = _adapted(front, "version_history")
    if isinstance(rows, str):  # as an installation writes it
        try:
            rows = json.loads(rows)
        except (ValueError, RecursionError):
            return ()
    return tuple(
        NumberedVersion(
            row["version"],
            str(row.get("timestamp") or ""),
            str(row.get("change_summary") or ""),
            _numbers(row.get("baseline_metrics")),
        )
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict) and isinstance(row.get("version"), str)
    )


def told_number(front: Mapping[str, JsonValue]) -> str | None:
    """The number that a file gives its text, itself or in its `adaptation` block; None for none.

    >>> told_number({"metadata": {"version": "2.0"}}), told_number({"version": "null"})
    ('2.0', None)
    """
    told = (
        front.get("version"),
        member(front.get("metadata"), "version"),
        _adapted(front, "current_version"),
    )
    texts = (" ".join(value.split()) for value in told if isinstance(value, str))
    return next((text for text in texts if text not in {"", "null", "~"}), None)


MOST_TOLD: Final = 1_000_000  # uses that a file may tell


def told_uses(front: Mapping[str, JsonValue]) -> tuple[int, float | None]:
    """How often a skill was used and how well it did, as its file tells (seed 004).

    >>> told_uses({"usage_count": "12", "success_rate": "0.75"}), told_uses({"usage_count": "-1"})
    ((12, 0.75), (0, None))
    """
    keys = ("usage_count", "success_rate")
    told = (front.get(key) or member(front.get("metadata"), key) for key in keys)
    count, rate = (str(value) for value in told)
    uses = int(count) if _PART.fullmatch(count) else 0
    known = uses and _NUMBER.fullmatch(rate) and 0 <= float(rate) <= 1
    return min(uses, MOST_TOLD), float(rate) if known else None


def _numbers(told: JsonValue) -> Mapping[str, float]:
    """The numbers of a block by name, without what is none."""
    pairs = told.items() if isinstance(told, dict) else ()
    texts = ((name, str(value)) for name, value in pairs)
    return {name: float(text) for name, text in texts if _NUMBER.fullmatch(text)}


def _adapted(front: Mapping[str, JsonValue], key: str) -> JsonValue:
    """A value of the `adaptation` block, also as `skill_md.strict` writes it."""
    return member(front.get("adaptation"), key) or member(
        front.get("metadata"), f"adaptation.{key}"
    )
