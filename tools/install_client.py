"""Installs the real clients into .tools, for the tests with them; says so if it can't.

Claude Code, Codex, Gemini CLI, opencode, the skills installer, the MCP Inspector, and what looks
whether pages can be used by everybody (axe-core). Claude Code is not free software: it is fetched
by npm from its maker and never shipped.
"""

import shutil
import subprocess
import sys
from pathlib import Path

TOOLS = Path(__file__).resolve().parent.parent / ".tools"
# Each program's package and its megabytes. Of the installer the newest that runs on this Node.
WANTED = {
    "claude": ("@anthropic-ai/claude-code@latest", 365),
    "codex": ("@openai/codex@latest", 400),
    "gemini": ("@google/gemini-cli@latest", 100),
    "opencode": ("opencode-ai@latest", 170),
    "skills": ("skills@*", 10),
    "mcp-inspector": ("@modelcontextprotocol/inspector@2", 100),
    "axe-core": ("axe-core@4", 4),
}
SECONDS = 240


def _there(name: str) -> bool:
    modules = TOOLS / "node_modules"
    return (modules / ".bin" / name).exists() or (modules / name / "package.json").exists()


def main() -> int:
    """Always 0: without them their tests are skipped, with the reason printed."""
    missing = {package: size for name, (package, size) in WANTED.items() if not _there(name)}
    if not missing:
        return 0
    npm = shutil.which("npm")
    if npm is None:
        print("No npm here: the tests with the real clients will be skipped.")
        return 0
    print(
        f"Installing {', '.join(missing)} for the tests that drive them, with npm into {TOOLS}:"
        f" about {sum(missing.values())} MB; nothing system-wide.",
        flush=True,
    )
    TOOLS.mkdir(exist_ok=True)
    command = [npm, "install", *missing, "--prefix", str(TOOLS)]
    try:
        done = subprocess.run(
            [*command, "--no-audit", "--no-fund", "--loglevel=error"],
            timeout=SECONDS,
            check=False,
            capture_output=True,
            text=True,
        )
    except subprocess.TimeoutExpired:
        print("npm took too long: the tests with what is missing will be skipped.")
        return 0
    if done.returncode or not all(map(_there, WANTED)):
        print("npm could not install them: the tests with what is missing will be skipped.")
        print(done.stderr[-500:])
    return 0


if __name__ == "__main__":
    sys.exit(main())
