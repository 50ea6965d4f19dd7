"""Which facts are published together: topics that stay short, few, and worth a file of their own.

Seed 000's scaling rules: a topic of more than 80 lines is split by what its facts are about, three
related facts make a new one, more than eight are joined again, and the index stays below 40 lines.
"""

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.placement import Layer

LONGEST: Final = 80  # lines
MOST: Final = 8
RELATED: Final = 3  # facts that make a topic
HEAD: Final = 4  # lines before the first fact
A_FACT: Final = 3  # its tag, its text, and an empty line
TITLES: Final = {
    Layer.STRUCTURE: "Structure",
    Layer.RULES: "Business rules",
    Layer.QUERIES: "Query patterns",
    Layer.FLOWS: "Investigation flows",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """A fact as it is published; `rivals` are the entries that are in dispute with it."""

    id: EntryId
    layer: str
    kind: str
    text: str
    entities: tuple[str, ...] = ()
    rivals: tuple[EntryId, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Facts in one file. `about` is the entity by which it was split off, if it was."""

    name: str
    layer: str
    facts: tuple[Published, ...]
    about: str = ""

    @property
    def title(self) -> str:
        """What it is called."""
        named = TITLES.get(Layer(self.layer), self.layer)
        return f"{named}: {self.about}" if self.about else named

    @property
    def lines(self) -> int:
        """How long its file is."""
        return HEAD + A_FACT * len(self.facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The topics in order, the facts that no topic has room for yet, and what is over a limit."""

    topics: tuple[Topic, ...] = ()
    waiting: tuple[Published, ...] = ()
    findings: tuple[str, ...] = ()


def lay_out(facts: Iterable[Published], known: Iterable[str] = ()) -> Layout:
    """The topics for these facts; one that is not `known` (has no file) waits for three facts.

    >>> one = Published(id=EntryId("e-1"), layer="schema_map", kind="schema", text="a")
    >>> len(lay_out([one]).waiting), lay_out([one], ["schema_map"]).topics[0].name
    (1, 'schema_map')
    """
    there = set(known)
    by_layer: dict[str, list[Published]] = {}
    for fact in facts:
        by_layer.setdefault(fact.layer, []).append(fact)
    order = [layer for layer in Layer if layer in by_layer]
    laid = _few([topic for layer in order for topic in _split(layer, by_layer[layer], there)])
    topics = [t for t in laid if len(t.facts) >= RELATED or t.name in there]
    waiting = [fact for topic in laid if topic not in topics for fact in topic.facts]
    findings = [
        f"{topic.name} has {topic.lines} lines, and nothing by which to split it"
        for topic in topics
        if topic.lines > LONGEST
    ]
    if len(topics) > MOST:
        findings.append(f"{len(topics)} topics are more than {MOST}: retire what is not needed")
    return Layout(topics=tuple(topics), waiting=tuple(waiting), findings=tuple(findings))


def _split(layer: str, facts: Sequence[Published], known: Collection[str]) -> list[Topic]:
    """One topic, or several of what most of its facts are about, until none is too long."""
    room = (LONGEST - HEAD) // A_FACT
    rest = list(facts)
    parts: list[Topic] = []
    while len(rest) > room:
        about = _most_common(layer, rest, known)
        part = [fact for fact in rest if about in _about(fact)][:room] if about else []
        if len(part) < RELATED or len(part) == len(rest):
            break
        first, taken = _name(layer, about), {topic.name for topic in parts}
        names = itertools.chain([first], (f"{first}_{number}" for number in itertools.count(2)))
        name = next(name for name in names if name not in taken)
        parts.append(Topic(name=name, layer=layer, facts=tuple(part), about=about))
        rest = [fact for fact in rest if fact not in part]
    whole = [Topic(name=str(layer), layer=layer, facts=tuple(rest))] if rest else []
    return [*whole, *sorted(parts, key=lambda topic: topic.name)]


def _about(fact: Published) -> tuple[str, ...]:
    """What it is about: of a column the table as well."""
    names = (entity.casefold().removesuffix("()") for entity in fact.entities)
    return tuple(dict.fromkeys(name.partition(".")[0] for name in names))


def _most_common(layer: str, facts: Sequence[Published], known: Collection[str]) -> str:
    """The entity to split by: one with a file, else the commonest of three facts; or empty."""
    counted = Counter(name for fact in facts for name in _about(fact) if name)
    shared = [
        (_name(layer, name) not in known, -count, name)
        for name, count in counted.items()
        if RELATED <= count < len(facts)
    ]
    return min(shared, default=(False, 0, ""))[2]


def _name(layer: str, about: str) -> str:
    slug = "".join(char if char.isalnum() and char.isascii() else "_" for char in about).strip("_")
    return f"{layer}_{slug[:40] or 'part'}"


def _few(topics: list[Topic]) -> list[Topic]:
    """The two shortest topics of a layer joined, while there are more than eight."""
    while len(topics) > MOST:
        pairs: list[tuple[int, str, Topic, Topic]] = []
        for layer in {topic.layer for topic in topics}:
            split = [topic for topic in topics if topic.layer == layer and topic.about]
            shortest = sorted(split, key=lambda topic: (topic.lines, topic.name))[:2]
            lines = sum(topic.lines for topic in shortest)
            if len(shortest) == 2 and lines - HEAD <= LONGEST:
                pairs.append((lines, shortest[0].name, shortest[0], shortest[1]))
        if not pairs:
            break
        first, second = min(pairs, key=lambda pair: pair[:2])[2:]
        about = f"{first.about}, {second.about}"
        joined = replace(first, facts=first.facts + second.facts, about=about)
        topics = [joined if topic is first else topic for topic in topics if topic is not second]
    return topics
