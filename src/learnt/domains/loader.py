"""Domains loaded from entry points and guarded, with the commands and seed skills that they bring.

A domain is somebody else's code. One that is missing, broken or in another's way costs itself and
is a finding; it is never a reason for a command to fail. What is not named is not even imported.
Whatever goes wrong in one of its callables costs that callable's own answer alone.
"""

import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec.structs import replace

from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.kinds import KINDS, Policy
from learnt.core.knowledge.signals import FoundNone, Measured, Shaped, Signal, Worked
from learnt.core.knowledge.topics import Layer, Vocabulary, widened
from learnt.core.records import Record
from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.domain_ports import (
    GROUP,
    NOBODY_KNOWS,
    NOTHING,
    About,
    Command,
    Domain,
    DomainFinding,
    DomainHome,
    DomainKind,
    Extracted,
    Extractor,
    Goes,
    SeedSkill,
    TextExtractor,
    ToolCall,
)
from learnt.errors import EnvironmentTrouble, LearntError, raised_at
from learnt.file_ports import CitedThings

R = TypeVar("R")
MOST_FOUND: Final = 200  # entities, facts and signals of one call, of each
LONGEST_SHORT: Final = 10
FASTEST: Final = 1.0
_HERE: Final = Path(__file__).parent
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_KIND: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_TURN_OFF: Final = "Or take it out of [domains] enabled in the home's config.toml."
_TELL: Final = f"Tell its author. {_TURN_OFF}"


def _known(names: Sequence[str]) -> list[Domain]:
    """The domains that come with Learnt, then the others of these names."""
    shipped = sorted(file.parent.name for file in _HERE.glob("*/domain.py"))
    domains = [import_module(f"learnt.domains.{name}.domain").DOMAIN for name in shipped]
    return [*domains, *load([name for name in names if name not in shipped]).domains]


def commands(names: Sequence[str]) -> Mapping[str, Command]:
    """The commands of the domains of these names, and of those that come with Learnt.

    The latter are there before their domain is enabled: they are how it is set up. Of two commands
    of one name the first counts, Learnt's own before others.
    """
    domains = reversed(_known(names))
    return {name: command for domain in domains for name, command in domain.commands.items()}


def erase(names: Sequence[str], home: DomainHome, goes: Goes) -> list[str]:
    """Have these domains, and those that come with Learnt, erase what is to go; what went.

    One that was enabled once may have kept something. Raises EnvironmentTrouble where one fails.
    """
    gone = list[str]()
    for domain in _known(names):
        with failing(f"The domain {domain.name} could not erase what it keeps"):
            gone += domain.erase(home, goes) if domain.erase is not None else ()
    return gone


class Loaded(Record, kw_only=True):
    """The domains that could be loaded, in the order of the settings, and what is to be said."""

    domains: tuple[Domain, ...] = ()
    findings: tuple[DomainFinding, ...] = ()

    @property
    def kinds(self) -> Vocabulary:
        """Learnt's own kinds, and those that the domains add."""
        added: dict[str, tuple[Policy, Layer]] = {
            name: (Policy(kind.rate, kind.short or name), kind.layer)
            for domain in self.domains
            for name, kind in domain.kinds.items()
        }
        return widened(added, (domain.asks for domain in self.domains if domain.asks))


def load(names: Sequence[str]) -> Loaded:
    """The domains of these names."""
    offered = list(entry_points(group=GROUP)) if names else ()
    domains: list[Domain] = []
    findings: list[DomainFinding] = []
    for name in dict.fromkeys(names):
        loaded = _loaded(name, [entry for entry in offered if entry.name == name])
        if isinstance(loaded, DomainFinding):
            findings.append(loaded)
        elif wrong := _misshapen(loaded) or _unfit_kind(loaded, domains):
            findings.append(_problem(name, wrong, _TELL))
        else:
            domains.append(guarded(loaded))
    return Loaded(domains=tuple(domains), findings=tuple(findings))


def _loaded(name: str, offered: Sequence[EntryPoint]) -> Domain | DomainFinding:
    if not offered:
        todo = f"Install the package that brings it, where Learnt is installed. {_TURN_OFF}"
        return _problem(name, f"no installed package offers a domain {name}", todo)
    if len(offered) > 1:
        packages = ", ".join(sorted({entry.dist.name if entry.dist else "?" for entry in offered}))
        return _problem(name, f"offered more than once: {packages}", "Uninstall all but one.")
    try:
        domain = offered[0].load()
    except (Exception, SystemExit) as error:  # noqa: BLE001  # a plug-in's boundary: raises anything
        trouble = f"{offered[0].value} cannot be loaded: {type(error).__name__}: {error}"[:300]
        return _problem(name, trouble, f"Mend or upgrade that package. {_TURN_OFF}")
    if not isinstance(domain, Domain) or domain.name != name:
        return _problem(name, f"{offered[0].value} is no Domain record named {name}", _TELL)
    return domain


def _problem(name: str, what: str, todo: str) -> DomainFinding:
    return DomainFinding(domain=name, level="problem", said=what, todo=todo)


def _misshapen(domain: Domain) -> str:
    """Which part is not what it should be: types are the author's promise alone."""
    optional = filter(None, (domain.cited_things, domain.doctor, domain.erase))
    called = _is_tuple(domain.extractors, Callable) and all(map(callable, optional))
    parts: object = domain.commands
    checks = {
        "its kinds are no mapping": isinstance(domain.kinds, Mapping),
        "its extractors, or cited_things, doctor or erase, cannot be called": (
            called and _is_tuple(domain.text_extractors, Callable)
        ),
        "its commands are no mapping of names to commands": isinstance(parts, Mapping)
        and all(
            isinstance(name, str) and _NAME.fullmatch(name) and isinstance(part, Command)
            for name, part in parts.items()
        ),
        "its skills are no tuple of seed skills": _is_tuple(domain.skills, SeedSkill),
    }
    return next((wrong for wrong, right in checks.items() if not right), "")


def _unfit_kind(domain: Domain, others: Sequence[Domain]) -> str:
    """What is wrong with the first of its kinds that is unsound, or somebody else's."""
    taken = {kind: other.name for other in others for kind in other.kinds}
    taken |= dict.fromkeys(KINDS, "Learnt itself")
    short = {added.short or kind for other in others for kind, added in other.kinds.items()}
    short |= {policy.short for policy in KINDS.values()}
    for kind, added in domain.kinds.items():
        if wrong := _wrong(kind, added, taken, short):
            return wrong
        short.add(added.short or kind)
    return ""


def _wrong(kind: object, added: object, taken: Mapping[str, str], short: set[str]) -> str:
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        return f"{str(kind)[:60]!r} is no name of a kind"
    if kind in taken:
        return f"its kind {kind} is {taken[kind]}'s already"
    if not isinstance(added, DomainKind) or not isinstance(added.layer, Layer):
        return f"its kind {kind} has no policy"
    rate: object = added.rate
    if not isinstance(rate, int | float) or not 0 < rate <= FASTEST:
        return f"its kind {kind} fades by {added.rate!r} a day: above 0, and 1 at most"
    name = added.short or kind
    if len(name) > LONGEST_SHORT or not _KIND.fullmatch(name):
        return f"its kind {kind} needs a short name of {LONGEST_SHORT} letters at most"
    return f"its short name {name} is taken already" if name in short else ""


def _is_tuple(parts: object, *kinds: Any) -> bool:
    return isinstance(parts, tuple) and all(isinstance(part, kinds) for part in parts)


def findings_of(loaded: Loaded, home: DomainHome) -> Iterator[DomainFinding]:
    """What is to be said of every domain that is named: `doctor` shows it."""
    yield from loaded.findings
    for domain in loaded.domains:
        findings = [*domain.doctor(home)] if domain.doctor is not None else []
        for skill in domain.skills:
            place = _place(domain, skill)
            if place is None or not (place / "SKILL.md").is_file():
                what = f"its seed skill {skill.name} is not in its package"
                todo = "Install the package that brings it again."
                lost = DomainFinding(domain=domain.name, level="warning", said=what, todo=todo)
                findings.append(lost)
        kinds = ", ".join(domain.kinds) or "no kinds of its own"
        yield from findings or [DomainFinding(domain=domain.name, level="ok", said=kinds)]


def seed_sources(enabled: Sequence[Domain]) -> list[SkillSource]:
    """The folders of the seed skills of enabled domains; of the others no skill is seen."""
    return _sources(enabled, {domain.name for domain in enabled}.__contains__)


def installable_skills(enabled: Sequence[Domain], only: str = "") -> list[SkillSource]:
    """The folders of seed skills that may be installed, all or those of one domain."""
    return _sources(enabled, lambda name: only in {"", name})


def _sources(enabled: Sequence[Domain], wanted: Callable[[str], bool]) -> list[SkillSource]:
    shipped = sorted(folder for folder in _HERE.glob("*/skills") if folder.is_dir())
    places = [_place(each, skill) for each in enabled if wanted(each.name) for skill in each.skills]
    return [
        SkillSource(str(folder), SkillLayer.SEED)
        for folder in shipped
        if wanted(folder.parent.name)
    ] + [
        SkillSource(str(place), SkillLayer.DOMAIN)
        for place in places
        if place is not None and not place.is_relative_to(_HERE)
    ]


def _place(domain: Domain, skill: SeedSkill) -> Path | None:
    """Where a skill's folder is; None where its package cannot be had."""
    return attempt(domain.name, lambda: Path(str(files(skill.package) / skill.folder)), None)


def guarded(domain: Domain) -> Domain:
    """The domain, with its callables guarded."""
    name, things, doctor, asks = domain.name, domain.cited_things, domain.doctor, domain.asks
    mend = "Mend or upgrade the package that brings it."
    trouble = _problem(name, "its own look at itself failed", mend)
    return replace(
        domain,
        extractors=tuple(_reader(name, reads) for reads in domain.extractors),
        text_extractors=tuple(partial(_about, name, reads) for reads in domain.text_extractors),
        commands={
            called: replace(command, load=partial(_load, f"{name} {called}", command))
            for called, command in domain.commands.items()
        },
        asks=asks and (lambda text: attempt(name, lambda: asks(text) is True, False)),
        cited_things=things and (lambda home: attempt(name, lambda: things(home), None)),
        doctor=doctor
        and (
            lambda home: attempt(
                name, lambda: _all_of(tuple(doctor(home)), DomainFinding), (trouble,)
            )
        ),
    )


def things_of(domains: Sequence[Domain], home: DomainHome) -> CitedThings | None:
    """What tells of the things of all domains that entries cite; None where no domain can."""
    made = [(each.name, each.cited_things(home)) for each in domains if each.cited_things]
    able = tuple((name, things) for name, things in made if things is not None)
    return _AllThings(able) if able else None


def about_of(domains: Sequence[Domain], home: DomainHome) -> Callable[[str], tuple[About, ...]]:
    """What all domains know a sentence to be about."""
    readers = [reads for domain in domains for reads in domain.text_extractors]
    return lambda text: tuple(reads(text, home) for reads in readers)


class _AllThings(Record):
    """The things of several domains: the first that knows one tells of it."""

    things: tuple[tuple[str, CitedThings], ...]

    def digest(self, name: str) -> str | None:
        """What changes with its structure; empty where nobody can tell, None where all say no."""
        unknown: str | None = ""
        digests = [attempt(of, partial(each.digest, name), unknown) for of, each in self.things]
        if all(digest is None for digest in digests):
            return None
        return next(filter(None, digests), "")


def _reader(domain: str, reads: Extractor) -> Extractor:
    """An extractor whose failures cost the call that it failed at; the first of them is logged."""
    logged = False

    def read(call: ToolCall) -> Extracted:
        nonlocal logged
        extracted = attempt(domain, lambda: _sound(domain, reads(call)), None, quiet=logged)
        logged = logged or extracted is None
        return extracted or NOTHING

    return read


def _about(domain: str, reads: TextExtractor, text: str, home: DomainHome) -> About:

    def read() -> About:
        about: object = reads(text, home)  # types are the author's promise alone
        if not isinstance(about, About):
            raise TypeError("an extractor of texts gives an About")
        _all_of((about.kind,), str)
        return replace(about, entities=_all_of(about.entities, str))

    return attempt(domain, read, NOBODY_KNOWS)


def attempt(domain: str, does: Callable[[], R], otherwise: R, *, quiet: bool = False) -> R:
    """What a domain's own code gives, or something else where it fails."""
    try:
        return does()
    except Exception as error:  # noqa: BLE001  # a plug-in's boundary: it costs its answer alone
        if not quiet:
            # Of the error its type alone: its words may be the result's.
            where = f"{type(error).__name__} in {raised_at(error)}"
            logging.getLogger(__name__).warning("domain %s: %s", domain, where)
        return otherwise


def _load(name: str, command: Command) -> object:
    with failing(f"The command {name} cannot be loaded"):
        return command.load()


@contextmanager
def failing(what: str) -> Iterator[None]:
    """What is no error of ours becomes one. Raises EnvironmentTrouble for it."""
    try:
        yield
    except LearntError:
        raise
    except Exception as error:  # a plug-in's boundary: its failure is logged, not shown
        raise EnvironmentTrouble(
            f"{what}: {type(error).__name__} in {raised_at(error)}. What it had printed stands; "
            "Learnt kept nothing of it. Mend or upgrade the package that brings it."
        ) from error


def _sound(domain: str, extracted: object) -> Extracted:
    """What an extractor gave, if every part of it is what it should be. Raises TypeError if not."""
    if not isinstance(extracted, Extracted):
        raise TypeError("an extractor gives an Extracted")
    for signal in _all_of(extracted.signals, Worked, Measured, FoundNone, Shaped):
        for name in ("kinds", "entities", "naming", "saying", "parts"):
            _all_of(getattr(signal, name, ()), str)
        for pair in _all_of(getattr(signal, "equal", None) or (), tuple):
            _all_of(pair, str)
        _all_of(tuple(getattr(signal, name, "") for name in ("measure", "under", "whole")), str)
    return Extracted(
        entities=_all_of(extracted.entities, str),
        facts=_all_of(extracted.facts, Draft),
        signals=tuple(_with_guarded_reader(domain, one) for one in extracted.signals[:MOST_FOUND]),
        own=extracted.own is True,
    )


def _with_guarded_reader(domain: str, signal: Signal) -> Signal:
    """A signal whose own reading of an entry's text finds nothing where it fails."""
    if not isinstance(signal, Measured) or signal.reads is None:
        return signal
    reads, none = signal.reads, list[float]()
    return replace(
        signal,
        reads=lambda text: attempt(domain, lambda: [float(number) for number in reads(text)], none),
    )


def _all_of(parts: tuple[R, ...], *kinds: type) -> tuple[R, ...]:
    if not _is_tuple(parts, *kinds):
        raise TypeError(f"a tuple of {kinds[0].__name__} was due")
    return parts[:MOST_FOUND]
