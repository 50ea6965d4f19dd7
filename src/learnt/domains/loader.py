"""Domains loaded from entry points, with the commands and seed skills that they bring.

The loader takes long and is not needed for Learnt's own.

A domain is somebody else's code. One that is missing, broken or in another's way costs itself and
is a finding; it is never a reason for a command to fail. What is not named is not even imported.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from learnt.core.knowledge.kinds import KINDS, Policy
from learnt.core.knowledge.topics import Layer, Vocabulary, widened
from learnt.core.records import Record
from learnt.core.skills.skills import SkillLayer, SkillSource
from learnt.domain_ports import (
    GROUP,
    Command,
    Domain,
    DomainFinding,
    DomainHome,
    DomainKind,
    Goes,
    SeedSkill,
)
from learnt.domains.guarded import attempt, failing, guarded


def _known(names: Sequence[str]) -> list[Domain]:
    """The domains that come with Learnt, then the others of these names."""
    shipped = sorted(file.parent.name for file in Path(__file__).parent.glob("*/domain.py"))
    domains: list[Domain] = [
        import_module(f"learnt.domains.{name}.domain").DOMAIN for name in shipped
    ]
    if others := [name for name in names if name not in shipped]:
        domains += load(others).domains
    return domains


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


LONGEST_SHORT: Final = 10
FASTEST: Final = 1.0
_NAME: Final = re.compile(r"[a-z][a-z0-9-]{0,39}")
_KIND: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_TURN_OFF: Final = "Or take it out of [domains] enabled in the home's config.toml."


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
    if not names:
        return Loaded()
    offered = list(entry_points(group=GROUP))
    domains: list[Domain] = []
    findings: list[DomainFinding] = []
    for name in dict.fromkeys(names):
        loaded = _loaded(name, [entry for entry in offered if entry.name == name])
        if isinstance(loaded, Domain):
            loaded = _fitting(loaded, domains)
        if isinstance(loaded, Domain):
            domains.append(guarded(loaded))
        else:
            findings.append(loaded)
    return Loaded(domains=tuple(domains), findings=tuple(findings))


def findings_of(loaded: Loaded, home: DomainHome) -> Iterator[DomainFinding]:
    """What is to be said of every domain that is named: `doctor` shows it."""
    yield from loaded.findings
    for domain in loaded.domains:
        findings = [*domain.doctor(home)] if domain.doctor is not None else []
        findings += [finding for skill in domain.skills for finding in _lost(domain.name, skill)]
        kinds = ", ".join(domain.kinds) or "no kinds of its own"
        yield from findings or [DomainFinding(domain=domain.name, level="ok", said=kinds)]


def _lost(domain: str, skill: SeedSkill) -> Iterator[DomainFinding]:
    place = attempt(domain, lambda: files(skill.package) / skill.folder / "SKILL.md", None)
    if place is None or not place.is_file():
        what = f"its seed skill {skill.name} is not in its package"
        todo = "Install the package that brings it again."
        yield DomainFinding(domain=domain, level="warning", said=what, todo=todo)


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
        trouble = f"{offered[0].value} is no Domain record named {name}"
        return _problem(name, trouble, f"Tell its author. {_TURN_OFF}")
    return domain


def _fitting(domain: Domain, others: Sequence[Domain]) -> Domain | DomainFinding:
    """The domain, if its parts are sound and its kinds nobody else's."""
    taken = {kind: other.name for other in others for kind in other.kinds}
    taken |= dict.fromkeys(KINDS, "Learnt itself")
    short = {added.short or kind for other in others for kind, added in other.kinds.items()}
    short |= {policy.short for policy in KINDS.values()}
    wrong = _misshapen(domain)
    for kind, added in () if wrong else domain.kinds.items():
        wrong = wrong or _wrong(kind, added, taken, short)
        short |= set() if wrong else {added.short or kind}
    return _problem(domain.name, wrong, f"Tell its author. {_TURN_OFF}") if wrong else domain


def _misshapen(domain: Domain) -> str:
    """Which part is not what it should be: types are the author's promise alone."""
    optional = filter(None, (domain.cited_things, domain.doctor, domain.erase))
    read = _is_tuple(domain.extractors, Callable) and all(map(callable, optional))
    read = read and _is_tuple(domain.text_extractors, Callable)
    parts: object = domain.commands
    commands = isinstance(parts, Mapping) and all(
        isinstance(name, str) and _NAME.fullmatch(name) and isinstance(part, Command)
        for name, part in parts.items()
    )
    checks = {
        "its kinds are no mapping": isinstance(domain.kinds, Mapping),
        "its extractors, or cited_things, doctor or erase, cannot be called": read,
        "its commands are no mapping of names to commands": commands,
        "its skills are no tuple of seed skills": _is_tuple(domain.skills, SeedSkill),
    }
    return next((wrong for wrong, right in checks.items() if not right), "")


def _is_tuple(parts: object, kind: Any) -> bool:
    return isinstance(parts, tuple) and all(isinstance(part, kind) for part in parts)


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


def _problem(name: str, what: str, todo: str) -> DomainFinding:
    return DomainFinding(domain=name, level="problem", said=what, todo=todo)


_HERE = Path(__file__).parent


def seed_sources(enabled: Sequence[Domain]) -> list[SkillSource]:
    """The folders of the seed skills of enabled domains; of the others no skill is seen."""
    names = {domain.name for domain in enabled}
    own = [folder for folder in _own() if folder.parent.name in names]
    return [SkillSource(str(folder), SkillLayer.SEED) for folder in own] + _of_others(enabled)


def installable_skills(enabled: Sequence[Domain], only: str = "") -> list[SkillSource]:
    """The folders of seed skills that may be installed, all or those of one domain."""
    own = [folder for folder in _own() if only in {"", folder.parent.name}]
    others = _of_others([each for each in enabled if only in {"", each.name}])
    return [SkillSource(str(folder), SkillLayer.SEED) for folder in own] + others


def _own() -> list[Path]:
    return sorted(folder for folder in _HERE.glob("*/skills") if folder.is_dir())


def _of_others(enabled: Iterable[Domain]) -> list[SkillSource]:
    places = (
        attempt(domain.name, partial(_folder, skill), None)
        for domain in enabled
        for skill in domain.skills
    )
    return [
        SkillSource(str(place), SkillLayer.DOMAIN)
        for place in places
        if place is not None and not place.is_relative_to(_HERE)
    ]


def _folder(skill: SeedSkill) -> Path:
    return Path(str(files(skill.package) / skill.folder))
