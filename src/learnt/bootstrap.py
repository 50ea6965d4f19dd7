"""The wiring: settings become the outside that flows use. Nothing else joins the rings.

What a part needs is loaded when it is wired: a command pays for what it uses.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from learnt.core.knowledge.vocabulary import Vocabulary
    from learnt.domain_ports import About, Command, Domain, DomainHome
    from learnt.domains.loader import Loaded
    from learnt.file_ports import CitedThings, Topics
    from learnt.language.shipped import Judge
    from learnt.ports import Outside
    from learnt.settings import Settings
    from learnt.stores.text_files import DiskTextFile

PATIENCE_MS = 10_000


def topics() -> "Topics":
    """The topic files of folder mode, which needs no home."""
    from learnt.stores.topic_files import DiskTopics

    return DiskTopics()


def exported_scripts() -> dict[str, str]:
    """What an exported folder runs: folder mode's own files, by path below the folder."""
    from learnt.stores.exported import scripts

    return scripts()


def write_exported(place: str, files: "Mapping[str, str]") -> None:
    """Write an exported folder, all of it or nothing."""
    from learnt.stores.exported import write_folder

    write_folder(place, files)


def begun(settings: "Settings") -> bool:
    """Whether the home holds anything yet."""
    from learnt.stores.sqlite_schema import FILE_NAME

    return (settings.home / FILE_NAME).is_file()


def settings_file(settings: "Settings") -> "DiskTextFile":
    """The home's config.toml, with copies of what it was before each change."""
    from learnt.settings import CONFIG
    from learnt.stores.text_files import DiskTextFile

    return DiskTextFile(settings.home / CONFIG, settings.home / "backups")


def domains(settings: "Settings") -> "Loaded":
    """The domains that the settings name, and what is to be said of them."""
    from learnt.domains.loader import load

    return load(settings.domains)


def domain_commands(settings: "Settings") -> "Mapping[str, Command]":
    """The commands of the domains that come with Learnt, and of those that the settings name."""
    from learnt.domains.commands import commands

    return commands(settings.domains)


def domain_home(settings: "Settings", *, make: bool = False) -> "DomainHome":
    """What domains see of the home; with `make` it is made where it is missing."""
    from learnt.domain_ports import DomainHome
    from learnt.stores import home_folder
    from learnt.stores.passwords import KeptPasswords, systems_keyring
    from learnt.stores.private_files import DiskPrivateFiles
    from learnt.stores.system import SystemClock

    home = settings.home
    if make:
        home_folder.prepare(home)
    return DomainHome(
        folder=home,
        files=lambda name: DiskPrivateFiles(home / name),
        passwords=lambda name: KeptPasswords(home / name, systems_keyring),
        now_ms=SystemClock().now_ms,
    )


@contextmanager
def opened(settings: "Settings", *, patience_ms: int = PATIENCE_MS) -> "Iterator[Outside]":
    """The outside of a home, made where it is missing; its ledger is closed at the end."""
    from learnt.language.shipped import ShippedLanguage
    from learnt.ports import Outside
    from learnt.stores import home_folder
    from learnt.stores.cited_files import DiskCitedFiles
    from learnt.stores.documents import DiskDocuments
    from learnt.stores.project_folders import DiskFolders
    from learnt.stores.spool import FileSpool
    from learnt.stores.sqlite_ledger import SqliteLedger
    from learnt.stores.sqlite_reader import Surroundings
    from learnt.stores.stemming import porter
    from learnt.stores.system import SystemClock, SystemRandom
    from learnt.stores.traces import FileTraces
    from learnt.stores.transcripts import DiskTranscripts

    home_folder.prepare(settings.home)
    added = _added(settings)
    clock, random = SystemClock(), SystemRandom()
    key = home_folder.key(settings.home, random.bytes(32))
    around = Surroundings(key=key, clock=clock, random=random, stem=porter)
    ledger = SqliteLedger(settings.home, around, patience_ms=patience_ms)
    try:
        yield Outside(
            ledger=ledger,
            spool=FileSpool(settings.home),
            traces=FileTraces(settings.home),
            folders=DiskFolders(),
            documents=DiskDocuments(),
            transcripts=DiskTranscripts(),
            cited_files=DiskCitedFiles(),
            clock=clock,
            random=random,
            stem=porter,
            language=ShippedLanguage(porter, _judge_from(settings)),
            share=settings.share,
            domains=added.domains,
            kinds=added.kinds,
            cited_things=added.cited_things,
            about=added.about,
        )
    finally:
        ledger.close()


def _judge_from(settings: "Settings") -> "Callable[[], Judge] | None":
    """What loads the model that the settings name; None where they name none."""
    from learnt.language.shipped import judge_of

    path = settings.judge
    return None if path is None else lambda: judge_of(path)


def probe_judge(path: "Path") -> None:
    """Load the model of a file. Raises JudgeUnusable, saying what is missing or wrong."""
    from learnt.language.shipped import judge_of

    judge_of(path)


class _Added(NamedTuple):
    """What domains add to an outside."""

    domains: "tuple[Domain, ...]"
    kinds: "Vocabulary"
    cited_things: "CitedThings | None"
    about: "Callable[[str], Sequence[About]]"


def _added(settings: "Settings") -> _Added:
    from learnt.core.knowledge.vocabulary import OWN

    if not settings.domains:
        return _Added((), OWN, None, lambda text: ())  # a hook in one process pays for no loader
    from learnt.domains.guarded import about_of, things_of

    loaded, home = domains(settings), domain_home(settings)
    every = loaded.domains
    return _Added(every, loaded.kinds, things_of(every, home), about_of(every, home))
