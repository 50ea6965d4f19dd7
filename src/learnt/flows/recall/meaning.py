"""How near what is remembered lies to a question by meaning; words do where nobody can tell."""

from collections.abc import Collection, Mapping, Sequence

from learnt.core.recall.queries import questions_in
from learnt.core.recall.vectors import SPREAD, Vector, embeddable, unit
from learnt.core.records import Record
from learnt.errors import EmbedderUnusable, VectorsUnusable
from learnt.ports import Outside
from learnt.vector_ports import Embedder


class MeantQuestion(Record):
    """A question as a vector, whole and each that is in it, and the model of these vectors."""

    vectors: Sequence[Vector]
    model: str
    spread: float = SPREAD


def meant_question(outside: Outside, question: str) -> MeantQuestion | None:
    """A question for `near`, if there is an embedder; slow, so never while the ledger is held."""
    dense = outside.dense
    if dense is None or not question.strip():
        return None
    dense.trouble = ""
    try:
        each = questions_in(question)
        texts = [question, *(each if len(each) > 1 else ())]
        found = [v for v in embedded(dense.embedder, texts, question=True) if v is not None]
        return MeantQuestion(found, dense.embedder.name, dense.embedder.spread)
    except EmbedderUnusable as error:
        dense.trouble = str(error)
        return None


def near(
    outside: Outside,
    question: MeantQuestion | None,
    scopes: Collection[str],
    limit: int,
    also: Collection[str] = (),
) -> Mapping[str, float]:
    """The cosines of the nearest items of scopes, and `also` of these; a question's parts count."""
    dense = outside.dense
    if dense is None or question is None:
        return {}
    try:
        vectors = dense.vectors(question.model)
        items = set(also)
        for vector in question.vectors if scopes else ():
            items.update(item for item, _ in vectors.nearest(vector, scopes, limit))
        whole, *parts = (vectors.cosines(vector, items) for vector in question.vectors)
        return {
            item: (cosine + max(part[item] for part in parts or [whole])) / 2
            for item, cosine in whole.items()
        }
    except VectorsUnusable as error:
        dense.trouble = str(error)
        return {}


def beside(
    outside: Outside, question: MeantQuestion, digest: str, items: Collection[str]
) -> Mapping[str, float]:
    """The cosines of items to the text of that digest: what belongs to the best that was found."""
    dense = outside.dense
    if dense is None:
        return {}
    try:
        vectors = dense.vectors(question.model)
        vector = vectors.known([digest]).get(digest)
        return {} if vector is None else vectors.cosines(vector, items)
    except VectorsUnusable as error:
        dense.trouble = str(error)
        return {}


def embedded(
    embedder: Embedder, texts: Sequence[str], *, question: bool = False
) -> list[Vector | None]:
    """The vectors of texts, of length 1; None for an unusable one. Raises EmbedderUnusable."""
    given = embedder.embed([embeddable(text) for text in texts], question=question)
    if len(given) != len(texts):
        raise EmbedderUnusable(f"{embedder.name} gives {len(given)} vectors for {len(texts)}.")
    found: list[Vector | None] = []
    why = ""
    for vector in given:
        try:
            found.append(unit(vector, len(given[0])))
        except ValueError as error:
            found.append(None)
            why = str(error)
    if why and not any(found):
        raise EmbedderUnusable(f"{embedder.name} gives {why}.")
    return found
