"""Gate 1 as seed 000 has it: its examples, and what evidence does not waive."""

import pytest

from learnt.core.knowledge.gates import Admit, Reject
from tests.flows.stage import Stage
from tests.flows.test_witnesses import transcribed

ACCEPTED = [
    ("orders.customer_id references customers.id", "schema"),
    ("Skip if customer not found; don't create order", "business_rule"),
    ("Count orders grouped by status", "query_pattern"),
    (
        "Debug duplicate orders: Step1 check customer → Step2 check dedup conditions → Step3 "
        "compare results",
        "procedure",
    ),
    ("connection timeout requires reconnect", "tool_experience"),
]
ONCE = "query returned 42 rows at 3pm"


@pytest.mark.parametrize(("text", "kind"), ACCEPTED)
def test_what_can_be_reused_passes(text: str, kind: str) -> None:
    """The seed's examples of what its layers store, by an agent's word alone."""
    assert isinstance(Stage().learn(text, kind).decision, Admit)


@pytest.mark.parametrize("kind", ["query_pattern", "data_snapshot"])
def test_a_result_of_one_time_is_rejected_also_with_evidence(kind: str) -> None:
    """The seed's own example: that a call shows it makes it no more reusable."""
    for shown in (False, True):
        stage = Stage()
        call = transcribed(stage, "mysql -e 'select * from orders'", ONCE) if shown else ""
        decision = stage.learn(ONCE, kind, evidence=call).decision
        assert isinstance(decision, Reject) and decision.gate == "value"


def test_evidence_does_not_waive_freshness() -> None:
    """What changes within days is to be looked up again, whoever saw it."""
    stage, text = Stage(), "orders.id goes up to 48213 in production"
    call = transcribed(stage, "mysql -e 'select max(id) from orders'", "48213 in orders.id")
    decision = stage.learn(text, "data_range", evidence=call).decision
    assert decision == Reject("freshness", "fades-at-once")
