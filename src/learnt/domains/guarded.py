"""A domain's callables, each such that whatever goes wrong in it costs its own answer alone."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeVar

from learnt.core.knowledge.drafts import Fact
from learnt.core.knowledge.signals import FoundNone, Measured, Shaped, Signal, Worked
from learnt.domain_ports import (
    NOBODY_KNOWS,
    NOTHING,
    About,
    Command,
    Domain,
    DomainHome,
    Extracted,
    Extractor,
    Finding,
    TextExtractor,
    Tool,
    ToolCall,
)
from learnt.errors import EnvironmentTrouble, LearntError, raised_at
from learnt.file_ports import CitedThings

R = TypeVar("R")
MOST_FOUND: Final = 200  # entities, facts and signals of one call, of each


def guarded(domain: Domain) -> Domain:
    """The domain, with its callables guarded."""
    things, doctor = domain.cited_things, domain.doctor
    todo = "Mend or upgrade the package that brings it."
    trouble = Finding(
        domain=domain.name, level="problem", said="its own look at itself failed", todo=todo
    )
    return replace(
        domain,
        extractors=tuple(_Reader(domain.name, one) for one in domain.extractors),
        text_extractors=tuple(partial(_about, domain.name, one) for one in domain.text_extractors),
        tools={
            name: replace(tool, run=partial(_ran, f"{domain.name} {name}", tool))
            for name, tool in domain.tools.items()
        },
        commands={
            name: replace(command, load=partial(_command, f"{domain.name} {name}", command))
            for name, command in domain.commands.items()
        },
        cited_things=things and (lambda home: attempt(domain.name, lambda: things(home), None)),
        doctor=doctor
        and (lambda home: attempt(domain.name, lambda: _sound(doctor(home)), [trouble])),
    )


def things_of(domains: Sequence[Domain], home: DomainHome) -> CitedThings | None:
    """What tells of the things of all domains that entries cite; None where no domain can."""
    made = [(one.name, one.cited_things(home)) for one in domains if one.cited_things is not None]
    able = tuple((name, things) for name, things in made if things is not None)
    return _AllThings(able) if able else None


def about_of(domains: Sequence[Domain], home: DomainHome) -> Callable[[str], tuple[About, ...]]:
    """What all domains know a sentence to be about."""
    read = [one for domain in domains for one in domain.text_extractors]
    return lambda text: tuple(one(text, home) for one in read)


@dataclass(frozen=True, slots=True)
class _AllThings:
    """The things of several domains: the first that knows one tells of it.

    There is none where all of them say so.
    """

    made: tuple[tuple[str, CitedThings], ...]

    def digest(self, name: str) -> str | None:
        """What changes with its structure; empty where nobody can tell, None where there is none.

        Each domain is asked.
        """
        said = [_digest(domain, things, name) for domain, things in self.made]
        known = [one for one in said if one is not None]
        return next(filter(None, known), "" if known else None)


def _digest(domain: str, things: CitedThings, name: str) -> str | None:
    unknown: str | None = ""
    return attempt(domain, lambda: things.digest(name), unknown)


@dataclass(slots=True)
class _Reader:
    """An extractor whose failures cost the call that it failed at; the first of them is logged."""

    domain: str
    reads: Extractor
    told: bool = False

    def __call__(self, call: ToolCall) -> Extracted:
        """What it found in a call, and no more of it than a call can show."""
        found = attempt(
            self.domain, lambda: _sound_parts(self.domain, self.reads(call)), None, quiet=self.told
        )
        self.told = self.told or found is None
        return found or NOTHING


def _about(domain: str, reads: TextExtractor, text: str, home: DomainHome) -> About:
    """What a text is about by an extractor of texts."""

    def read() -> About:
        found: object = reads(text, home)  # types are the author's promise alone
        if not isinstance(found, About):
            raise TypeError("an extractor of texts gives an About")
        _all_of((found.kind,), str)
        return replace(found, entities=_all_of(found.entities, str))

    return attempt(domain, read, NOBODY_KNOWS)


def attempt(domain: str, does: Callable[[], R], otherwise: R, *, quiet: bool = False) -> R:
    """What a domain's own code gives, or something else where it fails."""
    try:
        return does()
    except Exception as error:  # noqa: BLE001  # a plug-in's boundary: it costs its answer alone
        if not quiet:
            # Of the error its type alone: its words may be the result's.
            said = "domain %s: %s in %s"
            logging.getLogger(__name__).warning(
                said, domain, type(error).__name__, raised_at(error)
            )
        return otherwise


def _ran(name: str, tool: Tool, home: DomainHome, words: Sequence[str]) -> int:
    """The exit code of a tool; EnvironmentTrouble where it failed in a way of its own."""
    with _failing(f"The tool {name} failed"):
        return int(tool.run(home, words))


def _command(name: str, command: Command) -> object:
    """A command as it is imported; EnvironmentTrouble where that fails."""
    with _failing(f"The command {name} cannot be loaded"):
        return command.load()


@contextmanager
def _failing(said: str) -> Iterator[None]:
    """What is no error of ours becomes EnvironmentTrouble."""
    try:
        yield
    except LearntError:
        raise
    except Exception as error:  # a plug-in's boundary: its failure is told, not shown
        where = f"{type(error).__name__} in {raised_at(error)}"
        raise EnvironmentTrouble(
            f"{said}: {where}. What it had printed stands; Learnt kept nothing of it. Mend or "
            "upgrade the package that brings it."
        ) from error


def _sound_parts(domain: str, found: object) -> Extracted:
    """What was found, if every part of it is what it should be. Raises TypeError where not."""
    if not isinstance(found, Extracted):
        raise TypeError("an extractor gives an Extracted")
    entities, facts = _all_of(found.entities, str), _all_of(found.facts, Fact)
    signals = _all_of(found.signals, Worked, Measured, FoundNone, Shaped)
    for one in signals:
        _all_of(one.kinds, str)
        for name in ("entities", "naming", "saying", "parts"):
            _all_of(getattr(one, name, ()), str)
        for pair in _all_of(getattr(one, "equal", None) or (), tuple):
            _all_of(pair, str)
        _all_of(tuple(getattr(one, name, "") for name in ("measure", "under", "whole")), str)
    signals = tuple(_with_guarded_reader(domain, one) for one in signals)
    return Extracted(entities=entities, facts=facts, signals=signals, own=found.own is True)


def _with_guarded_reader(domain: str, signal: Signal) -> Signal:
    """A signal whose own reading of an entry's text finds nothing where it fails."""
    if not isinstance(signal, Measured) or signal.reads is None:
        return signal
    reads, none = signal.reads, list[float]()
    return replace(
        signal,
        reads=lambda text: attempt(domain, lambda: [float(number) for number in reads(text)], none),
    )


def _sound(found: Iterable[Finding]) -> list[Finding]:
    return list(_all_of(tuple(found), Finding))


def _all_of(parts: tuple[R, ...], *kinds: type) -> tuple[R, ...]:
    given: object = parts  # types are the author's promise alone
    if not isinstance(given, tuple) or not all(isinstance(part, kinds) for part in given):
        raise TypeError(f"a tuple of {kinds[0].__name__} was due")
    return parts[:MOST_FOUND]
