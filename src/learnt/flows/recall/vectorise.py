"""The vectors of what is remembered are brought up to date, in the background, texts in batches."""

from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from learnt.core.identifiers import EntryId, keyed_hash
from learnt.core.knowledge.entries import Entry
from learnt.core.recall.vectors import VectorPlace
from learnt.core.skills.skills import Skill
from learnt.flows.recall.meaning import embedded
from learnt.flows.recall.search import entry_of
from learnt.flows.stored import all_stored, texts_behind
from learnt.ports import Outside, Reader
from learnt.vector_ports import Dense, Vectors

BATCH: Final = 32
SKILLS: Final = "skill"  # the scope and stage of all skills: where they lie says who sees them


class Vectorised(NamedTuple):
    """How many vectors were made, how many texts have none that is usable, how many are left."""

    made: int
    without: int
    left: int


def skill_item(key: bytes, skill: Skill) -> VectorPlace:
    """What the vector of a skill's name and description is kept under."""
    digest = keyed_hash(key, SKILLS, skill.name, skill.description)
    return VectorPlace(f"{SKILLS}:{digest}", digest, SKILLS, SKILLS)


def vectorise(
    outside: Outside,
    dense: Dense,
    skills: Iterable[Skill] = (),
    *,
    most: int | None = None,
    told: Callable[[int, int], None] = lambda done, of: None,
) -> Vectorised:
    """Make the vectors that are missing, of all live entries and these skills; drop what is gone.

    At most `most` are made. `told` hears how many of how many are done. What was erased meanwhile
    is kept nowhere. Raises EmbedderUnusable, VectorsUnusable.
    """
    key, vectors = outside.ledger.key, dense.vectors(dense.embedder.name)
    texts = {skill_item(key, s): f"{s.name}. {s.description}" for s in skills}
    with outside.ledger.reading() as reader:
        wanted = {placed(key, e) for e in all_stored(reader, Entry) if e.live} | texts.keys()
    held, items = vectors.held(), {placed.item for placed in wanted}
    vectors.drop([old.item for old in held if old.scope != SKILLS and old.item not in items])
    every = sorted(wanted - held)
    missing, made, without = every[:most], 0, 0
    for at in range(0, len(missing), BATCH):
        told(at, len(missing))
        batch = missing[at : at + BATCH]
        with outside.ledger.reading() as reader:
            given = {p: text for p in batch if (text := texts.get(p) or _text(reader, p))}
        kept = _keep(dense, vectors, given)
        made, without = made + kept, without + len(given) - kept
        with outside.ledger.reading() as reader:
            if not all(texts.get(p) or _text(reader, p) for p in given):
                vectors.clear()  # a text was erased in between: nothing of it may be left
                break
    return Vectorised(made, without, len(every) - len(missing))


def _keep(dense: Dense, vectors: Vectors, given: dict[VectorPlace, str]) -> int:
    """Keep the vectors of texts, those that are known as they are; how many there are."""
    known = vectors.known({placed.digest for placed in given})
    new = [placed for placed in given if placed.digest not in known]
    fresh = embedded(dense.embedder, [given[placed] for placed in new]) if new else []
    by_digest = {**known, **{p.digest: v for p, v in zip(new, fresh, strict=True) if v is not None}}
    rows = [(p, by_digest[p.digest]) for p in given if p.digest in by_digest]
    vectors.put(rows)
    return len(rows)


def placed(key: bytes, entry: Entry) -> VectorPlace:
    """What an entry's vector is kept under. References are keyed hashes of their texts."""
    digest = keyed_hash(key, "entry", entry.about or "", entry.approach or "")
    return VectorPlace(entry.id, digest, entry.scope or "", entry.stage)


def _text(reader: Reader, placed: VectorPlace) -> str:
    """The text of an entry; empty once it was erased."""
    entry = entry_of(reader, EntryId(placed.item))
    return ". ".join(texts_behind(reader, (entry.about, entry.approach))) if entry else ""
