"""A published topic, validated facts under their tags, and the skill that an exported folder is.

    <!-- decay: id=e-065wzsb8000000 type=schema -->
    - t_room.status 3 means "under repair"

What a fact is worth stands in the ledger alone: numbers in a file that others can write are claims.
A fact in dispute names the entries with which it may not hold together, in its tag
(`disputed=e-…`) and behind its text: "(in dispute with e-…: verify)".
Lines that are nobody's facts are a person's own and stay where they are.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from learnt.core.identifiers import EntryId
from learnt.core.knowledge.confidence import Belief
from learnt.core.knowledge.topics import Published, Topic
from learnt.core.safety import neutralise
from learnt.formats import skill_md
from learnt.formats.decay_tags import harmless, rewritten
from learnt.formats.fences import outside
from learnt.formats.own_texts import own_text

INDEX: Final = "_index"
NAMED_IN_INDEX: Final = 4
_TAG: Final = re.compile(r"<!--[ \t]*decay:(?=[^>]*\bid=(e-[0-9a-z]{14})\b)[^>]*-->")
_ID: Final = re.compile(r"\bid=(e-[0-9a-z]{14})\b")
_BULLET: Final = re.compile(r"(?:[-*+]|\d{1,3}[.)])(?:[ \t]+|$)")
_DISPUTE: Final = re.compile(r" \(in dispute with e-[0-9a-z]{14}(?:, e-[0-9a-z]{14})*: verify\)$")
_ROW: Final = re.compile(r"- \[[^\]]*\]\([a-z0-9_]+\.md\)")
_HEAD: Final = "_Facts that were validated; what each is worth today: `learnt knowledge query`._"
_INDEX_HEAD: Final = (
    "# Topics\n\nRead one or two of these, no more; each line says what it is about.\n"
)
_MOVED: Final = "_Nothing is left here: its facts are in other topics, see [the index](_index.md)._"


def line_of(text: str) -> str:
    """A fact as its topic says it: one line, of which no part can be taken for a tag.

    >>> line_of("status 3\\nis repair <!-- x -->")
    '- status 3 is repair &lt;!-- x --&gt;'
    """
    return f"- {harmless(neutralise(text))}"


def rendered(topic: Topic, before: str | None = None) -> str:
    """The topic's file; what stands in it beside facts stays where it is.

    >>> empty = Topic(name="schema_map", layer="schema_map", facts=())
    >>> rendered(empty).splitlines()[0]
    '# Structure'
    """
    if before is None:
        before = f"# {topic.title}\n\n{_HEAD}\n\n"
    wanted = {fact.id: fact for fact in topic.facts}
    lines, there = _kept(before.replace(_MOVED, _HEAD), wanted)
    new = [fact for fact in topic.facts if fact.id not in there]
    while lines and not lines[-1].strip():
        lines.pop()
    for fact in new:
        lines += ["", *_block(fact)]
    return "\n".join([*lines, ""])


def with_numbers(topic: Topic, beliefs: Mapping[EntryId, Belief]) -> str:
    """The topic as folder mode reads it: each tag with its numbers, and what its fact is about."""
    text = f"# {topic.title}\n"
    for fact in topic.facts:
        tag, line = _block(fact)
        about = ", ".join(harmless(name).replace(",", " ") for name in fact.entities)
        text += f"\n{rewritten(tag, 1, beliefs[fact.id])}\n"
        text += f"<!-- entities: {about} -->\n{line}\n" if about else f"{line}\n"
    return text


def moved(before: str) -> str:
    """The file of a topic whose facts are elsewhere by now."""
    lines, _ = _kept(before, {})
    kept = "\n".join(line for line in lines if line != _MOVED).replace(f"{_HEAD}\n", "")
    return re.sub(r"\n{3,}", "\n\n", f"{kept.rstrip()}\n\n{_MOVED}\n")


def facts_in(text: str) -> dict[EntryId, str]:
    """What a file says of each entry that it names; one of which it says two things says nothing.

    >>> facts_in("<!-- decay: id=e-065wzsb8000000 type=schema -->\\n- a\\n")
    {'e-065wzsb8000000': '- a'}
    """
    lines = text.split("\n")
    facts: dict[EntryId, set[str]] = {}
    for start, end, name in _blocks(lines):
        facts.setdefault(name, set()).add(lines[end].strip() if end > start else "")
    return {name: texts.pop() for name, texts in facts.items() if len(texts) == 1}


def named_in(text: str) -> frozenset[EntryId]:
    """Every entry that a file names, in whatever way.

    >>> sorted(named_in("```\\n<!-- decay: type=x id=e-065wzsb8000000 -->\\n```"))
    ['e-065wzsb8000000']
    """
    return frozenset(map(EntryId, _ID.findall(text)))


def fact_of(line: str) -> str:
    """The fact that a line says, without its bullet, as it was before it was made harmless.

    >>> fact_of("- a &lt;!-- b --&gt;"), fact_of("* a"), fact_of("-")
    ('a <!-- b -->', 'a', '')
    """
    bare = settled(_BULLET.sub("", line.strip(), count=1).strip())
    return bare.replace("&lt;", "<").replace("--&gt;", "-->")


def settled(text: str) -> str:
    """A fact's text without the word on its dispute behind it.

    >>> settled("a (in dispute with e-065wzsb8000000: verify)")
    'a'
    """
    return _DISPUTE.sub("", text)


def _blocks(lines: Sequence[str]) -> list[tuple[int, int, EntryId]]:
    """Each fact's tag line, its last line, and its name; a text may stand behind an empty line."""
    open_lines = list(outside(lines))
    tags = {n: EntryId(tag[1]) for n, line in open_lines if (tag := _TAG.fullmatch(line.strip()))}
    blocks = []
    for number, name in tags.items():
        below = [n for n in range(number + 1, min(number + 3, len(lines))) if lines[n].strip()]
        text = below[0] if below else number
        if text in tags or lines[text].lstrip().startswith(("#", "<!--", "```", "~~~")):
            text = number
        blocks.append((number, text, name))
    return blocks


def index(topics: Sequence[Topic], before: str | None = None) -> str:
    """The routing table: a line a topic; other lines that a person put there stay.

    >>> index([]).startswith("# Topics")
    True
    """
    rows = [_row(topic) for topic in topics]
    lines = (_INDEX_HEAD if before is None else before).rstrip("\n").split("\n")
    place = next((at for at, line in enumerate(lines) if _ROW.match(line)), None)
    kept = [line for line in lines if not _ROW.match(line)]
    if place is None:
        return "\n".join([*kept, "", *rows, ""])
    return "\n".join([*kept[:place], *rows, *kept[place:], ""])


def _row(topic: Topic) -> str:
    counted = Counter(name for fact in topic.facts for name in fact.entities)
    named = [name for name, _ in counted.most_common(NAMED_IN_INDEX)]
    about = f": {', '.join(map(_plain, named))}" if named else ""
    return f"- [{_plain(topic.title)}]({topic.name}.md){about} ({len(topic.facts)} facts)"


def _plain(text: str) -> str:
    return re.sub(r"[\[\]()`]", "", harmless(neutralise(text)))[:60]


def _block(fact: Published) -> list[str]:
    tag, line = f"id={fact.id} type={fact.kind}", line_of(fact.text)
    if fact.rivals:
        tag += f" disputed={','.join(fact.rivals)}"
        line += f" (in dispute with {', '.join(fact.rivals)}: verify)"
    return [f"<!-- decay: {tag} -->", line]


def _kept(text: str, wanted: Mapping[EntryId, Published]) -> tuple[list[str], set[EntryId]]:
    """The lines with each fact's text as it is wanted, without the facts that are not."""
    lines = text.rstrip("\n").split("\n")
    kept: list[str] = []
    there: set[EntryId] = set()
    after = 0  # the line behind the last fact
    for start, end, name in _blocks(lines):
        kept += lines[after:start]
        after = end + 1
        if name in wanted and name not in there:
            kept += _block(wanted[name])
            there.add(name)
        elif after < len(lines) and not lines[after].strip():
            after += 1  # the empty line behind what is gone
    return kept + lines[after:], there


SCRIPT: Final = "scripts/knowledge.py"


def skill(name: str, kinds: list[str]) -> str:
    """The SKILL.md of exported knowledge.

    >>> skill("rooms", ["schema"]).startswith('---\\nname: "rooms"')
    True
    """
    title = name.replace("-", " ").capitalize()
    listed = ", ".join(f"`{kind}`" for kind in kinds)
    description = (
        f"Facts about {name.replace('-', ' ')} that were found out before, with how far each can "
        "be trusted. Use before investigating this subject, and to record what was found out, "
        "confirmed or proved wrong."
    )
    body = own_text("exported_skill.md").format(title=title, script=SCRIPT, kinds=listed)
    return skill_md.render(name, description, {}, body)
