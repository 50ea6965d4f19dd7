"""The page on the Python API: true as it stands, and of every name that the root offers."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

import learnt
from tests.support.homes import Home

PAGE = Path(__file__).resolve().parents[2] / "docs" / "api.md"


def test_each_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, in a folder and a home of their own."""
    for name in ("LEARNT_HOME", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    for name in ("CLAUDE_CONFIG_DIR", "CLAUDE_CODE_SESSION_ID"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    failures, tried = doctest.testfile(
        str(PAGE), module_relative=False, optionflags=doctest.ELLIPSIS
    )
    assert 0 == failures and 20 <= tried


def test_each_name_has_its_row_and_its_example() -> None:
    """Ten at most, in the table and in an example; `__version__` speaks for itself."""
    text = PAGE.read_text("utf-8")
    table = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| `.*?\|", text, re.MULTILINE))))
    shown = set(re.findall(r"learnt\.(\w+)", "".join(re.findall(r"^(?:>>>|\.\.\.).*", text, re.M))))
    assert {*learnt.__all__} == table == {*dir(learnt)}
    assert {*learnt.__all__} - {"__version__"} == shown - {"errors"}
    assert 10 >= len(learnt.__all__)


def test_importing_it_costs_next_to_nothing(home: Home) -> None:
    """No other module is loaded, not even of the standard library; a name loads what it needs."""
    code = (
        "import sys; before = set(sys.modules); import learnt; print({*sys.modules} - before); "
        "learnt.Home; print({'mcp', 'pydantic', 'anyio', 'click', 'numpy'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=home.environment, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert ["{'learnt'}", "set()"] == done.stdout.splitlines()


def test_another_name_is_none_of_its() -> None:
    """It fails as it does of every module."""
    with pytest.raises(AttributeError, match="no attribute 'SkillEvolver'"):
        _ = learnt.SkillEvolver  # type: ignore[attr-defined]  # which is what is tried
