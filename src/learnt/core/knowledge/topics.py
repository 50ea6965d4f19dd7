"""Where facts belong: layers, the topics published together, and how far all has come.

The rules: nascent below 10 validated entries; mature from there on, once at most a fifth of the
last 20 decisions let something in and no structure was corrected for 14 days; growing in between.
A change of what the facts are about moves it back: that is as it should be.

Seed 000's four layers. Experience with tools has none of its own: it annotates the queries or the
flows that it is about.

Seed 000's scaling rules: a topic of more than 80 lines is split by what its facts are about, three
related facts make a new one, more than eight are joined again, and the index stays below 40 lines.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.kinds import KINDS, Policy, policy
from learnt.core.records import Record

FEW: Final = 10
LOOKED_AT: Final = 20
MATURE_SHARE: Final = 0.2
QUIET_DAYS: Final = 14


class Maturity(StrEnum):
    """How far a body of knowledge has come."""

    NASCENT = "nascent"
    GROWING = "growing"
    MATURE = "mature"


class GrowthHistory(Record):
    """What has happened of late, the newest first.

    `validated` counts the entries; `decisions` are the gates' verdicts; `known` says of each of
    the last prompts whether something known bore on it; `renewals` of each of the last additions
    whether it only confirmed what was there. Days are None where it never happened.
    """

    validated: int = 0
    decisions: Sequence[str] = ()
    known: Sequence[bool] = ()
    renewals: Sequence[bool] = ()
    days_since_structure_changed: int | None = None
    days_since_a_new_topic: int | None = None


class Sign(Record):
    """One sign of maturity: what is counted, in words, and whether it points that way."""

    said: str
    points: bool


def maturity(record: GrowthHistory) -> Maturity:
    """How far it has come, by the rules above.

    >>> held = ["reject"] * 17 + ["admit"] * 3
    >>> str(maturity(GrowthHistory(validated=12, decisions=held)))
    'mature'
    >>> str(maturity(GrowthHistory(validated=12, decisions=held, days_since_structure_changed=2)))
    'growing'
    """
    if record.validated < FEW:
        return Maturity.NASCENT
    last = record.decisions[:LOOKED_AT]
    changed = record.days_since_structure_changed
    quiet = changed is None or changed >= QUIET_DAYS
    enough = len(last) == LOOKED_AT
    settled = enough and _admitted(last) <= MATURE_SHARE * len(last)
    return Maturity.MATURE if quiet and settled else Maturity.GROWING


def _admitted(verdicts: Sequence[str]) -> int:
    return sum(verdict in {"admit", "correct"} for verdict in verdicts)


def signs(record: GrowthHistory) -> tuple[Sign, ...]:
    """The four signs, in the seed's order; none of them is a goal to work towards.

    >>> [sign.points for sign in signs(GrowthHistory())]
    [False, False, False, False]
    """
    known, decided = record.known[:LOOKED_AT], record.decisions[:LOOKED_AT]
    renewed, quiet = record.renewals[:LOOKED_AT], record.days_since_a_new_topic
    kept_out = len(decided) - _admitted(decided)
    counted = (
        ("{} of the last {} prompts were about something known", sum(known), len(known)),
        ("the gates answered “do nothing” to {} of the last {} offers", kept_out, len(decided)),
        ("{} of the last {} additions confirmed what was known", sum(renewed), len(renewed)),
    )
    first, second, last = (
        Sign(words.format(count, of), points=of >= LOOKED_AT // 2 and count > of / 2)
        for words, count, of in counted
    )
    since = "there is no topic yet" if quiet is None else f"no new topic for {quiet} days"
    return first, second, Sign(since, points=quiet is not None and quiet >= QUIET_DAYS), last


class Layer(StrEnum):
    """Where facts are kept together; the name of the topic."""

    STRUCTURE = "schema_map"
    RULES = "business_rules"
    QUERIES = "query_patterns"
    FLOWS = "investigation_flows"


_OF_KIND: Final[Mapping[str, Layer]] = {
    "schema": Layer.STRUCTURE,
    "data_range": Layer.STRUCTURE,
    "data_snapshot": Layer.STRUCTURE,
    "business_rule": Layer.RULES,
    "query_pattern": Layer.QUERIES,
    "procedure": Layer.FLOWS,
    "solution": Layer.FLOWS,
}
# A finished investigation distils upward: from what is there, to what to ask, to how to proceed.
_UPWARD: Final = ((Layer.STRUCTURE, Layer.QUERIES), (Layer.QUERIES, Layer.FLOWS))
_ENOUGH_TO_RISE: Final = 2
KIND_ABOVE: Final = {Layer.QUERIES: "query_pattern", Layer.FLOWS: "procedure"}


def upward(counts: Mapping[Layer, int]) -> Layer | None:
    """The layer that comes next after two facts of the one below; None where it has facts.

    >>> upward({Layer.STRUCTURE: 2}), upward({Layer.STRUCTURE: 2, Layer.QUERIES: 1})
    (<Layer.QUERIES: 'query_patterns'>, None)
    """
    for below, above in _UPWARD:
        if counts.get(below, 0) >= _ENOUGH_TO_RISE and not counts.get(above, 0):
            return above
    return None


class Vocabulary(Record):
    """Each kind's policy, and the layers of the kinds that domains add.

    `asks`: by which domains tell that a text speaks of queries.
    """

    policies: Mapping[str, Policy]
    layers: Mapping[str, Layer]
    asks: tuple[Callable[[str], bool], ...] = ()

    def knows(self, kind: str) -> bool:
        """Whether entries of a kind may be captured."""
        return kind in self.policies

    def short(self, kind: str) -> str:
        """A kind's name for narrow columns; that of one that is not known is its own."""
        return policy(kind, self.policies).short

    def layer(self, kind: str, text: str) -> Layer:
        """The layer of a fact; a kind that nobody named belongs to the flows.

        >>> str(OWN.layer("schema", "")), str(OWN.layer("tool_experience", "mvn hangs"))
        ('schema_map', 'investigation_flows')
        """
        if kind == "tool_experience":
            return Layer.QUERIES if any(asks(text) for asks in self.asks) else Layer.FLOWS
        return _OF_KIND.get(kind) or self.layers.get(kind, Layer.FLOWS)


OWN: Final = Vocabulary(policies=KINDS, layers={})


def widened(
    by: Mapping[str, tuple[Policy, Layer]], asks: Iterable[Callable[[str], bool]] = ()
) -> Vocabulary:
    """Learnt's own kinds, and those of domains; what is Learnt's own stays as it is.

    >>> known = widened({"payoff": (Policy(0.02, "payoff"), Layer.RULES)})
    >>> known.knows("payoff"), OWN.knows("payoff"), str(known.layer("payoff", ""))
    (True, False, 'business_rules')
    """
    policies = {kind: added for kind, (added, _) in by.items()}
    return Vocabulary(
        policies=MappingProxyType({**policies, **KINDS}),
        layers=MappingProxyType({kind: at for kind, (_, at) in by.items()}),
        asks=tuple(asks),
    )


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


class Published(Record):
    """A fact as it is published; `rivals` are the entries that are in dispute with it."""

    id: EntryId
    layer: str
    kind: str
    text: str
    entities: tuple[str, ...] = ()
    rivals: tuple[EntryId, ...] = ()


class Topic(Record):
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


class Layout(Record):
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
