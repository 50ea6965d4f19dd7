"""What domains bring also where they are not enabled: commands, and what erases their stores.

The loader takes long and is not needed for Learnt's own.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from learnt.domain_ports import Command, Domain, DomainHome, Goes
from learnt.domains.guarded import failing


def _known(names: Sequence[str]) -> list[Domain]:
    """The domains that come with Learnt, then the others of these names."""
    shipped = sorted(file.parent.name for file in Path(__file__).parent.glob("*/domain.py"))
    domains: list[Domain] = [
        import_module(f"learnt.domains.{name}.domain").DOMAIN for name in shipped
    ]
    if others := [name for name in names if name not in shipped]:
        from learnt.domains.loader import load

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
