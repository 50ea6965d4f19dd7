"""The state files of seed 002's memory: read leniently, line by line, nothing of them believed.

| file | what is taken |
|---|---|
| memories.jsonl | of each id the last line, unless it says `deleted` |
| reuse.json | of each memory in `byMemory` its sessions, each once |
| routing-misses.jsonl | each line's prompt, session and date |
| proposals.jsonl | of each id the memory it was made of and the last status |
"""

from collections.abc import Iterator, Mapping
from typing import Final

from learnt.core.json_values import JsonObject, member, strings, text_of
from learnt.core.knowledge.brought import Brought, Bundle, EarlierMiss, TurnedDown
from learnt.core.records import decode
from learnt.formats.observations import lenient

MEMORIES: Final = "memories.jsonl"
FILES: Final = (MEMORIES, "reuse.json", "routing-misses.jsonl", "proposals.jsonl")
_TAKEN: Final = ("id", "problem", "approach", "tags", "files", "language")
_Rows = Iterator[tuple[int, JsonObject]]


def parse(files: Mapping[str, str]) -> Bundle:
    """What the files of these names bring; one that is absent brings nothing.

    >>> parse({"memories.jsonl": '{"id": "a", "problem": "p", "approach": "q"}'}).pieces[0].id
    'a'
    """
    bad: list[str] = []

    def rows(name: str) -> _Rows:
        text = files.get(name, "")
        for line, row in enumerate([text] if name.endswith(".json") else text.split("\n"), 1):
            value = lenient(row) if row.strip() else {}
            if isinstance(value, dict):
                yield from [(line, value)] if row.strip() else ()
            else:
                bad.append(f"{name}:{line}: no JSON object, perhaps cut off")

    uses = next((member(value, "byMemory") for _, value in rows("reuse.json")), None)
    pieces, told = _memories(rows(MEMORIES), uses if isinstance(uses, Mapping) else {})
    misses = tuple(
        EarlierMiss(prompt, *(text_of(value.get(part)) for part in ("session_id", "recorded_at")))
        for _, value in rows("routing-misses.jsonl")
        if (prompt := text_of(value.get("prompt")))
    )
    turned_down, told["proposals that are pending or applied there"] = _decisions(
        rows("proposals.jsonl")
    )
    return Bundle(
        pieces=pieces,
        misses=misses,
        turned_down=turned_down,
        findings=(*bad, *(f"{count} {what}" for what, count in told.items() if count)),
    )


def _memories(rows: _Rows, uses: JsonObject) -> tuple[tuple[Brought, ...], dict[str, int]]:
    """Of each id the last line, unless it is deleted; and how many lines are left out, and why."""
    memories: dict[str, Brought] = {}
    deleted, mute = set(), 0
    for line, value in rows:
        own = text_of(value.get("id"))
        if value.get("deleted") is True:
            deleted.add(own)
        elif text_of(value.get("problem")):
            deleted.discard(own)
            project = text_of(value.get("project_path")) or text_of(value.get("project"))
            memories[own] = decode(Brought, {
                **{part: value[part] for part in _TAKEN if part in value},
                "cautions": strings(value.get("gotchas")),
                "project": project,
                "sessions": tuple(dict.fromkeys(strings(member(uses.get(own), "sessions")))),
                "source": {"date": value.get("captured_at")},
                "place": f"{MEMORIES}:{line}",
            })  # fmt: skip
        elif own not in memories:  # else it changes what was said of one before
            mute += 1
    kept = tuple(memory for own, memory in memories.items() if own not in deleted)
    told = {"memories that were deleted there": len(deleted), "lines that tell no problem": mute}
    return kept, told


def _decisions(rows: _Rows) -> tuple[tuple[TurnedDown, ...], int]:
    """The rejections of drafts, and how many other proposals there are.

    Of a proposal the first line holds the evidence, later ones the status.
    """
    known: dict[str, tuple[str, str, str]] = {}  # memory, status, note
    for _, value in rows:
        name, about = text_of(value.get("id")), member(value.get("evidence"), "memoryId")
        before = known.get(name, ("", "pending", ""))
        told = (text_of(part) for part in (about, value.get("status"), value.get("note")))
        memory, status, note = (new or old for new, old in zip(told, before, strict=True))
        known[name] = memory, status, note
    rejected = tuple(
        TurnedDown(memory, note)
        for memory, status, note in known.values()
        if memory and status == "rejected"
    )
    return rejected, len(known) - len(rejected)
