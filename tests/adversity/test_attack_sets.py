"""The standing attack sets, by authors who had not seen the program: what each class promises."""

import json
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.attacks import endpoints, homes, past, purging, who
from tests.support.attacks.sets import HALVES, Case, cases
from tests.support.homes import Home, throwaway

PLAYED: dict[str, Callable[[Home, Case], list[str]]] = {
    "who": who.breaks,
    "purge": purging.breaks,
    "homes": homes.breaks,
    "experiences": past.breaks,
    "endpoints": endpoints.breaks,
}

# What still breaks, and why: see docs/security.md.
NAMED_SO = "a program can be named as a terminal is named"
IN_WORDS = "an order in words that no rule knows; its person reads the draft"
OPEN = {
    "who-dev-konsole-copy": NAMED_SO,
    "who-dev-bind-over-login": NAMED_SO,
    "who-unseen-hook-fake-claude": NAMED_SO,
    "endpoints-dev-only-on-release": IN_WORDS,
    "endpoints-unseen-climbing-name": "it is a draft's heading; the skill is named without it",
}


def all_cases() -> Iterator[object]:
    """Each case as a parameter; the first two of a class run each time."""
    for name in PLAYED:
        for half in HALVES:
            for number, case in enumerate(cases(name, half)):
                own = f"{name}-{half}-{case['id']}"
                marks = [] if half == "dev" and number < 2 else [pytest.mark.slow]
                if own in OPEN:
                    # A busy machine may be too slow for an attack that starts programs.
                    sure = OPEN[own] != NAMED_SO
                    marks.append(pytest.mark.xfail(reason=OPEN[own], strict=sure))
                yield pytest.param(name, case, id=own, marks=marks)


@pytest.mark.skipif(sys.platform != "linux", reason="scripts of cases are for Linux")
@pytest.mark.parametrize(("name", "case"), [*all_cases()])
def test_what_is_promised_holds(tmp_path: Path, name: str, case: Case) -> None:
    """Of each case."""
    with throwaway(tmp_path) as home:
        assert PLAYED[name](home, case) == [], case["why"]


def test_each_class_has_forty_cases() -> None:
    """Half of them unseen."""
    for name in PLAYED:
        assert [len(cases(name, half)) for half in HALVES] == [24, 24]
    assert shutil.which("bash")


def test_what_is_no_attack_comes_through(tmp_path: Path) -> None:
    """A sound reply is drafted, and a skill's past is told: so a case could break them."""
    sound = {"title": "run-migrations", "description": "d", "when": "w", "steps": ["alembic heads"]}
    with throwaway(tmp_path / "a") as home:
        reply = {"answers": [{"content": json.dumps({"skill": sound})}], "poison": "alembic heads"}
        (broken,) = endpoints.breaks(home, reply)
        assert broken.startswith("a draft holds it")
    with throwaway(tmp_path / "b") as home:
        case = {"place": "command", "text": "make tidy", "poison": "One table"}
        assert past.ASKED in past.given(home, case)
