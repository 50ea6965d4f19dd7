"""Makes the project's own virtual environment: for the demo alone, or with all that its tests want.

    python tools/set_up.py FOLDER [demo]

Run by `make` with whatever Python is there; standard library only.
"""

import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from typing import Final

ROOT = Path(__file__).resolve().parent.parent


SERVED: Final = "mcp"  # what the MCP server alone needs, which the demo does not start


def main(folder: Path, *, demo: bool) -> int:
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
    own = [n for n in project["project"]["dependencies"] if not n.startswith(SERVED)]
    tests = project["dependency-groups"]["dev"]
    what, size = f"{len(tests)} packages that its tests want and what these need", "1.4 GB"
    if demo:
        what, size = f"the {len(own)} packages that a command needs", "15 MB"
    print(
        f"Installing Learnt, {what} into {folder.absolute()}: about {size}, from the package index;"
        " nothing system-wide.",
        flush=True,
    )
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    pip += ["--disable-pip-version-check", "--no-warn-script-location"]
    calls = [["--editable", str(ROOT), *tests]]
    if demo:
        calls = [own, ["--no-deps", "--editable", str(ROOT)]]
    return max(subprocess.run([*pip, *names], check=False).returncode for names in calls)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), demo="demo" in sys.argv[2:]))
