"""The wheel as a user installs it: the demo plays from it, and what it needs is listed."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.release import ROOT, CannotRelease, built, installed, project, sbom

pytest.importorskip("hatchling", reason="the build backend is not installed: make set-up")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """It, if what it needs can be installed."""
    made = built(tmp_path_factory.mktemp("wheel"))[1]
    try:
        with installed(made):
            return made
    except CannotRelease as reason:
        pytest.skip(f"no package index within reach: {reason}")


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_demo_plays_from_it(wheel: Path) -> None:
    """What is begun from nothing but the wheel's environment ends well, and nothing is left."""
    command = [sys.executable, "-m", "tools.release", "demo"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)

    assert 0 == done.returncode, done.stderr
    assert done.stdout.startswith(f"From {wheel.name}, installed in ")
    assert "Every view and index is, byte for byte, what the events give." in done.stdout
    assert not Path(done.stdout.partition("installed in ")[2].partition(" ")[0]).exists()


@pytest.mark.slow
def test_it_is_not_the_sources_that_play(wheel: Path) -> None:
    """The package that the environment finds is its own."""
    with installed(wheel) as folder:
        where = [str(folder / "venv/bin/python"), "-c", "import learnt; print(learnt.__file__)"]
        done = subprocess.run(where, cwd=folder, capture_output=True, text=True, check=True)
        assert Path(done.stdout.strip()).is_relative_to(folder / "venv")


@pytest.mark.slow
def test_the_sbom_names_each_package_that_it_needs(wheel: Path, tmp_path: Path) -> None:
    """With its version and licence, below Learnt; no path of the machine is in it."""
    pytest.importorskip("cyclonedx_py", reason="cyclonedx-bom is not installed: make set-up")
    target = tmp_path / "learnt.cdx.json"
    sbom(wheel, target)
    text = target.read_text("utf-8")
    told = json.loads(text)
    parts = {part["name"].lower(): part for part in told["components"]}
    needed = {re.split(r"[<>=]", name)[0].lower() for name in project()["dependencies"]}

    assert ("CycloneDX", "learnt") == (told["bomFormat"], told["metadata"]["component"]["name"])
    assert needed <= set(parts)  # what these need besides is named as well
    assert all(part["version"] and part["licenses"] for part in parts.values())
    assert str(tmp_path.parent) not in text and "file:" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["FROM=wheel"], "tools.release demo"),
        ([], "bin/learnt demo"),
        (["FROM=egg"], "FROM is source or wheel, not egg"),
    ],
)
def test_make_takes_the_demo_from_where_it_is_told(words: list[str], said: str) -> None:
    """From the sources unless another is named; a word that it does not know is told."""
    done = subprocess.run(["make", "-n", "demo", *words], cwd=ROOT, capture_output=True, text=True)

    assert said in done.stdout + done.stderr
    assert ("egg" in said) is (done.returncode != 0)


def test_a_word_that_is_none_of_the_three_is_a_usage_error() -> None:
    """The answer names the three."""
    command = [sys.executable, "-m", "tools.release", "publish"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)

    assert 2 == done.returncode
    assert all(f"tools.release {word}`" in done.stderr for word in ("dist", "sbom", "demo"))


@pytest.mark.slow
def test_a_wheel_that_cannot_be_installed_is_named(tmp_path: Path) -> None:
    """With what pip said; nothing stays behind."""
    broken = tmp_path / "learnt-1-py3-none-any.whl"
    broken.write_bytes(b"no archive")
    with pytest.raises(CannotRelease, match=r"within reach\?"), installed(broken):
        pass
