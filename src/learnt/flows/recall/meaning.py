"""How near what is remembered lies to a question by meaning; words do where nobody can tell."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Final

from learnt.core.identifiers import EntryId, keyed_hash
from learnt.core.knowledge.entries import Entry
from learnt.core.recall.closeness import questions_in
from learnt.core.recall.vectors import SPREAD, Vector, VectorPlace, embeddable, unit
from learnt.core.records import Record, Row
from learnt.core.skills.skills import Skill
from learnt.errors import EmbedderUnusable, HomeUnusable, VectorsUnusable
from learnt.file_ports import PastTurn
from learnt.flows.recall.search import entry_of
from learnt.flows.sessions.turn_texts import turn_text
from learnt.flows.stored import all_stored, texts_behind
from learnt.ports import Dense, Embedder, Outside, Vectors


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
        parts = questions_in(question)
        texts = [question, *(parts if len(parts) > 1 else ())]
        vectors = [v for v in embedded(dense.embedder, texts, question=True) if v is not None]
        return MeantQuestion(vectors, dense.embedder.name, dense.embedder.spread)
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
    raw = embedder.embed([embeddable(text) for text in texts], question=question)
    if len(raw) != len(texts):
        raise EmbedderUnusable(f"{embedder.name} gives {len(raw)} vectors for {len(texts)}.")
    vectors: list[Vector | None] = []
    why = ""
    for vector in raw:
        try:
            vectors.append(unit(vector, len(raw[0])))
        except ValueError as error:
            vectors.append(None)
            why = str(error)
    if why and not any(vectors):
        raise EmbedderUnusable(f"{embedder.name} gives {why}.")
    return vectors


BATCH: Final = 32
SKILLS: Final = "skill"  # the scope and stage of all skills: where they lie says who sees them


class Vectorised(Row):
    """How many vectors were made, how many texts have none that is usable, how many are left."""

    made: int
    without: int
    left: int


def skill_item(key: bytes, skill: Skill) -> VectorPlace:
    """What the vector of a skill's name and description is kept under."""
    digest = keyed_hash(key, SKILLS, skill.name, skill.description)
    return VectorPlace(f"{SKILLS}:{digest}", digest, SKILLS, SKILLS)


def _as_sentence(skill: Skill) -> str:
    return f"{skill.name}. {skill.description}"


def skill_vectors(outside: Outside, skills: Sequence[Skill], most: int = 0) -> Mapping[str, Vector]:
    """By file the vectors of skills, where an embedder is set; at most `most` missing are made."""
    dense, key = outside.dense, outside.ledger.key
    if dense is None:
        return {}
    places = [(skill, skill_item(key, skill)) for skill in skills]
    digests = {placed.digest for _, placed in places}
    try:
        vectors = dense.vectors(dense.embedder.name)
        known = vectors.known(digests)
        texts = {placed: _as_sentence(s) for s, placed in places if placed.digest not in known}
        missing = [*texts][:most]
        for at in range(0, len(missing), BATCH):
            _keep(dense, vectors, {placed: texts[placed] for placed in missing[at : at + BATCH]})
        known = vectors.known(digests) if missing else known
    except (EmbedderUnusable, VectorsUnusable) as error:
        dense.trouble = str(error)
        return {}
    return {skill.file: known[p.digest] for skill, p in places if p.digest in known}


def vectorise(
    outside: Outside,
    dense: Dense,
    skills: Iterable[Skill] = (),
    *,
    most: int | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Vectorised:
    """Make the missing vectors of entries, past turns and these skills; drop the rest.

    At most `most` are made. What was erased meanwhile is not kept. `progress` hears how many of how
    many are done. Raises EmbedderUnusable, VectorsUnusable.
    """
    vectors, texts = dense.vectors(dense.embedder.name), _Texts(outside, skills)
    stored, items = vectors.held(), {placed.item for placed in texts.wanted}
    vectors.drop([old.item for old in stored if old.scope != SKILLS and old.item not in items])
    every = sorted(texts.wanted - stored)
    missing, made, without = every[:most], 0, 0
    for at in range(0, len(missing), BATCH):
        progress(at, len(missing))
        batch = missing[at : at + BATCH]
        fresh = {placed: text for placed in batch if (text := texts.of(placed))}
        kept = _keep(dense, vectors, fresh)
        made, without = made + kept, without + len(fresh) - kept
        if not all(map(texts.holds, fresh)):
            vectors.clear()  # a text was erased in between: nothing of it may be left
            break
    return Vectorised(made, without, len(every) - len(missing))


class _Texts:
    """What is to have a vector, and the texts of these as they are now."""

    def __init__(self, outside: Outside, skills: Iterable[Skill]) -> None:
        self._outside, key = outside, outside.ledger.key
        self._skills = {skill_item(key, skill): _as_sentence(skill) for skill in skills}
        self._turns: dict[VectorPlace, PastTurn] = {}
        with suppress(HomeUnusable):  # told by whoever searches sessions
            for session in outside.past.known() if outside.past.wanted else ():
                self._turns |= {turn_item(turn): turn for turn in outside.past.turns(session.name)}
        with outside.ledger.reading() as reader:
            entries = {placed(key, e) for e in all_stored(reader, Entry) if e.live}
        self.wanted = entries | self._skills.keys() | self._turns.keys()

    def of(self, place: VectorPlace) -> str:
        """A text; empty once it is gone."""
        if turn := self._turns.get(place):
            return turn_text(self._outside, turn) or ""
        return self._skills.get(place) or self._entry(place)

    def holds(self, place: VectorPlace) -> bool:
        """Whether a text may have a vector still."""
        if turn := self._turns.get(place):
            return any(t.mark == turn.mark for t in self._outside.past.turns(turn.session.name))
        return place in self._skills or bool(self._entry(place))

    def _entry(self, place: VectorPlace) -> str:
        with self._outside.ledger.reading() as reader:
            entry = entry_of(reader, EntryId(place.item))
            return ". ".join(texts_behind(reader, (entry.about, entry.approach))) if entry else ""


def turn_item(turn: PastTurn) -> VectorPlace:
    """What the vector of a turn of a session is kept under."""
    return VectorPlace(turn.mark, turn.mark, said_in_project(turn.session.project), "said")


def said_in_project(project: str) -> str:
    """The scope of what was said in a project's sessions."""
    return f"said:{project}"


def _keep(dense: Dense, vectors: Vectors, texts: dict[VectorPlace, str]) -> int:
    """Keep the vectors of texts, those that are known as they are; how many there are."""
    known = dict(vectors.known({placed.digest for placed in texts}))
    new = [placed for placed in texts if placed.digest not in known]
    fresh = embedded(dense.embedder, [texts[placed] for placed in new]) if new else []
    known |= {p.digest: v for p, v in zip(new, fresh, strict=True) if v is not None}
    rows = [(placed, known[placed.digest]) for placed in texts if placed.digest in known]
    vectors.put(rows)
    return len(rows)


def placed(key: bytes, entry: Entry) -> VectorPlace:
    """What an entry's vector is kept under. References are keyed hashes of their texts."""
    digest = keyed_hash(key, "entry", entry.about or "", entry.approach or "")
    return VectorPlace(entry.id, digest, entry.scope or "", entry.stage)
