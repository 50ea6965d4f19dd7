"""Installs the real Claude Code into .tools, for the tests that drive it; says so if it can't.

The client is not free software: it is fetched by npm from its maker and never shipped.
"""

import shutil
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent / ".tools"
CLIENT = TOOLS / "node_modules" / ".bin" / "claude"
SECONDS = 240


def main() -> int:
    """Always 0: without the client its tests are skipped, with the reason printed."""
    if CLIENT.exists():
        return 0
    npm = shutil.which("npm")
    if npm is None:
        print("No npm here: the tests with the real Claude Code will be skipped.")
        return 0
    print("Installing Claude Code for the tests that drive it ...", flush=True)
    TOOLS.mkdir(exist_ok=True)
    command = [npm, "install", "@anthropic-ai/claude-code@latest", "--prefix", str(TOOLS)]
    try:
        done = subprocess.run(
            [*command, "--no-audit", "--no-fund", "--loglevel=error"],
            timeout=SECONDS,
            check=False,
            capture_output=True,
            text=True,
        )
    except subprocess.TimeoutExpired:
        print("npm took too long: the tests with the real Claude Code will be skipped.")
        return 0
    if done.returncode or not CLIENT.exists():
        print("npm could not install it: the tests with the real client will be skipped.")
        print(done.stderr[-500:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
