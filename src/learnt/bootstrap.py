"""The wiring: settings become the outside that flows use. Nothing else joins the rings.

What a part needs is loaded when it is wired: a command pays for what it uses.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from learnt.core.knowledge.vocabulary import Vocabulary
    from learnt.domain_ports import About, Domain, DomainHome
    from learnt.domains.loader import Loaded
    from learnt.file_ports import Passwords, PrivateFiles, Tables, Topics
    from learnt.ports import Clock, Outside
    from learnt.settings import Settings

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseFiles:
    """What a home keeps of databases: how to reach them, the passwords, and their structure."""

    connections: "PrivateFiles"
    passwords: "Passwords"
    cache: "PrivateFiles"
    clock: "Clock"


def database_files(settings: "Settings", *, make: bool = False) -> DatabaseFiles:
    """What a home keeps of databases; with `make` the home is made where it is missing."""
    from learnt.stores import home_folder
    from learnt.stores.passwords import KeptPasswords, systems_keyring
    from learnt.stores.private_files import DiskPrivateFiles
    from learnt.stores.system import SystemClock

    if make:
        home_folder.prepare(settings.home)
    folder = settings.home / "database"
    return DatabaseFiles(
        connections=DiskPrivateFiles(folder / "connections"),
        passwords=KeptPasswords(folder / "passwords", systems_keyring),
        cache=DiskPrivateFiles(folder / "structure"),
        clock=SystemClock(),
    )


def begun(settings: "Settings") -> bool:
    """Whether the home holds anything yet."""
    from learnt.stores.sqlite_schema import FILE_NAME

    return (settings.home / FILE_NAME).is_file()


def domains(settings: "Settings") -> "Loaded":
    """The domains that the settings name, and what is to be said of them."""
    from learnt.domains.loader import load

    return load(settings.domains)


def domain_home(settings: "Settings") -> "DomainHome":
    """What domains see of the home."""
    from learnt.domain_ports import DomainHome
    from learnt.stores.private_files import DiskPrivateFiles
    from learnt.stores.system import SystemClock

    home = settings.home
    return DomainHome(
        folder=home,
        files=lambda name: DiskPrivateFiles(home / name),
        now_ms=SystemClock().now_ms,
    )


@contextmanager
def opened(settings: "Settings", *, patience_ms: int = PATIENCE_MS) -> "Iterator[Outside]":
    """The outside of a home, made where it is missing; its ledger is closed at the end."""
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
            share=settings.share,
            domains=added.domains,
            kinds=added.kinds,
            tables=added.tables,
            about=added.about,
        )
    finally:
        ledger.close()


class _Added(NamedTuple):
    """What domains add to an outside."""

    domains: "tuple[Domain, ...]"
    kinds: "Vocabulary"
    tables: "Tables | None"
    about: "Callable[[str], Sequence[About]]"


def _added(settings: "Settings") -> _Added:
    from learnt.core.knowledge.vocabulary import OWN

    if not settings.domains:
        return _Added((), OWN, None, lambda text: ())  # a hook in one process pays for no loader
    from learnt.domains.guarded import about_of, tables_of

    loaded, home = domains(settings), domain_home(settings)
    every = loaded.domains
    return _Added(every, loaded.kinds, tables_of(every, home), about_of(every, home))
