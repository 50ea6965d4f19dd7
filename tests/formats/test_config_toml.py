"""A domain is enabled in config.toml: what was in the file stays, byte for byte."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.formats.config_toml import Unedited, enabling

LAYOUTS = [
    "",
    "# mine\n",
    "a = 1",
    "a = 1\r\n# end\r\n",
    "[effects]\nshare = 0.1 # half\n\n\n# tail",
    "[domains]\n",
    "[domains] # mine",
    "[domains]\nenabled = []\n",
    "[domains]\nenabled=[ 'x' ]# c\n[z]\n",
    "[domains]\n  enabled = [\n\t\"订单\", # one\n\t'b',  # two\n  ]\nother = 1\n",
    '[domains]\r\nenabled = [\r\n\t"a"\r\n]\r\n[b]\r\n',
    "[domains]\nenabled = [ # none yet\n]\n",
    'domains.enabled = ["a"]\n[b]\n',
    'domains = {enabled=["a"]}\n',
    "domains = {}\n",
    "[domains.x]\ny = 1\n",
    "[domains.x]\ny = 1\n[b]\n[domains]\nz = 1\n",
    "[[t]]\na = 1\n[[t]]\n",
    "enabled = 1\n[gates]\njudge = 'agent'\n\n[domains]\n\n# about\n\n[b]\nx = '''\n\n'''\n",
]


def names(text: str) -> list[str]:
    found = tomllib.loads(text).get("domains", {}).get("enabled", [])
    assert isinstance(found, list)
    return found


def without(config: dict[str, Any]) -> dict[str, Any]:
    """The rest of it."""
    rest = dict(config.get("domains", {}))
    rest.pop("enabled", None)
    return {**config, "domains": rest}


def holds_all_of(after: str, before: str) -> bool:
    """Whether nothing but one insertion tells them apart."""
    added = len(after) - len(before)
    return any(
        after[:at] + after[at + added :] == before for at in range(len(before) + 1) if added >= 0
    )


@pytest.mark.parametrize("text", LAYOUTS)
def test_one_piece_is_added_and_nothing_else_changes(text: str) -> None:
    """Whatever the layout; a second time there is nothing to do."""
    after = enabling(text, "database")
    assert isinstance(after, str), after
    assert [*names(text), "database"] == names(after)
    assert without(tomllib.loads(text)) == without(tomllib.loads(after))
    assert holds_all_of(after, text)
    assert after == enabling(after, "database")
    assert ("\r\n" in text) is ("\r\n" in after)
    assert "\r\n" not in text or "\n" not in after.replace("\r\n", "")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[domains", 'enabled = ["database"]'),
        ("\ufeff[domains]\n", 'enabled = ["database"]'),
        ("domains = 1\n", 'enabled = ["database"]'),
        ("[domains]\nenabled = 'x'\n", 'enabled = ["database"]'),
        ("[domains]\nenabled = [1]\n", 'enabled = ["database"]'),
        (
            "[domains]\nenabled = [\n  'a',\n  '订'\n  # end\n]\n",
            'enabled = ["a", "订", "database"]',
        ),
    ],
)
def test_what_cannot_be_added_to_is_left_with_the_line_to_write(text: str, line: str) -> None:
    """What is no list, and a layout that the library breaks."""
    left = enabling(text, "database")
    assert isinstance(left, Unedited)
    assert line == left.line


PIECES = st.sampled_from([
    "\n", "\r\n", " ", "#x\n", "a", "=", "1", "[", "]", ",", "'a'", '"b"', "[domains]\n", "domains",
    ".", "enabled", "enabled = [", "]\n", "{", "}", "[b]\n", "[domains.c]\n", "[[t]]\n", "x = 1\n",
])  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_text_is_added_to_or_left(text: str) -> None:
    """Never an error, and never a text that says anything else."""
    after = enabling(text, "database")
    if isinstance(after, str):
        assert "database" in names(after)
        assert without(tomllib.loads(text)) == without(tomllib.loads(after))
        assert holds_all_of(after, text)
