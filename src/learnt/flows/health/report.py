"""What became of episodes and of the skills used in them; a word on one; LEARNINGS.md."""

from collections import Counter, defaultdict
from datetime import date
from functools import partial
from typing import Final

from msgspec.structs import replace

from learnt.core.events import Actor, Event, Kind, payload_of
from learnt.core.governance.proposals import text_hash
from learnt.core.health.executions import OTHERS, Episode, Use, UseTotals, episodes, interval
from learnt.core.health.experiences import MONTH_MS, Month, trend
from learnt.core.health.improvement import NEWEST, grades, in_place, queued
from learnt.core.health.outcomes import MILLION, Trouble
from learnt.core.health.trends import FORMULAS, StabilityState, dropped
from learnt.core.identifiers import ContentRef, EventId, Subject
from learnt.core.local_time import local
from learnt.core.payloads.session_events import EpisodeFeedback
from learnt.core.records import Record, shared
from learnt.core.safety import clean, excerpt
from learnt.core.skills.history import SkillHistory, added_lines, found_version
from learnt.core.skills.skills import key_of
from learnt.errors import Conflict, NotFound, Refused, UsageError
from learnt.flows.plans import Plan, carry_out, snapshot
from learnt.flows.skills.catalogue import called, histories
from learnt.flows.stored import append, kept, legible, text_or_empty
from learnt.formats.learnings_md import PERIOD, Evaluated, pinned, rendered
from learnt.ports import Outside, Reader, Writer

VERDICTS = ("good", "bad", "partly")
_NOTE = 200


class LastUse(Record):
    """A skill's last execution: the episode it was in, and how it came out."""

    episode: str
    wall_ms: int
    by: str
    trouble: str
    cause: str
    grade: float | None
    graded: bool


class SkillHealth(Record):
    """One skill's executions; `success_rate` is their mean grade, `interval` holds it at 95 %.

    `failures` says how many failed and what excuses some; `excuse` what excused the last in a row.
    `unknown` can be held neither for nor against it. `gap` is what it reached less what it reaches
    now, and `dropped` of how many graded executions a drop of success lasts that a chart told: of
    the text in place, whose number `version` is.
    `automatic`: a person lets texts by rules be applied by themselves.
    """

    skill: str
    executions: int
    graded: int
    unknown: int
    success_rate: float | None
    interval: tuple[float, float]
    imported: int
    gap: float
    state: StabilityState
    dropped: int | None
    flags: int
    version: str
    automatic: bool
    failures: str
    excuse: str
    last: LastUse


def skills(outside: Outside, named: str = "", formula: str = "default") -> list[SkillHealth]:
    """Every skill used, or the one named, most executions first. Raises NotFound."""
    key = called(outside, named)
    with outside.ledger.reading() as reader:
        known = histories(reader)
        healths = [
            _health(reader, name, totals, known.get(called(outside, name)), formula)
            for totals in reader.use_totals()
            if called(outside, name := legible(reader, totals.skill)) == key or not named
        ]
    if named and not healths:
        raise NotFound(f"No skill {named!r} was used yet, as far as was observed.")
    return sorted(healths, key=lambda health: (-health.executions, health.skill))


def episodes_of(reader: Reader, session: str) -> list[Episode]:
    """The closed episodes of a session, as what was said since amends them."""
    closed = reader.events(session=session, kind=Kind.EPISODE_CLOSED)
    words = reader.events(session=session, kind=Kind.FEEDBACK)
    return [episode for episode in episodes([*closed, *words]) if not episode.imported]


def _health(
    reader: Reader, name: str, totals: UseTotals, history: SkillHistory | None, formula: str
) -> SkillHealth:
    used = list(reader.uses(totals.skill, NEWEST))
    history = history or SkillHistory()
    own_grades = grades(in_place(used, history))
    rate = totals.own_grades / totals.graded / MILLION if totals.graded else None
    condition, last = FORMULAS[formula](own_grades), used[-1]
    entry = queued(name, used, history)
    episode = episode_of_use(reader, last)
    outcome = next(use.outcome for use in episode.executions if use.skill == last.skill)
    return SkillHealth(
        skill=name,
        unknown=totals.executions - totals.graded,
        success_rate=rate,
        interval=interval(rate or 0.0, totals.graded),
        gap=condition.gap,
        state=condition.state,
        dropped=dropped(own_grades),
        flags=entry.flagged_count,
        version=history.versions[-1].number if history.versions else "",
        automatic=history.automatic,
        last=LastUse(
            episode=episode.event,
            by=last.by,
            grade=None if outcome.grade is None else outcome.grade / MILLION,
            **shared(episode, "wall_ms"),
            **shared(outcome, "trouble cause graded"),
        ),
        excuse=entry.excuse,
        **shared(totals, "executions graded imported failures"),
    )


def episode_of_use(reader: Reader, use: Use) -> Episode:
    """The episode of a use, as what was said since amends it."""
    closing = reader.event(use.event)
    assert closing is not None  # the table of executions is made of the events
    words = reader.events(subject=use.session, kind=Kind.FEEDBACK)
    return episodes([closing, *words])[0]


def quoted(reader: Reader, episode: Episode) -> Episode:
    """A closed episode with the words of its evidence."""
    quotes = tuple(
        replace(quote, words=legible(reader, ContentRef(quote.words)))
        for quote in episode.outcome.quotes
    )
    return replace(episode, outcome=replace(episode.outcome, quotes=quotes))


def last_episodes(outside: Outside, most: int = 3) -> list[Episode]:
    """The episodes that were closed last, latest first, with the words of their evidence."""
    with outside.ledger.reading() as reader:
        # Imports may be the newest, and many: then all are looked through.
        for newest in (8 * most, None):
            closed = list(reader.events(kind=Kind.EPISODE_CLOSED, newest=newest))
            if newest is not None:
                closed.reverse()
            # What is said of an episode comes after it.
            since = closed[0].stamp.ms if closed else 0
            words = reader.events(kind=Kind.FEEDBACK, since_ms=since) if closed else ()
            own = [one for one in episodes([*closed, *words]) if not one.imported]
            if len(own) >= most:
                break
        return [quoted(reader, episode) for episode in reversed(own[-most:])]


def feedback(outside: Outside, name: str, verdict: str, note: str, actor: Actor) -> Episode:
    """Record a word on an episode, by its closing's or prompt's id. Raises NotFound, Conflict."""
    note = excerpt(note, _NOTE)

    def planned() -> Plan[Episode]:
        with outside.ledger.reading() as reader:
            event = _closing(reader, name)
            rests_on = snapshot(reader, partial(_closings, event.subject))

        def write(writer: Writer) -> Episode:
            payload = EpisodeFeedback(
                episode=event.id,
                source="person" if actor is Actor.HUMAN else "agent",
                verdict=verdict,
                note=kept(writer, "note", note),
            )
            append(writer, event.subject, actor, payload, where=event.where)
            feedbacks = writer.events(subject=event.subject, kind=Kind.FEEDBACK)
            return quoted(writer, episodes([event, *feedbacks])[0])

        return Plan(rests_on=rests_on, write=write)

    return carry_out(outside.ledger, planned, f"Episode {name}")


def explain_failure(outside: Outside, name: str, why: str) -> str:
    """Keep why an agent says that an episode or skill failed. Raises NotFound, UsageError."""
    if not why.strip():
        raise UsageError("Say why in `evidence`, in your own words. Nothing was kept.")
    with outside.ledger.reading() as reader:
        rows = (row.skill for row in reader.use_totals())
        named = [ref for ref in rows if key_of(legible(reader, ref)) == key_of(name)]
        failed = [u for ref in named for u in reader.uses(ref) if u.trouble is not Trouble.NONE]
    if named and not failed:
        raise NotFound(f"No use of the skill {name} failed. Nothing was kept.")
    event = max(failed, key=lambda use: use.wall_ms).event if failed else name
    kept_on = feedback(outside, event, "", why, Actor.AGENT).event
    return f"Kept as an agent's words on the episode {kept_on}, quoted; its grade is as it was."


def _closings(subject: Subject, reader: Reader) -> list[Event]:
    return list(reader.events(subject=subject, kind=Kind.EPISODE_CLOSED))


def _closing(reader: Reader, name: str) -> Event:
    """The event that closed an episode last, by its own id or by its prompt's."""
    event = reader.event(EventId(name))
    if event is not None and event.kind is Kind.EPISODE_CLOSED:
        prompt = event.where.episode
        alike = [e for e in _closings(event.subject, reader) if prompt == e.where.episode]
        return alike[-1] if prompt else event
    closed = reader.events(kind=Kind.EPISODE_CLOSED)
    by_session = {e.where.session: e for e in closed if e.where.episode == name}
    if not by_session:
        raise NotFound(f"There is no closed episode {name}. `learnt status` shows the last.")
    if len(by_session) > 1:
        named = ", ".join(e.id for e in by_session.values())
        raise Conflict(f"{len(by_session)} sessions have an episode {name}: name one of {named}.")
    return next(iter(by_session.values()))


_STARS: Final = {"good": 5.0, "partly": 3.0, "bad": 1.0}
_TRIES: Final = ("test-", "dogfood-", "fixture-")  # sessions that are not real work


def learnings(outside: Outside, path: str, *, write: bool) -> str:
    """LEARNINGS.md with what is pinned at `path`, written if it changed. Raises Refused."""
    before = outside.documents.read(path)
    kept = None if before is None else pinned(before)
    if kept is None and before:
        raise Refused(f"{path} is another file: nothing is pinned in it. It was left as it is.")
    with outside.ledger.reading() as reader:
        now = outside.clock.now_ms()
        text = rendered(_day(now), _months(outside, reader, now), evaluated(reader), kept)
    # Only the day before it differs each day.
    if write and text.partition(PERIOD)[1:] != (before or "").partition(PERIOD)[1:]:
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
        own = grades(now)
        bad = [use for use in now if use.trouble is not Trouble.NONE and use.cause not in OTHERS]
        took = [use.took_ms for use in uses if use.took_ms is not None]
        rated = [star for use in now if (star := stars.get((use.session, use.episode)))]
        quotes = (q for use in bad[:-4:-1] for q in episode_of_use(reader, use).outcome.quotes)
        words = (ContentRef(quote.words) for quote in quotes if "reply" not in quote.what)
        friction = Counter(str(use.trouble) for use in bad).most_common(3)
        months.append(Month(
            skill=name,
            executions=len(uses),
            graded=len(own),
            failures=len(bad),
            success=100 * sum(own) / len(own) if own else None,
            average_ms=sum(took) / len(took) if took else None,
            rating=sum(rated) / len(rated) if rated else None,
            trend=trend(own),
            errors=tuple(dict.fromkeys(legible(reader, ref) for ref in words)),
            friction=tuple(f"{trouble}: {count}" for trouble, count in friction),
        ))  # fmt: skip
    return months


def evaluated(reader: Reader) -> list[Evaluated]:
    """The comparisons that ended, the latest first."""
    ended = []
    for history in histories(reader).values():
        texts = {version.digest: version.text for version in history.versions}
        for one in history.evaluations:
            if one.verdict is not None:
                parts = (text_or_empty(reader, texts.get(d)) for d in (one.parent, one.digest))
                ended.append((one.ended_ms, Evaluated(
                    skill=legible(reader, history.name),
                    version=getattr(found_version(history.versions, one.digest), "number", ""),
                    verdict=str(one.verdict),
                    before=one.gap / MILLION,
                    after=None if one.after is None else one.after / MILLION,
                    day=_day(one.ended_ms),
                    added=added_lines(*parts),  # what was tried
                )))  # fmt: skip
    return [one for _, one in sorted(ended, key=lambda pair: -pair[0])]


def _day(ms: int) -> date:
    return local(ms).date()
