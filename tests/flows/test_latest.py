"""The latest events, a part after the other."""

from learnt.core.events import Actor, Kind
from learnt.core.knowledge.drafts import Draft
from learnt.flows.governance.explain import latest
from learnt.flows.knowledge.capture import Offer
from tests.flows.stage import Stage
from tests.support.kept_unseen import capture_many


def test_no_event_is_passed_over_between_two_parts() -> None:
    """However many there are of one millisecond, more than a part of each kind as well."""
    stage = Stage()
    for begin in (0, 60):
        whats = [Draft(problem=f"a problem {begin + n}", approach="some way") for n in range(60)]
        offers = [Offer(what=what, actor=Actor.HUMAN) for what in whats]
        capture_many(stage.outside, offers, gated=False)
        stage.outside.clock.ms += 1_000  # type: ignore[attr-defined]  # a fixed clock
    seen, before_ms = latest(stage.outside, 7)
    while before_ms is not None:
        part, before_ms = latest(stage.outside, 7, before_ms)
        seen += part

    with stage.outside.ledger.reading() as reader:
        every = [event.id for event in reader.events()]
        assert reader.count(Kind.REMEMBERED) == 120
    assert every[::-1] == [step.id for step, _ in seen]
