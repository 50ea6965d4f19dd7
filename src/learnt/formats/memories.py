"""What other memories hold, read: rules and notes of agents, other systems, another Learnt.

In Markdown each bullet is a fact, and so is each paragraph, or each of its lines that ends as a
sentence does. What ends with a colon stands before the bullets below it. Headings are tags.

An export of Learnt has lines whose members are those of `Brought`, `EarlierMiss` and `TurnedDown`:

    {"text": "…", "kind": "schema", "entities": [], "tags": []}
    {"problem": "…", "approach": "…", "cautions": [], "tags": [], "files": [], "language": "go"}
    {"missed": "a prompt that found nothing"}
    {"turned_down": "an id"}

`docs/import.md` tells them, and what is taken from each other system.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from typing import Final

from msgspec.structs import replace

from learnt.core.knowledge.brought import Brought, Bundle, EarlierMiss, Quoted, TurnedDown
from learnt.core.knowledge.entries import THOUSAND, Stage, Standing
from learnt.core.knowledge.gates import LONGEST_FACT
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
from learnt.formats import decay_tags, seed_health
from learnt.formats.fences import outside
from learnt.formats.learnings_md import LEARNINGS, pinned
from learnt.formats.observations import lenient, storable
from learnt.formats.seed_health import FOLDER, HISTORY, QUEUE, at_ms
from learnt.formats.topic_md import settled

_BULLET = re.compile(r"([ \t]*)(?:[-*+]|\d{1,3}[.)])[ \t]+(.*)")
_TODO = re.compile(r"\[[ xX]\][ \t]")
_MARKUP = re.compile(r"\*\*|__(?=\w)|(?<=\w)__")
_FRONT = re.compile(r"\A---[ \t]*\n.*?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_LONGEST_TAG = 60
_LABEL = re.compile(r"\*\*[^*\n]{1,40}:\*\*")  # "**Why:**" goes on about what stands before it
_DONE = re.compile(r"[.!?。！？]['\"”»)`*]*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# A table's row, a rule, an element of its own, and the name of a file to be read here.
_NO_PROSE = re.compile(r"[ \t]*(?:\||[-*_=]{3,}[ \t]*$|</?[\w-]+>[ \t]*$|@\S+[ \t]*$)|(?: {4}|\t)")
_INDEX: Final = re.compile(r"\[[^\]\n]+\]\([^)\s]+\.md\)")  # of a note, which comes by itself


def noted_facts(name: str, text: str) -> Bundle:
    """The bullets and paragraphs of a file as facts.

    >>> bundle = noted_facts("CLAUDE.md", "# Ports\\n- Local:\\n  - the api listens on 8080\\n")
    >>> [(one.place, one.text, one.tags) for one in bundle.pieces]
    [('CLAUDE.md:3', 'Local: the api listens on 8080', ('Ports',))]
    """
    index = posixpath.basename(name) == "MEMORY.md"
    pieces: list[Brought] = []
    above: list[tuple[int, str]] = []  # bullets that introduce others: their indents and texts
    tags: tuple[str, ...] = ()
    for line, indent, block in _blocks(text):
        if indent < 0:
            tags, above = tuple(filter(None, [block.strip("# ")[:_LONGEST_TAG]])), []
            continue
        above = [bullet for bullet in above if bullet[0] < indent]
        if block.endswith((":", "：")):
            above.append((indent, block))
        elif not _TODO.match(block) and re.search(r"\w", block):
            fact = " ".join([*(introduction for _, introduction in above), block])
            if not (index and _INDEX.match(fact)):
                pieces.append(Brought(text=fact, tags=tags, place=f"{name}:{line}"))
    findings = () if pieces or index else (f"{name}: no facts in it",)
    return Bundle(pieces=tuple(pieces), findings=findings)


def _blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Each bullet and paragraph with its line, indent and whole text; a heading's indent is -1."""
    for pattern in (_FRONT, _COMMENT):
        text = pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
    lines = text.split("\n")
    block: tuple[int, int, str] | None = None
    ended = True  # whether only what is labelled may still go on
    for number, line in [*outside(lines), (len(lines), "#")]:
        bullet, heading = _BULLET.match(line), line.startswith("#")
        if not line.strip():
            ended = True
            continue
        more = _LABEL.match(line) or (not ended and line.startswith((" ", "\t")))
        lazy = not ended and block and not _DONE.search(block[2]) and not _NO_PROSE.match(line)
        if block and not (bullet or heading) and (more or lazy):
            joined = f"{block[2]} {_MARKUP.sub('', line).strip()}"
            if len(joined) <= LONGEST_FACT or not ended:
                block, ended = (*block[:2], joined), False
                continue
        if block:
            yield block
        block, ended = None, False
        if bullet:
            indent = len(bullet[1].expandtabs(4))
            block = number + 1, indent, _MARKUP.sub("", bullet[2]).strip()
        elif heading:
            yield number + 1, -1, line.strip()
        elif not _NO_PROSE.match(line):
            block = number + 1, 0, _MARKUP.sub("", line).strip()


def tagged_facts(name: str, text: str, today: date) -> Bundle:
    """The facts of a topic, and its tags that cannot be read.

    >>> tag = "<!-- decay: type=schema confirmed=2026-01-01 C0=1.0 alpha=2 beta=0 -->"
    >>> bundle = tagged_facts("rooms.md", f"{tag}\\n- status 3 is repair\\n", date(2026, 1, 2))
    >>> [(one.place, one.text, one.standing.alpha) for one in bundle.pieces]
    [('rooms.md:1', 'status 3 is repair', 2000)]
    """
    page = decay_tags.read(text, today)
    findings = [f"{name}:{finding.line}: {finding.what}" for finding in page.findings]
    findings += [f"{name}:{e.line}: a tag without a fact" for e in page.entries if not e.text]
    pieces = []
    for entry in page.entries:
        belief, confirmed = entry.belief, entry.belief.confirmed.isoformat()
        numbers = (belief.c0, belief.alpha, belief.beta, belief.shock)
        c0, alpha, beta, shock = (round(THOUSAND * number) for number in numbers)
        piece = Brought(
            # As it was before it was made harmless.
            text=settled(entry.text).replace("&lt;!--", "<!--").replace("--&gt;", "-->"),
            kind=belief.kind,
            entities=entry.entities,
            place=f"{name}:{entry.line}",
            id=entry.id,
            source=Quoted(date=confirmed),
            standing=Standing(
                confirmed_ms=at_ms(confirmed), c0=c0, alpha=alpha, beta=beta,
                shocks=((alpha, shock),) if shock else (),
            ),
        )  # fmt: skip
        pieces += [piece] if entry.text else []
    return Bundle(pieces=tuple(pieces), findings=tuple(findings))


# Files of rules, and the folders in which Claude Code, Gemini and Windsurf keep what they note.
RULES: Final = re.compile(
    r"(?:^|/)(?:CLAUDE(?:\.local)?\.md|AGENTS\.md|GEMINI\.md|\.cursorrules|\.windsurfrules|"
    r"rules/(?:.*/)?[^/]+\.mdc?|(?:projects|tmp)/[^/]+/memory/[^/]+\.md|memories/global_rules\.md)$"
    r"|^memory/[^/]+\.md$|(?:^|/)agent-memory(?:-local)?/[^/]+/[^/]+\.md$"
)
_BY_GEMINI: Final = "## Gemini Added Memories"  # in a file that a setting may call otherwise
_INCLUDED: Final = re.compile(r"^@(\S+\.md)[ \t]*$", re.MULTILINE)
_MARKDOWN: Final = (".md", ".mdc", ".cursorrules", ".windsurfrules")
# Logs and past successes of seed 001: how skills did, and no knowledge.
_OF_HEALTH: Final = re.compile(rf"(?:^|/)(?:{FOLDER}/.*|{HISTORY}|\d{{4}}-\d\d-\d\d\.jsonl)$")
_TOPIC: Final = re.compile(r"<!--[ \t]*decay:")
_NAMED: Final = 5  # files that are listed by name


def is_wanted(path: str, begins: str = "") -> bool:
    """Whether a file below a folder is to be read: by its path, or by how its text begins.

    >>> is_wanted("memory/memories.jsonl"), is_wanted("src/config.json"), is_wanted("config.json")
    (True, False, True)
    """
    of_a_system = "/" not in path or _GRAPH.search(begins) or _EXPORTED.search(begins)
    if path.endswith((".json", ".jsonl")) and of_a_system:
        return True
    own = posixpath.basename(path) in {QUEUE, *SEED_FILES} or _OF_HEALTH.search(path)
    ends = path.endswith((*_MARKDOWN, ".mem0/history.db"))
    return bool(own or ends or _INSTINCT_FILE.search(path))


def read(files: Mapping[str, str], today: date, *, named: bool = False) -> Bundle:
    """What files bring, by their paths below a folder; `named`: a person named the only one.

    Raises ValueError for a file that a person named and in which something is no memory.
    """
    of_seed: dict[str, str] = {}
    bundle, of_health, unknown = Bundle(), 0, []
    rules = {path for path, text in files.items() if RULES.search(path) or _BY_GEMINI in text}
    rules |= {
        posixpath.normpath(posixpath.join(posixpath.dirname(path), named))
        for path in rules
        for named in _INCLUDED.findall(files[path])
    }
    for path, text in files.items():
        name = posixpath.basename(path)
        own = name != _MEMORIES or '"captured_at"' in text  # so another calls its own
        if _OF_HEALTH.search(path):
            of_health += 1
        elif name in SEED_FILES and own:
            if of_seed.setdefault(name, text) is not text:
                unknown.append(path)
        elif (found := _one(path, text, today, named=named, rules=path in rules)) is None:
            unknown.append(path)
        else:
            bundle = bundle.with_more(found)
    findings = []
    if of_health:
        what = "tell how skills did (logs, past successes)"
        todo = "`learnt health import FOLDER` takes them over"
        findings.append(f"{of_health} file(s) {what}: {todo}")
    if unknown:
        names = ", ".join(unknown[:_NAMED]) + ", …" * (len(unknown) > _NAMED)
        findings.append(f"{len(unknown)} file(s) hold no memories that are known: {names}")
    seeds = parse_seed(of_seed) if of_seed else Bundle()
    return bundle.with_more(seeds).with_more(Bundle(findings=tuple(findings)))


def _one(path: str, text: str, today: date, *, named: bool, rules: bool) -> Bundle | None:
    """What a file brings; None for one that nobody knows."""
    name = posixpath.basename(path)
    if name == LEARNINGS:
        own = pinned(text) or ""
        rest = Bundle(findings=(f"{path}: what is not pinned in it is computed from logs",))
        # As many lines before as there are, so that the place of each fact names its own.
        before = "\n" * text[: text.index(own)].count("\n")
        return noted_facts(path, before + own).with_more(rest) if own else rest
    if _INSTINCT_FILE.search(path) or _INSTINCT_BEGINS.match(text):
        return _instincts(path, text)
    if name.endswith(_MARKDOWN):
        if _TOPIC.search(text):
            return tagged_facts(path, text, today)
        return noted_facts(path, text) if named or rules else None
    value = lenient(text)
    try:
        if _GRAPH.search(text):
            return _graph(path, text)
        if name == QUEUE:
            entries, mute = seed_health.queue_of(text)
            findings = (f"{path}: {mute} skills of which it says nothing",) if mute else ()
            return Bundle(queue=tuple(entries), findings=findings)
        if isinstance(member(value, "observations"), list) or _mem0_rows(value):
            return _exported(path, value, today.isoformat())
        return parse_lines(path, text)
    except ValueError as error:
        if named:
            raise
        return Bundle(findings=(f"{path}: damaged ({error})",)) if name == QUEUE else None


LONGEST: Final = 100_000  # bytes of a line
_SHAPES: Final = ("text", "problem", "missed", "turned_down")


def parse_lines(name: str, text: str) -> Bundle:
    """What the lines bring. Raises ValueError for one that is no memory: it may be cut off."""
    pieces: list[Brought] = []
    misses: list[EarlierMiss] = []
    turned_down: list[TurnedDown] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row: JsonValue = storable(line)
        except (ValueError, RecursionError) as error:
            why = getattr(error, "msg", error)  # without another number of a line
            raise ValueError(f"Line {number} is not JSON ({why})") from error
        if len(line.encode("utf-8", "replace")) > LONGEST:
            raise ValueError(f"Line {number} has more than {LONGEST:,} bytes")
        match next((shape for shape in _SHAPES if text_of(member(row, shape))), ""):
            case "missed":
                misses.append(decode(EarlierMiss, row))
            case "turned_down":
                turned_down.append(decode(TurnedDown, row))
            case "":
                raise ValueError(f'Line {number} has neither "text" nor "problem"')
            case _:
                piece = decode(Brought, row)
                current = piece.stage in {Stage.VALIDATED, Stage.CANDIDATE}
                gone = "" if current else f"it was {piece.stage} there"
                pieces.append(replace(piece, place=f"{name}:{number}", gone=gone))
    return Bundle(pieces=tuple(pieces), misses=tuple(misses), turned_down=tuple(turned_down))


def rendered(bundle: Bundle) -> str:
    """The lines that say all of it, but for its findings."""
    pieces = (replace(piece, place="", gone="") for piece in bundle.pieces)
    rows = map(encode, (*pieces, *bundle.misses, *bundle.turned_down))
    return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows)


_LAST_MS: Final = 253_402_300_799_999  # of the year 9999


def _exported(name: str, value: JsonValue, today: str) -> Bundle:
    """What an export of mem0 or claude-mem brings; a row of mem0 may have expired by `today`."""
    if rows := _mem0_rows(value):
        pieces = [_of_mem0(row, today) for row in rows if text_of(member(row, "memory"))]
        left = {"rows without a memory": len(rows) - len(pieces)}
    else:
        rows = [row for part in ("observations", "summaries") for row in _list(value, part)]
        by_row = [list(_of_claude_mem(row)) for row in rows]
        pieces = [piece for of_row in by_row for piece in of_row]
        talk = sum(len(_list(value, part)) for part in ("sessions", "prompts"))
        left = {
            "observations and summaries that tell no fact": by_row.count([]),
            "sessions and prompts, which are no memories": talk,
        }
    return Bundle(
        pieces=tuple(replace(piece, place=f"{name}#{piece.id}") for piece in pieces),
        findings=tuple(f"{name}: {count} {what}" for what, count in left.items() if count),
    )


def _mem0_rows(value: JsonValue) -> list[JsonValue]:
    lists = [value, *(member(value, part) for part in ("results", "memories"))]
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
    facts = [*filter(str.strip, (*_texts(row, "facts"), text_of(member(row, "learned"))))]
    title, narrative = (text_of(member(row, part)) for part in ("title", "narrative"))
    yield from (replace(piece, text=fact) for fact in facts)
    if title and narrative and not facts:
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


_MEMORIES: Final = "memories.jsonl"
SEED_FILES: Final = (_MEMORIES, "reuse.json", "routing-misses.jsonl", "proposals.jsonl")
_COPIED: Final = ("id", "problem", "approach", "tags", "files", "language")
_Rows = Iterator[tuple[int, JsonObject]]


def parse_seed(files: Mapping[str, str]) -> Bundle:
    """What seed 002's files of these names bring; one that is absent brings nothing."""
    bad: list[str] = []

    def rows(name: str) -> _Rows:
        text = files.get(name, "")
        for line, row in enumerate([text] if name.endswith(".json") else text.split("\n"), 1):
            value = lenient(row) if row.strip() else None
            if isinstance(value, dict):
                yield line, value
            elif row.strip():
                bad.append(f"{name}:{line}: no JSON object, perhaps cut off")

    uses = next((member(value, "byMemory") for _, value in rows("reuse.json")), None)
    pieces, left = _memories(rows(_MEMORIES), uses if isinstance(uses, Mapping) else {})
    misses = tuple(
        EarlierMiss(prompt, *(text_of(value.get(part)) for part in ("session_id", "recorded_at")))
        for _, value in rows("routing-misses.jsonl")
        if (prompt := text_of(value.get("prompt")))
    )
    # Of a proposal the first line holds the evidence, later ones the status.
    proposals: dict[str, tuple[str, str, str]] = {}  # memory, status, note
    for _, value in rows("proposals.jsonl"):
        name, about = text_of(value.get("id")), member(value.get("evidence"), "memoryId")
        before = proposals.get(name, ("", "pending", ""))
        parts = map(text_of, (about, value.get("status"), value.get("note")))
        memory, status, note = (new or old for new, old in zip(parts, before, strict=True))
        proposals[name] = memory, status, note
    turned_down = tuple(
        TurnedDown(memory, note)
        for memory, status, note in proposals.values()
        if memory and status == "rejected"
    )
    left["proposals that are pending or applied there"] = len(proposals) - len(turned_down)
    findings = (*bad, *(f"{count} {what}" for what, count in left.items() if count))
    return Bundle(pieces=pieces, misses=misses, turned_down=turned_down, findings=findings)


def _memories(rows: _Rows, uses: JsonObject) -> tuple[tuple[Brought, ...], dict[str, int]]:
    """Of each id the last line, unless it is deleted; and how many lines are left out, and why."""
    memories: dict[str, Brought] = {}
    deleted, mute = set(), 0
    for line, value in rows:
        name = text_of(value.get("id"))
        if value.get("deleted") is True:
            deleted.add(name)
        elif text_of(value.get("problem")):
            deleted.discard(name)
            memories[name] = decode(Brought, {
                **{part: value[part] for part in _COPIED if part in value},
                "cautions": strings(value.get("gotchas")),
                "project": text_of(value.get("project_path")) or text_of(value.get("project")),
                "sessions": tuple(dict.fromkeys(strings(member(uses.get(name), "sessions")))),
                "source": {"date": value.get("captured_at")},
                "place": f"{_MEMORIES}:{line}",
            })  # fmt: skip
        elif name not in memories:  # else it changes what was said of one before
            mute += 1
    kept = tuple(memory for name, memory in memories.items() if name not in deleted)
    left = {"memories that were deleted there": len(deleted), "lines that tell no problem": mute}
    return kept, left


_GRAPH: Final = re.compile(
    r'"type":\s*"(?:entity|relation)"|"_type":\s*"(?:issue|memory)"|"issue_type":|"entityType":'
)
_EXPORTED: Final = re.compile(r'"(?:memory|observations)":\s*["\[]|"captured_at":')
_OF_AN_ISSUE: Final = ("description", "design", "notes", "acceptance_criteria", "close_reason")


def _graph(name: str, text: str) -> Bundle:
    """What the lines of the MCP memory server, or of beads, bring; others are counted."""
    pieces: list[Brought] = []
    unknown = 0
    document = lenient(text)
    parts = [row for part in ("entities", "relations") for row in _list(document, part)]
    rows = parts or [lenient(line) for line in text.split("\n") if line.strip()]
    for number, row in enumerate(rows, 1):
        of_row = list(_of_graph(row))
        pieces += (replace(piece, place=f"{name}:{number}") for piece in of_row)
        unknown += not of_row and row is None
    findings = (f"{name}: {unknown} lines that are no JSON",) if unknown else ()
    return Bundle(pieces=tuple(pieces), findings=findings)


def _of_graph(row: JsonValue) -> Iterator[Brought]:
    part = {name: text_of(member(row, name)).strip() for name in (
        "name", "entityType", "from", "to", "relationType", "value", "title", "status",
        *_OF_AN_ISSUE,
    )}  # fmt: skip
    if part["name"]:
        tags = tuple(filter(None, (part["entityType"],)))
        for observation in strings(member(row, "observations")):
            yield Brought(text=f"{part['name']}: {observation}", tags=tags)
    elif part["from"] and part["to"]:
        yield Brought(text=f"{part['from']} {part['relationType']} {part['to']}")
    elif part["value"]:
        yield Brought(text=part["value"], id=text_of(member(row, "key")))
    elif part["title"] and part["status"] != "tombstone":
        comments = (text_of(member(comment, "text")) for comment in _list(row, "comments"))
        source = Quoted(date=text_of(member(row, "updated_at")) or None)
        for text in filter(None, (*(part[name] for name in _OF_AN_ISSUE), *comments)):
            text = f"{part['title']}: {text}"
            yield Brought(text=text, tags=strings(member(row, "labels")), source=source)


_INSTINCT_FILE: Final = re.compile(
    r"(?:^|/)(?:instincts/(?:personal|inherited)/[^/]+\.(?:ya?ml|md)|skills/learned/[^/]+\.md)$"
)
# Whatever its path.
_INSTINCT_BEGINS: Final = re.compile(r"---[ \t]*\nid:.*\n(?:[\w-]+:.*\n)*?trigger:")
_INSTINCT: Final = re.compile(
    r"^---[ \t]*\n((?:[\w-]+:[^\n]*\n)+)---[ \t]*\n(.*?)(?=^---[ \t]*\n[\w-]+:|\Z)",
    re.DOTALL | re.MULTILINE,
)
_KEYS: Final = re.compile(r"^([\w-]+):[ \t]*[\"']?(.*?)[\"']?[ \t]*$", re.MULTILINE)
_SECTION: Final = re.compile(r"^## (\w+)[^\n]*\n(.*?)(?=^#|\Z)", re.DOTALL | re.MULTILINE)


def _instincts(name: str, text: str) -> Bundle:
    """The instincts of a file, each below its keys; or the problem and solution that it tells."""
    pieces = []
    for block in _INSTINCT.finditer(text):
        keys: dict[str, str] = dict(_KEYS.findall(block[1]))
        within: dict[str, str] = dict(_SECTION.findall(block[2]))
        action = " ".join(within.get("Action", block[2]).split())
        if keys.get("id") and action:
            fact = ": ".join(filter(None, (keys.get("trigger"), action)))
            tags = tuple(filter(None, (keys.get("domain"), keys.get("project_name"))))
            pieces += [Brought(text=fact, tags=tags, id=keys["id"], place=f"{name}#{keys['id']}")]
    parts: dict[str, str] = dict(_SECTION.findall(text))
    if not pieces and "Problem" in parts and "Solution" in parts:
        problem, approach = (" ".join(parts[part].split()) for part in ("Problem", "Solution"))
        pieces = [Brought(problem=problem, approach=approach, place=name)]
    return Bundle(pieces=tuple(pieces), findings=() if pieces else (f"{name}: no instinct in it",))
