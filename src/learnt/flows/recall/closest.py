"""Finding what is asked for: explicit search over entries, every stage, without a floor."""

from collections.abc import Sequence

from learnt.core.identifiers import ProjectId
from learnt.core.recall import ranking
from learnt.core.recall.queries import asked
from learnt.core.tokens import terms
from learnt.flows.recall.search import Ranked, entry_of, named
from learnt.ports import Outside, Reader


def closest(
    outside: Outside, reader: Reader, question: str, scopes: Sequence[ProjectId], limit: int
) -> list[Ranked]:
    """The entries closest to a question that these projects see, best first, at most `limit`.

    Facts about what it names come first.
    """
    looked_for = asked(question, lambda text: terms(text, outside.stem))
    matches = reader.closest(looked_for, scopes, limit)
    stored = {match.entry: entry_of(reader, match.entry) for match in matches.best}
    led = named(reader, question, stored)
    subjects = {term for match in matches.best for term in match.subject_terms}
    rest = sorted(subjects - matches.frequencies.keys())
    counts = {**matches.frequencies, **reader.frequencies(rest, scopes)}
    weights = {term: ranking.weight(count, matches.entries) for term, count in counts.items()}
    whole = ranking.mass(looked_for.whole, weights)
    results = []
    for match in matches.best:
        entry = stored[match.entry]
        if entry is None:
            continue
        common = match.shared & match.subject_terms
        masses = ranking.mass(common, weights), whole, ranking.mass(match.subject_terms, weights)
        bears = ranking.promising(match, common) and ranking.bears_on(*masses)
        results.append(
            Ranked(
                entry=entry,
                match=match,
                relevance=round(1_000_000 * ranking.relevance(*masses)),
                bears=bears or match.entry in led,
                named=match.entry in led,
            )
        )
    return sorted(results, key=lambda ranked: not ranked.named)
