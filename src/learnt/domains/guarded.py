"""A domain's callables, each such that whatever goes wrong in it costs its own answer alone."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeVar

from msgspec.structs import replace

from learnt.core.knowledge.drafts import Draft
from learnt.core.knowledge.signals import FoundNone, Measured, Shaped, Signal, Worked
from learnt.core.records import Record
from learnt.domain_ports import (
    NOBODY_KNOWS,
    NOTHING,
    About,
    Command,
    Domain,
    DomainFinding,
    DomainHome,
    Extracted,
    Extractor,
    TextExtractor,
    ToolCall,
)
from learnt.errors import EnvironmentTrouble, LearntError, raised_at
from learnt.file_ports import CitedThings

R = TypeVar("R")
MOST_FOUND: Final = 200  # entities, facts and signals of one call, of each


def guarded(domain: Domain) -> Domain:
    """The domain, with its callables guarded."""
    name, things, doctor = domain.name, domain.cited_things, domain.doctor
    asks = domain.asks
    trouble = DomainFinding(
        domain=name,
        level="problem",
        said="its own look at itself failed",
        todo="Mend or upgrade the package that brings it.",
    )
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
        digests = [
            attempt(domain, partial(things.digest, name), unknown) for domain, things in self.things
        ]
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
    except Exception as error:  # a plug-in's boundary: its failure is told, not shown
        raise EnvironmentTrouble(
            f"{what}: {type(error).__name__} in {raised_at(error)}. What it had printed stands; "
            "Learnt kept nothing of it. Mend or upgrade the package that brings it."
        ) from error


def _sound(domain: str, extracted: object) -> Extracted:
    """What an extractor gave, if every part of it is what it should be. Raises TypeError if not."""
    if not isinstance(extracted, Extracted):
        raise TypeError("an extractor gives an Extracted")
    signals = _all_of(extracted.signals, Worked, Measured, FoundNone, Shaped)
    for signal in signals:
        for name in ("kinds", "entities", "naming", "saying", "parts"):
            _all_of(getattr(signal, name, ()), str)
        for pair in _all_of(getattr(signal, "equal", None) or (), tuple):
            _all_of(pair, str)
        _all_of(tuple(getattr(signal, name, "") for name in ("measure", "under", "whole")), str)
    return Extracted(
        entities=_all_of(extracted.entities, str),
        facts=_all_of(extracted.facts, Draft),
        signals=tuple(_with_guarded_reader(domain, signal) for signal in signals),
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
    given: object = parts  # types are the author's promise alone
    if not isinstance(given, tuple) or not all(isinstance(part, kinds) for part in given):
        raise TypeError(f"a tuple of {kinds[0].__name__} was due")
    return parts[:MOST_FOUND]
