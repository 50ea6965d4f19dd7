"""What the ledger says about use: which entries keep being recalled, which prompts find nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from learnt.core.events import Kind
from learnt.core.governance.misses import Miss
from learnt.core.identifiers import ContentRef, EntryId, EventId, ProjectId
from learnt.core.tokens import words
from learnt.ports import Happening, Outside, Reader

LOOKED_AT = 6  # recalls, for samples of their prompts


@dataclass(frozen=True, slots=True, kw_only=True)
class Reuse:
    """One entry's reuse: each session counted once, answers that never arrived taken off."""

    entry: EntryId
    sessions: tuple[str, ...]
    projects: tuple[ProjectId, ...]
    first_ms: int
    last_ms: int
    recalls: tuple[EventId, ...]

    @property
    def count(self) -> int:
        """How often it was put before an agent: once a session."""
        return len(self.recalls)


def reuses(reader: Reader) -> list[Reuse]:
    """Every entry that was ever put before an agent, most often first."""
    gone = {(h.subject, h.recall) for h in reader.happenings(Kind.NOT_DELIVERED)}
    by_entry: defaultdict[str, list[Happening]] = defaultdict(list)
    for happening in reader.happenings(Kind.REUSED):
        if (happening.subject, happening.recall) not in gone:
            by_entry[happening.subject].append(happening)
    found = [
        Reuse(
            entry=EntryId(subject.removeprefix("entry:")),
            sessions=tuple(dict.fromkeys(h.session for h in held if h.session)),
            projects=tuple(dict.fromkeys(h.project for h in held if h.project)),
            first_ms=min(h.wall_ms for h in held),
            last_ms=max(h.wall_ms for h in held),
            recalls=tuple(h.recall for h in held),
        )
        for subject, held in by_entry.items()
    ]
    return sorted(found, key=lambda reuse: (-reuse.count, reuse.entry))


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """Prompts that found nothing: each distinct one, and when it was first and last typed."""

    misses: tuple[Miss, ...]
    when_ms: Mapping[ContentRef, tuple[int, int]]

    @property
    def total(self) -> int:
        """All of them, repeats counted."""
        return sum(miss.count for miss in self.misses)


def missed(outside: Outside, reader: Reader) -> Missed:
    """The prompts that found nothing; one whose text was erased is left out."""
    times: Counter[ContentRef] = Counter()
    when: dict[ContentRef, tuple[int, int]] = {}
    for happening in reader.happenings(Kind.MISSED):
        if happening.mode != "hook" or happening.prompt is None:
            continue
        times[happening.prompt] += 1
        first, last = when.get(happening.prompt, (happening.wall_ms, happening.wall_ms))
        when[happening.prompt] = (min(first, happening.wall_ms), max(last, happening.wall_ms))
    found = []
    for prompt, count in times.items():
        text = reader.text(prompt)
        if text is not None:
            terms = {outside.stem(word): word for word in reversed(words(text))}
            found.append(Miss(prompt=prompt, terms=terms, count=count))
    return Missed(misses=tuple(found), when_ms=when)


def prompts_of(reader: Reader, recalls: Iterable[EventId], most: int) -> list[ContentRef]:
    """The first distinct prompts, at most so many, that the first of these recalls answered."""
    found: dict[ContentRef, None] = {}
    for recall in islice(recalls, LOOKED_AT):
        if len(found) >= most:
            break
        event = reader.event(recall)
        prompt = None if event is None else event.payload.get("prompt")
        if isinstance(prompt, str) and prompt:
            found[ContentRef(prompt)] = None
    return list(found)
