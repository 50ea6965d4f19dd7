"""Settings are read as their client reads them, and written so that nothing else changes."""

from typing import Any

import pytest

from learnt.formats.agents.dialects import BY_NAME, Dialect, switched_off
from learnt.formats.agents.hook_settings import belongs_to, command, edited, registered, restored
from learnt.formats.agents.settings_text import BadSettings, parse
from learnt.stores.text_files import text_of
from tests.support.settings_table import EVENTS, ROWS, Row

THEIRS = "true # learnt_hook of another home"
HOME = "/home/ann/learnt"
CASES = [
    pytest.param(BY_NAME[name], row, id=f"{name}-{row.name}") for row in ROWS for name in EVENTS
]


def ours(event: str) -> str:
    return command("/usr/bin/python3", HOME, event)


def runs(agent: Dialect, text: str) -> bool:
    """Whether Learnt takes the hook in this text for one that the client runs."""
    try:
        return any(line == THEIRS for _, line, _ in registered(parse(text, agent)))
    except BadSettings:
        return False


def others(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings without events that are empty: those go with the last hook."""
    return {**settings, "hooks": {k: v for k, v in (settings["hooks"]).items() if v}}


@pytest.mark.parametrize(("agent", "row"), CASES)
def test_a_file_is_read_as_its_client_reads_it(agent: Dialect, row: Row) -> None:
    """The hook counts as registered exactly where the client ran it."""
    try:
        text = text_of(row.data(agent.name, THEIRS))
    except UnicodeDecodeError:
        text = ""

    assert runs(agent, text) == (agent.name in row.ran)


@pytest.mark.parametrize(("agent", "row"), CASES)
def test_what_was_there_stays_byte_for_byte(agent: Dialect, row: Row) -> None:
    """Hooks are put in, another's are edited in beside them, and ours are taken out again."""
    if agent.name not in row.ran:
        return
    before = text_of(row.data(agent.name, THEIRS))
    after = edited(before, belongs_to(HOME), ours, dialect=agent)

    assert runs(agent, after)
    assert after == edited(after, belongs_to(HOME), ours, dialect=agent)
    left = iter(after)
    assert all(letter in left for letter in before), "something of the old text is gone"
    without = restored(after, belongs_to(HOME), agent)
    assert others(parse(without, agent)) == others(parse(before, agent))
    for kept in ("1e400", "caf\udce9", "\\ud83d", "// mine", "/* mine */", "\ufeff"):
        assert (kept in before) == (kept in without), kept


@pytest.mark.parametrize("told", ["1", '"true"', "null"])
def test_a_switch_that_claude_code_does_not_take_spoils_the_file(told: str) -> None:
    """It passes the whole file over, the hooks in it as well."""
    with pytest.raises(BadSettings, match="disableAllHooks"):
        parse(f'{{"disableAllHooks": {told}}}')


OFF, ON = {"disableAllHooks": True}, {"disableAllHooks": False}


@pytest.mark.parametrize(
    ("layers", "file"),
    [
        ([OFF, {}, {}, {}], "user"),
        ([{}, OFF, {}, {}], "project"),
        ([OFF, ON, {}, {}], ""),
        ([OFF, {}, ON, {}], ""),
        ([{}, OFF, ON, {}], ""),
        ([{}, {}, {}, OFF], "managed"),
        ([OFF, {}, {}, ON], ""),
        ([{}, {}, {}, {"allowManagedHooksOnly": True}], "managed"),
        ([{"allowManagedHooksOnly": True}, {}, {}, {}], ""),
        ([ON, ON, ON, {"strictPluginOnlyCustomization": ["hooks"]}], "managed"),
        ([ON, ON, ON, {"strictPluginOnlyCustomization": ["skills"]}], ""),
    ],
)
def test_the_file_that_switches_claude_codes_hooks_off(
    layers: list[dict[str, Any]], file: str
) -> None:
    """The last that says something counts; some keys count in managed settings alone."""
    names = ("user", "project", "local", "managed")
    told = switched_off(BY_NAME["claude"], list(zip(names, layers, strict=True)), ["managed"])

    assert file == told[1]


@pytest.mark.parametrize(
    ("layers", "file"),
    [
        ([{"hooksConfig": {"enabled": False}}, {}], "user"),
        ([{"hooksConfig": {"enabled": "false"}}, {}], "user"),
        ([{"hooksConfig": {"enabled": None}}, {}], ""),
        ([{"hooksConfig": {"enabled": False}}, {"hooksConfig": {"enabled": True}}], ""),
        ([{"hooksConfig": {"disabled": ["Learnt"]}}, {"hooksConfig": {"disabled": []}}], "user"),
        ([{"hooksConfig": {"disabled": ["another"]}}, {}], ""),
    ],
)
def test_the_file_that_switches_gemini_clis_hooks_off(
    layers: list[dict[str, Any]], file: str
) -> None:
    """All of them, or those of a name; a list of names adds to the others'."""
    told = switched_off(BY_NAME["gemini"], list(zip(("user", "project"), layers, strict=True)))

    assert file == told[1]


@pytest.mark.parametrize(
    ("features", "off"),
    [
        ({"hooks": False}, True),
        ({"codex_hooks": False}, True),
        ({"hooks": True, "codex_hooks": False}, False),
        ({}, False),
    ],
)
def test_codex_has_two_names_for_its_switch(features: dict[str, bool], off: bool) -> None:
    """The newer one counts where both are set."""
    assert off == bool(switched_off(BY_NAME["codex"], [("f", {"features": features})])[0])
