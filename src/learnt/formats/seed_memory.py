"""The state files of seed 002's memory: read leniently, line by line, nothing of them believed.

| file | what is taken |
|---|---|
| memories.jsonl | of each id the last line, unless it says `deleted` |
| reuse.json | of each memory in `byMemory` its sessions, each once |
| routing-misses.jsonl | each line's prompt, session and date |
| proposals.jsonl | of each id the memory it was made of and the last status |
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from learnt.core.json_values import JsonObject, member, strings, text_of
from learnt.core.records import decode, named
from learnt.formats.observations import lenient

FILES: Final = ("memories.jsonl", "reuse.json", "routing-misses.jsonl", "proposals.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory, as it was captured last."""

    id: str = ""
    problem: str = ""
    approach: str = ""
    cautions: Annotated[tuple[str, ...], named("gotchas")] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    language: str | None = None
    captured_at: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedMiss:
    """A prompt that found nothing there."""

    prompt: str = ""
    session: Annotated[str, named("session_id")] = ""
    recorded_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedDecision:
    """A proposal's last state there, and the memory it was made of, if it was."""

    id: str
    memory: str = ""
    status: str = "pending"
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedMemory:
    """All that the files hold. `unreadable` counts lines that are no JSON object."""

    memories: tuple[Memory, ...] = ()
    sessions: tuple[tuple[str, str], ...] = ()  # memory and session
    misses: tuple[SeedMiss, ...] = ()
    proposals: tuple[SeedDecision, ...] = ()
    deleted: int = 0
    unreadable: int = 0


def parse(files: dict[str, str]) -> SeedMemory:
    """What the files of these names hold; one that is absent holds nothing.

    >>> parse({"memories.jsonl": '{"id": "a", "problem": "p", "approach": "q"}'}).memories[0].id
    'a'
    """
    bad: list[str] = []
    memories: dict[str, Memory] = {}
    deleted = set()
    for value in _objects(files.get("memories.jsonl", "").split("\n"), bad):
        memory = decode(Memory, value)
        if member(value, "deleted") is True:
            deleted.add(memory.id)
        elif memory.problem:
            memories[memory.id] = memory
            deleted.discard(memory.id)
    decided: dict[str, SeedDecision] = {}
    for value in _objects(files.get("proposals.jsonl", "").split("\n"), bad):
        name = text_of(member(value, "id"))
        decided[name] = _decided(value, decided.get(name, SeedDecision(id=name)))
    return SeedMemory(
        memories=tuple(memory for memory in memories.values() if memory.id not in deleted),
        sessions=tuple(
            (memory, session)
            for value in _objects([files.get("reuse.json", "")], bad)
            for memory, session in _sessions(value)
        ),
        misses=tuple(
            decode(SeedMiss, value)
            for value in _objects(files.get("routing-misses.jsonl", "").split("\n"), bad)
            if text_of(member(value, "prompt"))
        ),
        proposals=tuple(proposal for proposal in decided.values() if proposal.id),
        deleted=len(deleted),
        unreadable=len(bad),
    )


def _objects(texts: Iterable[str], bad: list[str]) -> Iterator[JsonObject]:
    for text in filter(str.strip, texts):
        value = lenient(text)
        if isinstance(value, dict):
            yield value
        else:
            bad.append(text)


def _decided(value: JsonObject, before: SeedDecision) -> SeedDecision:
    """The state after one more line: the first holds the evidence, later ones the status."""
    memory = text_of(member(member(value, "evidence"), "memoryId"))
    return SeedDecision(
        id=before.id,
        memory=memory or before.memory,
        status=text_of(member(value, "status")) or before.status,
        note=text_of(member(value, "note")) or before.note,
    )


def _sessions(reuse: JsonObject) -> Iterator[tuple[str, str]]:
    by_memory = member(reuse, "byMemory")
    for memory, uses in by_memory.items() if isinstance(by_memory, dict) else ():
        for session in dict.fromkeys(strings(member(uses, "sessions"))):
            yield memory, session
