"""The database domain: what Learnt knows of asking databases, as a plug-in like any other.

It has no kinds of its own: schemas, rules and patterns are everybody's.
"""

from collections.abc import Callable
from functools import partial
from pkgutil import resolve_name
from typing import Any, Final

from learnt.domain_ports import Command, Domain, SeedSkill

NAME: Final = "database"
SKILL: Final = SeedSkill(
    name="db-investigator", package="learnt.domains.database", folder="skills/db-investigator"
)


def _late(place: str) -> Callable[..., Any]:
    """A function that is loaded when it is first called: whoever only recalls pays nothing."""
    return lambda *given, **more: resolve_name(f"{__package__}.{place}")(*given, **more)


DOMAIN: Final = Domain(
    name=NAME,
    extractors=(_late("extractor:queried"),),
    text_extractors=(_late("schema.cache:about"),),
    asks=_late("observed.spoken:asks"),
    skills=(SKILL,),
    commands={
        "db": Command(
            summary="Ask databases, reading only; their structure, kept for offline.",
            load=partial(resolve_name, "learnt.domains.database.commands.group:db"),
        )
    },
    cited_things=_late("schema.cache:KeptTables"),
    doctor=_late("schema.cache:looked_over"),
    erase=_late("schema.cache:erased"),
)
