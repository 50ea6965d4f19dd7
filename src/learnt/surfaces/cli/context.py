"""What every command shares: its home, its project, how it prints, and who called it."""

import json
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from learnt.settings import Settings, load, without_config

if TYPE_CHECKING:  # what a command does not use it does not load
    from learnt.core.events import Actor
    from learnt.core.json_values import JsonValue
    from learnt.core.knowledge.citations import CheckedCitation

F = TypeVar("F", bound=Callable[..., Any])

HOME = click.option(
    "--home",
    metavar="DIR",
    help="Learnt's home (else LEARNT_HOME, else the platform's data folder).",
)
PROJECT = click.option(
    "--project",
    metavar="DIR",
    type=click.Path(file_okay=False),
    default=".",
    help="The folder whose project is meant (else the current one).",
)
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")
EVIDENCE = click.option(
    "--evidence",
    default="",
    metavar="ID|last",
    help="A tool call that shows it, as Learnt saw it; last: this session's latest.",
)
TRUST_COLOURS: Final = {
    "TRUST": "green", "VERIFY": "yellow", "REVALIDATE": "red", "UNPROVEN": "cyan"
}  # fmt: skip
YES = click.option("--yes", is_flag=True, help="Do not ask; do it.")


def coloured() -> bool | None:
    """False where NO_COLOR asks for none; else None: a terminal decides."""
    return False if os.environ.get("NO_COLOR") else None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who called, and for which home.

    `doubt` says why it is not taken for a person's call; `session` is the agent's, if it says so.
    `marked`: an agent left its mark in the environment.
    """

    settings: Settings
    actor: "Actor"
    interactive: bool
    doubt: str = ""
    session: str = ""
    marked: bool = False

    @property
    def home(self) -> Path:
        """The home."""
        return self.settings.home


def caller(home: str | None) -> Caller:
    """The caller, derived from the terminal and the environment."""
    from learnt.core.governance.actors import at_terminal, doubt, session

    settings = load(os.environ, _named(home))
    terminals = {"input": sys.stdin.isatty(), "output": sys.stdout.isatty()}
    return Caller(
        settings,
        at_terminal(os.environ, terminals),
        all(terminals.values()),
        doubt(os.environ, terminals),
        session(os.environ),
        bool(doubt(os.environ, {})),
    )


def settings_of(home: str | None) -> Settings:
    """The settings alone, without who called."""
    return load(os.environ, _named(home))


def bare_settings(home: str | None) -> Settings:
    """The settings as they are where there is no config.toml: for looking at what is wrong."""
    return without_config(os.environ, _named(home))


def _named(home: str | None) -> str | None:
    named = home or click.get_current_context().find_root().params.get("home")
    return None if named is None else str(named)


def plain(text: str) -> str:
    """Text that a terminal shows as it is: what would steer it or hide is spelt out.

    >>> plain("a\\x1b[2J\\u202eb\\tc")
    'a\\\\u001b[2J\\\\u202eb\\tc'
    """
    if text.isprintable():
        return text
    return "".join(c if c in "\n\t" or not _steers(c) else f"\\u{ord(c):04x}" for c in text)


def _steers(character: str) -> bool:
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def print_json(value: "JsonValue") -> None:
    """One JSON document on standard output; what would steer a terminal stands escaped in it."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    click.echo("".join(c if c == "\n" or not _steers(c) else json.dumps(c)[1:-1] for c in text))


def confirm(question: str, who: Caller, *, yes: bool) -> bool:
    """A person's yes: asked for on a terminal, or given beforehand with --yes."""
    if yes:
        return True
    return who.interactive and click.confirm(question, default=False)


_PARENTS = 6


def traces() -> tuple[str, ...]:
    """How this call came about: the terminal, and the programs above it as far as Linux tells.

    A program of the same user can fake a terminal; it can't help being somebody's child.
    """
    try:
        found = [f"terminal {os.ttyname(sys.stdin.fileno())}"]
    except (OSError, ValueError):
        found = ["no terminal"]
    process = os.getppid()
    while process > 1 and len(found) <= _PARENTS:
        try:
            said = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            break
        name, _, rest = said.partition("(")[2].rpartition(")")
        found.append(f"parent {process} {name}")
        process = int(rest.split()[1])
    return tuple(found)


def say_cites(cites: "Iterable[CheckedCitation]") -> None:
    """What is to be said of citations, for people: nothing of what is as it was."""
    from learnt.formats.injection import cited

    for said in filter(None, map(cited, cites)):
        click.secho(f"  {plain(said)}", fg="yellow")
