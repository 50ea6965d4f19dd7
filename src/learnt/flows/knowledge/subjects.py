"""What a sentence is about: the names that anybody sees in it, and those that domains know."""

from dataclasses import replace

from learnt.core.knowledge.drafts import MOST_ENTITIES, Fact, Offered, mentioned, tidy
from learnt.ports import Outside


def tidied(outside: Outside, offered: Offered) -> tuple[Offered, tuple[str, ...]]:
    """It as it would be written, and the kinds of secret that were taken out of it.

    A fact that names nothing is about the things of enabled domains that its text names, or where
    no domain knows one, about whatever has a name in it.
    """

    def named_in(text: str) -> tuple[str, ...]:
        known = dict.fromkeys(name for one in outside.about(text) for name in one.entities)
        return tuple(known)[:MOST_ENTITIES] or mentioned(text)

    return tidy(offered, named_in)


def of_its_kind(outside: Outside, offered: Offered) -> Offered:
    """A fact that nobody named the kind of, with the kind by which a domain knows it."""
    if not isinstance(offered, Fact) or offered.entities:
        return offered
    kinds = (one.kind for one in outside.about(offered.text))
    kind = next((kind for kind in kinds if outside.kinds.knows(kind)), offered.kind)
    return replace(offered, kind=kind)
