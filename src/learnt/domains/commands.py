"""The commands that domains bring. The loader takes long and is not needed for Learnt's own."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

from learnt.domain_ports import Command, Domain


def commands(names: Sequence[str]) -> Mapping[str, Command]:
    """The commands of the domains of these names, and of those that come with Learnt.

    The latter are there before their domain is enabled: they are how it is set up. Of two commands
    of one name the first counts, Learnt's own before others.
    """
    shipped = sorted(file.parent.name for file in Path(__file__).parent.glob("*/domain.py"))
    domains: list[Domain] = [
        import_module(f"learnt.domains.{name}.domain").DOMAIN for name in shipped
    ]
    if others := [name for name in names if name not in shipped]:
        from learnt.domains.loader import load

        domains += load(others).domains
    return {
        name: command for domain in reversed(domains) for name, command in domain.commands.items()
    }
