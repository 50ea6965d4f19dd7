"""What keeps a pattern from being compiled keeps nothing from being found."""

import gzip
import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.secrets import SETS
from learnt.core import secret_places, secret_values
from learnt.core.late_patterns import late, may_hold
from tests.laws.strategies import nasty_text, texts

_PLACES = [(needs, pattern) for _, needs, pattern in secret_places.PLACES]
_SEPARATORS = [(needs, pattern) for _, needs, pattern in secret_places.SEPARATORS]
# Of a key's members it matters what they are members of: that need says more than its pattern.
_RULES = [rule for rule in _PLACES + _SEPARATORS if rule[0] not in ("", '"kty"')]
_SAMPLES = [
    json.loads(line)["text"]
    for path in sorted(SETS.glob("dev_*.jsonl.gz"))
    for line in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
]
# Two pieces of samples, joined where nobody would.
_spliced = st.builds(
    lambda one, two, at, to: one[: at % (len(one) + 1)] + two[to % (len(two) + 1) :],
    st.sampled_from(_SAMPLES), st.sampled_from(_SAMPLES), st.integers(0, 999), st.integers(0, 999),
)  # fmt: skip
_words = st.text(st.sampled_from("aZk09._-/!é\u0131"), min_size=5, max_size=40)


def _unmet(text: str) -> list[str]:
    """The needs of rules that match a text which does not meet them."""
    return [n for n, rule in _RULES if rule.search(text) and not may_hold(text.lower(), n)]


def test_what_a_rule_needs_stands_in_whatever_it_matches() -> None:
    """In texts of the kind that it was written for."""
    assert [] == [needs for text in _SAMPLES for needs in _unmet(text)]


@given(st.one_of(texts, nasty_text, _spliced))
def test_also_in_texts_of_chance(text: str) -> None:
    """And in such as nobody wrote."""
    assert [] == _unmet(text)


@pytest.mark.parametrize("number", range(len(_RULES)))
@settings(max_examples=8)
@given(data=st.data())
def test_also_in_what_is_made_from_the_rule(number: int, data: st.DataObject) -> None:
    """A text that was made to match meets what the rule needs."""
    needs, rule = _RULES[number]
    made = data.draw(
        st.from_regex(
            rule.pattern if rule.flags & re.UNICODE else re.compile(rule.pattern, re.ASCII)
        )
    )

    assert may_hold(made.lower(), needs)


@given(_words, _words, _words)
def test_a_value_of_chance_is_seen_in_its_text(before: str, value: str, after: str) -> None:
    """Where a text is said to hold none, no part of it is one."""
    mixed, chance = secret_values.has_any(f"{before} x{value}{after}")

    assert chance or not secret_values.has_chance(value)
    assert mixed or not (len(value) > 5 and secret_values.is_mixed(value))


def test_a_late_pattern_does_what_a_pattern_does() -> None:
    """From its first use on."""
    pattern = late("(?i)b+", re.ASCII)

    assert ["bB", "b"] == pattern.findall("abBab")
    assert "axa" == pattern.sub("x", "aba")
    assert pattern.pattern == "(?i)b+"
