"""Which cases of a test run each time, and which in `make test-all` alone."""

from collections.abc import Iterable
from typing import Any

import pytest


def first(count: int, cases: Iterable[Any]) -> list[Any]:
    """All cases as parameters of a test; those after the first few are slow.

    >>> [len(case.marks) for case in first(1, ["a", "b"])]
    [0, 1]
    """
    return [
        pytest.param(
            *(case if isinstance(case, tuple) else (case,)),
            marks=() if number < count else pytest.mark.slow,
        )
        for number, case in enumerate(cases)
    ]


def chosen(cases: Iterable[Any], *quick: Any) -> list[Any]:
    """All cases as parameters of a test; those that are not among the quick ones are slow.

    >>> [len(case.marks) for case in chosen(["a", "b"], "b")]
    [1, 0]
    """
    every = list(cases)
    assert all(case in every for case in quick), quick
    return first(len(quick), [*quick, *(case for case in every if case not in quick)])


def nested(depth: int) -> object:
    """Lists in lists."""
    value: object = "inside"
    for _ in range(depth):
        value = [value]
    return value
