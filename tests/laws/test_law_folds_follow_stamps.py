"""A view depends on its events and their stamps, not on the order in which they arrived."""

from random import Random  # noqa: TID251  # chance comes from Hypothesis, seeded

from hypothesis import given, settings
from hypothesis import strategies as st

from learnt.core import views
from learnt.core.events import Event, Kind
from learnt.core.records import JsonObject
from learnt.core.views import fold
from learnt.stores.sqlite_ledger import SqliteLedger
from learnt.stores.sqlite_views import SNAPSHOT_EVERY
from tests.core.happenings import happened
from tests.laws.strategies import SUBJECTS, empty_ledger, events

FEW = settings().max_examples // 3  # a ledger on disk each


def merged(ledger: SqliteLedger, arriving: list[Event]) -> dict[str, JsonObject]:
    """The stored views after events arrived."""
    with ledger.writing() as writer:
        assert all(writer.merge(event) for event in arriving)
    with ledger.reading() as reader:
        return {view.subject: view.state for view in reader.views("")}


def folded(in_order: list[Event]) -> dict[str, JsonObject]:
    """The views as the pure fold gives them."""
    found = {
        subject: fold(event for event in in_order if event.subject == subject)
        for subject in {event.subject for event in in_order}
    }
    return {subject: state for subject, state in found.items() if state is not None}


@settings(max_examples=FEW)
@given(events(SUBJECTS, 1, 20), st.randoms(use_true_random=False))
def test_any_order_of_arrival_gives_the_same_views(in_order: list[Event], chance: Random) -> None:
    """Merged in any order, the ledger's views are the fold in the order of stamps."""
    shuffled = sorted(in_order, key=lambda event: chance.random())
    with empty_ledger() as ledger:
        assert folded(in_order) == merged(ledger, shuffled)
        assert [] == ledger.verify()


_MANY = SNAPSHOT_EVERY * 2 + 5
_SOURCES = ["startup", "resume", "compact"]


def _long_session(chance: Random) -> list[Event]:
    """A session of so many events that snapshots of it are kept."""
    return [
        happened(
            "session:claude-code:s",
            chance.choice([Kind.MISSED, Kind.SESSION_STARTED, Kind.EPISODE_CLOSED]),
            {"source": chance.choice(_SOURCES), "failed": chance.randrange(3)},
            at=number,
        )
        for number in range(_MANY)
    ]


@settings(max_examples=4)
@given(
    st.randoms(use_true_random=False),
    st.lists(st.integers(0, _MANY - 1), min_size=1, max_size=6, unique=True),
)
def test_late_arrivals_reach_behind_snapshots(chance: Random, late: list[int]) -> None:
    """A long subject is refolded from the right snapshot, and the snapshots after it go."""
    in_order = _long_session(chance)
    arriving = [event for number, event in enumerate(in_order) if number not in late]
    arriving += [in_order[number] for number in late]
    with empty_ledger() as ledger:
        assert folded(in_order) == merged(ledger, arriving)
        assert [] == ledger.verify()


@settings(max_examples=FEW)
@given(events(SUBJECTS, 1, 10))
def test_an_event_counts_once(in_order: list[Event]) -> None:
    """Merging what is known changes nothing, and says so."""
    with empty_ledger() as ledger:
        before = merged(ledger, in_order)
        with ledger.writing() as writer:
            assert not any(writer.merge(event) for event in in_order)
        with ledger.reading() as reader:
            assert before == {view.subject: view.state for view in reader.views("")}


@settings(max_examples=FEW)
@given(events(SUBJECTS, 1, 10))
def test_a_rebuild_changes_nothing(in_order: list[Event]) -> None:
    """What is recomputed from the events is what was kept as they came."""
    with empty_ledger() as ledger:
        before = merged(ledger, in_order)
        ledger.rebuild()
        with ledger.reading() as reader:
            assert before == {view.subject: view.state for view in reader.views("")}
        assert [] == ledger.verify()


@given(events(["entry:e-0"], 1, 12), st.integers(0, 12))
def test_a_fold_may_be_stopped_and_taken_up(in_order: list[Event], cut: int) -> None:
    """A stored state holds all that the rest of the fold needs."""
    assert fold(in_order) == views.fold(in_order[cut:], fold(in_order[:cut]))
