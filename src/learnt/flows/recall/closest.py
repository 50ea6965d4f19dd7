"""Finding what is asked for: explicit search over entries, every stage, without a floor."""

from collections.abc import Sequence

from learnt.core.identifiers import ProjectId
from learnt.core.recall import asking, queries
from learnt.core.tokens import terms
from learnt.flows.recall.search import Ranked, by_likelihood
from learnt.ports import Outside, Reader


def closest(
    outside: Outside, reader: Reader, question: str, scopes: Sequence[ProjectId], limit: int
) -> list[Ranked]:
    """The entries closest to a question that these projects see, best first, at most `limit`.

    Facts about what it names come first.
    """
    looked_for = queries.weighed(question, lambda text: terms(text, outside.stem))
    found = reader.closest(looked_for, scopes, limit)
    ranked = by_likelihood(reader, question, asking.sought(question, outside.stem), found)
    return sorted(ranked, key=lambda each: not each.named)
