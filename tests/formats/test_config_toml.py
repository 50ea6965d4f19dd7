"""A setting of config.toml is added or changed: what else was in the file stays as it was."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from learnt.formats.config_toml import Unedited, with_setting

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
    """The domains that a config.toml enables; none where it is no table, or no list."""
    table = tomllib.loads(text).get("domains", {})
    found = table.get("enabled", []) if isinstance(table, dict) else []
    return found if isinstance(found, list) else []


def enabling(text: str, domain: str) -> str | Unedited:
    """The text with a domain more, as `db setup` writes it."""
    try:
        held = names(text)
    except ValueError:
        held = []
    return with_setting(text, "domains", "enabled", [*held, *{domain}.difference(map(str, held))])


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
        (
            "[domains]\nenabled = [\n  'a',\n  '订'\n  # end\n]\n",
            'enabled = ["a", "订", "database"]',
        ),
    ],
)
def test_what_cannot_be_added_to_is_left_with_the_line_to_write(text: str, line: str) -> None:
    """What is no TOML, no table, and a layout that the library breaks."""
    left = enabling(text, "database")
    assert isinstance(left, Unedited)
    assert line == left.line


@pytest.mark.parametrize("text", LAYOUTS)
def test_a_setting_is_added_or_changed_and_nothing_else(text: str) -> None:
    """Each comment and space stays; what it has already is not written again."""
    first = with_setting(text, "effects", "share", 0.2)
    assert isinstance(first, str), first
    after = with_setting(first, "effects", "share", 0.0)
    assert isinstance(after, str) and after == with_setting(after, "effects", "share", 0.0)
    before = tomllib.loads(text)
    assert {**before, "effects": {"share": 0.0}} == tomllib.loads(after)
    assert first.replace("0.2", "0.0") == after
    assert ("\r\n" in text) is ("\r\n" in after)
    assert all(line in after for line in text.splitlines() if "share" not in line)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[effects", "it is not TOML"),
        ("effects = 1\n", "effects is no table"),
        ("[effects]\nshare = [ # half\n0.1]\n", "its layout is not understood"),
        ("[effects]\nshare = '''\n#'''\n", "its layout is not understood"),
    ],
)
def test_a_setting_that_cannot_be_changed_is_left_with_its_line(text: str, why: str) -> None:
    """No comment within a value is lost, and no line but its own is replaced."""
    left = with_setting(text, "effects", "share", 0.2)
    assert isinstance(left, Unedited)
    assert left.why.startswith(why) and "share = 0.2" == left.line


PIECES = st.sampled_from([
    "\n", "\r\n", " ", "#x\n", "a", "=", "1", "[", "]", ",", "'a'", '"b"', "[domains]\n", "domains",
    ".", "enabled", "enabled = [", "]\n", "{", "}", "[b]\n", "[domains.c]\n", "[[t]]\n", "x = 1\n",
])  # fmt: skip


@given(st.lists(PIECES, max_size=14).map("".join))
def test_any_text_is_added_to_or_left(text: str) -> None:
    """Never an error, and never a text that says anything else."""
    changed = with_setting(text, "b", "x", 2)
    if isinstance(changed, str):
        before = tomllib.loads(text)
        assert {**before, "b": {**before.get("b", {}), "x": 2}} == tomllib.loads(changed)
    after = enabling(text, "database")
    if isinstance(after, str):
        assert "database" in names(after)
        before = tomllib.loads(text)
        assert without(before) == without(tomllib.loads(after))
        a_list = isinstance(before.get("domains", {}).get("enabled", []), list)
        assert holds_all_of(after, text) or not a_list
