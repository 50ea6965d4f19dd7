"""The texts that a skill had, and how a trial of two goes: `skills history|diff|trial`."""

from collections.abc import Mapping

from learnt.core.health.improvement import WINDOW, gap
from learnt.core.health.outcomes import MILLION
from learnt.core.records import Record
from learnt.core.skills.history import Version, found_version
from learnt.errors import NotFound
from learnt.flows.health.trial import TrialState, Uncounted
from learnt.flows.skills.versions import History
from learnt.formats.answers import filled
from learnt.formats.injection import zoned


class VersionAnswer(Record):
    """A text that a skill had. `cause` is a proposal, or `install`, `outside` or `found`.

    `change_summary` says what it changed of the text before. `erased`: the text is gone.
    `current`: its file has it. `elsewhere`: it is of a copy in another folder. `baseline_metrics`
    are numbers by name: how the skill did until then. Of versions that only the skill's file tells
    of, `digest` is empty.
    """

    version: str
    digest: str
    parent: str
    cause: str
    timestamp: str
    erased: bool
    current: bool
    elsewhere: bool
    change_summary: str
    baseline_metrics: Mapping[str, float]


class VersionsAnswer(Record):
    """The versions of a skill, the oldest first; `unrecorded`: its file has yet another text.

    `removed`: it has no file any more, since it was removed or retired.
    """

    name: str
    versions: tuple[VersionAnswer, ...]
    unrecorded: bool
    removed: bool


def versions_told(past: History) -> VersionsAnswer:
    """The versions of a skill, as an answer."""
    told = [
        filled(
            VersionAnswer, told, digest="", parent="", cause=told.change_summary, erased=True,
            current=False, elsewhere=False,
        )
        for told in past.told
    ]  # fmt: skip
    recorded = [
        filled(
            VersionAnswer, version, version=version.number, timestamp=zoned(version.ms),
            erased=text is None, current=version is past.current,
            elsewhere=version not in past.own,
            baseline_metrics=metrics, change_summary=change,
        )
        for version, text, change, metrics in zip(
            past.versions, past.texts, past.changes, past.metrics, strict=True
        )
    ]  # fmt: skip
    removed = past.text is None
    unrecorded = not removed and past.current is None
    return VersionsAnswer(past.name, (*told, *recorded), unrecorded, removed)


def version_text(past: History, wanted: str) -> str:
    """The text of a version, of its own before that of others; for none the one before the file's.

    Raises NotFound where there is none, or it was erased.
    """
    own, now = past.own, past.current
    if not wanted:
        before = own[: own.index(now)] if now else own
        earlier = [version for version in before if now is None or version.digest != now.digest]
        if not earlier:
            raise NotFound(f"No earlier text of {past.name} is recorded. Nothing was changed.")
        version: Version | None = earlier[-1]
    else:
        version = found_version(own, wanted) or found_version(past.versions, wanted)
    text = None if version is None else past.texts[past.versions.index(version)]
    if text is None:
        known = ", ".join(version.number for version in past.versions) or "none is recorded"
        why = "its text was erased" if version else f"there are: {known}"
        raise NotFound(f"There is no text of {past.name} {wanted!r}: {why}. Nothing was changed.")
    return text


class TrialAnswer(Record):
    """How a trial of a skill's two texts goes: mean success 0 to 1 of the old and the new one.

    `uses` count; about so many `needed` more if the rest is like these, None where that can't be
    foreseen. `uncounted` are uses that do not count, by the reason.
    `better` and `worse` are e-values; `level` is the error that a promotion may have. `window` is
    the seed's: what the first executions of the new text lack of success, ten at most, against
    `gap` before; it proves nothing.
    """

    name: str
    proposal: str
    uses: int
    uncounted: Mapping[Uncounted, int]
    before: float | None
    after: float | None
    needed: int | None
    better: float | None
    worse: float | None
    level: float
    gap: float
    window: float | None
    ruling: str


def trial_told(looked: TrialState, name: str) -> TrialAnswer:
    """How a trial goes, as an answer."""
    going, found, result = looked
    lacked = gap(found.lacks[:WINDOW])
    return filled(
        TrialAnswer,
        result,
        name=name,
        proposal=going.name,
        uses=result.seen,
        uncounted=found.uncounted,
        needed=result.more,
        level=going.level,
        gap=going.evaluation.gap / MILLION,
        window=None if lacked is None else lacked / MILLION,
        ruling=result.ruling.value,
    )
