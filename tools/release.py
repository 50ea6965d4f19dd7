"""Builds what is released, and tries it as a user gets it.

- `python -m tools.release dist`: the sdist and the wheel in `dist/`, looked at by twine;
- `python -m tools.release sbom`: beside them, as CycloneDX, what the wheel installs;
- `python -m tools.release demo`: `learnt demo` of the wheel, from an environment made for it.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

ROOT = Path(__file__).resolve().parent.parent
DIST: Final = ROOT / "dist"
EPOCH: Final = "SOURCE_DATE_EPOCH"


class CannotRelease(RuntimeError):
    """A step outside of this program failed; the message says which, and what to do."""


def project() -> dict[str, Any]:
    """The table `project` of pyproject.toml."""
    read: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return read


def epoch(source: Path) -> str:
    """The time that files in an archive bear: the given one, or that of the last commit.

    Without either it is the build backend's own, which is fixed as well.
    """
    if given := os.environ.get(EPOCH):
        return given
    command = ["git", "-C", str(source), "log", "-1", "--format=%ct"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def ran(command: list[str], advice: str, cwd: Path = ROOT, at: str = "") -> None:
    """Run a command in a folder, with a time for what it writes if there is one.

    Raises:
        CannotRelease: it failed; what it said is in the message, before the advice.

    """
    environment = {**os.environ, EPOCH: at} if at else None
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    if done.returncode:
        raise CannotRelease(f"{done.stdout}{done.stderr}{' '.join(command[2:4])} failed. {advice}")


def built(target: Path, source: Path = ROOT) -> tuple[Path, Path]:
    """The sdist and the wheel of a source folder, byte for byte the same each time.

    Raises:
        CannotRelease: hatchling refused, or is not there.

    """
    advice = "`make set-up` installs hatchling."
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    ran(command, advice, source, epoch(source))
    name = f"learnt-{project()['version']}"
    return target / f"{name}.tar.gz", target / f"{name}-py3-none-any.whl"


def dist() -> tuple[Path, Path]:
    """The same in `dist/`, in place of what was built before, and held to be fit for an index.

    Raises:
        CannotRelease: twine refused it.

    """
    for old in (*DIST.glob("*.whl"), *DIST.glob("*.tar.gz"), *DIST.glob("*.cdx.json")):
        old.unlink()
    both = built(DIST)
    advice = "Mend what twine names in pyproject.toml or README.md."
    ran([sys.executable, "-m", "twine", "check", "--strict", *map(str, both)], advice)
    return both


@contextmanager
def installed(wheel: Path) -> Iterator[Path]:
    """A folder with an environment that holds the wheel and what it needs, removed at the end.

    Raises:
        CannotRelease: pip could not install it.

    """
    with tempfile.TemporaryDirectory(prefix="learnt-wheel-") as scratch:
        folder = Path(scratch)
        venv.create(folder / "venv", with_pip=False)
        python = folder / "venv" / "bin" / "python"
        pip = [sys.executable, "-m", "pip", "--python", str(python), "--disable-pip-version-check"]
        advice = "What the wheel needs comes from the package index; is it within reach?"
        ran([*pip, "install", "--quiet", str(wheel)], advice)
        yield folder


def sbom(wheel: Path, target: Path) -> None:
    """Write what an environment with the wheel holds, with versions and licences.

    Raises:
        CannotRelease: it could not be installed or listed.

    """
    with installed(wheel) as folder:
        command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
        whose = ["--pyproject", str(ROOT / "pyproject.toml"), "-o", str(target)]
        python = str(folder / "venv" / "bin" / "python")
        advice = "`make set-up` installs cyclonedx-bom."
        ran([*command, *whose, python], advice, at=epoch(ROOT))


def demo(wheel: Path) -> int:
    """The exit code of `learnt demo`, of the wheel and of nothing in this folder."""
    with installed(wheel) as folder:
        own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        print(f"From {wheel.name}, installed in {folder / 'venv'} for as long as it plays.\n")
        sys.stdout.flush()
        learnt = str(folder / "venv" / "bin" / "learnt")
        return subprocess.run([learnt, "demo"], cwd=folder, env=own).returncode


def main(words: list[str]) -> int:
    """Do one of the three; 2 for any other word, 5 with the reason where a step failed."""
    try:
        match words:
            case ["dist"]:
                for path in dist():
                    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
            case ["sbom"]:
                wheel = dist()[1]
                target = DIST / f"learnt-{project()['version']}.cdx.json"
                sbom(wheel, target)
                count = len(json.loads(target.read_text("utf-8"))["components"])
                print(f"{target.relative_to(ROOT)}: Learnt and {count} packages that it needs")
            case ["demo"]:
                with tempfile.TemporaryDirectory() as scratch:
                    return demo(built(Path(scratch))[1])
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except CannotRelease as reason:
        print(reason, file=sys.stderr)
        return 5
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
