"""Which reader takes which file, and Markdown's own: notes and rules of agents, topic folders.

Each bullet is a fact, and so is each paragraph, or each of its lines that ends as a sentence does.
What ends with a colon stands before the bullets below it. Headings are tags.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Final

from learnt.core.knowledge.brought import Brought, Bundle, Quoted
from learnt.core.knowledge.entries import THOUSAND, Standing
from learnt.core.knowledge.gates import LONGEST_FACT
from learnt.formats import decay_tags, seed_health
from learnt.formats.decay_tags import Tagged
from learnt.formats.fences import outside
from learnt.formats.learnings_md import LEARNINGS, pinned
from learnt.formats.memories import other_systems
from learnt.formats.observations import lenient
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
    index = _name(name) == "MEMORY.md"
    pieces = tuple(
        Brought(text=said, tags=tags, place=f"{name}:{line}")
        for line, said, tags in _facts(text)
        if not (index and _INDEX.match(said))
    )
    findings = () if pieces or index else (f"{name}: no facts in it",)
    return Bundle(pieces=pieces, findings=findings)


def _facts(text: str) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    above: list[tuple[int, str]] = []  # bullets that introduce others: their indents and texts
    tags: tuple[str, ...] = ()
    for line, indent, said in _blocks(text):
        if indent < 0:
            tags, above = ((said.strip("# ")[:_LONGEST_TAG],) if said.strip("# ") else ()), []
            continue
        above = [each for each in above if each[0] < indent]
        if said.endswith((":", "：")):
            above.append((indent, said))
        elif not _TODO.match(said) and re.search(r"\w", said):
            yield line, " ".join([*(each for _, each in above), said]), tags


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
    pieces = tuple(_piece(name, entry) for entry in page.entries if entry.text)
    return Bundle(pieces=pieces, findings=tuple(findings))


def _piece(name: str, entry: Tagged) -> Brought:
    belief = entry.belief
    alpha, beta, shock = (
        round(THOUSAND * value) for value in (belief.alpha, belief.beta, belief.shock)
    )
    return Brought(
        # As it was before it was made harmless.
        text=settled(entry.text).replace("&lt;!--", "<!--").replace("--&gt;", "-->"),
        kind=belief.kind,
        entities=entry.entities,
        place=f"{name}:{entry.line}",
        id=entry.id,
        source=Quoted(date=belief.confirmed.isoformat()),
        standing=Standing(
            confirmed_ms=at_ms(belief.confirmed.isoformat()),
            c0=round(THOUSAND * belief.c0),
            alpha=alpha,
            beta=beta,
            shocks=((alpha, shock),) if shock else (),
        ),
    )


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
_NAMED: Final = 5  # files that are told by name


def is_wanted(path: str, begins: str = "") -> bool:
    """Whether a file below a folder is to be read: by its path, or by how its text begins.

    >>> is_wanted("memory/memories.jsonl"), is_wanted("src/config.json"), is_wanted("config.json")
    (True, False, True)
    """
    if path.endswith((".json", ".jsonl")) and ("/" not in path or other_systems.begins(begins)):
        return True
    own = _name(path) in {QUEUE, *other_systems.FILES} or _OF_HEALTH.search(path)
    ends = path.endswith((*_MARKDOWN, ".mem0/history.db"))
    return bool(own or ends or other_systems.INSTINCT.search(path))


def read(files: Mapping[str, str], today: date, *, named: bool = False) -> Bundle:
    """What files bring, by their paths below a folder; `named`: a person named the only one.

    Raises ValueError for a file that a person named and in which something is no memory.

    >>> read({"AGENTS.md": "- the api listens on 8080"}, date(2026, 1, 1)).pieces[0].place
    'AGENTS.md:1'
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
        name = _name(path)
        own = name != other_systems.MEMORIES or '"captured_at"' in text  # so another calls its own
        if _OF_HEALTH.search(path):
            of_health += 1
        elif name in other_systems.FILES and own:
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
    seeds = other_systems.parse_seed(of_seed) if of_seed else Bundle()
    return bundle.with_more(seeds).with_more(Bundle(findings=tuple(findings)))


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _one(path: str, text: str, today: date, *, named: bool, rules: bool) -> Bundle | None:
    """What a file brings; None for one that nobody knows."""
    name = _name(path)
    if name == LEARNINGS:
        return _learnings(path, text)
    if other_systems.INSTINCT.search(path) or other_systems.BY_KEYS.match(text):
        return other_systems.parse_instincts(path, text)
    if name.endswith(_MARKDOWN):
        if _TOPIC.search(text):
            return tagged_facts(path, text, today)
        return noted_facts(path, text) if named or rules else None
    value = lenient(text)
    try:
        if other_systems.GRAPH.search(text):
            return other_systems.parse_graph(path, text)
        if name == QUEUE:
            entries, mute = seed_health.queue_of(text)
            told = (f"{path}: {mute} skills of which it says nothing",) if mute else ()
            return Bundle(queue=tuple(entries), findings=told)
        if other_systems.knows(value):
            return other_systems.parse(path, value, today.isoformat())
        return other_systems.parse_lines(path, text)
    except ValueError as error:
        if named:
            raise
        return Bundle(findings=(f"{path}: damaged ({error})",)) if name == QUEUE else None


def _learnings(path: str, text: str) -> Bundle:
    own = pinned(text) or ""
    # As many lines before as there are, so that each fact is told by its own.
    before = "\n" * text[: text.index(own)].count("\n")
    told = f"{path}: what is not pinned in it is computed from logs"
    rest = Bundle(findings=(told,))
    return noted_facts(path, before + own).with_more(rest) if own else rest
