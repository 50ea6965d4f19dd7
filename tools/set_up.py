"""Makes the project's own virtual environment with all that its tests want.

Run by `make` with whatever Python is there; standard library only.
"""

import subprocess
import sys
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main(folder: Path) -> int:
    """Make or renew the environment; 0 if it is ready, else 5 with the reason."""
    if sys.version_info < (3, 11):  # noqa: UP036  # any Python may be the one that runs this
        print("Learnt needs Python 3.11 or newer: make PYTHON=python3.11", file=sys.stderr)
        return 5
    if not (folder / "bin" / "python").exists():
        print(f"Making a virtual environment in {folder.absolute()}.", flush=True)
        try:
            venv.create(folder, with_pip=True)
        except subprocess.CalledProcessError:
            print("Python's venv module is incomplete: apt-get install python3-venv")
            return 5
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = project["dependency-groups"]["dev"]
    print(
        f"Installing Learnt, {len(wanted)} packages that its tests want and what these need into"
        f" {folder.absolute()}: about 1.4 GB, from the package index; nothing system-wide.",
        flush=True,
    )
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    quiet = ["--disable-pip-version-check", "--no-warn-script-location"]
    return subprocess.run([*pip, *quiet, "--editable", str(ROOT), *wanted], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
