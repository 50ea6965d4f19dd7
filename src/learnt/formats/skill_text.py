"""A SKILL.md of anybody's, read with a finding for each broken rule; skills as a prompt's block.

Values are texts as they stand in the file: `version: 1.0` is "1.0", and a date is no date. What the
Agent Skills specification refuses is an error; the skill is read all the same.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import quoteattr

import yaml
from msgspec.structs import replace

from learnt.core.records import JsonValue, Record
from learnt.core.safety import neutralise
from learnt.core.skills.skills import (
    GUARDED,
    LONGEST_DESCRIPTION,
    LONGEST_NAME,
    Finding,
    Severity,
    is_name,
)
from learnt.core.tokens import estimate

MOST_VALUES: Final = 2_000  # of a front matter; aliases make a few lines into millions
DEEPEST: Final = 30
LONGEST_BODY: Final = 500  # lines; the Agent Skills specification recommends no more
_LONGEST: Final = {"description": LONGEST_DESCRIPTION, "compatibility": 500}
_GUARD: Final = "disable-model-invocation"
_KNOWN: Final = frozenset({
    "name", "license", "metadata", "allowed-tools", *_LONGEST,
    # Of clients, beyond the specification.
    _GUARD, "user-invocable", "context", "agent", "model", "effort", "paths",
    "when_to_use", "arguments", "argument-hint", "hooks", "shell", "disallowed-tools", "adaptation",
})  # fmt: skip

_MARK: Final = re.compile(r"---[ \t]*\r?\n?\Z")
_KEY: Final = re.compile(r"([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+(.*))?\Z")
_HEADING: Final = re.compile(r"#{1,6}\s+(.+?)\s*#*\Z")
# The loader in C is ten times as quick, where PyYAML was built with it.
LOADER: Final = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


class SkillText(Record):
    """What a SKILL.md says. `front` has all keys in the file's order; `findings` by line."""

    name: str
    description: str
    front: Mapping[str, JsonValue]
    body: str
    findings: tuple[Finding, ...] = ()


def is_mark(line: str) -> bool:
    """Whether a line begins or ends a front matter."""
    return _MARK.match(line) is not None


def read(text: str, folder: str) -> SkillText:
    """The skill that a text holds; `folder` names it where the text does not."""
    lines = text.removeprefix("\ufeff").splitlines(keepends=True)
    findings = []
    if text.startswith("\ufeff"):
        findings.append(Finding("byte-order-mark", "It begins with a byte-order mark."))
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if not lines or not is_mark(lines[first]):
        body = "".join(lines)
        message = "It does not begin with front matter between two lines of ---."
        findings.append(Finding("no-front-matter", message))
        return _described(SkillText(name=folder, description="", front={}, body=body), findings)
    last = next((at for at in range(first + 1, len(lines)) if is_mark(lines[at])), 0)
    after = last + 1
    if not last:
        message = "The front matter is not closed by a line of ---."
        findings.append(Finding("unclosed-front-matter", message, first + 1))
        last = after = first + 1  # up to the first line that is neither a key nor goes on with one
        while last < len(lines) and (
            _KEY.match(lines[last].rstrip()) or lines[last].startswith((" ", "\t", "- "))
        ):
            last = after = last + 1
    front, at, broken = _front("".join(lines[first + 1 : last]), first + 2)
    findings += broken
    name = _one_line(front.get("name"))
    skill = SkillText(
        name=name if any(map(str.isalnum, name)) else folder,
        description=_one_line(front.get("description")),
        front=front,
        body="".join(lines[after:]).removeprefix("\r").removeprefix("\n"),
    )
    if not broken or front:
        findings += _against_the_specification(skill, folder, at)
    if word(front.get(_GUARD)).casefold() == "true":
        note = Severity.NOTE
        findings.append(
            Finding(GUARDED, "Only a person starts it.", at.get(_GUARD, 1), severity=note)
        )
    return _described(skill, findings)


def changed_settings(before: str, after: str) -> list[Finding]:
    """The settings of a skill that another text of it changes, such as who may start it.

    >>> old = "---\\nname: x\\nmodel: opus\\n---\\n"
    >>> [each.message for each in changed_settings(old, old.replace("model: opus", "license: MIT"))]
    ['`model` was opus and is gone.']
    """
    old, new = read(before, "").front, read(after, "").front
    return [
        Finding(
            "changes-a-setting",
            f"`{key}` was {word(old.get(key)) or 'not there'} and "
            f"{f'becomes {word(new[key])}' if key in new else 'is gone'}.",
            severity=Severity.WARNING,
        )
        for key in sorted(_KNOWN - {"name", "license", "metadata", "adaptation", *_LONGEST})
        if old.get(key) != new.get(key)
    ]


def requoted(text: str) -> str:
    """A text whose front matter is no YAML, with quotes around each value that is none by itself.

    >>> requoted("---\\nname: x\\nglobs: **/*.py\\n---\\n").splitlines()[1:3]
    ['name: x', 'globs: "**/*.py"']
    """
    lines = text.splitlines(keepends=True)
    last = next((at for at in range(1, len(lines)) if is_mark(lines[at])), 0)
    for at in range(1, last):
        match = _KEY.match(line := lines[at].rstrip())
        try:
            yaml.compose(line, Loader=LOADER)
        except yaml.YAMLError:
            if match and match[2]:
                lines[at] = f"{match[1]}: {json.dumps(match[2], ensure_ascii=False)}\n"
    return "".join(lines)


def word(value: JsonValue) -> str:
    """A value of the front matter as one line; empty where it is no text, or YAML's null."""
    text = _one_line(value)
    return "" if text in {"null", "~"} else text


def words(value: JsonValue) -> tuple[str, ...]:
    """A list of words, as a list or as one text with commas.

    >>> words(["a", "b"]), words("[a, b]"), words("a b")
    (('a', 'b'), ('a', 'b'), ('a b',))
    """
    if not value:
        return ()
    parts = value if isinstance(value, list) else word(value).strip("[]").split(",")
    return tuple(part for part in map(word, parts) if part)


def _one_line(value: JsonValue) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""


def _described(skill: SkillText, findings: list[Finding]) -> SkillText:
    """With a description out of the body where there is none: its title and first sentence."""
    if not skill.description:
        prose = (line.strip() for line in skill.body.splitlines())
        titles = [match[1] if (match := _HEADING.match(line)) else line for line in prose if line]
        said = [title.strip("*_#>- ") for title in titles[:40]]
        description = ". ".join([line for line in said if len(line.split()) > 1][:2])
        skill = replace(skill, description=description[:LONGEST_DESCRIPTION])
    return replace(skill, findings=tuple(sorted(findings, key=lambda finding: finding.line)))


def _front(text: str, line: int) -> tuple[dict[str, JsonValue], dict[str, int], list[Finding]]:
    """The keys, the line of each, and what is wrong with the YAML."""
    try:
        root = yaml.compose(text, Loader=LOADER)
        if root is None:
            return {}, {}, [Finding("empty-front-matter", "It is empty.", line)]
        if not isinstance(root, yaml.MappingNode):
            message = "The front matter is no mapping of keys to values."
            return {}, {}, [Finding("no-mapping", message, line)]
        return _pairs(root, text.split("\n"), line)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = str(getattr(error, "problem", None) or "a character that YAML does not allow")
        at = line + (mark.line if mark else 0)
        return *_by_line(text, line), [Finding("bad-yaml", f"It is no YAML: {problem}.", at)]
    except (OverflowError, RecursionError):
        message = "The front matter holds too many values, or is nested too deep."
        return {}, {}, [Finding("too-large", message, line)]


def _pairs(
    root: yaml.MappingNode, rows: Sequence[str], line: int
) -> tuple[dict[str, JsonValue], dict[str, int], list[Finding]]:
    keys: dict[str, JsonValue] = {}
    lines: dict[str, int] = {}
    findings = []
    budget = iter(range(MOST_VALUES))
    for node, value in root.value:
        key = str(_value(node, budget, 0))
        at = line + node.start_mark.line
        if key in keys:
            message = f"The key {key!r} stands here again; this one counts."
            findings.append(Finding("duplicate-key", message, at))
        if getattr(value, "flow_style", False):
            message = f"{key} is written in braces or brackets, which strict readers refuse."
            findings.append(Finding("flow-style", message, at, severity=Severity.WARNING))
        after = rows[value.start_mark.line + 1 : value.end_mark.line + 1]
        if getattr(value, "style", None) in {"'", '"'} and any(row[:1].strip() for row in after):
            message = f"{key} goes on in a line without indentation, which strict readers refuse."
            warning = Severity.WARNING  # the specification's own reader takes it
            findings.append(Finding("bad-indent", message, at, severity=warning))
        keys[key], lines[key] = _value(value, budget, 0), at
    return keys, lines, findings


def _value(node: yaml.Node, budget: Iterator[int], depth: int) -> JsonValue:
    """A node as texts, lists and mappings. Raises OverflowError beyond the budget."""
    if next(budget, None) is None or depth > DEEPEST:
        raise OverflowError
    if isinstance(node, yaml.MappingNode):
        return {
            str(_value(key, budget, depth + 1)): _value(value, budget, depth + 1)
            for key, value in node.value
        }
    if isinstance(node, yaml.SequenceNode):
        return [_value(item, budget, depth + 1) for item in node.value]
    return str(node.value)


def _by_line(text: str, line: int) -> tuple[dict[str, JsonValue], dict[str, int]]:
    """The keys of a front matter that is no YAML, as a person reads it: `key: the rest`."""
    keys: dict[str, JsonValue] = {}
    lines: dict[str, int] = {}
    key = ""
    for at, row in enumerate(text.splitlines(), line):
        if match := _KEY.match(row.rstrip()):
            key = match[1]
            value = (match[2] or "").strip()
            keys[key] = "" if value in {"|", ">", "|-", ">-"} else value.strip("\"'")
            lines[key] = at
        elif key and row.startswith((" ", "\t")):
            keys[key] = f"{keys[key]} {row.strip()}".strip()
    return keys, lines


def _against_the_specification(
    skill: SkillText, folder: str, at: Mapping[str, int]
) -> Iterator[Finding]:
    """What `agentskills validate` refuses as well, and a body longer than is recommended."""
    name = unicodedata.normalize("NFKC", str(skill.front.get("name") or ""))
    name_at, described_at = at.get("name", 1), at.get("description", 1)
    if not name:
        yield Finding("no-name", "It has no name.")
    elif not is_name(name):
        message = f"The name must be lower-case words joined by hyphens, {LONGEST_NAME} characters."
        yield Finding("bad-name", message, name_at)
    elif folder and name != unicodedata.normalize("NFKC", folder):
        yield Finding("other-name", f"The name differs from its folder's, {folder!r}.", name_at)
    if not _one_line(skill.front.get("description")):
        message = "It has no description, which says what it does and when to use it."
        yield Finding("no-description", message, described_at)
    for key, most in _LONGEST.items():
        if len(str(skill.front.get(key) or "")) > most:
            yield Finding(f"long-{key}", f"{key} has more than {most:,} characters.", at[key])
    for key in skill.front:
        if key not in _KNOWN:
            message = f"No client knows the key {key!r}; it stays as it is."
            yield Finding("unknown-key", message, at[key], severity=Severity.WARNING)
    if skill.body.rstrip().count("\n") >= LONGEST_BODY:
        message = f"The body has more than {LONGEST_BODY} lines; move parts into references/."
        yield Finding("long-body", message, LONGEST_BODY, severity=Severity.WARNING)


def fitting(skills: Iterable[tuple[str, str]], budget: int | None = None) -> list[str]:
    """The elements of skills, each of a name and a body, in their order.

    With a budget (tokens, estimated) a skill that no longer fits is left out, and so are those
    after it: the best come first.
    """
    blocks = []
    left = budget
    for name, body in skills:
        text = neutralise(body).strip()
        block = f"<skill name={quoteattr(name)}>\n{text}\n</skill>"
        if left is not None and (left := left - estimate(block)) < 0:
            break
        blocks.append(block)
    return blocks


def joined(blocks: Sequence[str]) -> str:
    """The block of skills; empty for none."""
    return "\n".join(["<skills>", *blocks, "</skills>"]) if blocks else ""
