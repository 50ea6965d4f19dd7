"""What the language room says of an offer: its worth, and how it stands to the nearest entries."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from learnt.core.address import Address
from learnt.core.identifiers import EntryId
from learnt.core.knowledge.drafts import Fact, Offered
from learnt.core.knowledge.gates import Compared, Neighbour, both_halves
from learnt.core.knowledge.relations import Relation
from learnt.core.knowledge.worth import SOUND, Worth
from learnt.ports import Outside


def worth_of(outside: Outside, offered: Offered) -> Worth:
    """The worth of a fact's text; a solution is not judged by its wording."""
    return outside.language.worth(offered.text) if isinstance(offered, Fact) else SOUND


def address_of(outside: Outside, offered: Offered) -> Address:
    """Whom the texts of an offer speak to."""
    return outside.language.commands("\n".join(offered.texts))


def compared_with(
    outside: Outside,
    offered: Offered,
    near: Iterable[Neighbour],
    answers: Mapping[EntryId, Relation],
) -> list[Compared]:
    """How an offer stands to each entry of its own form.

    Where rules are not certain, the offer's own `answers` decide, before any model.
    """
    return [
        _compared(outside, offered, known, answers)
        for known in near
        if known.fact is isinstance(offered, Fact)
    ]


def _compared(
    outside: Outside, offered: Offered, known: Neighbour, answers: Mapping[EntryId, Relation]
) -> Compared:
    compare = outside.language.compare
    if isinstance(offered, Fact):
        comparison = compare(known.text, offered.text)
    else:
        problem = compare(known.text, offered.problem)
        comparison = both_halves(problem, compare(known.approach, offered.approach))
    answer = answers.get(known.id)
    if answer is None or (comparison.certain and not comparison.judged):
        return Compared(known=known, comparison=comparison)
    return Compared(known=known, comparison=replace(comparison, certain=False), judged=answer)
