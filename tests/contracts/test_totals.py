"""What any ledger sums up over very many: executions of skills, entries, sessions."""

from msgspec.structs import replace

from learnt.core.events import Actor, Kind, NewEvent, Where
from learnt.core.health.outcomes import MILLION, Outcome, Trouble
from learnt.core.identifiers import ContentRef, Subject, entry_subject
from learnt.core.payloads.entry_events import EntryDecided
from learnt.core.payloads.session_events import (
    EpisodeClosed,
    EpisodeFeedback,
    SessionStarted,
    SkillUse,
)
from learnt.flows.knowledge.capture import capture
from learnt.ports import Outside
from tests.contracts.test_ledger import solution, started


def closed(episode: str | None, grade: int, session: str = "s1", again: int = 0) -> NewEvent:
    """An episode in which one skill was used, and how it came out."""
    ended = Outcome(grade=grade, trouble=Trouble.NONE if grade else Trouble.TEST)
    use = SkillUse(skill=ContentRef("k:tidy"), by="agent", outcome=ended)
    return NewEvent(
        subject=Subject(f"session:claude-code:{session}"),
        actor=Actor.LEARNT,
        where=Where(agent="claude-code", session=session, episode=episode),
        payload=EpisodeClosed(skills=(use,), outcome=ended, again=again),
    )


def test_executions_are_those_of_the_closed_episodes(outside: Outside) -> None:
    """Closed again, an episode counts once; a word on it counts for its skills."""
    with outside.ledger.writing() as writer:
        for draft in (closed("p1", 0), closed("p2", 0), closed("p1", MILLION, again=1)):
            event = writer.append(draft)
        alone = writer.append(closed(None, 0))
        assert event is not None and alone is not None
        for about, where in ((alone, alone.where), (event, event.where)):
            word = EpisodeFeedback(episode=about.id, source="person", verdict="partly")
            writer.append(NewEvent(about.subject, Actor.HUMAN, word, where=where))

    with outside.ledger.reading() as reader:
        grades = {use.episode: use.grade for use in reader.uses(ContentRef("k:tidy"))}
        assert {"p1": MILLION // 2, "p2": 0, alone.id: MILLION // 2} == grades
        assert [] == list(reader.uses(ContentRef("k:other")))
        assert 3 == len(list(reader.uses()))
        every = list(reader.uses())
        assert every[-2:] == list(reader.uses(newest=2))
        assert every[-1:] == list(reader.uses(ContentRef("k:tidy"), newest=1))
        (totals,) = reader.use_totals()
        assert (3, 3, MILLION, 0) == totals[1:5]
    assert [] == list(outside.ledger.verify())


def test_executions_are_made_anew_by_a_rebuild(outside: Outside) -> None:
    """What is derived can be thrown away."""
    with outside.ledger.writing() as writer:
        writer.append(closed("p1", MILLION))
    outside.ledger.rebuild()

    with outside.ledger.reading() as reader:
        assert ["p1"] == [use.episode for use in reader.uses()]


def test_entries_that_are_alike_are_counted_together(outside: Outside) -> None:
    """By stage, scope and topic, and whether they may be found."""
    for problem in ("The scheduler hangs at night", "The importer drops umlauts"):
        capture(outside, solution(problem))

    with outside.ledger.reading() as reader:
        (alike,) = reader.entry_totals()
        assert ("validated", None, True, 2) == (alike.stage, alike.scope, alike.live, alike.entries)
        assert 0 < alike.first_ms <= alike.last_ms
        first = next(reader.views("entry:"))
        kept = [view.subject for view in reader.views("entry:", str(first.state["id"]))]
        assert [first.subject] == kept


def test_masked_entries_are_counted(outside: Outside) -> None:
    """Those that no hook shows, as long as that stands."""
    name = capture(outside, solution("The scheduler hangs at night")).entry
    for decided, masked in (
        (EntryDecided(action="masked"), 1),
        (EntryDecided(action="unmasked"), 0),
    ):
        with outside.ledger.writing() as writer:
            writer.append(NewEvent(entry_subject(name), Actor.LEARNT, decided))
        with outside.ledger.reading() as reader:
            assert [masked] == [alike.masked for alike in reader.entry_totals()]
    assert [] == list(outside.ledger.verify())


def test_sessions_are_counted_together(outside: Outside) -> None:
    """Attended are those with a person at the keyboard, however often they began."""
    with outside.ledger.writing() as writer:
        for name, attended in (("s1", True), ("s1", True), ("s2", False)):
            draft = started(session=name)
            writer.append(replace(draft, payload=SessionStarted(attended=attended)))
        writer.append(closed("p1", MILLION))

    with outside.ledger.reading() as reader:
        totals = reader.session_totals()
    assert (2, 1, 1, 0) == (totals.sessions, totals.attended, totals.episodes, totals.recalls)


def test_views_are_told_by_some_of_their_members(outside: Outside) -> None:
    """Scalars as they are, others as JSON, None for what a state has not; by subject."""
    entry = capture(outside, solution("The kraken sleeps below", "Ring the bell twice")).entry
    with outside.ledger.writing() as writer:
        writer.append(started())
    with outside.ledger.reading() as reader:
        rows = list(reader.columns("entry:", "stage", "standing.c0", "nothing.here", "standing"))
        ((subject, stage, c0, nothing, standing),) = rows

        assert (entry_subject(entry), "validated", None, None) == (subject, stage, c0, nothing)
        assert "confirmed_ms" in standing
        assert [("session:claude-code:s1",)] == list(reader.columns("session:"))


def test_happenings_begin_at_a_moment(outside: Outside) -> None:
    """Those before need no reading."""
    with outside.ledger.writing() as writer:
        first, second = writer.append(started()), writer.append(started(session="s2"))
    assert first is not None and second is not None
    with outside.ledger.reading() as reader:
        kind = Kind.SESSION_STARTED
        assert 2 == len(list(reader.happenings(kind, first.stamp.ms)))
        assert [] == list(reader.happenings(kind, second.stamp.ms + 1))
