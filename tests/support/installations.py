"""A copy of Learnt in an environment of its own, to be upgraded, removed and added to."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import msgspec
import platformdirs
import Stemmer

import learnt


class Installation:
    """A copy of the package in an environment of its own, as a package manager leaves it."""

    def __init__(self, folder: Path) -> None:
        words = [sys.executable, "-m", "venv", "--without-pip", str(folder)]
        subprocess.run(words, check=True)
        self.python = folder / "bin" / "python"
        (self.site,) = folder.glob("lib/python*/site-packages")
        self.package = self.site / "learnt"
        for other in (click, msgspec, platformdirs, Stemmer):
            found = Path(str(other.__file__))
            package = found.parent if found.stem == "__init__" else found
            (self.site / package.name).symlink_to(package)
        self.put("0.1.0", aged=True)

    def put(self, version: str, *, aged: bool = False) -> None:
        """Install a version over whatever is there, file by file, the way `pip` does."""
        source = Path(learnt.__file__).parent
        for path in sorted(source.rglob("*")):
            target = self.package / path.relative_to(source)
            if path.is_dir() or "__pycache__" in path.parts:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            content = path.read_bytes()
            if path == source / "__init__.py":
                content = content.replace(learnt.__version__.encode(), version.encode())
            target.write_bytes(content)
            if aged:
                os.utime(target, (1_600_000_000, 1_600_000_000))

    def add(self, name: str, module: str, entry_points: str = "") -> None:
        """Install a package of one module beside it."""
        about = self.site / f"{name}-1.0.dist-info"
        about.mkdir()
        (about / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", "utf-8"
        )
        (about / "entry_points.txt").write_text(entry_points, "utf-8")
        (self.site / f"{name}.py").write_text(module, "utf-8")

    def remove(self) -> None:
        shutil.rmtree(self.package)

    def learnt(self, *words: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        boot = "import sys; from learnt.surfaces.cli.entry import main; sys.exit(main())"
        return subprocess.run(
            [str(self.python), "-I", "-c", boot, *words],
            env={"PATH": os.environ["PATH"], "CI": "true"},
            capture_output=True,
            text=True,
            timeout=30,
            check=check,
        )
