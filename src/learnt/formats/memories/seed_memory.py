"""The state files of seed 002's memory: read leniently, line by line, nothing of them believed.

| file | what is taken |
|---|---|
| memories.jsonl | of each id the last line, unless it says `deleted` |
| reuse.json | of each memory in `byMemory` its sessions, each once |
| routing-misses.jsonl | each line's prompt, session and date |
| proposals.jsonl | of each id the memory it was made of and the last status |
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Final

from learnt.core.json_values import JsonObject, member, strings, text_of
from learnt.core.knowledge.brought import Brought, Bundle, EarlierMiss, Quoted, TurnedDown
from learnt.core.knowledge.drafts import Solution
from learnt.core.knowledge.standing import Standing
from learnt.core.records import decode, named
from learnt.formats.answers import filled
from learnt.formats.observations import lenient
from learnt.formats.seed_health import at_ms

MEMORIES: Final = "memories.jsonl"
FILES: Final = (MEMORIES, "reuse.json", "routing-misses.jsonl", "proposals.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One memory, as it was captured last; `project_path` is known to newer versions."""

    id: str = ""
    problem: str = ""
    approach: str = ""
    cautions: Annotated[tuple[str, ...], named("gotchas")] = ()
    tags: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    language: str | None = None
    captured_at: str | None = None
    project: str = ""
    project_path: str = ""


def parse(files: Mapping[str, str]) -> Bundle:
    """What the files of these names bring; one that is absent brings nothing.

    >>> parse({"memories.jsonl": '{"id": "a", "problem": "p", "approach": "q"}'}).pieces[0].id
    'a'
    """
    bad: list[str] = []

    def rows(name: str) -> Iterator[tuple[int, JsonObject]]:
        return _objects(name, files.get(name, "").split("\n"), bad)

    sessions: dict[str, tuple[str, ...]] = {}
    for _, value in _objects("reuse.json", [files.get("reuse.json", "")], bad):
        sessions |= _sessions(value)
    misses = tuple(
        EarlierMiss(
            prompt=prompt,
            session=text_of(member(value, "session_id")),
            date=text_of(member(value, "recorded_at")),
        )
        for _, value in rows("routing-misses.jsonl")
        if (prompt := text_of(member(value, "prompt")))
    )
    memories, deleted, mute = _memories(rows(MEMORIES))
    decided, left = _decisions(rows("proposals.jsonl"))
    told = {
        "memories that were deleted there": deleted,
        "lines that tell no problem": mute,
        "proposals that are pending or applied there": left,
    }
    return Bundle(
        pieces=tuple(
            _piece(line, memory, sessions.get(memory.id, ())) for line, memory in memories
        ),
        misses=misses,
        turned_down=tuple(decided),
        findings=(*bad, *(f"{count} {what}: left out" for what, count in told.items() if count)),
    )


def _memories(
    rows: Iterable[tuple[int, JsonObject]],
) -> tuple[list[tuple[int, Memory]], int, int]:
    """Of each id the last line, how many ids were deleted, and how many lines say nothing."""
    memories: dict[str, tuple[int, Memory]] = {}
    deleted, mute = set(), 0
    for line, value in rows:
        memory = decode(Memory, value)
        if member(value, "deleted") is True:
            deleted.add(memory.id)
        elif memory.problem:
            memories[memory.id] = line, memory
            deleted.discard(memory.id)
        elif memory.id not in memories:  # else it changes what was said of one before
            mute += 1
    return [memories[own] for own in memories if own not in deleted], len(deleted), mute


def _piece(line: int, memory: Memory, sessions: tuple[str, ...]) -> Brought:
    ms = at_ms(memory.captured_at or "")
    return Brought(
        what=filled(Solution, memory),
        place=f"memories.jsonl:{line}",
        project=memory.project_path or memory.project,
        id=memory.id,
        quoted=Quoted(date=memory.captured_at),
        standing=Standing(confirmed_ms=ms) if ms else None,
        sessions=sessions,
    )


def _decisions(rows: Iterable[tuple[int, JsonObject]]) -> tuple[list[TurnedDown], int]:
    """The rejections of drafts, and how many other proposals there are.

    Of a proposal the first line holds the evidence, later ones the status.
    """
    known: dict[str, tuple[str, str, str]] = {}  # memory, status, note
    for _, value in rows:
        name = text_of(member(value, "id"))
        memory = text_of(member(member(value, "evidence"), "memoryId"))
        told = memory, text_of(member(value, "status")), text_of(member(value, "note"))
        before = known.get(name, ("", "pending", ""))
        memory, status, note = (new or old for new, old in zip(told, before, strict=True))
        known[name] = memory, status, note
    rejected = [
        TurnedDown(about=memory, note=note)
        for name, (memory, status, note) in known.items()
        if name and memory and status == "rejected"
    ]
    return rejected, len(known) - len(rejected)


def _objects(name: str, texts: Iterable[str], bad: list[str]) -> Iterator[tuple[int, JsonObject]]:
    for line, text in enumerate(texts, 1):
        value = lenient(text) if text.strip() else None
        if isinstance(value, dict):
            yield line, value
        elif text.strip():
            bad.append(f"{name}:{line}: no JSON object, perhaps cut off: left out")


def _sessions(reuse: JsonObject) -> dict[str, tuple[str, ...]]:
    by_memory = member(reuse, "byMemory")
    if not isinstance(by_memory, Mapping):
        return {}
    return {
        memory: tuple(dict.fromkeys(strings(member(uses, "sessions"))))
        for memory, uses in by_memory.items()
    }
