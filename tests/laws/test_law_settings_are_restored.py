"""An agent's settings: registering is idempotent, and taking out undoes it exactly."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from learnt.formats.agents.dialects import EVENTS
from learnt.formats.agents.hook_settings import (
    belongs_to,
    command,
    is_shared,
    registered,
    shared_command,
    with_hooks,
    without_hooks,
)
from learnt.formats.agents.settings_text import parse, render

HOME = "/home/ann/.local/share/learnt"

_json = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
_handler = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.text(max_size=12)}, optional={"timeout": _json}
)
_odd = st.one_of(_json, st.lists(_json, max_size=2), st.dictionaries(st.text(max_size=3), _json))
_group = st.fixed_dictionaries(
    {"hooks": st.lists(_handler | _odd, max_size=3)}, optional={"matcher": st.text(max_size=4)}
)
_events = st.sampled_from([*EVENTS, "PreToolUse", "Notification"])
_hooks = st.dictionaries(_events, st.lists(_group | _odd, min_size=1, max_size=3), min_size=1)
_settings = st.fixed_dictionaries(
    {}, optional={"hooks": _hooks, "model": _json, "permissions": st.dictionaries(st.text(), _json)}
)


def ours(event: str) -> str:
    """The command of this home."""
    return command("/usr/bin/python3", HOME, event)


@given(_settings)
def test_registering_twice_is_registering_once(settings: dict[str, Any]) -> None:
    """Each event has our handler exactly once, whatever stood there."""
    once = with_hooks(settings, ours)

    assert once == with_hooks(once, ours)
    assert sorted((event, ours(event)) for event in EVENTS) == sorted(
        (event, line) for event, line, _ in registered(once)
    )


@given(_settings)
def test_taking_out_undoes_registering(settings: dict[str, Any]) -> None:
    """Settings without any of ours come back as they were, odd members included."""
    assert settings == without_hooks(with_hooks(settings, ours), belongs_to(HOME))
    assert settings == without_hooks(with_hooks(settings, shared_command), is_shared)
    assert settings == without_hooks(settings, belongs_to(HOME))


@given(_settings)
def test_two_homes_do_not_touch_each_other(settings: dict[str, Any]) -> None:
    """In whichever order they come and go."""

    def theirs(event: str) -> str:
        return command("/usr/bin/python3", HOME + "2", event)

    alone = with_hooks(settings, theirs)

    assert alone == without_hooks(with_hooks(alone, ours), belongs_to(HOME))
    both = with_hooks(with_hooks(settings, ours), theirs)
    assert settings == without_hooks(without_hooks(both, belongs_to(HOME)), belongs_to(HOME + "2"))


@given(_settings)
def test_the_file_says_the_same(settings: dict[str, Any]) -> None:
    """What is written is what was meant."""
    edited = with_hooks(settings, ours)

    assert edited == parse(render(edited, render(settings, "")))
