"""The state files of seed 002's memory: read leniently, line by line, nothing of them believed.

| file | what is taken |
|---|---|
| memories.jsonl | of each id the last line, unless it says `deleted` |
| reuse.json | of each memory in `byMemory` its sessions, each once |
| routing-misses.jsonl | each line's prompt, session and date |
| proposals.jsonl | of each id the memory it was made of and the last status |
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from learnt.core.json_values import JsonValue, member, strings, text_of
from learnt.core.records import decode, named
from learnt.formats.observations import storable

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
class Missed:
    """A prompt that found nothing there."""

    prompt: str = ""
    session: Annotated[str, named("session_id")] = ""
    recorded_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """A proposal's last state there, and the memory it was made of, if it was."""

    id: str
    memory: str
    status: str
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeedMemory:
    """All that the files hold. `unreadable` counts lines that are no JSON object."""

    memories: tuple[Memory, ...] = ()
    sessions: tuple[tuple[str, str], ...] = ()  # memory and session
    misses: tuple[Missed, ...] = ()
    proposals: tuple[Decided, ...] = ()
    deleted: int = 0
    unreadable: int = 0


class _Lines:
    """The objects of a file of JSON lines; what is none is counted."""

    def __init__(self) -> None:
        self.bad = 0

    def of(self, text: str) -> Iterator[JsonValue]:
        for line in text.split("\n"):
            if not line.strip():
                continue
            try:
                value = storable(line)
            except (ValueError, RecursionError):
                self.bad += 1
                continue
            if isinstance(value, dict):
                yield value
            else:
                self.bad += 1


def parse(files: dict[str, str]) -> SeedMemory:
    """What the files of these names hold; one that is absent holds nothing.

    >>> parse({"memories.jsonl": '{"id": "a", "problem": "p", "approach": "q"}'}).memories[0].id
    'a'
    """
    lines = _Lines()
    memories: dict[str, Memory] = {}
    deleted = set()
    for value in lines.of(files.get("memories.jsonl", "")):
        memory = decode(Memory, value)
        if member(value, "deleted") is True:
            deleted.add(memory.id)
        elif memory.problem:
            memories[memory.id] = memory
            deleted.discard(memory.id)
    decided: dict[str, Decided] = {}
    for value in lines.of(files.get("proposals.jsonl", "")):
        known = decided.get(text_of(member(value, "id")))
        decided[text_of(member(value, "id"))] = _decided(value, known)
    return SeedMemory(
        memories=tuple(memory for memory in memories.values() if memory.id not in deleted),
        sessions=tuple(_sessions(files.get("reuse.json", ""), lines)),
        misses=tuple(
            decode(Missed, value)
            for value in lines.of(files.get("routing-misses.jsonl", ""))
            if text_of(member(value, "prompt"))
        ),
        proposals=tuple(one for one in decided.values() if one.id),
        deleted=len(deleted),
        unreadable=lines.bad,
    )


def _decided(value: JsonValue, known: Decided | None) -> Decided:
    """The state after one more line: the first holds the evidence, later ones the status."""
    memory = text_of(member(member(value, "evidence"), "memoryId"))
    return Decided(
        id=text_of(member(value, "id")),
        memory=memory or (known.memory if known else ""),
        status=text_of(member(value, "status")) or (known.status if known else "pending"),
        note=text_of(member(value, "note")) or (known.note if known else ""),
    )


def _sessions(text: str, lines: _Lines) -> Iterator[tuple[str, str]]:
    if not text.strip():
        return
    try:
        value = storable(json.dumps(json.loads(text)))
    except (ValueError, RecursionError):
        lines.bad += 1
        return
    held = member(value, "byMemory")
    for memory, said in held.items() if isinstance(held, dict) else ():
        for session in dict.fromkeys(strings(member(said, "sessions"))):
            yield memory, session
