"""What a domain brings: a subject plug-in's kinds, extractors, commands, seed skills and checks.

A domain is one `Domain` record behind an entry point of the group `learnt.domains`. It is data and
callables: importing it opens nothing. `docs/domains.md` is the guide for authors.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from msgspec import field

from learnt.core.records import Record
from learnt.errors import EnvironmentTrouble

if TYPE_CHECKING:  # a record is read for the list of commands, which needs none of these
    from learnt.core.knowledge.drafts import Draft
    from learnt.core.knowledge.signals import Signal
    from learnt.core.knowledge.topics import Layer
    from learnt.core.records import JsonValue
    from learnt.file_ports import CitedThings, Passwords, PrivateFiles

GROUP: Final = "learnt.domains"


class DomainKind(Record, kw_only=True):
    """A kind of entry: how much of its confidence goes a day, where it belongs, its short name."""

    rate: float
    layer: "Layer"
    short: str = ""  # for narrow columns; the kind's own name where it is empty


class ToolCall(Record, kw_only=True):
    """A tool call with its result, as the agent's transcript has both."""

    tool: str
    input: "JsonValue"
    response: "JsonValue"
    failed: bool = False


class Extracted(Record, kw_only=True):
    """What a call shows: what it was about, facts that are worth an offer, and signals.

    `own`: the call is the domain's subject, also where it shows nothing; that it went well or
    failed then speaks of nothing that it names.
    """

    entities: tuple[str, ...] = ()
    facts: "tuple[Draft, ...]" = ()
    signals: "tuple[Signal, ...]" = ()
    own: bool = False


class About(Record, kw_only=True):
    """What a sentence is about: the things that it names, and its clear kind, if any.

    It tells a fact by itself: nothing is made up of it here.
    """

    entities: tuple[str, ...] = ()
    kind: str = ""


NOTHING: Final = Extracted()
NOBODY_KNOWS: Final = About()
Extractor = Callable[[ToolCall], Extracted]


class SeedSkill(Record, kw_only=True):
    """A skill that a domain brings: a folder with SKILL.md, in a package."""

    name: str
    package: str
    folder: str  # below the package, with slashes


class DomainFinding(Record, kw_only=True):
    """Something that `doctor` says of a domain: `todo` is empty where nothing is to be done."""

    domain: str
    level: Literal["ok", "warning", "problem"]
    said: str
    todo: str = ""


def _no_passwords(folder: str) -> "Passwords":
    raise EnvironmentTrouble(f"This home keeps no passwords (asked for {folder}).")


class DomainHome(Record, kw_only=True):
    """What a domain sees of a home: folder, files and passwords by folders below it, time."""

    folder: Path
    files: "Callable[[str], PrivateFiles]"
    now_ms: Callable[[], int]
    passwords: "Callable[[str], Passwords]" = _no_passwords


Goes = Callable[[str], bool]  # whether what holds this text is to be erased
TextExtractor = Callable[[str, DomainHome], About]


class Command(Record, kw_only=True):
    """The command `learnt NAME …`: `summary` is listed, `load` gives click's when it is called."""

    summary: str
    load: Callable[[], object]  # a click command: flows know of no command line


class Domain(Record, kw_only=True):
    """A subject: its name, and what it adds."""

    name: str
    kinds: Mapping[str, DomainKind] = field(default_factory=dict)
    extractors: tuple[Extractor, ...] = ()
    text_extractors: tuple[TextExtractor, ...] = ()
    asks: Callable[[str], bool] | None = None  # if a text speaks of queries: experience fits there
    commands: Mapping[str, Command] = field(default_factory=dict)
    skills: tuple[SeedSkill, ...] = ()
    # Tells, of a home, whether cited things are as they were; None where it can't here.
    cited_things: "Callable[[DomainHome], CitedThings | None] | None" = None
    doctor: Callable[[DomainHome], Iterable[DomainFinding]] | None = None
    # Takes out of a home all that holds what is to go, passwords too, and names it.
    erase: "Callable[[DomainHome, Goes], Iterable[str]] | None" = None
