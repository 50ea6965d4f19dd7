"""The sdist and the wheel: what is in them, and that they are the same each time."""

import hashlib
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from tools.release import ROOT, CannotRelease, built, project, ran

pytest.importorskip("hatchling", reason="the build backend is not installed: make set-up")

MOST_OF_A_WHEEL = 3_000_000
MOST_OF_A_FILE = 300_000
WEIGHTS = re.compile(r"src/learnt/language/\w+\.json")  # what reads sentences; users get it
FROM_THE_MACHINE = re.compile(rb"/(?:home|Users|root|work|tmp|private)/[\w.-]+/[\w./-]*learnt")


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Both, built once."""
    return built(tmp_path_factory.mktemp("built"))


@pytest.fixture(scope="module")
def sources(archives: tuple[Path, Path]) -> dict[str, bytes]:
    """The files of the sdist by their names below its one folder."""
    found = {}
    with tarfile.open(archives[0]) as archive:
        for member in archive.getmembers():
            stream = archive.extractfile(member)
            assert stream is not None, "no links and no folders"
            top, _, name = member.name.partition("/")
            assert f"learnt-{project()['version']}" == top
            found[name] = stream.read()
    return found


def kept_by_git() -> set[str]:
    """The files of the project, those that wait to be committed as well."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git here to ask what the project keeps")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--deduplicate"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return {name for name in done.stdout.splitlines() if (ROOT / name).is_file()}


def test_the_wheel_has_learnt_and_nothing_else(archives: tuple[Path, Path]) -> None:
    """Every file of the package, the licence, how to start it; within its size."""
    with zipfile.ZipFile(archives[1]) as archive:
        names = set(archive.namelist())
        metadata = next(name for name in names if name.endswith("METADATA"))
        told = archive.read(metadata).decode()
        own = [name for name in names if name.startswith("learnt/")]
        inside = [archive.read(name) for name in names]
    info = metadata.rpartition("/")[0]
    package = ROOT / "src" / "learnt"
    files = [path for path in package.rglob("*") if path.is_file() and path.suffix != ".pyc"]

    assert sorted(own) == sorted(f"learnt/{path.relative_to(package).as_posix()}" for path in files)
    rest = {"METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE"}
    assert {f"{info}/{name}" for name in rest} == names - set(own)
    assert archives[1].stat().st_size <= MOST_OF_A_WHEEL
    assert [] == [text[:80] for text in inside if FROM_THE_MACHINE.search(text)]
    assert "Classifier: Programming Language :: Python :: 3.14" in told
    assert all(f"Provides-Extra: {extra}" in told for extra in project()["optional-dependencies"])


def test_the_sdist_has_what_tests_and_pages_are_made_of(sources: dict[str, bytes]) -> None:
    """All that git keeps, with the tools, the changes that wait and the workflows; no more."""
    assert {"Makefile", "mkdocs.yml", "tools/release.py", "changelog.d/README.md"} <= set(sources)
    assert {"PKG-INFO"} == set(sources) - kept_by_git()
    assert set() == kept_by_git() - set(sources)


def test_no_file_of_the_sdist_is_heavy(sources: dict[str, bytes]) -> None:
    """But the weights that the wheel has as well."""
    heavy = [name for name, data in sources.items() if len(data) > MOST_OF_A_FILE]

    assert heavy and all(WEIGHTS.fullmatch(name) for name in heavy)


def test_no_path_of_this_machine_is_in_the_sdist(sources: dict[str, bytes]) -> None:
    """Neither where it was built nor whose home it is."""
    here = (str(ROOT).encode(), str(Path.home()).encode() + b"/")
    assert [] == [name for name, data in sources.items() if any(path in data for path in here)]


@pytest.mark.slow
def test_both_are_the_same_bytes_wherever_they_are_built(
    archives: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice in two folders, from what the sdist has alone, under other rights and language."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1764201600")
    monkeypatch.setenv("LANG", "C")
    sums = []
    for place in ("here", "there"):
        with tarfile.open(archives[0]) as archive:
            archive.extractall(tmp_path / place, filter="data")
        (source,) = (tmp_path / place).iterdir()
        if place == "there":
            for path in source.rglob("*.py"):
                path.chmod(0o600)
        both = built(tmp_path / f"built-{place}", source)
        sums.append([hashlib.sha256(path.read_bytes()).hexdigest() for path in both])
    both = built(tmp_path / "built-first")
    sums.append([hashlib.sha256(path.read_bytes()).hexdigest() for path in both])

    assert sums[0] == sums[1] == sums[2]


@pytest.mark.slow
def test_an_index_would_take_them(archives: tuple[Path, Path]) -> None:
    """As twine sees them, which is strict about the page's text."""
    pytest.importorskip("twine", reason="twine is not installed: make set-up")
    command = ["-m", "twine", "check", "--strict", *map(str, archives)]
    ran([sys.executable, *command], "See above.")


def test_a_source_that_cannot_be_built_is_named(tmp_path: Path) -> None:
    """With what the backend said, and what to do."""
    with pytest.raises(CannotRelease, match=r"hatchling build failed\. `make set-up`"):
        built(tmp_path / "out", tmp_path)
