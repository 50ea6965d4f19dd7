"""What the ledger says about use: which entries keep being recalled, which prompts find nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from learnt.core.events import Kind, payload_of
from learnt.core.governance.misses import Miss
from learnt.core.identifiers import ContentRef, EntryId, EventId, ProjectId
from learnt.core.payloads.recall_events import Recalled
from learnt.core.projects import household
from learnt.core.sessions.sessions import IMPORTER
from learnt.core.tokens import words
from learnt.core.totals import Happening
from learnt.ports import Outside, Reader

EPISODE_MS = 86_400_000  # after a session's last prompt
LOOKED_AT = 6  # recalls, for samples of their prompts


@dataclass(slots=True)
class Reuse:
    """One entry's reuse: each session counted once, answers that never arrived left out."""

    entry: EntryId
    first_ms: int
    last_ms: int
    count: int = 0
    sessions: set[str] = field(default_factory=set)
    projects: set[ProjectId] = field(default_factory=set)
    recalls: list[EventId] = field(default_factory=list)  # the first few

    def add(self, happening: Happening) -> None:
        """Count one more."""
        self.count += 1
        self.first_ms = min(self.first_ms, happening.wall_ms)
        self.last_ms = max(self.last_ms, happening.wall_ms)
        if happening.session:
            self.sessions.add(happening.session)
        if happening.project is not None:
            self.projects.add(happening.project)
        if len(self.recalls) < LOOKED_AT:
            self.recalls.append(happening.recall)


def reuses(reader: Reader) -> list[Reuse]:
    """Every entry that was ever put before an agent, most often first."""
    gone = {(h.subject, h.recall) for h in reader.happenings(Kind.NOT_DELIVERED)}
    by_subject: dict[str, Reuse] = {}
    for happening in reader.happenings(Kind.REUSED):
        subject, when = happening.subject, happening.wall_ms
        if gone and (subject, happening.recall) in gone:
            continue
        if subject not in by_subject:
            by_subject[subject] = Reuse(EntryId(subject.removeprefix("entry:")), when, when)
        by_subject[subject].add(happening)
    return sorted(by_subject.values(), key=lambda reuse: (-reuse.count, reuse.entry))


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectMisses:
    """One project's prompts that found nothing, each once."""

    scope: ProjectId | None  # the first of those that share knowledge; None: typed in no project
    misses: tuple[Miss, ...]
    when_ms: Mapping[ContentRef, tuple[int, int]]  # first and last typed


def misses(reader: Reader) -> list[Happening]:
    """The prompts that were missed, also erased ones; not those of an import that was undone.

    A prompt after which the agent was given or opened a note, before its session's next prompt,
    was not missed.
    """
    taken_back = reader.happenings(Kind.NOT_DELIVERED)
    gone = {each.subject for each in taken_back if each.subject.startswith(f"session:{IMPORTER}:")}
    prompts = [each for each in reader.happenings(Kind.MISSED) if each.mode == "hook"]
    given = defaultdict[str, list[int]](list)
    for each in reader.happenings(Kind.RECALLED) if prompts else ():
        if each.shown and each.mode in {"read", "failure", "file"}:
            given[each.subject].append(each.wall_ms)
    following: dict[str, int] = {}
    kept = list[Happening]()
    for each in reversed(prompts):
        until = following.get(each.subject, each.wall_ms + EPISODE_MS)
        following[each.subject] = each.wall_ms
        opened = any(each.wall_ms <= when < until for when in given.get(each.subject, ()))
        if not opened and each.subject not in gone:
            kept.append(each)
    return kept[::-1]


def missed(
    outside: Outside, reader: Reader, found: Sequence[Happening] | None = None
) -> list[ProjectMisses]:
    """The prompts that found nothing, or these of them, each project's apart.

    Erased ones are left out, and those of an import that was undone.
    """
    same = reader.same_projects()
    scopes: dict[ProjectId | None, ProjectId | None] = {None: None}
    times: defaultdict[ProjectId | None, Counter[ContentRef]] = defaultdict(Counter)
    when: defaultdict[ProjectId | None, dict[ContentRef, tuple[int, int]]] = defaultdict(dict)
    for happening in misses(reader) if found is None else found:
        if happening.prompt is None:
            continue
        project, prompt, wall_ms = happening.project, happening.prompt, happening.wall_ms
        if project is not None and project not in scopes:
            scopes[project] = min(household(project, same))
        scope = scopes[project]
        times[scope][prompt] += 1
        first, last = when[scope].get(prompt, (wall_ms, wall_ms))
        when[scope][prompt] = (min(first, wall_ms), max(last, wall_ms))
    texts = {prompt: reader.text(prompt) for prompt in set().union(*times.values())}
    # A prompt's stems, and the first word of each.
    terms = {
        prompt: {outside.stem(word): word for word in reversed(words(text))}
        for prompt, text in texts.items()
        if text is not None
    }
    return [
        ProjectMisses(
            scope=scope,
            misses=tuple(
                Miss(prompt=prompt, terms=terms[prompt], count=count)
                for prompt, count in times[scope].items()
                if prompt in terms
            ),
            when_ms=when[scope],
        )
        for scope in sorted(times, key=lambda scope: scope or "")
    ]


def prompts_of(reader: Reader, recalls: Iterable[EventId], most: int) -> list[ContentRef]:
    """The first distinct prompts, at most so many, that these recalls answered."""
    events = filter(None, map(reader.event, recalls))
    prompts = (payload_of(Recalled, event).prompt for event in events)
    return list(dict.fromkeys(prompt for prompt in prompts if prompt is not None))[:most]
