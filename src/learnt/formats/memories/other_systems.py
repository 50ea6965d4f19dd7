"""What other memories write: systems for agents, seed 002, and another Learnt.

    {"text": "…", "kind": "schema", "entities": [], "tags": []}
    {"problem": "…", "approach": "…", "cautions": [], "tags": [], "files": [], "language": "go"}
    {"missed": "a prompt that found nothing"}
    {"turned_down": "an id"}

The members are those of `Brought`, `EarlierMiss` and `TurnedDown`. `docs/import.md` tells them, and
what is taken from each other system.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from msgspec.structs import replace

from learnt.core.knowledge.brought import Brought, Bundle, EarlierMiss, Quoted, TurnedDown
from learnt.core.knowledge.entries import Stage
from learnt.core.records import (
    JsonObject,
    JsonValue,
    decode,
    encode,
    member,
    strings,
    text_of,
    whole,
)
from learnt.formats.observations import lenient, storable

LONGEST: Final = 100_000  # bytes of a line
_SHAPES: Final = ("text", "problem", "missed", "turned_down")


def parse_lines(name: str, text: str) -> Bundle:
    """What the lines bring. Raises ValueError for one that is no memory: it may be cut off.

    >>> [one.text for one in parse_lines("m", '{"text": "The port is 8080"}\\n').pieces]
    ['The port is 8080']
    """
    pieces: list[Brought] = []
    misses: list[EarlierMiss] = []
    turned_down: list[TurnedDown] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        row = _row(number, line)
        match next((shape for shape in _SHAPES if text_of(member(row, shape))), ""):
            case "missed":
                misses.append(decode(EarlierMiss, row))
            case "turned_down":
                turned_down.append(decode(TurnedDown, row))
            case "":
                raise ValueError(f'Line {number} has neither "text" nor "problem"')
            case _:
                piece = decode(Brought, row)
                there = piece.stage in {Stage.VALIDATED, Stage.CANDIDATE}
                gone = "" if there else f"it was {piece.stage} there"
                pieces.append(replace(piece, place=f"{name}:{number}", gone=gone))
    return Bundle(pieces=tuple(pieces), misses=tuple(misses), turned_down=tuple(turned_down))


def _row(number: int, line: str) -> JsonValue:
    try:
        value: JsonValue = storable(line)
    except (ValueError, RecursionError) as error:
        why = getattr(error, "msg", error)  # without another number of a line
        raise ValueError(f"Line {number} is not JSON ({why})") from error
    if len(line.encode("utf-8", "replace")) > LONGEST:
        raise ValueError(f"Line {number} has more than {LONGEST:,} bytes")
    return value


def rendered(bundle: Bundle) -> str:
    """The lines that say all of it, but for its findings.

    >>> rendered(Bundle(pieces=(Brought(text="The port is 8080", kind="schema"),)))
    '{"text": "The port is 8080", "kind": "schema"}\\n'
    """
    pieces = (replace(piece, place="", gone="") for piece in bundle.pieces)
    rows = map(encode, (*pieces, *bundle.misses, *bundle.turned_down))
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


_LAST_MS: Final = 253_402_300_799_999
_ROWS: Final = ("results", "memories")


def knows(value: JsonValue) -> bool:
    """Whether a JSON document is an export of either system.

    >>> knows({"observations": []}), knows([{"memory": "x"}]), knows({"results": []}), knows([])
    (True, True, False, False)
    """
    return isinstance(member(value, "observations"), list) or bool(_mem0_rows(value))


def parse(name: str, value: JsonValue, today: str) -> Bundle:
    """What an export brings; `today` is the day by which a mem0 row may have expired.

    >>> parse("m.json", [{"id": "1", "memory": "The port is 8080"}], "2026-01-01").pieces[0].place
    'm.json#1'
    """
    rows = _mem0_rows(value)
    if rows:
        pieces = [_of_mem0(row, today) for row in rows if text_of(member(row, "memory"))]
        left = {"rows without a memory": len(rows) - len(pieces)}
    else:
        told = [row for part in ("observations", "summaries") for row in _list(value, part)]
        found = [list(_of_claude_mem(row)) for row in told]
        pieces = [piece for some in found for piece in some]
        talk = sum(len(_list(value, part)) for part in ("sessions", "prompts"))
        left = {
            "observations and summaries that tell no fact": found.count([]),
            "sessions and prompts, which are no memories": talk,
        }
    return Bundle(
        pieces=tuple(replace(piece, place=f"{name}#{piece.id}") for piece in pieces),
        findings=tuple(f"{name}: {count} {what}" for what, count in left.items() if count),
    )


def _mem0_rows(value: JsonValue) -> list[JsonValue]:
    lists = [value, *(member(value, part) for part in _ROWS)]
    rows = next((rows for rows in lists if isinstance(rows, list)), [])
    return rows if any(text_of(member(row, "memory")) for row in rows) else []


def _of_mem0(row: JsonValue, today: str) -> Brought:
    about, ends = member(row, "metadata"), text_of(member(row, "expiration_date"))[:10]
    dates = (text_of(member(row, part)) for part in ("updated_at", "created_at"))
    tags = (*strings(member(row, "categories")), text_of(member(about, "language")))
    return Brought(
        text=text_of(member(row, "memory")),
        tags=tuple(filter(None, tags)),
        id=_id(row),
        project=text_of(member(about, "project")),
        source=Quoted(date=next(filter(None, dates), None)),
        gone=f"it expired there on {ends}" if ends and ends < today else "",
    )


def _of_claude_mem(row: JsonValue) -> Iterator[Brought]:
    date, epoch = text_of(member(row, "created_at")), whole(member(row, "created_at_epoch"))
    if not date and 0 < epoch <= _LAST_MS:
        ms = epoch if epoch > 10**11 else 1_000 * epoch
        date = datetime.fromtimestamp(ms / 1_000, UTC).isoformat()
    piece = Brought(
        tags=_texts(row, "concepts"),
        id=_id(row),
        project=text_of(member(row, "project")),
        source=Quoted(date=date or None),
    )
    told = [*filter(str.strip, (*_texts(row, "facts"), text_of(member(row, "learned"))))]
    title, narrative = (text_of(member(row, part)) for part in ("title", "narrative"))
    yield from (replace(piece, text=text) for text in told)
    if title and narrative and not told:
        files = _texts(row, "files_modified")
        yield replace(piece, problem=title, approach=narrative, files=files)


def _id(row: JsonValue) -> str:
    own = member(row, "id")
    return str(own) if isinstance(own, int | str) else ""


def _texts(row: JsonValue, part: str) -> tuple[str, ...]:
    """A list of texts, which an export has as JSON in a text."""
    value = member(row, part)
    return strings(lenient(value) if isinstance(value, str) else value)


def _list(value: JsonValue, part: str) -> list[JsonValue]:
    rows = member(value, part)
    return rows if isinstance(rows, list) else []


MEMORIES: Final = "memories.jsonl"
FILES: Final = (MEMORIES, "reuse.json", "routing-misses.jsonl", "proposals.jsonl")
_TAKEN: Final = ("id", "problem", "approach", "tags", "files", "language")
_Rows = Iterator[tuple[int, JsonObject]]


def parse_seed(files: Mapping[str, str]) -> Bundle:
    """What the files of these names bring; one that is absent brings nothing.

    >>> parse_seed({"memories.jsonl": '{"id": "a", "problem": "p", "approach": "q"}'}).pieces[0].id
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


GRAPH: Final = re.compile(
    r'"type":\s*"(?:entity|relation)"|"_type":\s*"(?:issue|memory)"|"issue_type":|"entityType":'
)
_EXPORTED: Final = re.compile(r'"(?:memory|observations)":\s*["\[]|"captured_at":')
_TOLD: Final = ("description", "design", "notes", "acceptance_criteria", "close_reason")


def begins(text: str) -> bool:
    """Whether a file that begins so may be of one of these systems."""
    return bool(GRAPH.search(text) or _EXPORTED.search(text))


def parse_graph(name: str, text: str) -> Bundle:
    """What the lines of the MCP memory server, or of beads, bring; others are counted.

    >>> line = '{"type":"entity","name":"api","entityType":"service","observations":["uses gRPC"]}'
    >>> [(one.text, one.tags) for one in parse_graph("memory.jsonl", line).pieces]
    [('api: uses gRPC', ('service',))]
    """
    pieces: list[Brought] = []
    unknown = 0
    document = lenient(text)
    parts = [row for part in ("entities", "relations") for row in _list(document, part)]
    rows = parts or [lenient(line) for line in text.split("\n") if line.strip()]
    for number, row in enumerate(rows, 1):
        found = list(_of_graph(row))
        pieces += (replace(piece, place=f"{name}:{number}") for piece in found)
        unknown += not found and row is None
    told = (f"{name}: {unknown} lines that are no JSON",) if unknown else ()
    return Bundle(pieces=tuple(pieces), findings=told)


def _of_graph(row: JsonValue) -> Iterator[Brought]:
    said = {part: text_of(member(row, part)).strip() for part in (
        "name", "entityType", "from", "to", "relationType", "value", "title", "status", *_TOLD,
    )}  # fmt: skip
    if said["name"]:
        tags = tuple(filter(None, (said["entityType"],)))
        for told in strings(member(row, "observations")):
            yield Brought(text=f"{said['name']}: {told}", tags=tags)
    elif said["from"] and said["to"]:
        yield Brought(text=f"{said['from']} {said['relationType']} {said['to']}")
    elif said["value"]:
        yield Brought(text=said["value"], id=text_of(member(row, "key")))
    elif said["title"] and said["status"] != "tombstone":
        comments = (text_of(member(each, "text")) for each in _list(row, "comments"))
        source = Quoted(date=text_of(member(row, "updated_at")) or None)
        for told in filter(None, (*(said[part] for part in _TOLD), *comments)):
            text = f"{said['title']}: {told}"
            yield Brought(text=text, tags=strings(member(row, "labels")), source=source)


INSTINCT: Final = re.compile(
    r"(?:^|/)(?:instincts/(?:personal|inherited)/[^/]+\.(?:ya?ml|md)|skills/learned/[^/]+\.md)$"
)
_INSTINCT: Final = re.compile(
    r"^---[ \t]*\n((?:[\w-]+:[^\n]*\n)+)---[ \t]*\n(.*?)(?=^---[ \t]*\n[\w-]+:|\Z)",
    re.DOTALL | re.MULTILINE,
)
BY_KEYS: Final = re.compile(r"---[ \t]*\nid:.*\n(?:[\w-]+:.*\n)*?trigger:")  # whatever its path
_KEYS: Final = re.compile(r"^([\w-]+):[ \t]*[\"']?(.*?)[\"']?[ \t]*$", re.MULTILINE)
_SECTION: Final = re.compile(r"^## (\w+)[^\n]*\n(.*?)(?=^#|\Z)", re.DOTALL | re.MULTILINE)


def parse_instincts(name: str, text: str) -> Bundle:
    """The instincts of a file, each below its keys; or the problem and solution that it tells.

    >>> block = '---\\nid: a\\ntrigger: "after an edit"\\n---\\n## Action\\nRun the tests.\\n'
    >>> parse_instincts("a.yaml", block).pieces[0].text
    'after an edit: Run the tests.'
    """
    pieces = []
    for block in _INSTINCT.finditer(text):
        keys: dict[str, str] = dict(_KEYS.findall(block[1]))
        within: dict[str, str] = dict(_SECTION.findall(block[2]))
        told = " ".join(within.get("Action", block[2]).split())
        if keys.get("id") and told:
            said = ": ".join(filter(None, (keys.get("trigger"), told)))
            tags = tuple(filter(None, (keys.get("domain"), keys.get("project_name"))))
            pieces += [Brought(text=said, tags=tags, id=keys["id"], place=f"{name}#{keys['id']}")]
    parts: dict[str, str] = dict(_SECTION.findall(text))
    if not pieces and "Problem" in parts and "Solution" in parts:
        problem, approach = (" ".join(parts[each].split()) for each in ("Problem", "Solution"))
        pieces = [Brought(problem=problem, approach=approach, place=name)]
    return Bundle(pieces=tuple(pieces), findings=() if pieces else (f"{name}: no instinct in it",))
