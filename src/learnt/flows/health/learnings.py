"""LEARNINGS.md from the executions of the last thirty days; it is written only when asked for."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Final

from learnt.core.events import Kind, payload_of
from learnt.core.governance.proposals import text_hash
from learnt.core.health.executions import OTHERS, Use
from learnt.core.health.experiences import MONTH_MS, Month, trend
from learnt.core.health.improvement import dearer, grades, in_place
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.identifiers import ContentRef
from learnt.core.local_time import local
from learnt.core.payloads.session_events import EpisodeFeedback
from learnt.core.safety import clean
from learnt.core.skills.history import Evaluation, SkillHistory, found_version
from learnt.errors import Refused
from learnt.flows.health.report import episode_of_use
from learnt.flows.skills.catalogue import called, histories
from learnt.flows.stored import legible, text_or_empty
from learnt.formats.learnings_md import Evaluated, pinned, rendered
from learnt.ports import Outside, Reader

_STARS: Final = {"good": 5.0, "partly": 3.0, "bad": 1.0}
_TRIES: Final = ("test-", "dogfood-", "fixture-")  # sessions that are not real work


def learnings(outside: Outside, path: str, *, write: bool) -> str:
    """The text of the file, with what is pinned in the one at `path`, which it may replace.

    Raises Refused where something else is there.
    """
    before = outside.documents.read(path)
    kept = None if before is None else pinned(before)
    if kept is None and before:
        raise Refused(f"{path} is another file: nothing is pinned in it. It was left as it is.")
    with outside.ledger.reading() as reader:
        now = outside.clock.now_ms()
        text = rendered(_day(now), _months(outside, reader, now), _evaluated(reader), kept)
    if write and text != before:
        outside.documents.write(path, clean(text), text_hash(before))
    return text


def _months(outside: Outside, reader: Reader, now_ms: int) -> list[Month]:
    stars: dict[tuple[str, str], float] = {}
    for event in reader.events(kind=Kind.FEEDBACK):
        word = payload_of(EpisodeFeedback, event)
        if event.subject.startswith("session:") and word.source == "person":
            name = event.where.episode or word.episode or ""
            stars[event.subject, name] = _STARS.get(word.verdict, 3.0)
    recent: defaultdict[ContentRef, list[Use]] = defaultdict(list)
    for use in reader.uses():
        real = not use.session.rpartition(":")[2].startswith(_TRIES)
        if real and use.wall_ms > now_ms - MONTH_MS:
            recent[use.skill].append(use)
    known, months = histories(reader), []
    for skill, uses in recent.items():
        name = legible(reader, skill)
        now = in_place(uses, known.get(called(outside, name), SkillHistory()))
        months.append(_month(reader, name, uses, now, stars))
    return months


def _month(
    reader: Reader,
    name: str,
    uses: Sequence[Use],
    now: Sequence[Use],
    stars: dict[tuple[str, str], float],
) -> Month:
    """A skill's month; `now` are its executions with the text in place."""
    own = grades(now)
    failed = [use for use in now if use.trouble is not Trouble.NONE and use.cause not in OTHERS]
    took = [use.took_ms for use in uses if use.took_ms is not None]
    rated = [star for use in now if (star := stars.get((use.session, use.episode)))]
    quotes = (q for use in failed[:-4:-1] for q in episode_of_use(reader, use).outcome.quotes)
    errors = (
        legible(reader, ContentRef(quote.words)) for quote in quotes if "reply" not in quote.what
    )
    friction = Counter(str(use.trouble) for use in failed).most_common(3)
    return Month(
        skill=name,
        executions=len(uses),
        graded=len(own),
        failures=len(failed),
        success=100 * sum(own) / len(own) if own else None,
        average_ms=sum(took) / len(took) if took else None,
        rating=sum(rated) / len(rated) if rated else None,
        trend=trend(own),
        errors=tuple(dict.fromkeys(errors)),
        friction=tuple(f"{trouble}: {count}" for trouble, count in friction),
        **dearer(uses),
    )


def _evaluated(reader: Reader) -> list[Evaluated]:
    """The comparisons that ended, the latest first."""
    ended = [
        (one, history)
        for history in histories(reader).values()
        for one in history.evaluations
        if one.verdict is not None
    ]
    return [
        Evaluated(
            skill=legible(reader, history.name),
            version=getattr(found_version(history.versions, one.digest), "number", ""),
            verdict=str(one.verdict),
            before=one.gap / MILLION,
            after=None if one.after is None else one.after / MILLION,
            day=_day(one.ended_ms),
            added=_added(reader, one, history),
        )
        for one, history in sorted(ended, key=lambda pair: -pair[0].ended_ms)
    ]


def _added(reader: Reader, one: Evaluation, history: SkillHistory) -> list[str]:
    """The lines of a text that the one before did not have: what was tried."""
    texts = {version.digest: version.text for version in history.versions}
    before, after = (
        text_or_empty(reader, texts.get(d)).split("\n") for d in (one.parent, one.digest)
    )
    lines = (line.strip("-* ") for line in after if line not in before)
    return [line for line in lines if line and not line.startswith("#")]


def _day(ms: int) -> date:
    return local(ms).date()
