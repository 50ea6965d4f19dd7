"""Where a fact belongs, and what it may lead up to."""

import pytest

from learnt.core.knowledge.kinds import KINDS
from learnt.core.knowledge.topics import KIND_ABOVE, OWN, Layer, upward, widened


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("schema", Layer.STRUCTURE),
        ("data_range", Layer.STRUCTURE),
        ("data_snapshot", Layer.STRUCTURE),
        ("business_rule", Layer.RULES),
        ("query_pattern", Layer.QUERIES),
        ("procedure", Layer.FLOWS),
        ("solution", Layer.FLOWS),
        ("something else", Layer.FLOWS),
    ],
)
def test_a_kind_has_its_layer(kind: str, expected: Layer) -> None:
    """The four of seed 000; what nobody named is of the flows."""
    assert expected is OWN.layer(kind, "select from where")


def test_experience_with_queries_annotates_queries() -> None:
    """Which are queries a domain tells; without one all experience annotates the flows."""
    known = widened({}, [lambda text: "slow" in text])
    layers = [v.layer("tool_experience", "it is slow") for v in (known, OWN)]
    assert [Layer.QUERIES, Layer.FLOWS] == layers
    assert Layer.FLOWS is known.layer("tool_experience", "it hangs")


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({}, None),
        ({Layer.STRUCTURE: 1}, None),
        ({Layer.STRUCTURE: 2}, Layer.QUERIES),
        ({Layer.STRUCTURE: 9, Layer.QUERIES: 1}, None),
        ({Layer.QUERIES: 2}, Layer.FLOWS),
        ({Layer.STRUCTURE: 2, Layer.QUERIES: 2}, Layer.FLOWS),
        ({Layer.QUERIES: 2, Layer.FLOWS: 1}, None),
        ({Layer.RULES: 9}, None),
    ],
)
def test_two_of_a_layer_call_for_the_next(counts: dict[Layer, int], expected: Layer | None) -> None:
    """From structure to queries to flows; one that is there asks for no other."""
    assert expected is upward(counts)


def test_each_layer_above_has_a_kind() -> None:
    """What is asked for can be captured."""
    assert {Layer.QUERIES, Layer.FLOWS} == set(KIND_ABOVE)
    assert set(KIND_ABOVE.values()) <= set(KINDS)
