"""What any ledger promises."""

import pytest
from msgspec.structs import replace

from learnt.core.events import Actor, Kind, NewEvent, Stamp, Where
from learnt.core.identifiers import EntryId, EventId, NaturalKey, ProjectId, Subject, entry_subject
from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.entries import Stage
from learnt.core.payloads.proposal_events import TextsPurged
from learnt.core.payloads.session_events import SessionStarted
from learnt.core.recall.closeness import weighed
from learnt.core.recall.marks import of_error
from learnt.core.safety import owned
from learnt.core.tokens import terms
from learnt.flows.knowledge.capture import Offer, capture
from learnt.flows.knowledge.standing import stage_by_hand
from learnt.ports import Outside

SESSION = Subject("session:claude-code:s1")


def started(source: str = "startup", key: str | None = None, session: str = "s1") -> NewEvent:
    return NewEvent(
        subject=Subject(f"session:claude-code:{session}"),
        actor=Actor.TOOL,
        where=Where(agent="claude-code", session=session),
        payload=SessionStarted(source=source),
        natural_key=None if key is None else NaturalKey(key),
    )


def solution(problem: str, approach: str = "Restart the scheduler daemon") -> Offer:
    return Offer(what=Draft(problem=problem, approach=approach), actor=Actor.HUMAN)


def test_an_appended_event_is_read_back_as_it_was(outside: Outside) -> None:
    """What append returns is what events gives."""
    with outside.ledger.writing() as writer:
        written = writer.append(started())

    with outside.ledger.reading() as reader:
        assert [written] == list(reader.events(subject=SESSION))


def test_a_view_is_the_fold_of_its_events(outside: Outside) -> None:
    """A compaction after a start is one epoch."""
    with outside.ledger.writing() as writer:
        writer.append(started())
        writer.append(started("compact"))

    with outside.ledger.reading() as reader:
        state = reader.view(SESSION)

    assert state is not None
    assert (1, "compact") == (state["epoch"], state["source"])


def test_a_natural_key_is_taken_once(outside: Outside) -> None:
    """The second report of one happening is refused and changes nothing."""
    with outside.ledger.writing() as writer:
        first = writer.append(started("compact", key="same"))
        second = writer.append(started("compact", key="same"))

    assert first is not None
    assert second is None
    with outside.ledger.reading() as reader:
        assert 1 == reader.count(Kind.SESSION_STARTED)
        assert first == reader.keyed(NaturalKey("same"))


def test_a_transaction_that_fails_leaves_nothing(outside: Outside) -> None:
    """All of a transaction is kept or none of it."""
    with pytest.raises(RuntimeError), outside.ledger.writing() as writer:
        writer.append(started())
        writer.keep("prompt", owned("half of it"))
        raise RuntimeError

    with outside.ledger.reading() as reader:
        assert [] == list(reader.events())
        assert [] == list(reader.contents_with("half"))


def test_a_moment_is_another_once_anything_was_written(outside: Outside) -> None:
    """Not once it was only looked at; and it tells which subjects were spoken of since."""
    with outside.ledger.reading() as reader:
        before = reader.moment()
    with outside.ledger.reading() as reader:
        assert before == reader.moment()
    with outside.ledger.writing() as writer:
        writer.append(started(session="a"))
    with outside.ledger.writing() as writer:
        assert before != (since := writer.moment())
        writer.keep("prompt", owned("no event, and yet written"))
    with outside.ledger.reading() as reader:
        assert since != reader.moment()
        assert {"session:claude-code:a"} == reader.touched(before, {Kind.SESSION_STARTED})
        assert not reader.touched(before, {Kind.RECALLED})
        assert not reader.touched(since, {Kind.SESSION_STARTED})


def test_stamps_rise_though_the_clock_stands(outside: Outside) -> None:
    """Events of one millisecond are parted by their counter."""
    with outside.ledger.writing() as writer:
        stamps = [event.stamp for _ in range(5) if (event := writer.append(started()))]

    assert stamps == sorted(set(stamps))


def test_newest_gives_the_last_first(outside: Outside) -> None:
    """A limit on events takes the latest, latest first; of before a moment, if one is named."""
    with outside.ledger.writing() as writer:
        events = [writer.append(started(session=name)) for name in ("a", "b", "c")]

    with outside.ledger.reading() as reader:
        newest = list(reader.events(kind=Kind.SESSION_STARTED, newest=2))
        last = max(event.stamp.ms for event in events if event)
        earlier = list(reader.events(kind=Kind.SESSION_STARTED, newest=2, before_ms=last))
        assert events == list(reader.events(before_ms=last + 1))
        latest = list(reader.events(kind=Kind.SESSION_STARTED, since_ms=last))

    assert [event for event in events if event and event.stamp.ms >= last] == latest
    assert [events[2], events[1]] == newest
    assert [event for event in events[::-1] if event and event.stamp.ms < last][:2] == earlier


def test_an_event_from_the_past_refolds_its_subject(outside: Outside) -> None:
    """However late an event arrives, the view is the fold by stamp."""
    with outside.ledger.writing() as writer:
        writer.append(started("startup"))
        last = writer.append(started("resume"))
        assert last is not None
        early = replace(
            last,
            id=EventId("00000000-0000-7000-8000-000000000000"),
            stamp=Stamp(1, 0, "f" * 16),
            payload={"source": "compact"},
        )
        assert writer.merge(early)
        assert not writer.merge(early)

    with outside.ledger.reading() as reader:
        state = reader.view(SESSION)
        assert state is not None
        assert (1, "resume") == (state["epoch"], state["source"])
    assert [] == list(outside.ledger.verify())


def test_many_events_of_one_subject_refold_from_a_snapshot(outside: Outside) -> None:
    """Two hundred events and one from the middle of them fold to the same view as in order."""
    with outside.ledger.writing() as writer:
        events = [writer.append(started("compact")) for _ in range(200)]
        middle = events[100]
        assert middle is not None
        writer.merge(
            replace(
                middle,
                id=EventId("00000000-0000-7000-8000-000000000001"),
                stamp=Stamp(middle.stamp.ms, middle.stamp.counter, "f" * 16),
            )
        )

    with outside.ledger.reading() as reader:
        state = reader.view(SESSION)
        assert state is not None
        assert 201 == state["epoch"]
    assert [] == list(outside.ledger.verify())


def test_a_session_is_forgotten_however_long_it_was(outside: Outside) -> None:
    """Its name is in no view and in no snapshot, and what is kept of it adds up."""
    with outside.ledger.writing() as writer:
        for _ in range(200):
            writer.append(started("compact"))
        writer.forget_sessions(["s1"])
        assert writer.view(SESSION) is None
    assert [] == list(outside.ledger.verify())


def test_a_text_has_one_reference_and_goes_when_erased(outside: Outside) -> None:
    """Equal texts of a kind share a reference; once erased it leads nowhere."""
    with outside.ledger.writing() as writer:
        ref = writer.keep("prompt", owned("Straße 死锁"))
        assert ref == writer.keep("prompt", owned("Straße 死锁"))
        assert ref != writer.keep("tag", owned("Straße 死锁"))
        assert "Straße 死锁" == writer.text(ref)
        assert 1 == writer.erase([ref])
        assert writer.text(ref) is None


def test_contents_are_found_whatever_their_case(outside: Outside) -> None:
    """A purge by text must not miss a capital letter."""
    with outside.ledger.writing() as writer:
        ref = writer.keep("prompt", owned("The CANARY sang"))

    with outside.ledger.reading() as reader:
        assert [ref] == list(reader.contents_with("canary"))


def test_search_finds_what_was_remembered_and_no_longer_once_purged(outside: Outside) -> None:
    """The search follows the entry's view in the same transaction."""
    outcome = capture(outside, solution("The kraken deadlocks the scheduler"))
    with outside.ledger.reading() as reader:
        found = reader.match(["kraken"], [], 5).best
        assert [outcome.entry] == [match.entry for match in found]
        assert {"kraken": 1, "griffin": 0} == dict(reader.frequencies(["kraken", "griffin"], []))
        assert 1 == reader.match(["kraken"], [], 5).entries

    with outside.ledger.writing() as writer:
        writer.append(
            NewEvent(
                subject=entry_subject(outcome.entry),
                actor=Actor.HUMAN,
                payload=TextsPurged(),
            )
        )

    with outside.ledger.reading() as reader:
        assert [] == list(reader.match(["kraken"], [], 5).best)
        assert {"kraken": 0} == dict(reader.frequencies(["kraken"], []))
        assert 0 == reader.match(["kraken"], [], 5).entries
    assert [] == list(outside.ledger.verify())


def test_search_keeps_to_its_scopes(outside: Outside) -> None:
    """A project sees its own entries and those for everywhere, and no other project's."""
    here = Offer(
        what=Draft(problem="kraken in the harbour", approach="Sound the horn twice"),
        actor=Actor.HUMAN,
        folder="/projects/here",
    )
    inside = capture(outside, here).entry
    everywhere = capture(outside, solution("kraken on every sea")).entry
    with outside.ledger.reading() as reader:
        project = ProjectId(next(iter(reader.views("project:"))).subject.split(":")[1])

        assert {inside, everywhere} == {
            m.entry for m in reader.match(["kraken"], [project], 5).best
        }
        seen = reader.match(["kraken"], [project], 5).best
        assert {inside, everywhere} == {match.entry for match in seen}
        elsewhere = reader.match(["kraken"], [ProjectId("p-0000000000")], 5).best
        assert [everywhere] == [match.entry for match in elsewhere]


def test_search_prefers_the_entry_that_shares_more(outside: Outside) -> None:
    """The better match comes first."""
    capture(outside, solution("The kraken sleeps below"))
    both = capture(outside, solution("The kraken wakes a griffin")).entry
    capture(outside, solution("Printers jam on Mondays"))

    with outside.ledger.reading() as reader:
        found = reader.match(["kraken", "griffin"], [], 5).best

    assert both == found[0].entry
    assert frozenset({"kraken", "griffin"}) == found[0].shared


def test_what_is_asked_for_is_closest_where_it_is_the_subject(outside: Outside) -> None:
    """Before an entry that has it in its approach; what shares nothing is no answer."""
    done = capture(outside, solution("Ships are lost at night", "Feed the kraken")).entry
    about = capture(outside, solution("The kraken sleeps below")).entry
    capture(outside, solution("Printers jam on Mondays"))
    question = weighed("What does the kraken do?", lambda text: terms(text, outside.stem))

    with outside.ledger.reading() as reader:
        found = reader.closest(question, [], 5)
        assert [about, done] == [match.entry for match in found.best]
        assert [{"kraken"}, {"kraken"}] == [set(match.shared) for match in found.best]
        assert (3, {"kraken": 2}) == (found.entries, dict(found.frequencies))
        assert [about] == [match.entry for match in reader.closest(question, [], 1).best]
        assert not reader.closest(weighed("", str.split), [], 5).best


def test_an_exact_duplicate_is_found_by_its_fingerprint(outside: Outside) -> None:
    """The oldest live entry answers for its text."""
    first = capture(outside, solution("The kraken  sleeps", "Wake it gently")).entry
    again = capture(outside, solution("the kraken sleeps", "wake it GENTLY"))

    assert first == again.entry


def test_what_is_retired_is_found_by_nothing(outside: Outside) -> None:
    """Neither by its words nor by its fingerprint; its event moved the index."""
    first = capture(outside, solution("The kraken sleeps", "Wake it gently")).entry
    stage_by_hand(outside, first, Actor.HUMAN, Stage.RETIRED)
    with outside.ledger.reading() as reader:
        assert [] == list(reader.match(["kraken"], [], 5).best)
        assert {} == {term: n for term, n in reader.frequencies(["kraken"], []).items() if n}
    again = capture(outside, solution("The kraken sleeps", "Wake it gently")).entry
    assert first != again


def test_events_that_cite_a_text_are_found(outside: Outside) -> None:
    """A text shared by two entries is cited by both."""
    capture(outside, solution("The kraken sleeps below", "Ring the same bell"))
    capture(outside, solution("The griffin sleeps above", "Ring the same bell"))
    with outside.ledger.reading() as reader:
        (ref,) = reader.contents_with("same bell")
        assert 2 == len(list(reader.events_citing(ref)))
        assert 2 == len(list(reader.events_citing(ref, Kind.REMEMBERED)))
        assert [] == list(reader.events_citing(ref, Kind.GATED))


def test_a_rebuild_changes_nothing_that_was_right(outside: Outside) -> None:
    """Rebuilding a sound ledger gives the same views."""
    entry = capture(outside, solution("The kraken sleeps below")).entry
    outside.ledger.rebuild()

    assert [] == list(outside.ledger.verify())
    with outside.ledger.reading() as reader:
        assert [EntryId(entry)] == [match.entry for match in reader.match(["kraken"], [], 5).best]


def test_marks_find_what_is_live_in_a_projects_scopes(outside: Outside) -> None:
    """The newest first; another project's are not seen, a retired one is found by nothing."""
    sign = "E   ModuleNotFoundError: No module named 'orjson'"
    told = Draft(problem="The importer fails", approach="Install the extra first", signs=(sign,))
    offers = [Offer(what=told, actor=Actor.HUMAN, folder=f"/projects/{n}") for n in ("a", "b")]
    first, second = (capture(outside, offer).entry for offer in offers)
    (mark, *_) = of_error(f"/tmp/x.py:9: {sign}")
    with outside.ledger.reading() as reader:
        scopes = [ProjectId(v.subject.split(":")[1]) for v in reader.views("project:")]
        assert {mark: [second, first]} == reader.marked([mark, "none"], scopes)
        assert {} == reader.marked([mark], [])
        assert {1} == {len(found[mark]) for s in scopes if (found := reader.marked([mark], [s]))}
    assert [] == list(outside.ledger.verify())

    stage_by_hand(outside, second, Actor.HUMAN, Stage.RETIRED)
    with outside.ledger.reading() as reader:
        assert {mark: [first]} == reader.marked([mark], scopes)
    outside.ledger.rebuild()
    with outside.ledger.reading() as reader:
        assert {mark: [first]} == reader.marked([mark], scopes)
    assert [] == list(outside.ledger.verify())


def test_events_are_found_by_the_beginning_of_their_ids(outside: Outside) -> None:
    """The newest first, at most so many."""
    with outside.ledger.writing() as writer:
        written = [writer.append(started(session=f"s{number}")) for number in range(3)]
    names = sorted((event.id for event in written if event), reverse=True)

    with outside.ledger.reading() as reader:
        assert names[:2] == list(reader.event_ids(names[0][:2], 2))
        assert [names[1]] == list(reader.event_ids(names[1], 9))
        assert [] == list(reader.event_ids("zzz", 9))
