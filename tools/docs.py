"""Writes the generated parts of the documentation, or with --check says whether they are stale.

- `docs/cli.md`: every command's help, from the commands themselves;
- `docs/walkthrough.md`: a week of an investigation, from `tools/walkthrough.py`;
- `docs/walkthrough-database.md`: a database in five rounds, from `tools/walkthrough_database.py`,
  where Sakila and a MariaDB are at hand; elsewhere it is left as it is, with a printed reason;
- `docs/json.md`, `docs/answers.schema.json`, `docs/tools.schema.json`: what `--json` prints and the
  MCP server's tools take and answer, from the records of the answers;
- the code in `docs/domains.md`, from the tested files that it names;
- the transcript in `README.md`, from `learnt demo`, with ids, dates and paths made steady.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Final

import click

from learnt.surfaces.cli.commands import learnt_command
from tests.support.database_servers import NotHere
from tools import schemas, walkthrough, walkthrough_database

ROOT = Path(__file__).resolve().parent.parent
WALKTHROUGH = ROOT / "docs" / "walkthrough.md"
ROUNDS = ROOT / "docs" / "walkthrough-database.md"
DOMAINS = ROOT / "docs" / "domains.md"
CLI, README = ROOT / "docs" / "cli.md", ROOT / "README.md"
BEGIN, END = "<!-- demo: begin -->", "<!-- demo: end -->"
_STEADY = (
    (re.compile(r"/\S*learnt-demo-\w+"), "~"),
    (re.compile(r"\be-[0-9a-z]{14}\b"), "e-06h00qxcyhw80h"),
    (re.compile(r"\bp-[0-9a-z]{10}\b"), "p-kaqa1fmz4n"),
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b"), "01a2005f-…"),
    (re.compile(r"\b20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\b"), "2026-11-21 09:30:00"),
    (re.compile(r"\b20\d\d-\d\d-\d\d\b"), "2026-11-21"),
    (re.compile(r"\b(process|Process) \d+"), r"\1 4711"),
    # How many texts there are, and who was above the call, differs by machine.
    (re.compile(r"\n +(?:trace|odd): .*"), ""),
    (re.compile(r"\b(Erased?) \d+ text"), r"\1 16 text"),
    (re.compile(r"\(seal [0-9a-f]{16}\)"), "(seal 0123456789abcdef)"),
    (re.compile(r"\b(skill|route|edit|topic)-[0-9a-f]{10}\b"), r"\1-0123456789"),
)


def steady(text: str) -> str:
    """A transcript without what differs from run to run."""
    for pattern, word in _STEADY:
        text = pattern.sub(word, text)
    return text


def shorter(text: str) -> str:
    """The transcript without the middle of a long new file: a README is not the place for it.

    >>> shorter("+1\\n" + "+x\\n" * 9 + "+9\\n")
    '+1\\n+x\\n+x\\n+x\\n+x\\n+… (6 more lines)\\n'
    """
    return re.sub(
        r"((?:^\+.*\n){5})((?:^\+.*\n){4,})",
        lambda found: f"{found[1]}+… ({found[2].count(chr(10))} more lines)\n",
        text,
        flags=re.MULTILINE,
    )


def _commands(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    context = click.Context(command, info_name=name, max_content_width=96, terminal_width=96)
    yield name, command.get_help(context)
    if isinstance(command, click.Group):
        for child in sorted(command.list_commands(context)):
            found = command.get_command(context, child)
            if found is not None:
                yield from _commands(found, f"{name} {child}")


def cli_reference() -> str:
    """The page of all commands."""
    parts = [
        "# The command line\n\nGenerated from the commands by `python -m tools.docs`; "
        "`--json` prints a stable document for programs.\n"
    ]
    for name, text in _commands(learnt_command, "learnt"):
        parts.append(f"## {name}\n\n```text\n{text}\n```\n")
    return "\n".join(parts)


PLAYED: Final = (README, WALKTHROUGH, ROUNDS)  # by real hooks, which have a deadline
PLAYED_AGAIN: Final = 2


def readme() -> str:
    """README.md with the demo's transcript put in anew."""
    start = "import sys; from learnt.surfaces.cli.entry import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "demo"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    shown = "\n".join(line.rstrip() for line in steady(done.stdout).strip().splitlines())
    shown = shorter(shown)
    text = README.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n```text\n{shown}\n```\n{END}{after}"


_QUOTED = re.compile(r"<!-- file: (\S+) -->\n(?:\n```\w+\n.*?\n```\n)?", re.DOTALL)
_LANGUAGES = {".py": "python", ".toml": "toml"}


def with_files(text: str) -> str:
    """A page with each file that it names put in anew behind its name."""

    def quoted(found: re.Match[str]) -> str:
        path = ROOT / found[1]
        code = path.read_text(encoding="utf-8").strip()
        return f"<!-- file: {found[1]} -->\n\n```{_LANGUAGES[path.suffix]}\n{code}\n```\n"

    return _QUOTED.sub(quoted, text)


def rounds() -> str:
    """The page of the five rounds; as it is where it can't be generated here."""
    try:
        return walkthrough_database.page()
    except NotHere as reason:
        print(f"{ROUNDS.relative_to(ROOT).as_posix()}: not looked at: {reason}")
        return ROUNDS.read_text(encoding="utf-8")


def main() -> int:
    """Write the generated parts; with --check only compare, 1 where one is stale."""
    check = "--check" in sys.argv
    stale = []
    pages: tuple[tuple[Path, Callable[[], str]], ...] = (
        (CLI, cli_reference),
        (README, readme),
        (WALKTHROUGH, walkthrough.page),
        (ROUNDS, rounds),
        (DOMAINS, lambda: with_files(DOMAINS.read_text(encoding="utf-8"))),
        (ROOT / "docs" / "json.md", schemas.overview),
        (ROOT / "docs" / "answers.schema.json", schemas.page),
        (ROOT / "docs" / "tools.schema.json", schemas.tools_page),
    )
    for path, made in pages:
        held = path.read_text(encoding="utf-8") if path.exists() else ""
        text = made()
        # On a busy machine a hook of a played page may be answered too late to be shown.
        for _ in range(PLAYED_AGAIN if path in PLAYED and text != held else 0):
            if (text := made()) == held:
                break
        if held != text:
            name = path.relative_to(ROOT).as_posix()
            stale.append(name)
            if check:
                print(f"{name}: stale; run python -m tools.docs")
                print(*unified_diff(held.split("\n"), text.split("\n"), lineterm="", n=0), sep="\n")
            else:
                path.write_text(text, encoding="utf-8")
                print(f"{name}: written")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
